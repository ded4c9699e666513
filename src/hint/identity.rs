//! Relations whose follow-ups are always the source itself. One that is violated is a fault of the harness, and one that
//! holds says nothing of the function.

use super::{point, sound::detailed};
use crate::{Verdict, clean::Cleaned, log::Check};
use std::collections::HashMap;

/// So many checks show that a relation changes nothing.
const LEAST_CHECKS: u64 = 8;

/// Which relations change nothing.
#[derive(Default)]
pub(super) struct Identity {
    /// By relation: checks, and whether any had another input as follow-up.
    relations: HashMap<u16, (u64, bool)>,
    /// By cell: how often it was violated.
    violated: HashMap<usize, u64>,
}

impl Identity {
    pub(super) fn of_all(cleaned: &Cleaned) -> Self {
        let mut all = Self::default();
        let header = &cleaned.header;
        for row in detailed(cleaned) {
            for (cell, &(_, relation)) in header.cells.iter().enumerate() {
                let check = Check::new(header, row, cell);
                if check.follow_ups.is_empty() {
                    continue;
                }
                let changes = check.follow_ups.iter().any(|follow_up| !point::is_source(row, follow_up));
                let known = all.relations.entry(relation).or_default();
                *known = (known.0 + 1, known.1 || changes);
                let is_violated = row.verdict(cell) == Some(Verdict::Violated);
                *all.violated.entry(cell).or_default() += u64::from(is_violated);
            }
        }
        all
    }

    /// Whether a relation changes nothing.
    pub(super) fn has(&self, relation: u16) -> bool {
        self.relations.get(&relation).is_some_and(|&(checks, changes)| !changes && checks >= LEAST_CHECKS)
    }

    /// How often a cell was violated, if its relation changes nothing.
    pub(super) fn violated(&self, cell: usize, relation: u16) -> u64 {
        self.violated.get(&cell).copied().filter(|_| self.has(relation)).unwrap_or(0)
    }
}
