//! Whether an old log has been where new rows went wrong, when no condition says where that is: each old row is held
//! against the new row that is most like it.

use super::chance::UNLIKELY;
use crate::{log::Row, summary::distance};
use std::thread;

/// So many rows of either log are enough.
const ROWS: usize = 1024;
/// So many standard deviations are exceeded about once in 1000 times.
const DEVIATIONS: f64 = 3.1;
/// How much more of the rows of one campaign may stand at edges than of another's.
const EDGES: f64 = 0.02;

/// Whether old rows, none of which went wrong, stand among the new ones that did: then they went wrong there too, were
/// nothing changed. `new` says of each row whether it went wrong.
pub(super) fn is_among(old: &[&Row], new: &[(&Row, bool)]) -> bool {
    // Rows come in the order of their hashes, so the first are as good as any.
    let (old, new) = (&old[..old.len().min(ROWS)], &new[..new.len().min(ROWS)]);
    if old.is_empty() || !new.iter().any(|(_, is_wrong)| *is_wrong) {
        return false;
    }
    let told = in_two(old.len(), |row| nearest(old[row], new, None));
    let own = in_two(new.len(), |row| nearest(new[row].0, new, Some(row)));
    let beside = |wanted: bool| {
        let alike = new.iter().zip(&own).filter(|((_, is_wrong), _)| *is_wrong == wanted);
        alike.fold((0.0, 0.0), |(beside, all), (_, is_beside)| (beside + f64::from(u8::from(*is_beside)), all + 1.0))
    };
    let found = told.iter().filter(|is_beside| **is_beside).count() as f64;
    is_more((found, old.len() as f64), beside(false), beside(true))
}

/// Whether more old rows stand beside wrong ones than sound rows do at the edges anyway. Each is how many do, of how many:
/// of the old rows, of the new ones that are sound, and of the new ones that went wrong.
fn is_more((found, old): (f64, f64), (at_edges, sound): (f64, f64), (beside, _): (f64, f64)) -> bool {
    if sound + beside == 0.0 || found == 0.0 {
        return false;
    }
    let share = if sound == 0.0 { 0.0 } else { at_edges / sound };
    let pooled = (found + at_edges) / (old + sound);
    let spread = (pooled * (1.0 - pooled) * (1.0 / old + 1.0 / sound.max(1.0))).sqrt();
    // Two campaigns do not look at the same edges equally often.
    let slack = DEVIATIONS * spread + share.min(EDGES);
    let excess = found / old - share - slack;
    let right = beside / (beside + at_edges);
    excess > 0.0 && (found - old * share) * right >= UNLIKELY
}

/// Whether the new row that is most like this one went wrong.
fn nearest(row: &Row, new: &[(&Row, bool)], except: Option<usize>) -> bool {
    let others = new.iter().enumerate().filter(|(position, _)| Some(*position) != except);
    let nearest = others.map(|(_, (other, is_wrong))| (distance(row, other), *is_wrong));
    nearest.min_by(|one, other| one.0.total_cmp(&other.0)).is_some_and(|(_, is_wrong)| is_wrong)
}

/// Asks for every position, with two threads.
fn in_two(count: usize, ask: impl Fn(usize) -> bool + Sync) -> Vec<bool> {
    let half = count / 2;
    thread::scope(|scope| {
        let first = scope.spawn(|| (0..half).map(&ask).collect::<Vec<_>>());
        let second: Vec<bool> = (half..count).map(&ask).collect();
        let mut all = first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        all.extend(second);
        all
    })
}
