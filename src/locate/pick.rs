//! Which rows of a log are run again: some of each verdict at random, and held ones that are most like violated ones.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Phase, Row, identity_of},
    summary::distance,
};
use std::collections::BTreeSet;

/// For so many violated rows the nearest held ones are looked for.
const NEAREST: usize = 64;
/// Among so many.
const AMONG: usize = 1 << 11;

/// The inputs of one cell that are run again.
#[derive(Debug, Default)]
pub(crate) struct Picked {
    pub(crate) violated: Vec<Vec<u8>>,
    pub(crate) held: Vec<Vec<u8>>,
}

/// Picks up to `most` violated and as many held rows, and beside these the held ones nearest to violated ones.
pub(crate) fn pick(cleaned: &Cleaned, cell: usize, most: usize) -> Picked {
    // Rows stand in the order of their hashes, so the first are as good as any.
    let violated = with(cleaned, cell, Verdict::Violated);
    let held = with(cleaned, cell, Verdict::Held);
    let mut chosen: BTreeSet<usize> = (0..held.len().min(most)).collect();
    for violated in violated.iter().take(NEAREST.min(most)) {
        let near = held.iter().take(AMONG).map(|held| distance(held, violated)).enumerate();
        chosen.extend(near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(position, _)| position));
    }
    Picked {
        violated: violated.iter().take(most).map(|row| row.bytes.clone()).collect(),
        held: chosen.into_iter().map(|position| held[position].bytes.clone()).collect(),
    }
}

/// The rows with a verdict whose bytes are known and that do not contradict themselves.
fn with(cleaned: &Cleaned, cell: usize, verdict: Verdict) -> Vec<&Row> {
    let has_it = |row: &&Row| row.verdicts.get(cell) == Some(&Some(verdict));
    let has_bytes = |row: &&Row| row.death.is_none() && !matches!(row.phase, Phase::Example | Phase::Import);
    let is_sound = |row: &&Row| !cleaned.is_inconsistent(identity_of(row));
    cleaned.working.iter().filter(has_it).filter(has_bytes).filter(is_sound).collect()
}
