//! What the suite declares: `.expect_condition(..)` held against the rows.

use crate::{Verdict, clean::Cleaned, expression::Expression, log::Row};

/// A declared condition, and how the rows meet it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared {
    /// When it is expected to hold.
    pub(crate) text: String,
    /// Violated although it is expected to hold: rows of the working set.
    pub(crate) violated: u64,
    /// Held although it is expected to be violated.
    pub(crate) held: u64,
    /// One violated row that contradicts it.
    pub(crate) witness: Option<usize>,
    /// Why it could not be used.
    pub(crate) fault: Option<String>,
}

/// What is declared about a cell, if anything is.
pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Option<Declared> {
    let header = &cleaned.header;
    let relation = header.relations.get(usize::from(header.cells.get(cell)?.1))?;
    let text = relation.expected.clone()?;
    Some(match Expression::parse(&text, header) {
        Ok(expression) => against_rows(&expression, &cleaned.working, cell),
        Err(fault) => Declared { text, violated: 0, held: 0, witness: None, fault: Some(fault.to_string()) },
    })
}

/// Holds a condition under which a cell is expected to hold against rows.
fn against_rows(expression: &Expression, rows: &[Row], cell: usize) -> Declared {
    let mut declared =
        Declared { text: expression.text().to_owned(), violated: 0, held: 0, witness: None, fault: None };
    for (position, row) in rows.iter().enumerate().filter(|(_, row)| row.death.is_none()) {
        let Some(verdict @ (Verdict::Held | Verdict::Violated)) = row.verdicts.get(cell).copied().flatten() else {
            continue;
        };
        match (expression.test(row), verdict) {
            (Ok(true), Verdict::Violated) => {
                declared.violated += 1;
                declared.witness.get_or_insert(position);
            }
            (Ok(false), Verdict::Held) => declared.held += 1,
            (Err(fault), _) => declared.fault = Some(fault.to_string()),
            _ => {}
        }
    }
    declared
}
