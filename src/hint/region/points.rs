//! All inputs that a function was run on, as far as the log has them: sources and follow-ups alike, each once, and the
//! checks they belong to.

use crate::{
    Verdict,
    clean::Cleaned,
    hint::point,
    log::{Check, Outcome, Row, identity_of},
};
use std::collections::HashMap;

/// The inputs of one function.
#[derive(Default)]
pub(super) struct Points {
    pub(super) rows: Vec<Row>,
    /// Whether the function panics there, where that is known.
    pub(super) panics: Vec<Option<bool>>,
    pub(super) checks: Vec<PointCheck>,
    numbers: HashMap<u64, usize>,
}

/// A check that held or was violated, by the positions of its inputs.
pub(super) struct PointCheck {
    pub(super) source: usize,
    pub(super) follow_ups: Vec<usize>,
    pub(super) is_violated: bool,
}

impl Points {
    /// The inputs of some cells, all of one function, in some rows.
    pub(super) fn of<'row>(cleaned: &Cleaned, cells: &[usize], rows: impl Iterator<Item = &'row Row>) -> Self {
        let mut points = Self::default();
        for row in rows {
            for &cell in cells {
                points.add(row, &Check::new(&cleaned.header, row, cell), row.verdict(cell));
            }
        }
        points
    }

    fn add(&mut self, row: &Row, check: &Check<'_>, verdict: Option<Verdict>) {
        let source = self.number(bare(row), check.output);
        let follow_ups: Option<Vec<Row>> = check.follow_ups.iter().map(|input| point::as_row(row, input)).collect();
        let outcomes = check.outputs.iter().map(Some).chain(std::iter::repeat(None));
        let follow_ups = follow_ups.unwrap_or_default().into_iter().zip(outcomes);
        let follow_ups: Vec<usize> = follow_ups.map(|(row, outcome)| self.number(bare(&row), outcome)).collect();
        if let Some(verdict @ (Verdict::Held | Verdict::Violated)) = verdict
            && !follow_ups.is_empty()
        {
            self.checks.push(PointCheck { source, follow_ups, is_violated: verdict == Verdict::Violated });
        }
    }

    /// The position of an input, which ended like this.
    fn number(&mut self, row: Row, outcome: Option<&Outcome>) -> usize {
        let next = self.rows.len();
        let number = *self.numbers.entry(identity_of(&row)).or_insert(next);
        if number == next {
            self.rows.push(row);
            self.panics.push(None);
        }
        match outcome {
            Some(Outcome::Output(_)) => self.panics[number] = Some(false),
            Some(Outcome::Panicked(_)) => self.panics[number] = Some(true),
            Some(Outcome::Unknown) | None => {}
        }
        number
    }
}

/// An input alone: what a function is given, without parameters and all that was found out about it.
fn bare(row: &Row) -> Row {
    Row {
        id: row.id,
        phase: row.phase,
        bytes: Vec::new(),
        names: row.names.clone(),
        fields: row.fields.clone(),
        parameters: Vec::new(),
        features: Vec::new(),
        verdicts: Default::default(),
        weight: row.weight,
        detail: None,
        death: None,
    }
}
