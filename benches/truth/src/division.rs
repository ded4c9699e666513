//! Division of whole numbers, rounded to the nearest, halves away from zero; nothing by zero.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Fraction {
    pub a: i32,
    pub b: i32,
}

fn divide(fraction: &Fraction) -> Option<i32> {
    if version::is(9) {
        return by_floats(fraction);
    }
    if version::is(10) {
        return by_doubling(fraction);
    }
    let Fraction { a, b } = *fraction;
    if pick!(1, b == 0, b == 0 || a == 0) {
        return None;
    }
    let quotient = a / b;
    let rest = a % b;
    let is_half = pick!(2, 2 * rest.abs() >= b.abs(), 2 * rest.abs() > b.abs());
    let is_half = pick!(3, is_half, is_half || rest.abs() == 7 && b.abs() == 90);
    let same_sign = pick!(4, (a < 0) == (b < 0), (a < 0) == (b < 0) || quotient == 0);
    let step = if same_sign { 1 } else { -1 };
    let step = pick!(5, step, i32::from((b as i8) * step as i8 * 2).signum() * b.signum());
    let rounded = if is_half { quotient + step } else { quotient };
    let rounded = pick!(6, rounded, if b == 100 { quotient } else { rounded });
    let rounded = pick!(7, rounded, if a > 1990 && b > 0 { rounded + 1 } else { rounded });
    let rounded = pick!(11, rounded, rounded + i32::from(version::calls() % 128 == 5));
    Some(pick!(8, rounded, rounded.abs()))
}

/// Floats are exact enough for numbers this small.
fn by_floats(fraction: &Fraction) -> Option<i32> {
    (fraction.b != 0).then(|| (f64::from(fraction.a) / f64::from(fraction.b)).round() as i32)
}

/// Half of the divisor is added before a division that rounds down.
fn by_doubling(fraction: &Fraction) -> Option<i32> {
    let (a, b) = (fraction.a.abs(), fraction.b.abs());
    let sign = fraction.a.signum() * fraction.b.signum();
    (b != 0).then(|| sign * ((2 * a + b) / (2 * b)))
}

fn domain(fraction: Fraction) -> Fraction {
    Fraction { a: fraction.a % 2001, b: fraction.b % 101 }
}

fn times(fraction: &Fraction, a: i32, b: i32) -> Fraction {
    Fraction { a: a * fraction.a, b: b * fraction.b }
}

pub fn rounded_division(suite: &mut Suite<Fraction, Option<i32>>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("divide", divide);
    suite.relation("negate both", |fraction| times(fraction, -1, -1), Equal);
    suite.relation("negate a", |fraction| times(fraction, -1, 1), |s, f| s.map(|quotient| -quotient) == *f);
    suite.relation("triple both", |fraction| times(fraction, 3, 3), Equal);
    let one_more = |source: &Option<i32>, follow_up: &Option<i32>| source.map(|quotient| quotient + 1) == *follow_up;
    suite.relation("b more", |fraction| Fraction { a: fraction.a + fraction.b, ..*fraction }, one_more);
    suite.relation("double a", |fraction| times(fraction, 2, 1), |s, f| s.map(|quotient| 2 * quotient) == *f);
    suite
        .relation("a larger a", |fraction| Fraction { a: fraction.a + 5, ..*fraction }, |s, f| f >= s)
        .when(|fraction| fraction.b != 0);
    suite.relation("swap", |fraction| Fraction { a: fraction.b, b: fraction.a }, Equal);
    suite.relation("by one more", |fraction| Fraction { b: fraction.b + 1, ..*fraction }, Equal);
}

pub(crate) static SUBJECT: Subject<Fraction, Option<i32>> = Subject {
    name: "rounded_division",
    suite: rounded_division,
    domain,
    functions: &[divide],
    cells: &[
        ("divide x negate both", Always),
        ("divide x negate a", Always),
        ("divide x triple both", Always),
        ("divide x b more", When(|fraction| fraction.b == 0 || 2 * fraction.a != -fraction.b)),
        (
            "divide x double a",
            When(|fraction| by_doubling(&times(fraction, 2, 1)) == by_doubling(fraction).map(|quotient| 2 * quotient)),
        ),
        (
            "divide x a larger a",
            When(|fraction| by_doubling(&Fraction { a: fraction.a + 5, ..*fraction }) >= by_doubling(fraction)),
        ),
        (
            "divide x swap",
            When(|fraction| by_doubling(&Fraction { a: fraction.b, b: fraction.a }) == by_doubling(fraction)),
        ),
        (
            "divide x by one more",
            When(|fraction| by_doubling(&Fraction { b: fraction.b + 1, ..*fraction }) == by_doubling(fraction)),
        ),
    ],
    versions: &[
        regional(1, "special case: zero", |fraction| fraction.a == 0 && fraction.b != 0),
        regional(2, "boundary: halves", |fraction| {
            fraction.b != 0 && 2 * (fraction.a % fraction.b).abs() == fraction.b.abs()
        }),
        regional(3, "7 of 90", |fraction| fraction.b.abs() == 90 && (fraction.a % 90).abs() == 7),
        regional(4, "small negative quotients", |fraction| {
            let Fraction { a, b } = *fraction;
            b != 0 && (a < 0) != (b < 0) && a.abs() < b.abs() && 2 * a.abs() >= b.abs()
        }),
        regional(5, "overflow of a byte", |fraction| {
            fraction.b.abs() > 64 || fraction.b.abs() == 64 && fraction.a >= 0
        }),
        regional(6, "by a hundred it is cut off", |fraction| fraction.b == 100 && (fraction.a % 100).abs() >= 50),
        regional(7, "the last of two thousand", |fraction| fraction.a > 1990 && fraction.b > 0),
        global(8, "without sign"),
        rewrite(9, "floats"),
        rewrite(10, "adds a half"),
        nondeterministic(11, "every 128th call is wrong"),
    ],
    file: file!(),
    source: include_str!("division.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_division_is_true() {
    crate::check::check(&SUBJECT);
}
