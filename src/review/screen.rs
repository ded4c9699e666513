//! One cell as the tester sees it: the numbers, the condition, samples, evidence, the hint, and the keys.

use super::flow::{Flow, Item};
use crate::{
    anchor::Decided,
    decision::{Choice, Numbers, words},
    hint::Evidence,
    log::{Check, Row},
    report::{Cell, Report},
    summary::{Sample, Samples},
    terminal::{Paint, escape, shorten, wrapped},
};
use std::fmt::Write;

/// How many samples are shown, if there is room.
const SAMPLES: usize = 12;
/// How many are shown, however little room there is.
const LEAST_SAMPLES: usize = 3;
/// How many things that speak for or against a bug are shown.
const EVIDENCE: usize = 6;
/// How many exceptions to a condition are shown.
const EXCEPTIONS: usize = 3;
/// How wide a line may be.
const WIDEST: usize = 100;
/// What the name and the key of an answer take.
const KEY: usize = 20;

/// What a cell is shown with.
pub(crate) struct Shown<'report> {
    pub(crate) report: &'report Report,
    pub(crate) samples: &'report Samples,
    pub(crate) paint: Paint,
    /// The lines and columns of the terminal.
    pub(crate) size: (usize, usize),
}

/// The cell that is to be decided now.
pub(crate) fn screen(shown: &Shown<'_>, flow: &Flow) -> String {
    let Some(item) = flow.current() else { return String::new() };
    let cell = &shown.report.cells[item.cell];
    let mut text = shown.title(flow, item);
    text.push_str(&shown.numbers(item, cell));
    text.push_str(&shown.condition(item, cell));
    text.push_str(&shown.hint(cell));
    let mut end = shown.keys(item);
    if let Some(message) = &flow.message {
        _ = writeln!(end, "\n{}", shown.paint.yellow(message));
    }
    // One line is left for the cursor, one stands before the samples.
    let room = shown.size.0.saturating_sub(text.lines().count() + end.lines().count() + 2);
    let evidence = shown.evidence(cell, room.saturating_sub(LEAST_SAMPLES));
    let room = room.saturating_sub(evidence.lines().count());
    text.push_str(&evidence);
    text.push_str(&shown.samples(item, room.clamp(LEAST_SAMPLES, SAMPLES)));
    text.push_str(&end);
    text
}

impl Shown<'_> {
    fn width(&self) -> usize {
        self.size.1.min(WIDEST)
    }

    fn title(&self, flow: &Flow, item: &Item) -> String {
        let header = &self.report.cleaned.header;
        let relation = header.cells.get(item.cell).and_then(|cell| header.relations.get(usize::from(cell.1)));
        let description = match relation.map(|relation| escape(&relation.description)) {
            Some(description) if !description.is_empty() => format!(" ({description})"),
            _ => String::new(),
        };
        let name = self.paint.bold(escape(&header.cell_name(item.cell)));
        let place = format!("Reviewing [{}/{}] {}:", flow.number(), flow.len(), escape(&header.suite));
        format!("{place} {name}{description}\n\n")
    }

    fn numbers(&self, item: &Item, cell: &Cell) -> String {
        let numbers = Numbers::of(&self.report.cleaned, item.cell).text();
        let interval = cell.summary.rate.map(|rate| rate.interval);
        let interval =
            interval.map(|(low, high)| format!("  (95 % interval {low:.2} to {high:.2} %)")).unwrap_or_default();
        let decided = cell.decided.as_ref().map(|decided| self.part("before", &decided.text()));
        format!("  {numbers}{interval}\n{}", decided.unwrap_or_default())
    }

    fn condition(&self, item: &Item, cell: &Cell) -> String {
        let mut text = String::new();
        if let Some(written) = &cell.explained.written {
            text.push_str(&self.part("violated when", &written.violated_when));
            text.push_str(&self.part("held when", &written.held_when));
            text.extend(written.named.as_ref().map(|named| self.part("that is", named)));
            for (number, (verdict, row)) in written.exceptions.iter().take(EXCEPTIONS).enumerate() {
                let name = if number == 0 { "exceptions" } else { "" };
                let line = format!("{name:14} {:9} {}", verdict.word(), self.check(row, item.cell));
                _ = writeln!(text, "  {}", shorten(&line, self.width().saturating_sub(2)));
            }
        }
        if item.is_edited {
            text.push_str(&self.part("yours", item.condition.as_deref().unwrap_or("(none)")));
        }
        text
    }

    fn hint(&self, cell: &Cell) -> String {
        let hinted = &cell.hinted;
        let mark = if hinted.hint.is_proposal() { "?" } else { "" };
        let trust = hinted.trust().map(|trust| format!("  ({trust})")).unwrap_or_default();
        let word = self.paint.bold(format_args!("{}{mark}", hinted.hint.word()));
        let mut text = format!("  {:14} {word}{trust}\n", "hint");
        text.extend(hinted.would_decide.map(|what| self.part("would decide", what.text())));
        text
    }

    /// What speaks for or against a bug, what the hint rests on whatever it takes and the rest in so many lines.
    fn evidence(&self, cell: &Cell, lines: usize) -> String {
        let decided = cell.decided.as_ref().map(Decided::text);
        let is_told = |one: &Evidence| one.kind == "rate" || decided.as_ref() == Some(&one.text);
        let evidence: Vec<_> = cell.hinted.evidence.iter().filter(|one| !is_told(one)).collect();
        let mut text = String::new();
        for (number, one) in evidence.iter().enumerate() {
            let part = self.part(if number == 0 { "because" } else { "" }, &one.text);
            let part = part + &one.proof(self.width(), &format!("  {:16} ", ""));
            // What is left out takes a line of its own.
            let used = text.lines().count() + part.lines().count() + usize::from(number + 1 < evidence.len());
            if number > 0 && (number == EVIDENCE || used > lines) {
                text.push_str(&self.part("", &format!("and {} more in the report", evidence.len() - number)));
                break;
            }
            text.push_str(&part);
        }
        text
    }

    /// A name and a text, in as many lines as it takes.
    fn part(&self, name: &str, text: &str) -> String {
        let indent = format!("  {:14} ", "");
        let lines = wrapped(&escape(text), self.width(), &indent);
        format!("  {name:14} {}\n", lines.trim_start())
    }

    /// So many rows: of every verdict and of what is atypical in turn.
    fn samples(&self, item: &Item, most: usize) -> String {
        let Samples { random, atypical } = self.samples;
        let of_verdicts = random.chunk_by(|one, other| one.verdict == other.verdict).map(|chunk| ("", chunk));
        let kinds: Vec<(&str, &[Sample])> = of_verdicts.chain([("atypical", &atypical[..])]).collect();
        let longest = kinds.iter().map(|(_, samples)| samples.len()).max().unwrap_or(0);
        let in_turn = (0..longest)
            .flat_map(|turn| kinds.iter().filter_map(move |(kind, samples)| Some((*kind, samples.get(turn)?))));
        let shown: Vec<(&str, &Sample)> = in_turn.take(most).collect();
        let verdict_width = shown.iter().map(|(_, sample)| sample.verdict.word().len()).max().unwrap_or(0);
        let mut text = String::from("\n");
        for (kind, sample) in shown {
            if let Some(row) = self.report.cleaned.working.get(sample.row) {
                let line = format!("{:verdict_width$} {kind:8} {}", sample.verdict.word(), self.check(row, item.cell));
                _ = writeln!(text, "  {}", shorten(&line, self.width().saturating_sub(2)));
            }
        }
        text
    }

    fn check(&self, row: &Row, cell: usize) -> String {
        let header = &self.report.cleaned.header;
        let check = Check::new(header, row, cell);
        let mut text = row.input_text(header);
        let outputs = check.output.into_iter().chain(check.outputs).map(ToString::to_string).collect::<Vec<_>>();
        // They come first: where a line is cut, they are what one judges by.
        if !outputs.is_empty() {
            _ = write!(text, "  gives {}", outputs.join(", then "));
        }
        for follow_up in check.follow_ups {
            _ = write!(text, "  follow-up {follow_up}");
        }
        escape(&text)
    }

    fn keys(&self, item: &Item) -> String {
        let accept = item.proposal.as_ref().map_or_else(|| "(no hint to accept)".into(), accepted);
        let under = match &item.condition {
            Some(condition) => format!("under this condition: {}", escape(condition)),
            None => "(no condition yet)".into(),
        };
        let keys = [
            ('a', "accept hint", accept),
            ('b', "bug", "fix it and fuzz again: red until the violations are gone".into()),
            ('n', "not a bug", under),
            ('d', "does not apply", "leave this cell out of the regression tests".into()),
        ];
        let mut text = String::from("\n");
        for (key, name, what) in keys {
            let what = shorten(&what, self.width().saturating_sub(KEY));
            _ = writeln!(text, "  {}  {name:14} {what}", self.paint.bold(key));
        }
        let others = [('e', "edit the condition"), ('s', "skip"), ('m', "more samples"), ('q', "quit")];
        let others = others.map(|(key, name)| format!("{}  {name}", self.paint.bold(key)));
        let capitals = "A, B, N, D: the same for every remaining cell that is fully explained; S skips them all";
        _ = writeln!(text, "  {}\n{}", others.join("    "), wrapped(capitals, self.width(), "  "));
        text
    }
}

/// What accepting a proposal means.
fn accepted(choice: &Choice) -> String {
    format!("{}: {}", escape(&words(choice.answer, choice.when.as_deref())), choice.test.words())
}
