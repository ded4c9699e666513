#![no_main]

use bugornot::{Equal, Suite};

#[derive(PartialEq)]
struct Sum(i32);

fn suite(suite: &mut Suite<(i32, i32), Sum>) {
    suite.function("add", |p| Sum(p.0 + p.1));
    suite.relation("swap", |p| (p.1, p.0), Equal);
}

bugornot::fuzz!(suite);
