//! A cell's hint in the text report: the answer with a question mark, how far it can be trusted, and why.

use super::{Cell, Report};
use crate::{
    hint::{Evidence, Hint},
    terminal::{Paint, escape, plural, wrapped},
};
use std::fmt::Write;

/// How many reasons are shown; the JSON report has all.
const MOST: usize = 5;
/// What the block of a cell says in other lines.
const SHOWN_ELSEWHERE: [&str; 6] =
    ["rate", "exact-condition", "condition", "part", "no-condition", Evidence::NEAREST_PAIR];

/// The lines of one cell.
pub(super) fn lines(cell: &Cell, paint: Paint) -> String {
    let hinted = &cell.hinted;
    let trust = hinted.trust().map(|trust| format!("  ({trust})"));
    let mut text = format!("  hint           {}{}\n", words(hinted.hint, paint), trust.unwrap_or_default());
    let is_new = |evidence: &&Evidence| !SHOWN_ELSEWHERE.contains(&evidence.kind);
    // Who has it looked for wants to see it.
    let (code, others): (Vec<_>, Vec<_>) =
        hinted.evidence.iter().filter(is_new).partition(|evidence| evidence.kind == "code");
    let more = others.len().saturating_sub(MOST);
    for evidence in others.into_iter().take(MOST).chain(code) {
        _ = writeln!(text, "{}", wrapped(&escape(&evidence.text), paint.columns, "    "));
        text.push_str(&evidence.proof(paint.columns, "      "));
    }
    if more > 0 {
        _ = writeln!(text, "    and {more} more in `--format json`");
    }
    if let Some(would_decide) = hinted.would_decide {
        _ = writeln!(text, "{}", wrapped(&format!("would decide: {would_decide}"), paint.columns, "    "));
    }
    text
}

/// The tool offers a hint, the tester decides: hence the question mark.
fn words(hint: Hint, paint: Paint) -> String {
    match hint {
        Hint::Nondeterministic => paint.red("nondeterministic"),
        Hint::Harness => paint.red("the suite is at fault"),
        Hint::Regression => paint.red("regression"),
        Hint::Bug => paint.red("bug?"),
        Hint::Fits => paint.green("fits"),
        Hint::DoesNotApply => paint.dim("does not apply?"),
        Hint::NotABug => paint.green("not a bug?"),
        Hint::Inconclusive => paint.yellow("inconclusive"),
    }
}

/// How many cells have each hint, in one line.
pub(super) fn summary(report: &Report) -> String {
    let count = |hint: Hint| report.cells.iter().filter(|cell| cell.hinted.hint == hint).count();
    let hints = Hint::ALL.into_iter().map(|hint| (count(hint), hint.word())).filter(|(count, _)| *count > 0);
    let hints: Vec<String> = hints.map(|(count, word)| format!("{count} {word}")).collect();
    format!("{}: {}", plural(report.cells.len() as u64, "hint"), hints.join(", "))
}
