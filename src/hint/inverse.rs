//! Rows that are each other's follow-up: the relation leads back from there, and one pair of inputs is judged twice.

use super::{point, sound::detailed};
use crate::{
    clean::Cleaned,
    log::{Check, Header, Row, identity_of},
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
    let rows: Vec<(&Row, u64)> = detailed(cleaned).map(|row| (row, identity_of(row))).collect();
    (0..cleaned.header.cells.len()).map(|cell| of_cell(&cleaned.header, &rows, cell)).collect()
}

fn of_cell(header: &Header, rows: &[(&Row, u64)], cell: usize) -> Inverse {
    let mut all = Inverse::default();
    // By source and follow-up: whether it is violated.
    let mut seen: HashMap<(u64, u64), bool> = HashMap::new();
    for &(row, source) in rows {
        let Some(is_violated) = row.is_violated(cell) else { continue };
        let [input] = Check::new(header, row, cell).follow_ups else { continue };
        let Some(follow_up) = point::as_row(row, input).map(|row| identity_of(&row)) else { continue };
        if follow_up == source {
            continue;
        }
        if let Some(back) = seen.get(&(follow_up, source)) {
            all.pairs += 1;
            all.opposite += u64::from(*back != is_violated);
        }
        seen.insert((source, follow_up), is_violated);
    }
    all
}
