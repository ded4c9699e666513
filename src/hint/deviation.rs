//! How far the outputs of violated checks are from what the held ones show: rounding, or more.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Outcome, Row, Value},
};

/// Deviations of floats up to this share of the larger output are rounding.
const ROUNDING: f64 = 1e-6;
/// What is left where numbers cancel out: so many times the precision of floats of their size.
const LEFT_OVER: f64 = 64.0;
/// Held checks agree with a model up to this, if their outputs are floats.
const AGREED: f64 = 1e-9;
/// If one of so many violations is rounding, rounding is a reason of them.
const MIXED: u64 = 20;
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
    /// How many of them are off by rounding, as a share of the outputs.
    pub(super) rounded: u64,
    /// What would absorb them all, if they are rounding.
    pub(super) rounding: Option<Tolerance>,
}

impl Deviation {
    /// Whether some are off by rounding and others by more: they have two reasons.
    pub(super) fn is_mixed(&self) -> bool {
        self.rounding.is_none() && self.rounded.saturating_mul(MIXED) >= self.checks
    }
}

/// How far one output may be from the other, with the two digits that are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tolerance {
    /// As a share of the larger.
    Relative(f64),
    Absolute(f64),
}

/// How one output follows from the other, as far as held checks show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Model {
    Equal,
    Scaled(f64),
    Shifted(f64),
}

/// Numbers that are in the same place of the outputs of a source and its follow-up.
#[derive(Clone, Copy, Debug)]
struct Pair {
    source: f64,
    follow_up: f64,
    /// That of the floats that they are; nothing for integers.
    precision: Option<f64>,
}

/// The numbers of one check.
#[derive(Clone, Debug, Default)]
struct Numbers {
    /// All that are in the same place, in the order of the places.
    pairs: Vec<Pair>,
    /// The largest number of its input.
    input: f64,
}

impl Model {
    fn wanted(self, source: f64) -> f64 {
        match self {
            Self::Equal => source,
            Self::Scaled(factor) => source * factor,
            Self::Shifted(by) => source + by,
        }
    }

    /// How far the follow-up's output is from what the model says.
    fn distance(self, pair: Pair) -> f64 {
        let wanted = self.wanted(pair.source);
        // Infinities that are equal have no difference.
        if wanted == pair.follow_up { 0.0 } else { (wanted - pair.follow_up).abs() }
    }

    /// The same, as a share of the larger.
    fn share(self, pair: Pair) -> f64 {
        let wanted = self.wanted(pair.source);
        let larger = wanted.abs().max(pair.follow_up.abs());
        if larger == 0.0 || wanted == pair.follow_up { 0.0 } else { self.distance(pair) / larger }
    }

    /// The first that all held checks agree with.
    fn of(held: &[Numbers]) -> Option<Self> {
        let mut models = vec![Self::Equal];
        let pairs = || held.iter().flat_map(|check| &check.pairs);
        let telling = pairs().find(|pair| pair.source != 0.0 && pair.follow_up != 0.0);
        if let Some(&Pair { source, follow_up, .. }) = telling.filter(|_| has_enough(held)) {
            // A shift of large numbers nearly is a factor too, never the other way round.
            models.extend([Self::Shifted(follow_up - source), Self::Scaled(follow_up / source)]);
        }
        let agrees = |model: &Self| {
            pairs().all(|&pair| model.share(pair) <= if pair.precision.is_some() { AGREED } else { 0.0 })
        };
        models.into_iter().find(agrees)
    }
}

/// Whether so many checks show what outputs should be.
fn has_enough(held: &[Numbers]) -> bool {
    held.iter().filter(|check| !check.pairs.is_empty()).count() >= LEAST
}

/// How far the violations of a cell are off, if its outputs are numbers, or made of some, and held checks show what they
/// should be.
pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Option<Deviation> {
    let checks = |verdict| {
        let rows = cleaned.working.iter().filter(move |row| row.verdict(cell) == Some(verdict));
        rows.filter(|row| row.detail.is_some()).map(|row| numbers(cleaned, row, cell))
    };
    let held: Vec<Numbers> = checks(Verdict::Held).collect::<Option<_>>()?;
    let violated: Vec<Numbers> = checks(Verdict::Violated).collect::<Option<_>>()?;
    let has_some = !violated.is_empty() && violated.iter().all(|check| !check.pairs.is_empty());
    let model = Model::of(&held).filter(|_| has_some)?;
    let rounding = relative(model, &violated).or_else(|| absolute(model, &violated, &held));
    let rounded = violated.iter().filter(|check| relative(model, std::slice::from_ref(check)).is_some()).count();
    let distance = |check: &Numbers| check.pairs.iter().map(|&pair| model.distance(pair)).fold(0.0, largest);
    let mut distances: Vec<f64> = violated.iter().map(distance).collect();
    // A few checks that hold show no more than that.
    let is_known = has_enough(&held) && distances.iter().all(|distance| distance.is_finite());
    if rounding.is_none() && !is_known {
        return None;
    }
    distances.sort_by(f64::total_cmp);
    Some(Deviation {
        model,
        checks: violated.len() as u64,
        rounded: rounded as u64,
        least: distances[0],
        median: distances[distances.len() / 2],
        most: distances[distances.len() - 1],
        rounding,
    })
}

/// The larger of two, and NaN if one of them is.
fn largest(one: f64, other: f64) -> f64 {
    if one.is_nan() || one > other { one } else { other }
}

/// The relative tolerance that would absorb all, if floats alone are off, and by rounding.
fn relative(model: Model, violated: &[Numbers]) -> Option<Tolerance> {
    tolerance(violated, |pair| model.share(pair), |_, _| ROUNDING).map(Tolerance::Relative)
}

/// The same as an absolute one: no share of an output that should be zero is small. Numbers cancel out that are as large as
/// the input of the check, and as what held checks mostly have in that place.
fn absolute(model: Model, violated: &[Numbers], held: &[Numbers]) -> Option<Tolerance> {
    let places = violated.iter().map(|check| check.pairs.len()).max()?;
    let usual: Vec<f64> = (0..places).map(|place| usual(held, place)).collect();
    let allowed = |check: &Numbers, place: usize| {
        let precision = check.pairs[place].precision.unwrap_or(0.0);
        LEFT_OVER * precision * usual[place].min(check.input)
    };
    tolerance(violated, |pair| model.distance(pair), allowed).map(Tolerance::Absolute)
}

/// What held checks mostly have in a place; nought where too few have something there.
fn usual(held: &[Numbers], place: usize) -> f64 {
    let sizes = held.iter().filter_map(|check| check.pairs.get(place)).map(|pair| pair.source.abs());
    let mut sizes: Vec<f64> = sizes.filter(|size| size.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    if sizes.len() < LEAST { 0.0 } else { sizes[sizes.len() / 2] }
}

/// The most that any number is off, if each check is off, by what is allowed in its place at most.
fn tolerance(violated: &[Numbers], off: impl Fn(Pair) -> f64, allowed: impl Fn(&Numbers, usize) -> f64) -> Option<f64> {
    let of_check = |check: &Numbers| {
        let mut most = 0.0;
        for (place, &pair) in check.pairs.iter().enumerate() {
            let off = off(pair);
            let limit = if pair.precision.is_some() { allowed(check, place) } else { 0.0 };
            if off.is_nan() || off > limit {
                return None;
            }
            most = largest(off, most);
        }
        (most > 0.0).then_some(most)
    };
    violated.iter().map(of_check).try_fold(0.0, |most, of_check| Some(largest(of_check?, most))).map(rounded_up)
}

/// The next number that two digits can write.
fn rounded_up(number: f64) -> f64 {
    let written = |number: f64| format!("{number:.1e}").parse().unwrap_or(number);
    let nearest: f64 = written(number);
    if nearest >= number { nearest } else { written(number + 0.05 * 10f64.powf(number.log10().floor())) }
}

/// The numbers of a check; nothing if its outputs differ in something else.
fn numbers(cleaned: &Cleaned, row: &Row, cell: usize) -> Option<Numbers> {
    let check = Check::new(&cleaned.header, row, cell);
    let Outcome::Output(source) = check.output? else { return None };
    let mut found = Numbers::default();
    for follow_up in check.outputs {
        let Outcome::Output(follow_up) = follow_up else { return None };
        if !collect(source, follow_up, &mut found.pairs) {
            return None;
        }
    }
    found.input = row.fields.iter().map(size).fold(0.0, f64::max);
    (!check.outputs.is_empty()).then_some(found)
}

/// The largest number in a value.
fn size(value: &Value) -> f64 {
    match value {
        Value::Some(inner) | Value::Variant(inner, _) => size(inner),
        Value::List(values) | Value::Tuple(values) | Value::Struct(values, _) => {
            values.iter().map(size).fold(0.0, f64::max)
        }
        value => number(value).filter(|number| number.is_finite()).map_or(0.0, f64::abs),
    }
}

/// Collects numbers that are in the same place; whether all else is the same.
fn collect(source: &Value, follow_up: &Value, found: &mut Vec<Pair>) -> bool {
    if let (Some(one), Some(other)) = (number(source), number(follow_up)) {
        let precision = |value: &Value| match value {
            Value::F32(_) => Some(f64::from(f32::EPSILON)),
            value => value.float().map(|_| f64::EPSILON),
        };
        found.push(Pair { source: one, follow_up: other, precision: precision(source).or(precision(follow_up)) });
        return true;
    }
    match (source, follow_up) {
        (Value::Some(one), Value::Some(other)) => collect(one, other, found),
        (Value::Variant(one, names), Value::Variant(other, others)) if names == others => collect(one, other, found),
        (Value::Struct(_, names), Value::Struct(_, others)) if names != others => false,
        (Value::List(ones), Value::List(others))
        | (Value::Tuple(ones), Value::Tuple(others))
        | (Value::Struct(ones, _), Value::Struct(others, _)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| collect(one, other, found))
        }
        _ => source == follow_up,
    }
}

/// A value as a number, if it is one and exact as a float.
fn number(value: &Value) -> Option<f64> {
    let integer = value.integer().filter(|integer| integer.unsigned_abs() <= EXACT).map(|integer| integer as f64);
    value.float().or(integer)
}

#[cfg(test)]
mod tests {
    use super::rounded_up;

    #[test]
    fn what_is_shown_as_a_tolerance_is_never_too_small() {
        for (number, shown) in [(2.04e-16, "2.1e-16"), (2.0e-16, "2.0e-16"), (9.96e-7, "1.0e-6"), (0.991, "1.0e0")] {
            assert_eq!(format!("{:.1e}", rounded_up(number)), shown);
        }
        let mut number = 1.234_567e-300;
        while number < 1e300 {
            assert!(rounded_up(number) >= number && rounded_up(number) <= 1.11 * number, "{number}");
            number *= 1.37;
        }
    }
}
