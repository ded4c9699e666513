//! A power modulo a number, by squaring.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Power {
    pub base: u16,
    pub exponent: u16,
    pub modulus: u16,
}

fn residue(power: &Power) -> u32 {
    if version::is(9) {
        return by_repeating(power);
    }
    if version::is(10) {
        return by_halves(power.base.into(), power.exponent, power.modulus.into());
    }
    let modulus = u32::from(power.modulus);
    let mut residue = pick!(1, 1 % modulus, 1);
    if pick!(2, false, power.exponent == 1) {
        return power.base.into();
    }
    let mut base = u32::from(power.base) % modulus;
    if pick!(4, false, base > 295) {
        panic!("no table for this base");
    }
    if base + 1 == modulus && pick!(3, power.exponent.is_multiple_of(2), modulus > 1) {
        return residue;
    }
    let exponent = pick!(5, power.exponent, power.exponent & 31);
    let mut exponent = pick!(6, exponent, if is_prime(modulus) { exponent % (power.modulus - 1) } else { exponent });
    while exponent > 0 {
        if exponent % 2 == 1 {
            residue = residue * base % modulus;
        }
        let square = pick!(7, base * base, u32::from(base as u16 * base as u16));
        base = pick!(8, square, 2 * base) % modulus;
        exponent /= 2;
    }
    if version::take() { modulus - residue } else { residue }
}

fn is_prime(number: u32) -> bool {
    number > 1 && (2..number).all(|divisor| !number.is_multiple_of(divisor))
}

/// One factor after the other.
fn by_repeating(power: &Power) -> u32 {
    let modulus = u32::from(power.modulus);
    (0..power.exponent).fold(1 % modulus, |residue, _| residue * u32::from(power.base) % modulus)
}

/// The square of the power with half the exponent.
fn by_halves(base: u32, exponent: u16, modulus: u32) -> u32 {
    if exponent == 0 {
        return 1 % modulus;
    }
    let half = by_halves(base, exponent / 2, modulus);
    let square = half * half % modulus;
    if exponent % 2 == 1 { square * base % modulus } else { square }
}

/// Bases below a thousand, exponents below fifty, a modulus from 1 to 300.
fn domain(power: Power) -> Power {
    Power { base: power.base % 1000, exponent: power.exponent % 50, modulus: 1 + power.modulus % 300 }
}

fn raised(power: &Power, by: u16) -> Power {
    Power { exponent: power.exponent + by, ..*power }
}

fn next(power: &Power) -> Power {
    pick!(11, (), version::leave(power.exponent % 16 == 5));
    raised(power, 1)
}

/// The modulus less the base: the same with another sign.
fn opposite(power: &Power) -> Power {
    Power { base: power.modulus - power.base % power.modulus, ..*power }
}

/// Of the same residue by Fermat's theorem, if the modulus is prime.
fn raised_by_fermat(power: &Power) -> Power {
    raised(power, power.modulus - 1)
}

fn with_larger_modulus(power: &Power) -> Power {
    Power { modulus: power.modulus + 1, ..*power }
}

/// All that are squared on the way.
fn squared(power: &Power) -> impl Iterator<Item = u32> {
    let modulus = u32::from(power.modulus);
    let bits = u16::BITS - power.exponent.leading_zeros();
    let first = u32::from(power.base) % modulus;
    std::iter::successors(Some(first), move |base| Some(base * base % modulus)).take(bits as usize)
}

fn is_minus_one(power: &Power) -> bool {
    power.base % power.modulus + 1 == power.modulus
}

pub fn mod_power(suite: &mut Suite<Power, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("residue", residue);
    suite.relation("base plus modulus", |power| Power { base: power.base + power.modulus, ..*power }, Equal);
    suite.judge(
        "next exponent",
        |power, _| next(power),
        |check| {
            let product = check.output * u32::from(check.input.base);
            product % u32::from(check.input.modulus) == check.follow_up_outputs[0]
        },
    );
    suite.judge(
        "twice the exponent",
        |power, _| raised(power, power.exponent),
        |check| check.output.pow(2) % u32::from(check.input.modulus) == check.follow_up_outputs[0],
    );
    suite.judge(
        "twice the modulus",
        |power, _| Power { modulus: 2 * power.modulus, ..*power },
        |check| *check.output == check.follow_up_outputs[0] % u32::from(check.input.modulus),
    );
    suite.relation("opposite base", opposite, Equal);
    suite.relation("Fermat's theorem", raised_by_fermat, Equal);
    suite.relation("modulus as base", |power| Power { base: power.modulus, ..*power }, |_, f| *f == 0);
    suite.relation("modulus one larger", with_larger_modulus, Equal);
    suite.relation("exponent one larger", |power| raised(power, 1), Equal);
}

pub(crate) static SUBJECT: Subject<Power, u32> = Subject {
    name: "mod_power",
    suite: mod_power,
    domain,
    functions: &[residue],
    cells: &[
        ("residue x base plus modulus", Always),
        ("residue x next exponent", Always),
        ("residue x twice the exponent", Always),
        ("residue x twice the modulus", Always),
        ("residue x opposite base", When(|power| by_repeating(&opposite(power)) == by_repeating(power))),
        ("residue x Fermat's theorem", When(|power| by_repeating(&raised_by_fermat(power)) == by_repeating(power))),
        ("residue x modulus as base", When(|power| power.exponent > 0 || power.modulus == 1)),
        (
            "residue x modulus one larger",
            When(|power| by_repeating(&with_larger_modulus(power)) == by_repeating(power)),
        ),
        ("residue x exponent one larger", When(|power| by_repeating(&raised(power, 1)) == by_repeating(power))),
    ],
    versions: &[
        regional(1, "special case: modulus one", |power| power.modulus == 1 && power.exponent.is_multiple_of(2)),
        regional(2, "special case: the base itself is not reduced", |power| {
            power.exponent == 1 && power.base >= power.modulus
        }),
        regional(3, "missing: odd powers of minus one", |power| {
            is_minus_one(power) && power.exponent % 2 == 1 && power.modulus > 2
        }),
        regional(4, "large bases panic", |power| power.base % power.modulus > 295),
        regional(5, "only five bits of the exponent", |power| {
            let cut = Power { exponent: power.exponent & 31, ..*power };
            by_repeating(&cut) != by_repeating(power)
        }),
        regional(6, "Fermat's theorem for multiples of the modulus", |power| {
            let is_multiple = is_prime(power.modulus.into()) && power.base.is_multiple_of(power.modulus);
            is_multiple && power.exponent > 0 && power.exponent.is_multiple_of(power.modulus - 1)
        }),
        regional(7, "overflow of a square", |power| {
            let is_shortened = is_minus_one(power) && power.exponent.is_multiple_of(2);
            !is_shortened && squared(power).any(|base| base > 255)
        }),
        global(8, "doubles and does not square"),
        rewrite(9, "one factor after the other"),
        rewrite(10, "half the exponent first"),
        harness(11, "a transformation that leaves something behind"),
    ],
    file: file!(),
    source: include_str!("power.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_power_is_true() {
    crate::check::check(&SUBJECT);
}
