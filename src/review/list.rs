//! All cells of a report that are to be decided, and those that are, as text for a terminal or a script.

use super::{flow::is_pending, proposal};
use crate::{
    decision::{Numbers, cell_key, words},
    report::Report,
    terminal::{Paint, escape, plural, wrapped},
};
use std::fmt::Write;

/// How wide a line may be.
const WIDTH: usize = 100;

/// What is to be decided, with what the hints propose; then what is decided.
pub(crate) fn list(report: &Report, paint: Paint) -> String {
    let header = &report.cleaned.header;
    let cells = 0..report.cells.len();
    let (pending, others): (Vec<usize>, Vec<usize>) = cells.partition(|&cell| is_pending(report, cell));
    let count = plural(report.cells.len() as u64, "cell");
    let mut text = format!("{}: {} of {count} to decide\n", paint.bold(escape(&header.suite)), pending.len());
    for &cell in &pending {
        let key = paint.bold(escape(&cell_key(header, cell)));
        let numbers = Numbers::of(&report.cleaned, cell).text();
        let hint = report.cells[cell].hinted.hint.word();
        _ = writeln!(text, "  {key}  {numbers}  hint: {hint}");
        if let Some(choice) = proposal(report, cell) {
            let words = format!("proposed: {}", words(choice.answer, choice.when.as_deref()));
            _ = writeln!(text, "{}", wrapped(&escape(&words), WIDTH, "      "));
        }
        if let Some(decided) = &report.cells[cell].decided {
            _ = writeln!(text, "{}", wrapped(&escape(&decided.text()), WIDTH, "      "));
        }
    }
    for cell in others {
        if let Some(decided) = &report.cells[cell].decided {
            let key = escape(&cell_key(header, cell));
            _ = writeln!(text, "  {key}  {}", escape(&decided.text()));
        }
    }
    text
}
