//! The calculator over pairs of `i32`, as the benches of the log and of cleaning fuzz it.

use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    a: i32,
    b: i32,
}

/// Three functions, four relations: 12 cells.
pub fn calculator(suite: &mut Suite<Pair, i128>) {
    let k = suite.constant("k", 2..=9);
    suite.function("add", |p| i128::from(p.a) + i128::from(p.b));
    suite.function("sub", |p| i128::from(p.a) - i128::from(p.b));
    suite.function("mul", |p| i128::from(p.a) * i128::from(p.b));
    suite.relation("MR1", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("MR2", move |p| Pair { a: p.a.wrapping_mul(k), b: p.b.wrapping_mul(k) }, Increase);
    suite.relation("MR3", move |p| Pair { a: p.a.wrapping_add(k), b: p.b.wrapping_add(k) }, Equal);
    suite.relation("MR4", move |p| Pair { a: p.a.wrapping_sub(k), b: p.b.wrapping_sub(k) }, Equal);
}
