//! What the tester's decisions ask of a corpus: for each, inputs that show what was decided.

use super::obligation::Obligation;
use crate::{
    Verdict,
    claim::Claim,
    corpus::{ByCell, DecidedCell, Expectation},
    decision::{Answer, Decision, Decisions, cells_named},
    log::{Header, Row},
    replay::names_of,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The decisions about the cells of a target.
pub(crate) struct Decided {
    header: Arc<Header>,
    cells: Vec<Cell>,
    /// Decisions about cells that the target does not have.
    pub(crate) unknown: Vec<String>,
}

/// A decided cell.
struct Cell {
    cell: usize,
    decision: Decision,
    /// When it may be violated; or why the condition cannot be read.
    claim: Result<Claim, String>,
}

impl Decided {
    pub(crate) fn new(decisions: &Decisions, header: Arc<Header>) -> Self {
        let mut decided = Self { header: header.clone(), cells: Vec::new(), unknown: Vec::new() };
        for (name, decision) in &decisions.cells {
            match cells_named(&header, name)[..] {
                [cell] => {
                    let claim = decision.claim(&header, cell);
                    decided.cells.push(Cell { cell, decision: decision.clone(), claim });
                }
                _ => decided.unknown.push(name.clone()),
            }
        }
        decided
    }

    /// The cells that were called a bug, with the verdicts that show it.
    pub(super) fn bugs(&self) -> Vec<(usize, Vec<Verdict>)> {
        let bugs = self.cells.iter().filter(|cell| cell.decision.answer == Answer::Bug);
        bugs.map(|cell| (cell.cell, cell.decision.wrong())).collect()
    }

    /// What an input shows of what was decided.
    pub(super) fn add_met(&self, row: &Row, met: &mut BTreeSet<Obligation>) {
        for cell in &self.cells {
            if let Some(shows) = cell.shown_by(row) {
                met.insert(Obligation::Decided { cell: self.header.cell_name(cell.cell), shows });
            }
        }
    }

    /// The cells that an input may violate, by function.
    pub(super) fn accepted(&self, row: &Row) -> BTreeMap<String, BTreeSet<String>> {
        let mut accepted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| cell.decision.answer == Answer::NotABug && cell.accepts(row)) {
            let (function, relation) = names_of(&self.header, self.header.cells[cell.cell]);
            accepted.entry(function.into()).or_default().insert(relation.into());
        }
        accepted
    }

    /// As a manifest holds it, for a corpus of these rows.
    pub(crate) fn table<'rows>(&self, rows: impl Iterator<Item = &'rows Row> + Clone) -> ByCell<DecidedCell> {
        let mut table: ByCell<DecidedCell> = BTreeMap::new();
        for cell in &self.cells {
            let (function, relation) = names_of(&self.header, self.header.cells[cell.cell]);
            let fault = cell.fault(rows.clone());
            let wrong = if fault.is_some() { Vec::new() } else { cell.decision.wrong() };
            let decided = DecidedCell {
                answer: cell.decision.answer.word().into(),
                words: cell.decision.words_dated(),
                wrong: wrong.into_iter().map(Expectation).collect(),
                fault: fault.unwrap_or_default(),
            };
            table.entry(function.into()).or_default().insert(relation.into(), decided);
        }
        table
    }
}

impl Cell {
    /// What a row shows of the decision.
    fn shown_by(&self, row: &Row) -> Option<&'static str> {
        let said = |is_violated| self.claim.as_ref().is_ok_and(|claim| claim.is_violated(row) == Ok(is_violated));
        match (self.decision.answer, row.verdict(self.cell)?) {
            (Answer::NotABug, Verdict::Violated) if said(true) => Some("violated where it may be"),
            (Answer::NotABug, Verdict::Held) if said(false) => Some("held where it must"),
            (Answer::Fits, Verdict::Held) => Some("fits"),
            (Answer::DoesNotApply, Verdict::Violated) => Some("does not apply"),
            _ => None,
        }
    }

    fn accepts(&self, row: &Row) -> bool {
        row.death.is_none() && self.claim.as_ref().is_ok_and(|claim| claim.is_violated(row) == Ok(true))
    }

    /// Why the decision says nothing about some of these rows.
    fn fault<'rows>(&self, rows: impl Iterator<Item = &'rows Row>) -> Option<String> {
        let claim = match &self.claim {
            Ok(claim) => claim,
            Err(fault) => return Some(fault.clone()),
        };
        rows.filter(|row| row.death.is_none()).find_map(|row| claim.is_violated(row).err())
    }
}
