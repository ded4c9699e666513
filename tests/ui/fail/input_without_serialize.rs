#![no_main]

use bugornot::{Equal, Suite};
use arbitrary::Arbitrary;

#[derive(Arbitrary, Clone)]
struct Pair {
    a: i32,
    b: i32,
}

fn suite(suite: &mut Suite<Pair, i32>) {
    suite.function("add", |p| p.a + p.b);
    suite.relation("swap", |p| Pair { a: p.b, b: p.a }, Equal);
}

bugornot::fuzz!(suite);
