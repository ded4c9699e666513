//! What has become of the tester's decisions, as text: red first, what stands in one line.

use super::{
    Cell, Report,
    text::{line, name},
};
use crate::{
    anchor::{Decided, State},
    terminal::{Paint, escape, plural, wrapped},
};
use std::fmt::Write;

/// The part of a report about decisions; nothing if there are none.
pub(super) fn section(report: &Report, paint: Paint) -> String {
    let mut decided: Vec<(&Cell, &Decided)> =
        report.cells.iter().filter_map(|cell| Some((cell, cell.decided.as_ref()?))).collect();
    let standing = decided.iter().filter(|(_, decided)| decided.state == State::Stands).count() as u64;
    decided.retain(|(_, decided)| decided.state != State::Stands);
    decided.sort_by_key(|(_, decided)| !decided.is_red());
    let mut text = String::new();
    for (cell, decided) in decided {
        _ = writeln!(text, "{}  {}", paint.bold(name(cell)), word(decided, paint));
        _ = writeln!(text, "{}", wrapped(&escape(&decided.text()), paint.columns, "  "));
        if let Some((verdict, row)) = &decided.witness {
            text.push_str(&line(report, *verdict, row));
        }
    }
    if standing > 0 {
        _ = writeln!(
            text,
            "{} as the log shows",
            plural(standing, "decision") + if standing == 1 { " is" } else { " are" }
        );
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn word(decided: &Decided, paint: Paint) -> String {
    match decided.state {
        State::Stands => "as decided".into(),
        State::Regression => paint.red("regression"),
        State::Bug => paint.red("bug"),
        State::Drift => paint.yellow("drift: reopened"),
        State::Fixed => paint.green("the bug is gone: reopened"),
        State::Untested => "not in this log".into(),
        State::Unusable(_) => paint.yellow("reopened"),
    }
}
