use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Serialize)]
struct Sum(i32);

fn suite(suite: &mut Suite<(i32, i32), Sum>) {
    suite.function("add", |p| Sum(p.0 + p.1));
    suite.relation("swap", |p| (p.1, p.0), Equal);
}

fn main() {}
