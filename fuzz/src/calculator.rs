//! The paper's example: three operations on two digits, four relations.

use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    pub a: i32,
    pub b: i32,
}

fn add(pair: &Pair) -> i64 {
    i64::from(pair.a) + i64::from(pair.b)
}

fn sub(pair: &Pair) -> i64 {
    i64::from(pair.a) - i64::from(pair.b)
}

fn mul(pair: &Pair) -> i64 {
    i64::from(pair.a) * i64::from(pair.b)
}

/// The paper's domain: `a` and `b` from 0 to 9; all 100 pairs are examples.
pub fn calculator(suite: &mut Suite<Pair, i64>) {
    let k = suite.constant("k", 2..=9);
    suite.normalise(|pair| Pair { a: pair.a.rem_euclid(10), b: pair.b.rem_euclid(10) });
    suite.examples((0..100).map(|n| Pair { a: n / 10, b: n % 10 }));

    suite.function("add", add);
    suite.function("sub", sub);
    suite.function("mul", mul);

    suite.relation("MR1", |p| Pair { a: p.b, b: p.a }, Equal).describe("permute the inputs");
    suite.relation("MR2", move |p| Pair { a: p.a * k, b: p.b * k }, Increase).describe("multiply both by k");
    suite.relation("MR3", move |p| Pair { a: p.a + k, b: p.b + k }, Equal).describe("add k to both");
    suite.relation("MR4", move |p| Pair { a: p.a - k, b: p.b - k }, Equal).describe("subtract k from both");
}
