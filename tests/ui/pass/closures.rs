//! Closures need no annotations, whatever they do.

use bugornot::{
    Decrease, Draws, Equal, Judgement, NonDecreasing, PermutationOf, PrefixOf, ScaledBy, Suite, WithinRelative, any,
};

fn lists(suite: &mut Suite<Vec<i32>, Vec<i32>>) {
    let by = suite.parameter("by", 0..=7u8);
    let other = suite.parameter("other", any::<Vec<i32>>());
    suite.normalise(|mut list| {
        list.truncate(100);
        list
    });
    suite.assume(|list| list.len() != 13);
    suite.examples([vec![], vec![1, 2, 3]]);

    suite.function("sorted", |list| {
        let mut list = list.clone();
        list.sort_unstable();
        list
    });

    suite.relation("one", |list| list.iter().rev().copied().collect::<Vec<_>>(), Equal);
    suite.relation("perhaps", |list| list.split_first().map(|(_, rest)| rest.to_vec()), PrefixOf);
    suite.relation("several", |list| [list.clone(), list.clone()], PermutationOf);
    suite.relation("many", |list| vec![list.clone(); 3], PermutationOf);
    suite.relation("perhaps many", |list| (!list.is_empty()).then(|| vec![list.clone()]), Equal);
    suite.relation("bool", |list| list.clone(), |source, follow_up| source.len() <= follow_up.len());
    suite.relation("option", |list| list.clone(), |source, follow_up| Some(source.first()? <= follow_up.first()?));
    suite.relation("judgement", |list| list.clone(), |_, _| Judgement::Incomparable);
    suite
        .relation(
            "rotated",
            move |list| {
                let mut list = list.clone();
                let by = usize::from(by.get()).min(list.len());
                list.rotate_left(by);
                list.extend(other.get());
                list
            },
            |source, follow_up| source.len() <= follow_up.len(),
        )
        .describe("rotate and extend")
        .only(["sorted"])
        .when(|list| list.len() > 1)
        .expect_condition("len > 1");

    suite.judge("again", |_, output| output.clone(), |check| check.follow_up_outputs[0] == *check.output);
    suite.judge("never", |_, _| None::<Vec<i32>>, |_| true);
    suite.judge(
        "all",
        |list, output| [list.clone(), output.clone()],
        |check| check.input.len() == check.follow_up_inputs[1].len(),
    );
}

fn numbers(suite: &mut Suite<(f64, f64), f64>) {
    let k = suite.constant("k", 1.0..=2.0);
    suite.names(["x", "y"]);
    suite.function("sum", |&(x, y)| x + y);
    suite.function("difference", |(x, y)| x - y);
    suite.relation("swap", |&(x, y)| (y, x), WithinRelative(1e-9));
    suite.relation("scale", move |&(x, y)| (x * k, y * k), ScaledBy(k));
    suite.relation("less", |p| (p.0 - 1.0, p.1), Decrease);
    suite.relation("more", |p| (p.0 + 1.0, p.1), NonDecreasing);
}

fn main() {
    Suite::declare("lists", Draws::seeded(0), lists).unwrap();
    Suite::declare("numbers", Draws::seeded(0), numbers).unwrap();
}
