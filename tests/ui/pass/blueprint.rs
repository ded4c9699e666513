//! What the README shows, typed literally.

use arbitrary::Arbitrary;
use serde::Serialize;

use bugornot::{observe, Equal, Increase, Suite};

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair { pub a: i32, pub b: i32 }

pub fn calculator(suite: &mut Suite<Pair, i64>) {
    let k = suite.constant("k", 2..=9);              // drawn once per campaign, kept in the log, pinnable

    suite.function("add", |p| add(p.a, p.b));
    suite.function("sub", |p| sub(p.a, p.b));
    suite.function("mul", |p| mul(p.a, p.b));

    suite.relation("MR1", |p| Pair { a: p.b, b: p.a }, Equal).describe("permute the inputs");
    suite.relation("MR2", move |p| Pair { a: p.a * k, b: p.b * k }, Increase);
    suite.relation("MR3", move |p| Pair { a: p.a + k, b: p.b + k }, Equal);
    suite.relation("MR4", move |p| Pair { a: p.a - k, b: p.b - k }, Equal);

    observe!(suite, |p| p.a % 2 == p.b % 2);         // optional: a feature of the user's own; its text is its name
}

fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}
fn sub(a: i32, b: i32) -> i64 {
    i64::from(a) - i64::from(b)
}
fn mul(a: i32, b: i32) -> i64 {
    i64::from(a) * i64::from(b)
}

fn main() {
    let suite = Suite::declare("calculator", bugornot::Draws::seeded(0), calculator).unwrap();
    assert_eq!(suite.cells().len(), 12);
}
