use bugornot::{Increase, Suite};
use serde::Serialize;

#[derive(Serialize, PartialEq)]
enum Answer {
    Yes,
    No,
}

fn suite(suite: &mut Suite<i32, Answer>) {
    suite.function("is positive", |number| if *number > 0 { Answer::Yes } else { Answer::No });
    suite.relation("plus one", |number| number + 1, Increase);
}

fn main() {}
