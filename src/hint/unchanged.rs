//! Checks whose follow-up is the source itself: there every deterministic function gives the same output twice, so their
//! verdict says what the relation makes of two equal outputs, and nothing about the function.

use super::point;
use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Row},
};

/// So few of many checks show nothing about the others.
const LEAST: u64 = 4;

/// Checks of one cell with follow-ups in the log, by what the transformation did and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unchanged {
    pub(super) violated: u64,
    pub(super) held: u64,
    pub(super) changed_violated: u64,
    pub(super) changed_held: u64,
    /// Violated checks of which the log has no follow-ups.
    pub(super) unknown_violated: u64,
}

impl Unchanged {
    /// Violated just where the transformation changes nothing.
    pub(super) fn is_violated_only_there(self) -> bool {
        let is_known = self.unknown_violated == 0 || self.violated >= LEAST;
        self.violated > 0 && is_known && self.changed_violated == 0 && self.changed_held >= LEAST
    }

    /// Holds just where the transformation changes nothing.
    pub(super) fn is_held_only_there(self) -> bool {
        self.held >= LEAST && self.changed_held == 0 && self.changed_violated >= LEAST
    }
}

pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Unchanged {
    let mut seen = Unchanged::default();
    for row in &cleaned.working {
        let is_violated = match row.verdict(cell) {
            Some(Verdict::Violated) => true,
            Some(Verdict::Held) => false,
            _ => continue,
        };
        *match (is_unchanged(cleaned, row, cell), is_violated) {
            (Some(true), true) => &mut seen.violated,
            (Some(true), false) => &mut seen.held,
            (Some(false), true) => &mut seen.changed_violated,
            (Some(false), false) => &mut seen.changed_held,
            (None, true) => &mut seen.unknown_violated,
            (None, false) => continue,
        } += 1;
    }
    seen
}

/// Whether all follow-ups are the source; nothing if the log does not have them.
fn is_unchanged(cleaned: &Cleaned, row: &Row, cell: usize) -> Option<bool> {
    let follow_ups = Check::new(&cleaned.header, row, cell).follow_ups;
    (!follow_ups.is_empty()).then(|| follow_ups.iter().all(|follow_up| point::is_source(row, follow_up)))
}
