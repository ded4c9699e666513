//! One report: what a campaign showed, cell by cell, and its renderers. Knows nothing of reading logs.

mod csv;
mod decision;
pub(crate) mod diff;
mod hint;
mod json;
mod rule;
pub(crate) mod table;
mod text;
mod witnesses;

pub(crate) use csv::csv;
pub(crate) use json::json;
pub(crate) use text::text;

use crate::{
    anchor::{Compared, Decided},
    clean::Cleaned,
    explain::{AllExplained, CellExplained, Explained, Rule},
    feature::Frame,
    hint::{Hint, Hinted},
    summary::CellSummary,
    terminal::escape,
    witness::Witness,
};
use std::sync::Arc;

/// What a campaign showed.
pub(crate) struct Report {
    pub(crate) cleaned: Cleaned,
    /// What can be asked of its inputs.
    pub(crate) frame: Arc<Frame>,
    /// One per cell.
    pub(crate) cells: Vec<Cell>,
    /// What has to be known to judge how far this can be trusted.
    pub(crate) notes: Vec<String>,
}

/// One function x relation.
pub(crate) struct Cell {
    pub(crate) function: String,
    pub(crate) relation: String,
    pub(crate) explained: CellExplained,
    pub(crate) rules: Vec<Rule>,
    pub(crate) hinted: Hinted,
    pub(crate) summary: CellSummary,
    /// Inputs that show what the hint is about.
    pub(crate) witnesses: Vec<Witness>,
    /// What the tester decided, and what has become of it.
    pub(crate) decided: Option<Decided>,
}

impl Report {
    pub(crate) fn new(
        cleaned: Cleaned,
        summaries: Vec<CellSummary>,
        explained: AllExplained,
        rules: Vec<Vec<Rule>>,
        hints: Vec<Hinted>,
    ) -> Self {
        let header = cleaned.header.clone();
        let mut notes = Vec::new();
        if explained.is_cut {
            notes.push(
                "inputs have more parts than were looked at: conditions over the others are not found, unless `observe!` \
                 makes features of them"
                    .into(),
            );
        }
        if cleaned.rows.distinct > cleaned.rows.kept {
            notes.push("the log is a sample past its budget: counts are estimates".into());
        }
        let mut cells = Vec::new();
        let parts = header.cells.iter().zip(explained.cells).zip(rules).zip(summaries).zip(hints);
        for ((((&(function, relation), explained), rules), summary), hinted) in parts {
            let relation = header.relations.get(usize::from(relation)).map(|relation| relation.name.clone());
            cells.push(Cell {
                function: header.functions.get(usize::from(function)).cloned().unwrap_or_default(),
                relation: relation.unwrap_or_default(),
                explained,
                rules,
                hinted,
                summary,
                witnesses: Vec::new(),
                decided: None,
            });
        }
        Self { cleaned, frame: explained.frame, cells, notes }
    }

    /// The same with what the tester decided.
    pub(crate) fn with_decisions(mut self, compared: Compared) -> Self {
        for (cell, decided) in self.cells.iter_mut().zip(compared.cells) {
            cell.decided = decided;
        }
        let note = |cell: &String| format!("`{}` is decided, and the log has no such cell", escape(cell));
        self.notes.extend(compared.unknown.iter().map(note));
        self
    }

    /// Whether some violations are not explained, or contradict a decision.
    pub(crate) fn is_unexplained(&self) -> bool {
        self.cells.iter().any(Cell::is_unexplained)
    }

    /// Whether some cell is violated where it was known to hold.
    pub(crate) fn is_regression(&self) -> bool {
        self.cells.iter().any(|cell| cell.hinted.hint == Hint::Regression)
    }
}

impl Cell {
    /// Whether its witnesses are as small as they can be.
    fn has_shrunk(&self) -> bool {
        self.witnesses.iter().any(|witness| witness.is_shrunk)
    }

    /// Whether there are violations that nothing explains and nobody accepts, a regression, or what looks like a bug or was
    /// decided to be one.
    pub(crate) fn is_unexplained(&self) -> bool {
        if let Some(decided) = self.decided.as_ref().filter(|decided| decided.is_red() || decided.is_accepted()) {
            return decided.is_red() || self.is_beyond(decided);
        }
        if self.hinted.is_alarm || self.hinted.covers_all {
            return self.hinted.is_alarm;
        }
        match &self.explained.explained {
            Explained::Inconclusive { .. } => true,
            // A condition says when, and not yet whether that is a bug.
            Explained::Condition(condition) => condition.missed > 0 || self.hinted.hint == Hint::Inconclusive,
            _ => false,
        }
    }

    /// Whether more is wrong than violations, which are all that a decision settles: verdicts that mean nothing, or panics
    /// that are new.
    fn is_beyond(&self, decided: &Decided) -> bool {
        match self.hinted.hint {
            Hint::Nondeterministic | Hint::Harness => true,
            Hint::Bug | Hint::Regression => decided.has_new_panics,
            _ => false,
        }
    }

    /// Whether the tester has to look at a decision again.
    pub(crate) fn is_reopened(&self) -> bool {
        let reopens = |decided: &Decided| decided.is_open() || (!decided.is_red() && self.is_beyond(decided));
        self.decided.as_ref().is_some_and(reopens)
    }
}
