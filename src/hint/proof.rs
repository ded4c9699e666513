//! The rows of a log that prove that something is unsound, side by side.

use super::point;
use crate::{
    Verdict,
    clean::{Cleaned, FailedChecks},
    log::{Check, Row},
    terminal::{escape, shorten},
};

/// How much of a row is kept.
const MOST: usize = 1000;

/// How often something was seen, and the rows that show it once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Proven {
    pub(super) count: u64,
    pub(super) rows: Vec<ProofRow>,
}

/// What one row shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProofRow {
    /// What makes it another than the row beside it.
    pub(crate) role: String,
    input: String,
    /// What came out, if that is known.
    outcome: String,
}

impl ProofRow {
    /// No more of the texts than somebody will read: a log may have any length of them, and many cells that show them.
    pub(super) fn new(role: impl Into<String>, input: &str, outcome: &str) -> Self {
        Self { role: role.into(), input: shorten(input, MOST), outcome: shorten(outcome, MOST) }
    }

    /// In so many columns: what came out is what tells, so the input is cut first.
    pub(crate) fn text(&self, columns: usize) -> String {
        if self.outcome.is_empty() {
            return shorten(&escape(&self.input), columns);
        }
        let outcome = shorten(&format!(" -> {}", escape(&self.outcome)), columns.saturating_mul(2) / 3);
        shorten(&escape(&self.input), columns.saturating_sub(outcome.chars().count())) + &outcome
    }
}

/// An input with two verdicts: a row of each. That a process died may have come from outside.
pub(super) fn of_conflicts(cleaned: &Cleaned, cell: usize, count: u64) -> Proven {
    let verdicts = |rows: &[Row]| {
        let mut found: Vec<(Verdict, usize)> = Vec::new();
        for (position, row) in rows.iter().enumerate() {
            if let Some(verdict) = row.verdict(cell).filter(|verdict| *verdict != Verdict::Died)
                && found.iter().all(|(known, _)| *known != verdict)
            {
                found.push((verdict, position));
            }
        }
        found
    };
    let inputs = cleaned.inconsistent.iter().filter(|_| count > 0);
    let first = inputs.map(|found| (found, verdicts(&found.rows))).find(|(_, verdicts)| verdicts.len() > 1);
    let rows = first.map(|(found, verdicts)| {
        let told = |(verdict, row): (Verdict, usize)| check(cleaned, cell, verdict, &found.rows[row]);
        verdicts.into_iter().map(told).collect()
    });
    Proven { count, rows: rows.unwrap_or_default() }
}

/// One input that a function was called on twice.
pub(super) fn of_failed_checks(failed: Option<&FailedChecks>, roles: [&str; 2]) -> Proven {
    let Some(FailedChecks { count, example }) = failed else { return Proven::default() };
    let rows = example.iter().flat_map(|(_, input, outcomes)| {
        let told = move |(role, outcome): (&str, &String)| ProofRow::new(role, input, outcome);
        roles.into_iter().zip(outcomes).map(told)
    });
    Proven { count: *count, rows: rows.collect() }
}

/// An input that no follow-up could be made of.
pub(super) fn of_panics(cleaned: &Cleaned, cell: usize, count: u64) -> Proven {
    let told = |row: &Row| {
        let of_cell = row.detail.as_ref().and_then(|detail| detail.cells.get(cell));
        let panic = of_cell.and_then(|cell| cell.harness.as_ref());
        let panic = panic.map_or("", |panic| &panic.message);
        ProofRow::new("source", &row.input_text(&cleaned.header), panic)
    };
    one(cleaned, cell, count, Verdict::TransformPanicked, told)
}

/// A violated check whose follow-up is its source.
pub(super) fn of_identity(cleaned: &Cleaned, cell: usize, count: u64) -> Proven {
    one(cleaned, cell, count, Verdict::Violated, |row| check(cleaned, cell, Verdict::Violated, row))
}

/// The simplest row with a verdict, in words.
fn one(cleaned: &Cleaned, cell: usize, count: u64, verdict: Verdict, told: impl Fn(&Row) -> ProofRow) -> Proven {
    let rows = cleaned.working.iter().filter(|row| count > 0 && row.verdict(cell) == Some(verdict));
    let simplest = rows.min_by_key(|row| (row.detail.is_none(), row.simplicity()));
    Proven { count, rows: simplest.map(told).into_iter().collect() }
}

/// What a check saw.
fn check(cleaned: &Cleaned, cell: usize, verdict: Verdict, row: &Row) -> ProofRow {
    let check = Check::new(&cleaned.header, row, cell);
    let follow_up = |input| point::text(&cleaned.header, row, input);
    let follow_ups = check.follow_ups.iter().zip(check.outputs);
    let follow_ups: String = follow_ups.map(|(input, output)| format!("; {} -> {output}", follow_up(input))).collect();
    let outcome = check.output.map_or_else(String::new, |output| format!("{output}{follow_ups}"));
    ProofRow::new(verdict.word(), &row.input_text(&cleaned.header), &outcome)
}
