//! All cells of a report that are to be decided, and those that are, as text for a terminal or a script.

use super::{exact_condition, flow::is_pending, proposal};
use crate::{
    anchor::Decided,
    decision::{Numbers, cell_key, words},
    report::Report,
    terminal::{Paint, escape, plural, wrapped},
};
use std::fmt::Write;

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
        let hinted = &report.cells[cell].hinted;
        let trust = hinted.trust().map(|trust| format!(" ({trust})")).unwrap_or_default();
        _ = writeln!(text, "  {key}  {numbers}  hint: {}{trust}", hinted.hint.word());
        let known = match proposal(report, cell) {
            Some(choice) => Some(format!("proposed: {}", words(choice.answer, choice.when.as_deref()))),
            None => exact_condition(&report.cells[cell]).map(|when| format!("violated when {when}")),
        };
        for line in known.into_iter().chain(report.cells[cell].decided.as_ref().map(Decided::text)) {
            _ = writeln!(text, "{}", wrapped(&escape(&line), paint.columns, "      "));
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
