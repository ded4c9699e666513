//! The most that a load of limited weight can be worth, item by item: the best value for each room up to the capacity.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, ScaledBy, Suite};
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeMap};

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Load {
    pub capacity: u8,
    /// There is one of each.
    pub items: Vec<Item>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub weight: u8,
    pub value: u16,
}

fn best(load: &Load) -> u32 {
    if version::is(10) {
        return right(load);
    }
    let capacity = usize::from(load.capacity);
    let mut items = pick!(1, load.items.clone(), one_of_each_weight(&load.items));
    pick!(11, (), items.reverse());
    let weight: usize = items.iter().map(|item| usize::from(item.weight)).sum();
    if weight <= pick!(2, capacity, capacity + 1) {
        let value = items.iter().map(worth).sum();
        return pick!(3, value, u32::from(value as u16));
    }
    if pick!(4, false, items.len() > 6) {
        return greedy(load);
    }
    let mut best = vec![0; capacity + 1];
    for item in &items {
        let weight = usize::from(pick!(7, item.weight, item.weight.max(1)));
        if pick!(5, weight > capacity, weight >= capacity) {
            if pick!(6, false, weight > capacity) {
                break;
            }
            continue;
        }
        for room in (weight..=capacity).rev() {
            best[room] = best[room].max(best[room - weight] + worth(item));
        }
    }
    let last = pick!(8, capacity, (capacity - 1) + 1);
    best[last]
}

/// What an item counts.
fn worth(item: &Item) -> u32 {
    u32::from(pick!(9, item.value, item.weight.into()))
}

/// The last item of each weight.
fn one_of_each_weight(items: &[Item]) -> Vec<Item> {
    let by_weight: BTreeMap<u8, Item> = items.iter().map(|item| (item.weight, *item)).collect();
    by_weight.into_values().collect()
}

/// Takes what is worth most for its weight, as long as there is room.
fn greedy(load: &Load) -> u32 {
    let mut items = load.items.clone();
    items.sort_by_key(|item| Reverse(u32::from(item.value) * 1000 / u32::from(item.weight).max(1)));
    let (mut room, mut value) = (load.capacity, 0);
    for item in items {
        if let Some(left) = room.checked_sub(item.weight) {
            room = left;
            value += u32::from(item.value);
        }
    }
    value
}

/// The best value for each weight that can be reached.
fn right(load: &Load) -> u32 {
    let mut best = BTreeMap::from([(0, 0)]);
    for item in &load.items {
        for (weight, value) in best.clone() {
            let (weight, value) = (weight + u32::from(item.weight), value + u32::from(item.value));
            if weight <= load.capacity.into() {
                let known = best.entry(weight).or_default();
                *known = value.max(*known);
            }
        }
    }
    best.into_values().max().unwrap_or(0)
}

fn weight(load: &Load) -> u32 {
    load.items.iter().map(|item| u32::from(item.weight)).sum()
}

fn value(load: &Load) -> u32 {
    load.items.iter().map(|item| u32::from(item.value)).sum()
}

fn is_all(load: &Load) -> bool {
    weight(load) <= load.capacity.into()
}

/// At most eight items, so that they weigh less than a byte holds.
fn domain(mut load: Load) -> Load {
    load.items.truncate(8);
    let capacity = load.capacity % 80;
    Load { capacity, ..each(&load, |item| Item { weight: item.weight % 30, value: item.value % 30_000 }) }
}

fn each(load: &Load, change: fn(Item) -> Item) -> Load {
    with_items(load, load.items.iter().copied().map(change).collect())
}

fn with_items(load: &Load, items: Vec<Item>) -> Load {
    Load { items, ..*load }
}

/// The same load without some items.
fn only(load: &Load, is_kept: impl Fn(&Item) -> bool) -> Load {
    with_items(load, load.items.iter().copied().filter(is_kept).collect())
}

fn with_room(load: &Load, capacity: u8) -> Load {
    Load { capacity, ..load.clone() }
}

fn reversed(load: &Load) -> Load {
    let skipped = pick!(12, 0, usize::from(version::calls().is_multiple_of(40)));
    with_items(load, load.items.iter().rev().skip(skipped).copied().collect())
}

fn with_a_box(load: &Load) -> Load {
    with_items(load, [&load.items[..], &[Item { weight: 7, value: 700 }]].concat())
}

fn twice_as_heavy(load: &Load) -> Load {
    let heavier = each(load, |item| Item { weight: 2 * item.weight, ..item });
    with_room(&heavier, 2 * load.capacity)
}

fn without_first(load: &Load) -> Option<Load> {
    let (_, items) = load.items.split_first()?;
    Some(with_items(load, items.to_vec()))
}

fn with_a_paper(load: &Load) -> Load {
    with_items(load, [&load.items[..], &[Item { weight: 0, value: 5 }]].concat())
}

fn two_of_each(load: &Load) -> Load {
    with_items(load, load.items.repeat(2))
}

pub fn best_load(suite: &mut Suite<Load, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("best", best);
    suite.relation("the other way round", reversed, Equal);
    suite.relation("more room", |it| with_room(it, it.capacity + 1), NonDecreasing);
    suite.relation("another item", with_a_box, NonDecreasing);
    suite.relation("twice the values", |it| each(it, |item| Item { value: 2 * item.value, ..item }), ScaledBy(2));
    suite.relation("twice the weights and the room", twice_as_heavy, Equal);
    suite.judge(
        "room for all",
        |it, _| with_room(it, weight(it) as u8),
        |check| check.follow_up_outputs[0] == value(check.input),
    );
    suite.relation("ten more room, and more value", |it| with_room(it, it.capacity + 10), Increase);
    suite.relation("twice the room", |it| with_room(it, 2 * it.capacity), |s, f| *f <= 2 * s);
    suite.relation("without the first item", without_first, Equal);
    suite.relation("an item without weight", with_a_paper, Equal);
    suite.relation("two of each", two_of_each, Increase);
}

pub(crate) static SUBJECT: Subject<Load, u32> = Subject {
    name: "best_load",
    suite: best_load,
    domain,
    functions: &[best],
    cells: &[
        ("best x the other way round", Always),
        ("best x more room", Always),
        ("best x another item", Always),
        ("best x twice the values", Always),
        ("best x twice the weights and the room", Always),
        ("best x room for all", Always),
        ("best x ten more room, and more value", When(|it| right(&with_room(it, it.capacity + 10)) > right(it))),
        ("best x twice the room", When(|it| right(&with_room(it, 2 * it.capacity)) <= 2 * right(it))),
        ("best x without the first item", When(|it| without_first(it).is_none_or(|less| right(&less) == right(it)))),
        ("best x an item without weight", Never),
        ("best x two of each", When(|it| right(&two_of_each(it)) > right(it))),
    ],
    versions: &[
        regional(1, "one item of each weight", |it| right(&with_items(it, one_of_each_weight(&it.items))) != right(it)),
        regional(2, "boundary: all items weigh one too much", |it| {
            weight(it) == u32::from(it.capacity) + 1 && value(it) > right(it)
        }),
        regional(3, "overflow where there is room for all", |it| is_all(it) && value(it) > u32::from(u16::MAX)),
        regional(4, "greedy for many items", |it| it.items.len() > 6 && !is_all(it) && greedy(it) != right(it)),
        regional(5, "boundary: an item that fills all the room", |it| {
            !is_all(it) && right(&only(it, |item| item.weight < it.capacity)) != right(it)
        }),
        regional(6, "an item that is too heavy ends the list", |it| {
            let end = it.items.iter().position(|item| item.weight > it.capacity);
            end.is_some_and(|end| right(&with_items(it, it.items[..end].to_vec())) != right(it))
        }),
        regional(7, "items without weight weigh something", |it| {
            !is_all(it) && right(&each(it, |item| Item { weight: item.weight.max(1), ..item })) != right(it)
        }),
        regional(8, "no room panics", |it| it.capacity == 0 && !is_all(it)),
        global(9, "weights for values"),
        rewrite(10, "by the weights that can be reached"),
        rewrite(11, "from the last item"),
        harness(12, "a transformation that loses an item now and then"),
    ],
    file: file!(),
    source: include_str!("knapsack.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_knapsacks_is_true() {
    crate::check::check(&SUBJECT);
}
