//! What is known of each cell, as text for 100 columns.

use super::{Cell, Report, decision, hint, table::Table, witnesses};
use crate::{
    Verdict,
    explain::{Explained, Written},
    feature::Scope,
    hint::Hint,
    log::Row,
    mine::condition::Reason,
    summary::{Sample, Why},
    terminal::{Paint, escape, grouped, plural, shorten},
};
use std::fmt::Write;

/// How much of a name is shown.
const NAME: usize = 40;
/// How many rows are shown about which a condition is wrong.
const EXCEPTIONS: usize = 3;

/// The table of verdicts, then one block per cell worth reading: those that are always or never violated share a line
/// each.
pub(crate) fn text(report: &Report, paint: Paint) -> String {
    let table = Table { cleaned: &report.cleaned, paint }.render();
    format!("{table}\n{}", conditions(report, paint))
}

fn conditions(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    let names = |wanted: fn(&Explained) -> bool| {
        // What has a block of its own is told there.
        let is_listed = |cell: &&Cell| wanted(&cell.explained.explained) && !cell.hinted.is_alarm;
        report.cells.iter().filter(is_listed).map(name).collect::<Vec<_>>()
    };
    for cell in &report.cells {
        text.push_str(&block(report, cell, paint));
    }
    for (title, names) in [
        ("never violated", names(|explained| matches!(explained, Explained::Never))),
        ("always violated", names(|explained| matches!(explained, Explained::Always))),
        ("never judged", names(|explained| matches!(explained, Explained::Nothing))),
    ] {
        if !names.is_empty() {
            _ = writeln!(text, "{}", wrap(&format!("{title}: "), &names));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&decision::section(report, paint));
    _ = writeln!(text, "{}", summary(report));
    _ = writeln!(text, "{}", hint::summary(report));
    for note in &report.notes {
        _ = writeln!(text, "note: {note}");
    }
    text
}

/// How many cells of each kind there are, in one line.
fn summary(report: &Report) -> String {
    let count = |wanted: fn(&Explained) -> bool| {
        report.cells.iter().filter(|cell| wanted(&cell.explained.explained)).count() as u64
    };
    let is_suspect = |cell: &&Cell| matches!(cell.explained.explained, Explained::Never) && cell.hinted.is_alarm;
    let suspect = report.cells.iter().filter(is_suspect).count() as u64;
    let kinds = [
        (count(|explained| matches!(explained, Explained::Never)) - suspect, "never violated"),
        (suspect, "wrong otherwise"),
        (count(|explained| matches!(explained, Explained::Always)), "always violated"),
        (count(|explained| explained.is_exact() && !is_over_outputs(explained)), "under an exact condition"),
        (
            count(|explained| explained.is_exact() && is_over_outputs(explained)),
            "under an exact condition over outputs",
        ),
        (
            count(|explained| matches!(explained, Explained::Condition(_)) && !explained.is_exact()),
            "under a condition with exceptions",
        ),
        (count(|explained| matches!(explained, Explained::Inconclusive { .. })), "inconclusive"),
        (count(|explained| matches!(explained, Explained::Nothing)), "never judged"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}"));
    format!("{}: {}", plural(report.cells.len() as u64, "cell"), kinds.collect::<Vec<_>>().join(", "))
}

fn is_over_outputs(explained: &Explained) -> bool {
    explained.condition().is_some_and(|condition| matches!(condition.scope, Scope::Output(_)))
}

pub(super) fn name(cell: &Cell) -> String {
    shorten(&format!("{} x {}", escape(&cell.function), escape(&cell.relation)), NAME)
}

/// Names, in lines of at most 100 columns.
pub(super) fn wrap(title: &str, names: &[String]) -> String {
    let mut lines = vec![title.to_owned()];
    for (position, name) in names.iter().enumerate() {
        let comma = if position + 1 < names.len() { ", " } else { "" };
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last + name.chars().count() + 2 > 100 {
            lines.push(" ".repeat(title.chars().count()));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(name);
            line.push_str(comma);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// How often the cell is violated, and how sure that is.
fn rate(cell: &Cell) -> String {
    let Some(rate) = cell.summary.rate else { return String::new() };
    let (low, high) = rate.interval;
    format!("violated {:.2} % (95 % interval {low:.2} to {high:.2})", rate.violated_percent)
}

/// The two rows of opposite verdicts that are most alike, and what tells them apart. Where there is no such pair, rows of
/// the rarer verdict.
fn nearest(report: &Report, cell: &Cell, paint: Paint) -> String {
    let mut text = String::new();
    if let [one, other] = &cell.witnesses[..] {
        text.push_str("  most alike, with opposite verdicts:\n");
        text.extend([one, other].map(|witness| line(report, witness.verdict, &witness.row)));
        return text + &witnesses::apart(cell, paint.columns);
    }
    let is_rare = |sample: &&Sample| sample.why.contains(&Why::Rare);
    for (position, sample) in cell.summary.samples.atypical.iter().filter(is_rare).take(3).enumerate() {
        if position == 0 {
            text.push_str("  rare:\n");
        }
        if let Some(row) = report.cleaned.working.get(sample.row) {
            text.push_str(&line(report, sample.verdict, row));
        }
    }
    text
}

/// The simplest rows about which a condition is wrong.
fn exceptions(report: &Report, written: &Written) -> String {
    let mut text = String::new();
    for (position, (verdict, row)) in written.exceptions.iter().take(EXCEPTIONS).enumerate() {
        if position == 0 {
            text.push_str("  among the exceptions:\n");
        }
        text.push_str(&line(report, *verdict, row));
    }
    text
}

/// A row with its verdict.
pub(super) fn line(report: &Report, verdict: Verdict, row: &Row) -> String {
    format!("    {:8} {}\n", verdict.word(), shorten(&escape(&row.input_text(&report.cleaned.header)), 80))
}

/// Why a row is shown, in words.
pub(super) fn why_text(report: &Report, why: &Why) -> String {
    match why {
        Why::Rare => "the rarer verdict".into(),
        Why::Nearest(row) => {
            let header = &report.cleaned.header;
            let other = report.cleaned.working.get(*row).map(|row| row.input_text(header)).unwrap_or_default();
            format!("nearest of the opposite verdict: {other}")
        }
        Why::Smallest(part) => format!("smallest {part}"),
        Why::Largest(part) => format!("largest {part}"),
        Why::Boundary(part, what) => format!("{part} is {what}"),
    }
}

fn block(report: &Report, cell: &Cell, paint: Paint) -> String {
    let written = cell.explained.written.as_ref();
    let mut text = String::new();
    match (&cell.explained.explained, written) {
        (Explained::Condition(_), Some(written)) => {
            _ = writeln!(text, "{}  {}", paint.bold(name(cell)), rate(cell));
            text.push_str(&condition(written));
            text.push_str(&exceptions(report, written));
            if cell.hinted.hint == Hint::Inconclusive && !cell.has_shrunk() {
                text.push_str(&nearest(report, cell, paint));
            }
        }
        _ if cell.hinted.is_alarm && !matches!(cell.explained.explained, Explained::Inconclusive { .. }) => {
            _ = writeln!(text, "{}  {}", paint.bold(name(cell)), rate(cell));
        }
        (Explained::Inconclusive { why, .. }, _) => {
            _ = writeln!(text, "{}  {}  {}", paint.bold(name(cell)), rate(cell), paint.yellow("inconclusive"));
            _ = writeln!(text, "  {}", reason(*why));
            if let Some(written) = written {
                _ = writeln!(text, "  a part is explained:");
                text.push_str(&condition(written));
                text.push_str(&exceptions(report, written));
            }
            if !cell.has_shrunk() {
                text.push_str(&nearest(report, cell, paint));
            }
        }
        _ => return String::new(),
    }
    text.push_str(&hint::lines(cell, paint));
    text.push_str(&witnesses::lines(cell, paint.columns));
    text.push('\n');
    text
}

fn condition(written: &Written) -> String {
    let found = &written.condition;
    let mut text = format!("  violated when  {}\n", escape(&written.violated_when));
    _ = writeln!(text, "  held when      {}", escape(&written.held_when));
    if let Some(named) = &written.named {
        _ = writeln!(text, "  that is        {}", escape(named));
    }
    let checked = plural(written.checked, "distinct input");
    if found.is_exact() {
        let which = if found.scope == Scope::Input { "" } else { " that are logged with follow-ups and outputs" };
        _ = writeln!(text, "  right for all {checked}{which}");
    } else {
        let (alarms, missed) = (grouped(found.false_alarms), grouped(found.missed));
        _ = writeln!(
            text,
            "  of {checked}, {alarms} held although it says violated, {missed} violated although it says held"
        );
    }
    match found.scope {
        Scope::Input => {}
        Scope::Change(_) => text.push_str("  over follow-up inputs\n"),
        Scope::Output(_) => text.push_str("  over outputs: it may say no more than the verdict does\n"),
    }
    if found.limit_hit {
        text.push_str("  the search was cut off: there may be a shorter condition\n");
    }
    text
}

fn reason(why: Reason) -> &'static str {
    match why {
        Reason::TooFewRows => "one verdict is so rare that no condition could be told from chance",
        Reason::Chance => "no feature tells violated from held better than chance would",
        Reason::Unexplained => "no short condition explains enough of the rows",
    }
}
