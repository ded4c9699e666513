//! The inputs that show what a hint is about, as text.

use super::Cell;
use crate::{
    hint::{Evidence, Hint},
    terminal::{escape, wrapped},
};

/// The witnesses of a cell.
pub(super) fn lines(cell: &Cell, columns: usize) -> String {
    if cell.witnesses.is_empty() || !is_shown(cell) {
        return String::new();
    }
    let are_smallest = cell.witnesses.iter().all(|witness| witness.is_smallest);
    let title = match (cell.has_shrunk(), cell.hinted.hint) {
        (true, Hint::Inconclusive) if are_smallest => "smallest inputs with opposite verdicts:",
        (true, Hint::Inconclusive) => "small inputs with opposite verdicts (the search for smaller ones was cut off):",
        (true, _) if are_smallest => "smallest input:",
        (true, _) => "small input (the search for a smaller one was cut off):",
        (false, _) => "simplest input in the log:",
    };
    let witnesses = cell.witnesses.iter().map(|witness| witness.text());
    format!("  {title}\n{}{}", witnesses.collect::<String>(), apart(cell, columns))
}

/// What tells the two inputs of an inconclusive cell apart.
pub(super) fn apart(cell: &Cell, columns: usize) -> String {
    let evidence = cell.hinted.evidence.iter().find(|evidence| evidence.kind == Evidence::NEAREST_PAIR);
    evidence.map_or_else(String::new, |found| wrapped(&escape(&found.text), columns, "    ") + "\n")
}

/// A pair that is not shrunk is shown with what else is known of an inconclusive cell.
fn is_shown(cell: &Cell) -> bool {
    match cell.hinted.hint {
        Hint::Bug | Hint::Regression => true,
        Hint::Inconclusive => cell.has_shrunk(),
        _ => false,
    }
}
