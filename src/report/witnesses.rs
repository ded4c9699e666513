//! The inputs that show what a hint is about, as text.

use super::Cell;
use crate::hint::Hint;

/// The witnesses of a cell.
pub(super) fn lines(cell: &Cell) -> String {
    if cell.witnesses.is_empty() || !is_shown(cell) {
        return String::new();
    }
    let title = match (cell.has_shrunk(), cell.hinted.hint) {
        (true, Hint::Inconclusive) => "smallest inputs with opposite verdicts:",
        (true, _) => "smallest input:",
        (false, _) => "simplest input in the log:",
    };
    let witnesses = cell.witnesses.iter().map(|witness| witness.text());
    format!("  {title}\n{}", witnesses.collect::<String>())
}

/// A pair that is not shrunk is shown with what else is known of an inconclusive cell.
fn is_shown(cell: &Cell) -> bool {
    match cell.hinted.hint {
        Hint::Bug | Hint::Regression => true,
        Hint::Inconclusive => cell.has_shrunk(),
        _ => false,
    }
}
