//! One check of a row: source, follow-ups and outputs of one cell.

use super::{CellDetail, Header, Outcome, Row, Value};

/// The source, the follow-ups and the outputs of one check, as far as the log has them.
#[derive(Clone, Copy, Debug)]
pub struct Check<'row> {
    /// The row with the source input.
    pub row: &'row Row,
    /// What the function gave for the source input.
    pub output: Option<&'row Outcome>,
    /// The follow-up inputs.
    pub follow_ups: &'row [Value],
    /// What the function gave for them.
    pub outputs: &'row [Outcome],
}

impl<'row> Check<'row> {
    /// The check of a cell in a row.
    pub fn new(header: &Header, row: &'row Row, cell: usize) -> Self {
        let nothing = Self { row, output: None, follow_ups: &[], outputs: &[] };
        let (Some(detail), Some(&(function, relation))) = (&row.detail, header.cells.get(cell)) else {
            return nothing;
        };
        let Some(seen) = detail.cells.get(cell) else { return nothing };
        // Cells of one relation that have the same follow-ups tell them once.
        let same = header.cells.iter().zip(&detail.cells).filter(|(cell, _)| cell.1 == relation);
        let first = same.map(|(_, cell): (_, &CellDetail)| &cell.inputs[..]).find(|inputs| !inputs.is_empty());
        let follow_ups = if seen.inputs.is_empty() { first.unwrap_or_default() } else { &seen.inputs };
        Self { row, output: detail.sources.get(usize::from(function)), follow_ups, outputs: &seen.outcomes }
    }
}
