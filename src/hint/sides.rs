//! Panics, deaths, NaN and infinities: on the source's side, on the follow-up's, or on both.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Header, Outcome, Row, Value},
};
use std::collections::BTreeMap;

/// What went wrong on which side of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sides {
    pub(super) source_panics: u64,
    pub(super) follow_up_panics: u64,
    pub(super) deaths: u64,
    /// Where checks were when the process died; nothing if not all deaths are told apart.
    pub(super) stages: BTreeMap<&'static str, u64>,
    /// Where the first panic was, and what it said.
    pub(super) panic: Option<(String, String)>,
    /// Incomparable checks, of those with outputs in the log, with NaN in just one of the outputs.
    pub(super) nan_on_one_side: u64,
    pub(super) incomparable: u64,
    /// The same of violated checks: whatever is compared with NaN is false.
    pub(super) nan_violated: u64,
    /// Violated checks, of those with outputs in the log, with an infinity in just one of the outputs: floats overflow
    /// without a panic.
    pub(super) infinite_on_one_side: u64,
    /// The panics are those of other cells of the function too, and this cell is violated wherever it is judged: its
    /// relation says nothing about the function.
    pub(super) is_told_elsewhere: bool,
}

impl Sides {
    pub(super) fn panics(&self) -> u64 {
        self.source_panics + self.follow_up_panics
    }

    /// Whether the function panics, and this cell tells it.
    pub(super) fn is_panicking(&self) -> bool {
        self.panics() > 0 && !self.is_told_elsewhere
    }
}

pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Sides {
    let counts = cleaned.cells.get(cell).map(|counts| counts.distinct.counts).unwrap_or_default();
    let panic = cleaned.findings.panics.get(&cell).map(|(_, panic)| (panic.place(), panic.message.clone()));
    let panic = panic.filter(|_| counts.of(Verdict::SourcePanicked) + counts.of(Verdict::FollowUpPanicked) > 0);
    Sides {
        source_panics: counts.of(Verdict::SourcePanicked),
        follow_up_panics: counts.of(Verdict::FollowUpPanicked),
        deaths: counts.of(Verdict::Died),
        stages: stages(cleaned, cell, counts.of(Verdict::Died)),
        panic,
        incomparable: counts.of(Verdict::Incomparable),
        nan_on_one_side: on_one_side(cleaned, cell, Verdict::Incomparable, f64::is_nan),
        nan_violated: on_one_side(cleaned, cell, Verdict::Violated, f64::is_nan),
        infinite_on_one_side: on_one_side(cleaned, cell, Verdict::Violated, f64::is_infinite),
        is_told_elsewhere: is_told_elsewhere(cleaned, cell),
    }
}

/// Whether a cell is always violated, and another one of its function panics too and is not.
fn is_told_elsewhere(cleaned: &Cleaned, cell: usize) -> bool {
    let function = |cell: usize| cleaned.header.cells.get(cell).map(|cell| cell.0);
    let counts = |cell: usize| cleaned.cells.get(cell).map(|cell| cell.distinct.counts).unwrap_or_default();
    let is_always = |cell: usize| counts(cell).of(Verdict::Held) == 0 && counts(cell).of(Verdict::Violated) > 0;
    let panics =
        |cell: usize| counts(cell).of(Verdict::SourcePanicked) + counts(cell).of(Verdict::FollowUpPanicked) > 0;
    let others = (0..cleaned.cells.len()).filter(|&other| other != cell && function(other) == function(cell));
    is_always(cell) && others.filter(|&other| panics(other)).any(|other| !is_always(other))
}

fn stages(cleaned: &Cleaned, cell: usize, deaths: u64) -> BTreeMap<&'static str, u64> {
    let mut stages = BTreeMap::new();
    let different = cleaned.findings.different_deaths.keys().filter(|key| key.cells.contains(&cell));
    different.for_each(|key| *stages.entry(key.stage).or_default() += 1);
    if stages.values().sum::<u64>() == deaths { stages } else { BTreeMap::new() }
}

/// How many checks with this verdict have such a float in just one of the outputs.
fn on_one_side(cleaned: &Cleaned, cell: usize, verdict: Verdict, is_it: fn(f64) -> bool) -> u64 {
    let rows = cleaned.working.iter().filter(|row| row.verdict(cell) == Some(verdict));
    rows.filter(|row| is_on_one_side(&cleaned.header, row, cell, is_it)).count() as u64
}

/// Whether a check has NaN in just one of the outputs.
pub(crate) fn has_nan_on_one_side(header: &Header, row: &Row, cell: usize) -> bool {
    is_on_one_side(header, row, cell, f64::is_nan)
}

fn is_on_one_side(header: &Header, row: &Row, cell: usize, is_it: fn(f64) -> bool) -> bool {
    let check = Check::new(header, row, cell);
    let all = || check.output.into_iter().chain(check.outputs);
    // Of what is not known nothing is said.
    let is_known =
        check.output.is_some() && !check.outputs.is_empty() && all().all(|it| matches!(it, Outcome::Output(_)));
    let source = check.output.is_some_and(|output| has(output, is_it));
    is_known && source != check.outputs.iter().any(|output| has(output, is_it))
}

/// Whether there is such a float in an output.
fn has(outcome: &Outcome, is_it: fn(f64) -> bool) -> bool {
    fn has_inside(value: &Value, is_it: fn(f64) -> bool) -> bool {
        match value {
            Value::List(values) | Value::Tuple(values) | Value::Struct(values, _) => {
                values.iter().any(|value| has_inside(value, is_it))
            }
            Value::Map(entries) => {
                entries.iter().any(|(key, value)| has_inside(key, is_it) || has_inside(value, is_it))
            }
            Value::Some(inner) | Value::Variant(inner, _) => has_inside(inner, is_it),
            value => value.float().is_some_and(is_it),
        }
    }
    matches!(outcome, Outcome::Output(value) if has_inside(value, is_it))
}
