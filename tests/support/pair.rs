//! A suite over pairs of small numbers, for the tests of the log and of cleaning.

use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

/// Two small numbers.
#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    pub a: i8,
    pub b: i8,
}

/// Two functions, two relations: four cells whose verdicts are easy to tell.
pub fn calculator(suite: &mut Suite<Pair, i32>) {
    suite.function("add", |p| i32::from(p.a) + i32::from(p.b));
    suite.function("sub", |p| i32::from(p.a) - i32::from(p.b));
    suite.relation("swap", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("grow", |p| Some(Pair { a: p.a.checked_mul(2)?, b: p.b.checked_mul(2)? }), Increase);
}
