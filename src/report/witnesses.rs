//! The inputs that show what a hint is about, as text.

use super::{Cell, Report, text::name};
use crate::{
    hint::Hint,
    terminal::{Paint, escape},
};
use std::fmt::Write;

/// One block per cell that is hinted at as a bug or a regression, and per cell with a shrunk pair of opposite verdicts.
pub(super) fn text(report: &Report, paint: Paint) -> String {
    report.cells.iter().filter(|cell| is_shown(cell)).map(|cell| block(cell, paint)).collect()
}

fn is_shown(cell: &Cell) -> bool {
    match cell.hinted.hint {
        Hint::Bug | Hint::Regression => true,
        Hint::Inconclusive => cell.has_shrunk(),
        _ => false,
    }
}

fn block(cell: &Cell, paint: Paint) -> String {
    let word = cell.hinted.hint.word();
    let word = if cell.hinted.hint == Hint::Inconclusive { paint.yellow(word) } else { paint.red(word) };
    let mut text = format!("{}  {word}\n", paint.bold(name(cell)));
    if cell.hinted.hint != Hint::Inconclusive
        && let Some(evidence) = cell.hinted.evidence.first()
    {
        _ = writeln!(text, "  {}", escape(&evidence.text));
    }
    let title = match (cell.has_shrunk(), cell.hinted.hint) {
        (true, Hint::Inconclusive) => "smallest inputs with opposite verdicts:",
        (true, _) => "smallest input:",
        (false, _) => "simplest input in the log:",
    };
    if !cell.witnesses.is_empty() {
        _ = writeln!(text, "  {title}");
    }
    cell.witnesses.iter().for_each(|witness| text.push_str(&witness.text()));
    text.push('\n');
    text
}
