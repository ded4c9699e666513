//! Two logs compared, as text for 100 columns: one block per cell that is not as it was, all others in a line.

use super::{Diff, Log};
use crate::{
    Verdict,
    anchor::previous::{Change, Outcome, Side},
    report::text::wrap,
    terminal::{Paint, escape, grouped, plural, shorten},
    witness::Witness,
};
use std::fmt::Write;

/// The outcomes that have a block of their own.
const SHOWN: [Outcome; 3] = [Outcome::Regression, Outcome::Changed, Outcome::Drift];
/// The outcomes whose cells share a line.
const LISTED: [Outcome; 4] = [Outcome::Same, Outcome::Unknown, Outcome::New, Outcome::Vanished];

/// How many inputs that moved alike are shown; the JSON has more.
const INPUTS: usize = 3;

/// Two logs compared, as text.
pub(crate) fn text(diff: &Diff, paint: Paint) -> String {
    let mut text = format!("{}: {}\n", paint.bold(escape(&diff.new.header.suite)), logs(diff));
    diff.notes().for_each(|note| _ = writeln!(text, "note: {}", escape(note)));
    text.push('\n');
    for outcome in SHOWN {
        for (cell, witness) in diff.cells().filter(|(cell, _)| cell.outcome == outcome) {
            text.push_str(&block(cell, witness, paint));
        }
    }
    let blocks = text.len();
    for outcome in LISTED {
        let names: Vec<String> =
            diff.cells().filter(|(cell, _)| cell.outcome == outcome).map(|(cell, _)| name(cell)).collect();
        if !names.is_empty() {
            _ = writeln!(text, "{}", wrap(&format!("{}: ", outcome.word()), &names));
        }
    }
    if text.len() > blocks {
        text.push('\n');
    }
    _ = writeln!(text, "{}", summary(diff));
    text
}

fn logs(diff: &Diff) -> String {
    let log = |log: &Log| {
        let revision = &log.header.build.revision;
        let revision = if revision.is_empty() { String::new() } else { format!(" of {}", escape(revision)) };
        format!("{}{revision}", plural(log.inputs, "distinct input"))
    };
    format!("{} then, {} now", log(&diff.old), log(&diff.new))
}

fn name(cell: &Change) -> String {
    shorten(&format!("{} x {}", escape(&cell.function), escape(&cell.relation)), 40)
}

fn summary(diff: &Diff) -> String {
    let count = diff.comparison.cells.len() + diff.comparison.vanished.len();
    let kinds = SHOWN.into_iter().chain(LISTED).map(|outcome| (diff.count(outcome), outcome.word()));
    let kinds = kinds.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    format!("{}: {}", plural(count as u64, "cell"), kinds.collect::<Vec<_>>().join(", "))
}

fn block(cell: &Change, witness: Option<&Witness>, paint: Paint) -> String {
    let word = match cell.outcome {
        Outcome::Regression => paint.red(cell.outcome.word()),
        Outcome::Drift => paint.green(cell.outcome.word()),
        _ => paint.yellow(cell.outcome.word()),
    };
    let mut text = format!("{}  {word}\n", paint.bold(name(cell)));
    for (when, side) in [("then", &cell.old), ("now", &cell.new)] {
        if let Some(side) = side {
            _ = writeln!(text, "  {when:5} {}", side_text(side));
        }
    }
    cell.reasons.iter().for_each(|reason| _ = writeln!(text, "  {:5} {}", "why", escape(reason)));
    for moved in &cell.moved {
        let verdicts = format!("{} -> {}", moved.old, moved.new);
        let shown = moved.inputs.iter().take(INPUTS);
        let left = moved.count.saturating_sub(shown.len() as u64);
        for input in shown {
            _ = writeln!(text, "    {verdicts:20} {}", shorten(&escape(input), 74));
        }
        if left > 0 {
            _ = writeln!(text, "    {:20} and {}", "", plural(left, "more input"));
        }
    }
    if let Some(witness) = witness {
        _ = writeln!(text, "  {}", title(witness));
        text.push_str(&witness.text());
    }
    if let Some(what) = cell.would_decide {
        _ = writeln!(text, "  what would decide: {what}");
    }
    text.push('\n');
    text
}

fn title(witness: &Witness) -> &'static str {
    match (witness.is_shrunk, witness.is_smallest) {
        (false, _) => "simplest in the log:",
        (true, true) => "smallest:",
        (true, false) => "small (the search for a smaller one was cut off):",
    }
}

/// How often a cell was violated in one log, and when.
fn side_text(side: &Side) -> String {
    let counts = side.counts;
    let mut text =
        format!("violated {} of {}", grouped(counts.of(Verdict::Violated)), plural(counts.judged(), "distinct input"));
    for verdict in Verdict::ALL.into_iter().filter(|verdict| !matches!(verdict, Verdict::Held | Verdict::Violated)) {
        if let count @ 1.. = counts.of(verdict) {
            _ = write!(text, ", {} {verdict}", grouped(count));
        }
    }
    match side.violated_when.as_deref() {
        Some("true" | "false") => {}
        Some(condition) if side.is_exact => _ = write!(text, ", just when {}", escape(condition)),
        Some(condition) => _ = write!(text, ", with exceptions when {}", escape(condition)),
        None if counts.is_seen_both_ways() => text.push_str(", inconclusive"),
        None => {}
    }
    text
}
