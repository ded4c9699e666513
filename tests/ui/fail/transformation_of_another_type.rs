use bugornot::{Equal, Suite};

fn suite(suite: &mut Suite<(i32, i32), i32>) {
    suite.function("first", |p| p.0);
    suite.relation("swap", |p| format!("{} {}", p.1, p.0), Equal);
}

fn main() {}
