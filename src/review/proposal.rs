//! What a hint comes to as a decision, if it comes to one.

use crate::{
    decision::{Answer, Choice, Test},
    explain::Explained,
    feature::Scope,
    hint::Hint,
    report::{Cell, Report},
};

/// The decision that a hint amounts to.
pub(crate) fn proposal(report: &Report, index: usize) -> Option<Choice> {
    let cell = &report.cells[index];
    let choice = |answer, when| Some(Choice::new(index, answer, when));
    match cell.hinted.hint {
        Hint::Fits => choice(Answer::Fits, None),
        Hint::DoesNotApply => choice(Answer::DoesNotApply, None),
        Hint::Bug => choice(Answer::Bug, None),
        Hint::NotABug => match exact_condition(cell) {
            Some(when) => choice(Answer::NotABug, Some(when)),
            // It is declared when it holds; elsewhere it need not be violated.
            None => declared(report, index).map(|held| Choice {
                test: Test::Positive,
                ..Choice::new(index, Answer::NotABug, Some(format!("!({held})")))
            }),
        },
        Hint::Nondeterministic | Hint::Harness | Hint::Regression | Hint::Inconclusive => None,
    }
}

/// Whether a cell can be decided as hinted without a look at it: nobody has decided about it, its hint leaves nothing
/// open, and nothing is wrong with its function. A bug changes conditions, and can make what holds sometimes hold always.
pub(crate) fn is_explained(report: &Report, index: usize) -> bool {
    is_fully_hinted(report, index) && suspect(report, index).is_none()
}

/// Whether a cell would be explained, were it not for what another one says of its function; that other cell.
pub(crate) fn held_back(report: &Report, index: usize) -> Option<usize> {
    suspect(report, index).filter(|_| is_fully_hinted(report, index))
}

/// A cell of the same function that somebody has to look at first.
fn suspect(report: &Report, index: usize) -> Option<usize> {
    let cells = &report.cleaned.header.cells;
    let is_suspect = |&other: &usize| cells[other].0 == cells[index].0 && report.cells[other].hinted.is_alarm;
    (0..report.cells.len()).find(is_suspect)
}

fn is_fully_hinted(report: &Report, index: usize) -> bool {
    let cell = &report.cells[index];
    let is_exact = match cell.hinted.hint {
        Hint::Fits => matches!(cell.explained.explained, Explained::Never),
        Hint::DoesNotApply => matches!(cell.explained.explained, Explained::Always),
        Hint::NotABug => exact_condition(cell).is_some(),
        _ => false,
    };
    cell.decided.is_none() && is_exact
}

/// When a cell is violated, as it can be decided: over inputs, with constants by name where they have one.
pub(crate) fn condition(cell: &Cell) -> Option<String> {
    match (&cell.explained.explained, &cell.explained.written) {
        (Explained::Always, _) => Some("true".into()),
        (_, Some(written)) if written.condition.scope == Scope::Input => {
            Some(written.named.as_ref().unwrap_or(&written.violated_when).clone())
        }
        _ => None,
    }
}

/// The same, if it is right for every row.
pub(crate) fn exact_condition(cell: &Cell) -> Option<String> {
    condition(cell).filter(|_| cell.explained.explained.is_exact())
}

/// What the log says of a cell, for whoever decides something else.
pub(crate) fn what_is_known(cell: &Cell) -> String {
    match (&cell.explained.explained, exact_condition(cell), &cell.explained.written) {
        (Explained::Never, ..) => "never violated".into(),
        (Explained::Always, ..) => "always violated".into(),
        (_, Some(when), _) => format!("violated when {when}"),
        (explained, None, Some(written)) if explained.is_exact() => {
            format!("violated when {}, which is no condition over the source input", written.violated_when)
        }
        _ => "no exact condition was found".into(),
    }
}

/// When the suite says that the relation of a cell holds.
fn declared(report: &Report, index: usize) -> Option<String> {
    let header = &report.cleaned.header;
    let &(_, relation) = header.cells.get(index)?;
    header.relations.get(usize::from(relation))?.expected.clone()
}
