//! Rows that are each other's follow-up: the relation leads back from there, and one pair of inputs is judged twice.

use super::{point, sound::detailed};
use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, identity_of},
};
use std::collections::HashMap;

/// Pairs of inputs that were judged in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inverse {
    pub(super) pairs: u64,
    /// Held in one direction, violated in the other.
    pub(super) opposite: u64,
}

/// The pairs of each cell.
pub(super) fn of_all(cleaned: &Cleaned) -> Vec<Inverse> {
    let header = &cleaned.header;
    let mut all = vec![Inverse::default(); header.cells.len()];
    // By cell, source and follow-up: whether it is violated.
    let mut seen: HashMap<(usize, u64, u64), bool> = HashMap::new();
    for row in detailed(cleaned) {
        let source = identity_of(row);
        for (cell, all) in all.iter_mut().enumerate() {
            let is_violated = match row.verdict(cell) {
                Some(Verdict::Held) => false,
                Some(Verdict::Violated) => true,
                _ => continue,
            };
            let [input] = Check::new(header, row, cell).follow_ups else { continue };
            let Some(follow_up) = point::as_row(row, input).map(|row| identity_of(&row)) else { continue };
            if follow_up == source {
                continue;
            }
            if let Some(back) = seen.get(&(cell, follow_up, source)) {
                all.pairs += 1;
                all.opposite += u64::from(*back != is_violated);
            }
            seen.insert((cell, source, follow_up), is_violated);
        }
    }
    all
}
