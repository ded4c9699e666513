use bugornot::{Equal, Suite};

fn suite(suite: &mut Suite<i32, i32>) {
    let step = suite.parameter("step", 0.5..=1.5);
    let word = suite.parameter("word", "a");
    suite.function("same", |number| *number);
    suite.relation("same", move |number| *number + step.get() as i32 + word.get().len() as i32, Equal);
}

fn main() {}
