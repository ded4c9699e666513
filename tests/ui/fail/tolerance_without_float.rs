use bugornot::{Suite, WithinUlps};

fn suite(suite: &mut Suite<i32, i32>) {
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, WithinUlps(1));
}

fn main() {}
