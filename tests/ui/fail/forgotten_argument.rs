use bugornot::Suite;

fn suite(suite: &mut Suite<i32, i32>) {
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number);
}

fn main() {}
