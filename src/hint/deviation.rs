//! How far the outputs of violated checks are from what the held ones show: rounding, or more.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Outcome, Value},
};

/// Deviations of floats up to this share of the larger output are rounding.
const ROUNDING: f64 = 1e-6;
/// Held checks agree with a model up to this, if their outputs are floats.
const AGREED: f64 = 1e-9;
/// So few checks show no model.
const LEAST: usize = 8;
/// Integers beyond this are not exact as floats.
const EXACT: u128 = 1 << f64::MANTISSA_DIGITS;

/// How far the outputs of violated checks are from what held ones show.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deviation {
    pub(super) model: Model,
    /// Violated checks that are logged with outputs.
    pub(super) checks: u64,
    pub(super) least: f64,
    pub(super) median: f64,
    pub(super) most: f64,
    /// The relative tolerance that would absorb them all, if they are rounding.
    pub(super) rounding: Option<f64>,
}

/// How one output follows from the other, as far as held checks show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Model {
    Equal,
    Scaled(f64),
    Shifted(f64),
}

/// The outputs of a source and its follow-up.
type Pair = (f64, f64);

impl Model {
    fn wanted(self, source: f64) -> f64 {
        match self {
            Self::Equal => source,
            Self::Scaled(factor) => source * factor,
            Self::Shifted(by) => source + by,
        }
    }

    /// How far the follow-up's output is from what the model says.
    fn distance(self, (source, follow_up): Pair) -> f64 {
        (self.wanted(source) - follow_up).abs()
    }

    /// The same, as a share of the larger.
    fn share(self, pair: Pair) -> f64 {
        let larger = self.wanted(pair.0).abs().max(pair.1.abs());
        if larger == 0.0 || self.wanted(pair.0) == pair.1 { 0.0 } else { self.distance(pair) / larger }
    }

    /// The first that all held checks agree with.
    fn of(held: &[Pair], agreed: f64) -> Option<Self> {
        let mut models = vec![Self::Equal];
        let telling = held.iter().find(|(source, follow_up)| *source != 0.0 && *follow_up != 0.0);
        if let Some(&(source, follow_up)) = telling.filter(|_| held.len() >= LEAST) {
            // A shift of large numbers nearly is a factor too, never the other way round.
            models.extend([Self::Shifted(follow_up - source), Self::Scaled(follow_up / source)]);
        }
        models.into_iter().find(|model| held.iter().all(|&pair| model.share(pair) <= agreed))
    }
}

/// How far the violations of a cell are off, if its outputs are numbers and held checks show what they should be.
pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Option<Deviation> {
    let checks = |verdict| {
        let rows = cleaned.working.iter().filter(move |row| row.verdict(cell) == Some(verdict));
        let rows = rows.filter(|row| row.detail.is_some());
        rows.map(|row| Check::new(&cleaned.header, row, cell))
            .map(|check| Some((number(check.output?)?, number(check.outputs.first()?)?)))
    };
    let held: Vec<Pair> = checks(Verdict::Held).collect::<Option<_>>()?;
    let violated: Vec<Pair> = checks(Verdict::Violated).collect::<Option<_>>()?;
    let is_float = |outcome: &Outcome| value(outcome).is_some_and(|value| value.float().is_some());
    let has_floats =
        cleaned.working.iter().filter_map(|row| Check::new(&cleaned.header, row, cell).output).any(is_float);
    let agreed = if has_floats { AGREED } else { 0.0 };
    let model = Model::of(&held, agreed).filter(|_| !violated.is_empty())?;
    let is_rounded = |pair: &Pair| (f64::MIN_POSITIVE..=ROUNDING).contains(&model.share(*pair));
    let tolerance = || violated.iter().map(|&pair| model.share(pair)).fold(0.0, f64::max);
    let rounding = (has_floats && violated.iter().all(is_rounded)).then(tolerance);
    let mut distances: Vec<f64> = violated.iter().map(|&pair| model.distance(pair)).collect();
    // A few checks that hold show no more than that.
    let is_known = held.len() >= LEAST && distances.iter().all(|distance| distance.is_finite());
    if rounding.is_none() && !is_known {
        return None;
    }
    distances.sort_by(f64::total_cmp);
    Some(Deviation {
        model,
        checks: violated.len() as u64,
        least: distances[0],
        median: distances[distances.len() / 2],
        most: distances[distances.len() - 1],
        rounding,
    })
}

/// What was given, without the `Some` around it.
fn value(outcome: &Outcome) -> Option<&Value> {
    match outcome {
        Outcome::Output(Value::Some(inner)) => Some(inner),
        Outcome::Output(value) => Some(value),
        _ => None,
    }
}

/// An output as a number, if it is one and exact as a float.
fn number(outcome: &Outcome) -> Option<f64> {
    let value = value(outcome)?;
    let integer = value.integer().filter(|integer| integer.unsigned_abs() <= EXACT).map(|integer| integer as f64);
    value.float().or(integer)
}
