//! How far the outputs of violated checks are from what the held ones show: rounding, or more.

use crate::{
    Verdict,
    clean::Cleaned,
    log::{Check, Outcome, Row, Value},
};

/// Deviations of floats up to this share of the larger output are rounding.
const ROUNDING: f64 = 1e-6;
/// So are those up to this share of what outputs mostly are: what is left of large numbers that cancel out.
const LEFT_OVER: f64 = 1e-12;
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
    /// What would absorb them all, if they are rounding.
    pub(super) rounding: Option<Tolerance>,
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
    is_float: bool,
}

/// All numbers of one check.
type Pairs = Vec<Pair>;

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
        (self.wanted(pair.source) - pair.follow_up).abs()
    }

    /// The same, as a share of the larger.
    fn share(self, pair: Pair) -> f64 {
        let wanted = self.wanted(pair.source);
        let larger = wanted.abs().max(pair.follow_up.abs());
        if larger == 0.0 || wanted == pair.follow_up { 0.0 } else { self.distance(pair) / larger }
    }

    /// The first that all held checks agree with.
    fn of(held: &[Pairs]) -> Option<Self> {
        let mut models = vec![Self::Equal];
        let telling = held.iter().flatten().find(|pair| pair.source != 0.0 && pair.follow_up != 0.0);
        if let Some(&Pair { source, follow_up, .. }) = telling.filter(|_| held.len() >= LEAST) {
            // A shift of large numbers nearly is a factor too, never the other way round.
            models.extend([Self::Shifted(follow_up - source), Self::Scaled(follow_up / source)]);
        }
        let agrees = |model: &Self| {
            held.iter().flatten().all(|&pair| model.share(pair) <= if pair.is_float { AGREED } else { 0.0 })
        };
        models.into_iter().find(agrees)
    }
}

/// How far the violations of a cell are off, if its outputs are numbers, or made of some, and held checks show what they
/// should be.
pub(super) fn of_cell(cleaned: &Cleaned, cell: usize) -> Option<Deviation> {
    let checks = |verdict| {
        let rows = cleaned.working.iter().filter(move |row| row.verdict(cell) == Some(verdict));
        rows.filter(|row| row.detail.is_some()).map(|row| pairs(cleaned, row, cell))
    };
    let held: Vec<Pairs> = checks(Verdict::Held).collect::<Option<_>>()?;
    let violated: Vec<Pairs> = checks(Verdict::Violated).collect::<Option<_>>()?;
    let model = Model::of(&held).filter(|_| !violated.is_empty())?;
    let rounding = relative(model, &violated).or_else(|| absolute(model, &violated, &held));
    let distance = |pairs: &Pairs| pairs.iter().map(|&pair| model.distance(pair)).fold(0.0, largest);
    let mut distances: Vec<f64> = violated.iter().map(distance).collect();
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

/// The larger of two, and NaN if one of them is.
fn largest(one: f64, other: f64) -> f64 {
    if one.is_nan() || one > other { one } else { other }
}

/// The relative tolerance that would absorb all, if floats alone are off, and by rounding.
fn relative(model: Model, violated: &[Pairs]) -> Option<Tolerance> {
    tolerance(violated, |pair| model.share(pair), ROUNDING).map(Tolerance::Relative)
}

/// The same as an absolute one: no share of an output that should be zero is small.
fn absolute(model: Model, violated: &[Pairs], held: &[Pairs]) -> Option<Tolerance> {
    let floats = violated.iter().chain(held).flatten().filter(|pair| pair.is_float);
    let mut sizes: Vec<f64> = floats.map(|pair| pair.source.abs().max(pair.follow_up.abs())).collect();
    sizes.sort_by(f64::total_cmp);
    let typical = *sizes.get(sizes.len() / 2)?;
    tolerance(violated, |pair| model.distance(pair), LEFT_OVER * typical).map(Tolerance::Absolute)
}

/// The most that any pair is off, if each check is off, by so much at most, and in floats alone.
fn tolerance(violated: &[Pairs], off: impl Fn(Pair) -> f64, allowed: f64) -> Option<f64> {
    let of_check = |pairs: &Pairs| {
        let is_exact = |pair: &Pair| pair.is_float || off(*pair) == 0.0;
        let most = pairs.iter().map(|&pair| off(pair)).fold(0.0, largest);
        (pairs.iter().all(is_exact) && (f64::MIN_POSITIVE..=allowed).contains(&most)).then_some(most)
    };
    violated.iter().map(of_check).try_fold(0.0, |most, of_check| Some(largest(most, of_check?))).map(rounded_up)
}

/// The next number that two digits can write.
fn rounded_up(number: f64) -> f64 {
    let written = |number: f64| format!("{number:.1e}").parse().unwrap_or(number);
    let nearest: f64 = written(number);
    if nearest >= number { nearest } else { written(number + 0.05 * 10f64.powf(number.log10().floor())) }
}

/// The numbers of a check; nothing if its outputs differ in something else, or are no numbers.
fn pairs(cleaned: &Cleaned, row: &Row, cell: usize) -> Option<Pairs> {
    let check = Check::new(&cleaned.header, row, cell);
    let (Outcome::Output(source), Outcome::Output(follow_up)) = (check.output?, check.outputs.first()?) else {
        return None;
    };
    let mut found = Pairs::new();
    (collect(source, follow_up, &mut found) && !found.is_empty()).then_some(found)
}

/// Collects numbers that are in the same place; whether all else is the same.
fn collect(source: &Value, follow_up: &Value, found: &mut Pairs) -> bool {
    if let (Some(one), Some(other)) = (number(source), number(follow_up)) {
        let is_float = source.float().is_some() || follow_up.float().is_some();
        found.push(Pair { source: one, follow_up: other, is_float });
        return true;
    }
    match (source, follow_up) {
        (Value::Some(one), Value::Some(other)) => collect(one, other, found),
        (Value::Variant(one, names), Value::Variant(other, others)) if names == others => collect(one, other, found),
        (Value::List(ones), Value::List(others)) | (Value::Tuple(ones), Value::Tuple(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| collect(one, other, found))
        }
        (Value::Struct(ones, names), Value::Struct(others, other_names)) if names == other_names => {
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
