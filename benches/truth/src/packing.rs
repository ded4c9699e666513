//! The greatest value that fits into a bag, of things with a weight and a value each.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Bag {
    /// The weight that it holds.
    pub limit: u8,
    pub things: Vec<Thing>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    pub weight: u8,
    pub value: u8,
}

fn pack(bag: &Bag) -> u32 {
    if version::is(10) {
        return by_subsets(bag);
    }
    if version::is(11) {
        return with_or_without(bag.limit, &bag.things);
    }
    let mut things = bag.things.clone();
    let limit = usize::from(pick!(1, bag.limit, bag.limit.min(40)));
    if pick!(2, false, limit == 0 && !things.is_empty()) {
        panic!("no room for {} things", things.len());
    }
    things.dedup_by(|one, other| pick!(3, false, one == other));
    things.retain(|thing| pick!(4, true, thing.weight > 0));
    things.retain(|thing| pick!(5, true, usize::from(thing.weight) != limit));
    things.truncate(pick!(6, usize::MAX, if limit == 30 && things.len() == 4 { 3 } else { usize::MAX }));
    let weight: usize = things.iter().map(|thing| usize::from(thing.weight)).sum();
    let is_enough = weight <= pick!(7, limit, limit + 1);
    let value = if is_enough { things.iter().map(worth).sum() } else { by_limits(limit, &things) };
    let value = pick!(8, value, u32::from(value as u8));
    pick!(12, value, value + u32::from(version::calls() % 90 == 11))
}

fn worth(thing: &Thing) -> u32 {
    u32::from(pick!(9, thing.value, thing.weight))
}

/// Thing by thing, the best for every smaller limit.
fn by_limits(limit: usize, things: &[Thing]) -> u32 {
    let mut best = vec![0; limit + 1];
    for thing in things {
        let weight = usize::from(thing.weight);
        for limit in (weight..=limit).rev() {
            best[limit] = best[limit].max(best[limit - weight] + worth(thing));
        }
    }
    best[limit]
}

/// Tries every choice.
fn by_subsets(bag: &Bag) -> u32 {
    let chosen = |choice: u32, of: fn(&Thing) -> u8| -> u32 {
        let things = bag.things.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1);
        things.map(|(_, thing)| u32::from(of(thing))).sum()
    };
    let fitting = (0..1 << bag.things.len()).filter(|choice| chosen(*choice, |thing| thing.weight) <= bag.limit.into());
    fitting.map(|choice| chosen(choice, |thing| thing.value)).max().unwrap_or(0)
}

/// The better of taking the first thing and leaving it.
fn with_or_without(limit: u8, things: &[Thing]) -> u32 {
    let Some((first, rest)) = things.split_first() else { return 0 };
    let with = limit.checked_sub(first.weight).map(|left| u32::from(first.value) + with_or_without(left, rest));
    with_or_without(limit, rest).max(with.unwrap_or(0))
}

/// At most eight things of a weight below 16 and a value below 100, a limit below 50.
fn domain(bag: Bag) -> Bag {
    let thing = |thing: &Thing| Thing { weight: thing.weight % 16, value: thing.value % 100 };
    Bag { limit: bag.limit % 50, things: bag.things.iter().take(8).map(thing).collect() }
}

fn with_things(bag: &Bag, things: impl IntoIterator<Item = Thing>) -> Bag {
    Bag { limit: bag.limit, things: things.into_iter().collect() }
}

fn each(bag: &Bag, change: fn(&Thing) -> Thing) -> Bag {
    with_things(bag, bag.things.iter().map(change))
}

fn kept(bag: &Bag, test: impl Fn(&Thing) -> bool) -> Bag {
    with_things(bag, bag.things.iter().copied().filter(test))
}

fn with(bag: &Bag, weight: u8, value: u8) -> Bag {
    with_things(bag, bag.things.iter().copied().chain([Thing { weight, value }]))
}

fn with_first_again(bag: &Bag) -> Option<Bag> {
    bag.things.first().map(|first| with(bag, first.weight, first.value))
}

fn without_last(bag: &Bag) -> Option<Bag> {
    Some(with_things(bag, bag.things.split_last()?.1.to_vec()))
}

fn larger(bag: &Bag) -> Bag {
    Bag { limit: bag.limit + 1, ..bag.clone() }
}

fn all_double(bag: &Bag) -> Bag {
    Bag { limit: 2 * bag.limit, ..each(bag, |thing| Thing { weight: 2 * thing.weight, ..*thing }) }
}

pub fn packed_value(suite: &mut Suite<Bag, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("pack", pack);
    suite.relation("reverse", |bag| with_things(bag, bag.things.iter().rev().copied()), Equal);
    suite.relation("double weights", all_double, Equal);
    suite.relation("double values", |bag| each(bag, |thing| Thing { value: 2 * thing.value, ..*thing }), ScaledBy(2));
    suite.relation("something too heavy", |bag| with(bag, bag.limit + 1, 99), Equal);
    suite.relation("something light as air", |bag| with(bag, 0, 5), Increase);
    suite.relation("a ring", |bag| with(bag, 1, 100), Increase);
    suite.relation("all worth more", |bag| each(bag, |thing| Thing { value: thing.value + 1, ..*thing }), Increase);
    suite.relation("the first again", with_first_again, Increase);
    suite.relation("without the last", without_last, Equal);
    suite.relation("a larger bag", larger, Equal);
}

pub(crate) static SUBJECT: Subject<Bag, u32> = Subject {
    name: "packed_value",
    suite: packed_value,
    domain,
    functions: &[pack],
    cells: &[
        ("pack x reverse", Always),
        ("pack x double weights", Always),
        ("pack x double values", Always),
        ("pack x something too heavy", Always),
        ("pack x something light as air", Always),
        ("pack x a ring", When(|bag| bag.limit > 0)),
        ("pack x all worth more", When(|bag| bag.things.iter().any(|thing| thing.weight <= bag.limit))),
        (
            "pack x the first again",
            When(|bag| with_first_again(bag).is_some_and(|more| by_subsets(&more) > by_subsets(bag))),
        ),
        (
            "pack x without the last",
            When(|bag| without_last(bag).is_some_and(|less| by_subsets(&less) == by_subsets(bag))),
        ),
        ("pack x a larger bag", When(|bag| by_subsets(&larger(bag)) == by_subsets(bag))),
    ],
    versions: &[
        regional(1, "no bag holds more than 40", |bag| {
            by_subsets(&Bag { limit: bag.limit.min(40), ..bag.clone() }) != by_subsets(bag)
        }),
        regional(2, "a bag that holds nothing panics", |bag| bag.limit == 0 && !bag.things.is_empty()),
        regional(3, "of two that are the same one is lost", |bag| {
            let mut things = bag.things.clone();
            things.dedup();
            by_subsets(&with_things(bag, things)) != by_subsets(bag)
        }),
        regional(4, "missing: no weight", |bag| bag.things.iter().any(|thing| thing.weight == 0 && thing.value > 0)),
        regional(5, "boundary: a thing that fits just so", |bag| {
            by_subsets(&kept(bag, |thing| thing.weight != bag.limit)) != by_subsets(bag)
        }),
        regional(6, "the last of four is lost with a limit of 30", |bag| {
            bag.limit == 30
                && bag.things.len() == 4
                && without_last(bag).is_some_and(|less| by_subsets(&less) != by_subsets(bag))
        }),
        regional(7, "shortcut: all things although one does not fit", |bag| {
            let weight: u32 = bag.things.iter().map(|thing| u32::from(thing.weight)).sum();
            let value: u32 = bag.things.iter().map(|thing| u32::from(thing.value)).sum();
            weight == u32::from(bag.limit) + 1 && value > by_subsets(bag)
        }),
        regional(8, "overflow of large values", |bag| by_subsets(bag) > 255),
        global(9, "the weight instead of the value"),
        rewrite(10, "tries every choice"),
        rewrite(11, "with or without the first"),
        nondeterministic(12, "every 90th call is wrong"),
    ],
    file: file!(),
    source: include_str!("packing.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_packing_is_true() {
    crate::check::check(&SUBJECT);
}
