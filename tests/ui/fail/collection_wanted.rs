use bugornot::{PermutationOf, Suite};

fn suite(suite: &mut Suite<i32, i32>) {
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, PermutationOf);
}

fn main() {}
