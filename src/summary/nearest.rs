//! The two inputs with opposite verdicts that are nearest to each other.

use super::distance;
use crate::log::Row;

/// Up to so many pairs, all are looked at.
const ALL_PAIRS: usize = 1 << 17;
/// Beyond, so many of the rarer side are held against so many of the other.
const SAMPLED: (usize, usize) = (64, 1 << 11);

/// Two rows by their positions, the held one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) held: usize,
    pub(super) violated: usize,
    distance: f64,
}

/// Finds the nearest pair of held and violated rows: the nearest of all if there are few, else the nearest of those that
/// stand side by side in one of the `orders` and of a sample.
pub(super) fn pair(rows: &[Row], held: &[usize], violated: &[usize], orders: &[&[u32]]) -> Option<Pair> {
    let mut best = None;
    if held.len().saturating_mul(violated.len()) <= ALL_PAIRS {
        across(rows, held, violated, &mut best);
        return best;
    }
    let (few, many) = SAMPLED;
    let (most_held, most_violated) = if held.len() < violated.len() { (few, many) } else { (many, few) };
    // Rows stand in the order of their hashes, so the first are as good as any.
    across(rows, &held[..held.len().min(most_held)], &violated[..violated.len().min(most_violated)], &mut best);
    let mut side = vec![None; rows.len()];
    held.iter().for_each(|&row| side[row] = Some(true));
    violated.iter().for_each(|&row| side[row] = Some(false));
    for order in orders {
        let (mut last_held, mut last_violated) = (None, None);
        for row in order.iter().map(|&row| row as usize) {
            match side[row] {
                Some(true) => {
                    last_held = Some(row);
                    last_violated.into_iter().for_each(|violated| consider(rows, row, violated, &mut best));
                }
                Some(false) => {
                    last_violated = Some(row);
                    last_held.into_iter().for_each(|held| consider(rows, held, row, &mut best));
                }
                None => {}
            }
        }
    }
    best
}

fn across(rows: &[Row], held: &[usize], violated: &[usize], best: &mut Option<Pair>) {
    for &held in held {
        violated.iter().for_each(|&violated| consider(rows, held, violated, best));
    }
}

fn consider(rows: &[Row], held: usize, violated: usize, best: &mut Option<Pair>) {
    let pair = Pair { held, violated, distance: distance::of_rows(&rows[held], &rows[violated]) };
    // Of pairs that are equally near, one that can be shown with its outputs.
    let missing = |pair: &Pair| [pair.held, pair.violated].iter().filter(|&&row| rows[row].detail.is_none()).count();
    let is_better = best.is_none_or(|best| {
        let order = pair.distance.total_cmp(&best.distance);
        let order = order.then_with(|| missing(&pair).cmp(&missing(&best)));
        order.then_with(|| (held, violated).cmp(&(best.held, best.violated))).is_lt()
    });
    if is_better {
        *best = Some(pair);
    }
}
