//! Which rows of a log are run again: some of each end at random, and held ones that are most like failed ones.

use super::End;
use crate::{
    clean::Cleaned,
    log::{Row, identity_of},
    summary::distance,
};
use std::collections::BTreeSet;

/// For so many failed rows of an end the nearest held ones are looked for.
const NEAREST: usize = 64;
/// Among so many.
const AMONG: usize = 1 << 11;

/// The inputs of one cell that are run again.
#[derive(Debug, Default)]
pub(crate) struct Picked {
    pub(crate) violated: Vec<Vec<u8>>,
    pub(crate) panicked: Vec<Vec<u8>>,
    pub(crate) held: Vec<Vec<u8>>,
}

impl Picked {
    /// Those that ended so.
    pub(crate) fn of(&self, end: End) -> &[Vec<u8>] {
        match end {
            End::Held => &self.held,
            End::Violated => &self.violated,
            End::Panicked => &self.panicked,
        }
    }

    /// Whether there is anything to tell from held checks.
    pub(crate) fn can_tell(&self) -> bool {
        !self.held.is_empty() && (!self.violated.is_empty() || !self.panicked.is_empty())
    }
}

/// Picks up to `most` rows of each end, and beside these the held ones nearest to failed ones.
pub(crate) fn pick(cleaned: &Cleaned, cell: usize, most: usize) -> Picked {
    // Rows stand in the order of their hashes, so the first are as good as any.
    let [held, violated, panicked] = [End::Held, End::Violated, End::Panicked].map(|end| rows_with(cleaned, cell, end));
    let mut chosen: BTreeSet<usize> = (0..held.len().min(most)).collect();
    for failed in [&violated, &panicked].into_iter().flat_map(|rows| rows.iter().take(NEAREST.min(most))) {
        let near = held.iter().take(AMONG).map(|held| distance(held, failed)).enumerate();
        chosen.extend(near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(position, _)| position));
    }
    let first = |rows: &[&Row]| rows.iter().take(most).map(|row| row.bytes.clone()).collect();
    Picked {
        violated: first(&violated),
        panicked: first(&panicked),
        held: chosen.into_iter().map(|position| held[position].bytes.clone()).collect(),
    }
}

/// The rows that ended so, whose bytes are known and that do not contradict themselves.
fn rows_with(cleaned: &Cleaned, cell: usize, end: End) -> Vec<&Row> {
    let has_it = |row: &&Row| row.verdicts.get(cell).copied().flatten().and_then(End::of) == Some(end);
    let is_sound = |row: &&Row| row.death.is_none() && !cleaned.is_inconsistent(identity_of(row));
    cleaned.working.iter().filter(has_it).filter(|row| row.has_bytes()).filter(is_sound).collect()
}
