use bugornot::{Equal, Suite};

fn suite(suite: &mut Suite<Vec<i32>, i32>) {
    suite.function("length", |list| list.len() as i32);
    suite.relation(
        "reverse",
        |list| {
            let mut list = list.clone();
            list.reverse();
        },
        Equal,
    );
}

fn main() {}
