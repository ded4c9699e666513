//! The table of verdicts per cell, and what else a campaign showed, as text for 100 columns.

use crate::terminal::{Paint, abbreviate, escape, grouped, plural, shorten};
use crate::{
    Verdict,
    clean::{Cleaned, Counts, DeathKey},
    log::{Header, IMPORT, PanicInfo},
};
use std::{collections::BTreeMap, fmt::Write};

/// How much of a name fits into a column.
const NAME: usize = 28;
/// Between two columns.
const GAP: usize = 2;
/// What the second line of a function is called.
const EXECUTIONS: &str = "  executions";
/// How many deaths are shown.
const DEATHS: usize = 10;
/// How many inconsistent inputs are shown.
const INCONSISTENT: usize = 5;
/// How many bytes of an input are shown.
const BYTES: usize = 16;

/// What a table is made of.
pub(crate) struct Table<'log> {
    pub(crate) cleaned: &'log Cleaned,
    pub(crate) paint: Paint,
}

/// A column of cells: one relation.
struct Column {
    name: String,
    /// For each function: the text over distinct inputs, and the one over executions.
    cells: Vec<(String, String)>,
    width: usize,
}

impl Table<'_> {
    /// All of it.
    pub(crate) fn render(&self) -> String {
        [
            self.title(),
            self.verdicts(),
            self.others(),
            self.deaths(),
            self.inconsistent(),
            self.soundness(),
            self.rows(),
        ]
        .concat()
    }

    fn title(&self) -> String {
        let header = &self.cleaned.header;
        let mut parts = vec![self.paint.bold(escape(&header.suite)), escape(&header.build.engine)];
        parts.extend(header.constants.iter().map(|(name, value)| escape(&format!("{name} = {value}"))));
        if header.build.engine == IMPORT {
            parts.push(escape(&header.build.revision));
        } else {
            let checks = if header.build.overflow_checks { "on" } else { "off" };
            parts.extend([format!("seed {}", header.seed), format!("overflow checks {checks}")]);
        }
        let totals = &self.cleaned.totals;
        let executions = plural(totals.executions, "execution");
        let distinct = plural(self.cleaned.rows.distinct, "distinct input");
        let about = if self.cleaned.rows.distinct > self.cleaned.rows.kept { "about " } else { "" };
        let rejected = match totals.rejected {
            0 => String::new(),
            rejected => format!(", {} rejected", grouped(rejected)),
        };
        format!("{}\n{executions}, {about}{distinct}{rejected}\n\n", parts.join("  "))
    }

    /// The cell of a function and a relation; a relation can be restricted to some functions.
    fn cell(&self, function: usize, relation: usize) -> Option<usize> {
        self.cleaned.header.cells.iter().position(|&(f, r)| (usize::from(f), usize::from(r)) == (function, relation))
    }

    fn column(&self, relation: usize) -> Column {
        let name = shorten(&escape(&self.cleaned.header.relations[relation].name), NAME);
        let texts = |function| match self.cell(function, relation) {
            Some(cell) => {
                let cell = &self.cleaned.cells[cell];
                (cell_text(cell.distinct.counts), share(cell.executions, abbreviate))
            }
            None => (String::new(), String::new()),
        };
        let cells: Vec<(String, String)> = (0..self.cleaned.header.functions.len()).map(texts).collect();
        let widths = cells.iter().flat_map(|(distinct, executions)| [width(distinct), width(executions)]);
        let width = widths.chain([width(&name)]).max().unwrap_or(0);
        Column { name, cells, width }
    }

    /// One table, or several where the relations do not fit into one.
    fn verdicts(&self) -> String {
        let names: Vec<String> =
            self.cleaned.header.functions.iter().map(|name| shorten(&escape(name), NAME)).collect();
        let label = names.iter().map(|name| width(name)).chain([EXECUTIONS.len()]).max().unwrap_or(0);
        let mut columns: Vec<Column> =
            (0..self.cleaned.header.relations.len()).map(|relation| self.column(relation)).collect();
        let mut text = String::new();
        while !columns.is_empty() {
            let mut used = label;
            let fits = |column: &&Column| {
                used += GAP + column.width;
                used <= self.paint.columns
            };
            let count = columns.iter().take_while(fits).count().max(1);
            let part: Vec<Column> = columns.drain(..count).collect();
            text.push_str(&self.part(&names, label, &part));
        }
        text
    }

    /// A table of some relations.
    fn part(&self, names: &[String], label: usize, columns: &[Column]) -> String {
        let line = |first: &str, cell: &dyn Fn(&Column) -> String| {
            let mut line = format!("{first:label$}");
            columns
                .iter()
                .for_each(|column| _ = write!(line, "{:GAP$}{:>width$}", "", cell(column), width = column.width));
            line.trim_end().to_owned()
        };
        let mut lines = vec![line("violated", &|column| column.name.clone())];
        lines.push(self.paint.dim(line(&"-".repeat(label), &|column| "-".repeat(column.width))));
        for (function, name) in names.iter().enumerate() {
            lines.push(line(name, &|column| column.cells[function].0.clone()));
            lines.push(self.paint.dim(line(EXECUTIONS, &|column| column.cells[function].1.clone())));
        }
        lines.join("\n") + "\n\n"
    }

    /// A line for every cell with verdicts that the table does not show.
    fn others(&self) -> String {
        let mut text = String::new();
        for cell in 0..self.cleaned.header.cells.len() {
            let counts = self.cleaned.cells[cell].distinct.counts;
            let shown = [
                Verdict::SourcePanicked,
                Verdict::FollowUpPanicked,
                Verdict::Died,
                Verdict::Incomparable,
                Verdict::TransformPanicked,
            ];
            let mut parts: Vec<String> = shown
                .into_iter()
                .filter(|&verdict| counts.of(verdict) > 0)
                .map(|verdict| format!("{} {verdict}", grouped(counts.of(verdict))))
                .collect();
            let tally = self.cleaned.cells[cell].distinct;
            let in_question = tally.conflicting.saturating_add(tally.died_once);
            if in_question > 0 {
                parts.push(format!("{} in question", grouped(in_question)));
            }
            if !parts.is_empty() {
                let panic =
                    self.cleaned.findings.panics.get(&cell).map(|(_, panic)| panic_text(panic)).unwrap_or_default();
                let name = self.paint.bold(escape(&self.cleaned.header.cell_name(cell)));
                _ = writeln!(text, "{name}: {}{panic}", parts.join(", "));
            }
        }
        spaced(text)
    }

    fn deaths(&self) -> String {
        let findings = &self.cleaned.findings;
        if findings.deaths == 0 {
            return String::new();
        }
        let mut different: Vec<(&DeathKey, &(u64, String))> = findings.different_deaths.iter().collect();
        different.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let mut text = self.paint.red(plural(findings.deaths, "death"));
        _ = writeln!(text, ", {} different", grouped(different.len() as u64));
        for (key, (count, fields)) in different.iter().take(DEATHS) {
            let cells: Vec<String> =
                key.cells.iter().take(3).map(|&cell| escape(&self.cleaned.header.cell_name(cell))).collect();
            let more = if key.cells.len() > 3 { " and others" } else { "" };
            let place = if cells.is_empty() { String::new() } else { format!("{}{more}, ", cells.join(", ")) };
            let fields = if fields.is_empty() { String::new() } else { format!("  {}", shorten(&escape(fields), 60)) };
            _ = writeln!(text, "  {} x  {place}{}\n       {}{fields}", grouped(*count), key.stage, bytes_text(key));
        }
        if different.len() > DEATHS {
            _ = writeln!(text, "  and {} more", different.len() - DEATHS);
        }
        spaced(text)
    }

    fn soundness(&self) -> String {
        let totals = &self.cleaned.totals;
        if totals.unsound == 0 {
            return String::new();
        }
        let mut text = self.paint.red(format!(
            "{} of {} soundness checks failed",
            grouped(totals.unsound),
            grouped(totals.checks)
        ));
        text.push_str(": do not trust these functions' verdicts yet\n");
        for (&(function, is_nondeterministic), failed) in &self.cleaned.findings.unsound {
            let name = self.cleaned.header.functions.get(function).map_or_else(|| "?".into(), |name| escape(name));
            let is_random = self.cleaned.findings.unsound.contains_key(&(function, true));
            let what = match (is_nondeterministic, is_random) {
                (true, _) => "the same input twice in a row gave two outputs: it is nondeterministic",
                (false, true) => "the same input gave one output as source and another as follow-up",
                (false, false) => {
                    "the same input gave one output as source and another as follow-up: something leaks between the runs"
                }
            };
            _ = writeln!(text, "  {name}, {}: {what}", plural(failed.count, "row"));
        }
        spaced(text)
    }

    /// Inputs with two different verdicts, with what their rows say.
    fn inconsistent(&self) -> String {
        let rows = &self.cleaned.rows;
        if rows.inconsistent == 0 {
            return String::new();
        }
        let mut text = self.paint.red(plural(rows.inconsistent, "input"));
        text.push_str(" with two different verdicts, left out of every rate\n");
        for found in self.cleaned.inconsistent.iter().take(INCONSISTENT) {
            let row = found.rows.iter().find(|row| !row.fields.is_empty());
            let input = row.map(|row| row.input_text(&self.cleaned.header)).unwrap_or_default();
            _ = writeln!(text, "  {}", shorten(&escape(&input), self.paint.columns.saturating_sub(2)));
            for &cell in found.cells.iter().take(3) {
                let mut verdicts: Vec<Verdict> = found.rows.iter().filter_map(|row| row.verdict(cell)).collect();
                verdicts.sort_unstable();
                verdicts.dedup();
                let words: Vec<&str> = verdicts.into_iter().map(Verdict::word).collect();
                _ = writeln!(text, "    {}: {}", escape(&self.cleaned.header.cell_name(cell)), words.join(" and "));
            }
        }
        spaced(text)
    }

    /// What was read, and what was not.
    fn rows(&self) -> String {
        let rows = &self.cleaned.rows;
        let mut parts = vec![format!("{} read", grouped(rows.read))];
        let mut part = |count: u64, what: &str| {
            if count > 0 {
                parts.push(format!("{} {what}", grouped(count)));
            }
        };
        part(rows.duplicate, "duplicate");
        part(rows.inconsistent, "inconsistent");
        part(rows.missing, "without some verdict");
        part(rows.thinned, "left out by the budget");
        part(rows.lost, "lost to a full disk or budget");
        part(rows.oversized, "too long to keep");
        part(rows.damaged, "damaged");
        let bytes = grouped(self.cleaned.loss.bytes);
        for (count, what, how) in [
            (rows.damaged_blocks, "damaged block", &format!("lost ({bytes} bytes)")[..]),
            (rows.truncated, "segment", "cut off"),
            (rows.without_totals, "segment", "without readable totals"),
        ] {
            parts.extend((count > 0).then(|| format!("{} {how}", plural(count, what))));
        }
        let mut text = format!("rows: {}\n", parts.join(", "));
        for error in &self.cleaned.unreadable {
            _ = writeln!(text, "{} {}", self.paint.yellow("warning:"), escape(error));
        }
        text
    }
}

/// Ends a part with an empty line, unless there is nothing in it.
fn spaced(mut text: String) -> String {
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn cell_text(counts: Counts) -> String {
    match counts.violated_percent() {
        Some(percent) => format!("{} %  {}", percent_text(percent), share(counts, grouped)),
        None => "-".into(),
    }
}

/// One decimal, and never a 0 or a 100 that is not exact.
fn percent_text(percent: f64) -> String {
    match percent {
        _ if percent == 0.0 || percent == 100.0 => format!("{percent:.0}"),
        _ => format!("{:.1}", percent.clamp(0.1, 99.9)),
    }
}

/// Violated of judged.
fn share(counts: Counts, show: fn(u64) -> String) -> String {
    match counts.judged() {
        0 => "-".into(),
        judged => format!("{}/{}", show(counts.of(Verdict::Violated)), show(judged)),
    }
}

fn panic_text(panic: &PanicInfo) -> String {
    let message = shorten(&escape(&panic.message), 120);
    let place = if panic.location.is_empty() { String::new() } else { format!(" at {}", escape(&panic.place())) };
    format!("\n    `{message}`{place}")
}

/// The first bytes of an input, and how many there are.
fn bytes_text(key: &DeathKey) -> String {
    let first: Vec<String> = key.bytes.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if key.length > first.len() as u64 { " .." } else { "" };
    match key.length {
        0 => "empty input".into(),
        length => format!("{}: {}{more}", plural(length, "byte"), first.join(" ")),
    }
}

/// Names for the counts of other campaigns in the same folder.
pub(crate) fn others_text(headers: &[&Header]) -> String {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for header in headers {
        *counts.entry(format!("{} ({})", escape(&header.suite), escape(&header.build.engine))).or_default() += 1;
    }
    counts.iter().map(|(name, count)| format!("{count} of {name}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clean::CellCounts, log::Build};
    use std::sync::Arc;

    /// Functions and relations of these names, every relation for every function, and no numbers.
    fn header(functions: usize, relations: usize, name: &str) -> Header {
        let names: Vec<String> = (0..functions.max(relations)).map(|number| format!("{name}{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let plain = Header::of(&names[..functions], &names[..relations]);
        Header { suite: "s\u{1b}[2J".into(), build: Build { engine: "afl".into(), ..plain.build }, ..plain }
    }

    #[test]
    fn many_relations_with_long_names_and_large_numbers_fit_into_100_columns() {
        let header = header(3, 20, "a rather long name that tells everything\u{7}");
        let counts = Counts([u64::MAX / 4; Verdict::COUNT]);
        let mut cell = CellCounts { executions: counts, ..CellCounts::default() };
        cell.distinct.counts = counts;
        let cells = vec![cell; header.cells.len()];
        let cleaned = Cleaned { cells, ..Cleaned::of_nothing(Arc::new(header)) };
        let paint = Paint::PLAIN;
        let text = Table { cleaned: &cleaned, paint }.render();
        let table = text.split("\n\n").skip(1).take_while(|part| part.starts_with("violated"));
        assert!(
            table.flat_map(str::lines).inspect(|line| assert!(width(line) <= paint.columns, "{line}")).count() > 20
        );
        assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'));
        assert_eq!(text.matches("50.0 %").count(), 60);
    }

    #[test]
    fn a_percentage_is_never_rounded_to_all_or_nothing() {
        let texts = [0.0, 0.001, 55.0, 99.999, 100.0].map(percent_text);
        assert_eq!(texts, ["0", "0.1", "55.0", "99.9", "100"]);
    }
}
