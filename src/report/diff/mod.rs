//! Two logs compared, and its renderers.

mod json;
mod text;

pub(crate) use json::json;
pub(crate) use text::text;

use crate::{
    anchor::previous::{Change, Comparison, Outcome},
    clean::Cleaned,
    log::Header,
    witness::Witness,
};
use std::sync::Arc;

/// Two logs, compared, as it is shown.
pub(crate) struct Diff {
    pub(crate) old: Log,
    pub(crate) new: Log,
    pub(crate) comparison: Comparison,
    /// One per cell of the new log: the smallest input that shows what has changed for the worse.
    pub(crate) witnesses: Vec<Option<Witness>>,
    /// What has to be known beside.
    pub(crate) notes: Vec<String>,
}

/// One of the two logs.
pub(crate) struct Log {
    pub(crate) header: Arc<Header>,
    /// Distinct inputs.
    pub(crate) inputs: u64,
}

impl Log {
    pub(crate) fn of(cleaned: &Cleaned) -> Self {
        Self { header: cleaned.header.clone(), inputs: cleaned.rows.kept }
    }
}

impl Diff {
    /// All cells with their witnesses, those that only the old log has last.
    fn cells(&self) -> impl Iterator<Item = (&Change, Option<&Witness>)> {
        let witnesses = self.witnesses.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        self.comparison.cells.iter().chain(&self.comparison.vanished).zip(witnesses)
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.cells().filter(|(cell, _)| cell.outcome == outcome).count()
    }

    /// All that has to be known to judge how far this can be trusted.
    fn notes(&self) -> impl Iterator<Item = &String> {
        self.comparison.notes.iter().chain(&self.notes)
    }
}
