//! Greatest common divisor and least common multiple of two numbers, by Euclid's algorithm.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

fn gcd(pair: &Pair) -> u64 {
    if version::is(8) {
        return binary(pair.a.into(), pair.b.into());
    }
    if version::is(9) {
        return largest_first(pair.a.into(), pair.b.into());
    }
    let (mut a, mut b) = (u64::from(pair.a), u64::from(pair.b));
    let stop = pick!(1, 0, 1);
    while b > stop {
        (a, b) = (b, pick!(2, a % b, (a % b) & 0x3FF));
    }
    if pick!(3, false, pair.a == 0) {
        return 0;
    }
    let is_odd_hundred = |number: u32| number % 100 == 99;
    pick!(4, a, if is_odd_hundred(pair.a) && is_odd_hundred(pair.b) { a + 1 } else { a })
}

fn lcm(pair: &Pair) -> u64 {
    if pair.a == 0 || pair.b == 0 {
        return 0;
    }
    let divisor = gcd(pair);
    let product = pick!(5, u64::from(pair.a) * u64::from(pair.b), u64::from(pair.a as u16 * pair.b as u16));
    let product = pick!(6, product, if pair.a > 3990 { product / 2 } else { product });
    pick!(7, product / divisor, product)
}

/// Stein's algorithm.
fn binary(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a + b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b > 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << shift
}

/// Tries all divisors of the smaller one.
fn largest_first(a: u64, b: u64) -> u64 {
    let (small, large) = (a.min(b), a.max(b));
    (1..=small).rev().find(|divisor| small % divisor == 0 && large % divisor == 0).unwrap_or(large)
}

fn domain(pair: Pair) -> Pair {
    Pair { a: pair.a % 4000, b: pair.b % 4000 }
}

fn true_gcd(a: u32, b: u32) -> u64 {
    binary(a.into(), b.into())
}

/// How often two divides a number: without end for zero.
fn twos(number: u32) -> u32 {
    number.trailing_zeros()
}

pub fn divisors(suite: &mut Suite<Pair, u64>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("gcd", gcd);
    suite.function("lcm", lcm);
    suite.relation("swap", |pair| Pair { a: pair.b, b: pair.a }, Equal);
    suite.relation("triple both", |pair| Pair { a: 3 * pair.a, b: 3 * pair.b }, ScaledBy(3));
    suite.relation("add a to b", |pair| Pair { a: pair.a, b: pair.a + pair.b }, Equal);
    suite.relation("double a", |pair| Pair { a: 2 * pair.a, ..*pair }, Increase);
    suite.relation("b becomes 1", |pair| Pair { b: 1, ..*pair }, Equal);
    suite.relation("b becomes a", |pair| Pair { b: pick!(10, pair.a, pair.a / pair.b * pair.b), ..*pair }, Equal);
}

pub(crate) static SUBJECT: Subject<Pair, u64> = Subject {
    name: "divisors",
    suite: divisors,
    domain,
    functions: &[gcd, lcm],
    cells: &[
        ("gcd x swap", Always),
        ("gcd x triple both", Always),
        ("gcd x add a to b", Always),
        ("gcd x double a", When(|pair| pair.a > 0 && (pair.b == 0 || twos(pair.a) < twos(pair.b)))),
        ("gcd x b becomes 1", When(|pair| true_gcd(pair.a, pair.b) == 1)),
        ("gcd x b becomes a", When(|pair| true_gcd(pair.a, pair.b) == u64::from(pair.a))),
        ("lcm x swap", Always),
        ("lcm x triple both", Always),
        ("lcm x add a to b", When(|pair| pair.a == 0)),
        ("lcm x double a", When(|pair| pair.a > 0 && pair.b > 0 && twos(pair.a) >= twos(pair.b))),
        ("lcm x b becomes 1", When(|pair| if pair.b == 0 { pair.a == 0 } else { pair.a % pair.b == 0 })),
        ("lcm x b becomes a", When(|pair| if pair.b == 0 { pair.a == 0 } else { pair.a % pair.b == 0 })),
    ],
    versions: &[
        regional(1, "boundary: the loop ends at one", |pair| {
            true_gcd(pair.a, pair.b) == 1 && pair.b > 0 && (pair.a, pair.b) != (1, 1)
        }),
        global(2, "remainders lose bits"),
        regional(3, "special case: a is zero", |pair| pair.a == 0 && pair.b > 0),
        regional(4, "both end in 99", |pair| pair.a % 100 == 99 && pair.b % 100 == 99),
        regional(5, "overflow: the product has 16 bits", |pair| {
            u64::from(pair.a) * u64::from(pair.b) > u64::from(u16::MAX)
        }),
        regional(6, "the last of four thousand", |pair| pair.a > 3990 && pair.b > 0),
        global(7, "the product is not divided"),
        rewrite(8, "Stein's algorithm"),
        rewrite(9, "tries all divisors"),
        harness(10, "a transformation divides by zero"),
    ],
    file: file!(),
    source: include_str!("divisors.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_divisors_is_true() {
    crate::check::check(&SUBJECT);
}
