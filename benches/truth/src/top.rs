//! The value that a list has most often; the smallest of those that it has equally often.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, NotEqual, Suite};
use std::cmp::Reverse;

type List = Vec<u8>;

fn top(list: &List) -> Option<u8> {
    if version::is(9) {
        return by_sorting(list);
    }
    if version::is(10) {
        return by_comparing(list);
    }
    if pick!(1, false, list.len() == 2) {
        return list.first().copied();
    }
    let mut counts = [0u8; 16];
    for &value in list.iter().take(pick!(2, list.len(), 10)).skip(pick!(3, 0, 1)) {
        counts[usize::from(value)] += 1;
    }
    if pick!(4, false, list.len() > 1 && counts.iter().all(|count| *count < 2)) {
        return None;
    }
    let (mut found, mut most) = (None, 0);
    for (value, &count) in (0..).zip(&counts[..pick!(5, 16, 9)]) {
        let rank = pick!(6, u32::from(count), u32::from(count * 64) / 64);
        let is_more = pick!(7, rank > most, rank > 0 && rank >= most);
        if is_more {
            (found, most) = (Some(value), rank);
        }
    }
    pick!(8, found, found.map(|_| most as u8))
}

/// Counts runs of a sorted list.
fn by_sorting(list: &[u8]) -> Option<u8> {
    let mut sorted = list.to_vec();
    sorted.sort_unstable_by_key(|value| Reverse(*value));
    sorted.chunk_by(|one, other| one == other).max_by_key(|run| run.len()).map(|run| run[0])
}

/// Compares every one with every other.
fn by_comparing(list: &[u8]) -> Option<u8> {
    let count = |value: u8| list.iter().filter(|other| **other == value).count();
    list.iter().copied().max_by_key(|&value| (count(value), Reverse(value)))
}

/// At most twelve digits.
fn domain(list: List) -> List {
    list.iter().take(12).map(|value| value % 10).collect()
}

fn each(list: &List, change: impl Fn(u8) -> u8) -> List {
    list.iter().map(|&value| change(value)).collect()
}

fn with_zero(list: &List) -> List {
    [&list[..], &[0]].concat()
}

fn without_last(list: &List) -> Option<List> {
    Some(list.split_last()?.1.to_vec())
}

fn each_once(list: &List) -> List {
    let mut once = list.clone();
    once.sort_unstable();
    once.dedup();
    once
}

fn one_more(list: &List, top: &Option<u8>) -> Option<List> {
    top.map(|value| [&list[..], &[value]].concat())
}

fn without_it(list: &List, top: &Option<u8>) -> Option<List> {
    top.map(|top| list.iter().copied().filter(|value| *value != top).collect())
}

pub fn top_value(suite: &mut Suite<List, Option<u8>>) {
    SUBJECT.begin(suite);
    suite.names(["list"]);
    suite.normalise(domain);
    suite.function("top", top);
    suite.relation("reverse", |list| list.iter().rev().copied().collect::<List>(), Equal);
    suite.relation("everything twice", |list| list.repeat(2), Equal);
    suite.relation("add 3", |list| each(list, |value| value + 3), |s, f| s.map(|value| value + 3) == *f);
    suite.judge("one more of it", one_more, |check| *check.output == check.follow_up_outputs[0]);
    suite.judge("without it", without_it, |check| NotEqual(check.output, &check.follow_up_outputs[0]));
    suite.relation("append zero", with_zero, Equal);
    suite.relation("without the last", without_last, Equal);
    suite.relation("each only once", each_once, Equal);
    suite.relation("nine minus each", |list| each(list, |value| 9 - value), |s, f| s.map(|value| 9 - value) == *f);
}

pub(crate) static SUBJECT: Subject<List, Option<u8>> = Subject {
    name: "top_value",
    suite: top_value,
    domain,
    functions: &[top],
    cells: &[
        ("top x reverse", Always),
        ("top x everything twice", Always),
        ("top x add 3", Always),
        ("top x one more of it", Always),
        ("top x without it", Always),
        ("top x append zero", When(|list| by_sorting(&with_zero(list)) == by_sorting(list))),
        (
            "top x without the last",
            When(|list| without_last(list).is_some_and(|rest| by_sorting(&rest) == by_sorting(list))),
        ),
        ("top x each only once", When(|list| by_sorting(list) == list.iter().copied().min())),
        ("top x nine minus each", When(|list| !is_tied(list))),
    ],
    versions: &[
        regional(1, "a shortcut for two", |list| list.len() == 2 && list[0] > list[1]),
        regional(2, "only the first ten count", |list| list.len() > 10 && by_sorting(&list[..10]) != by_sorting(list)),
        regional(3, "boundary: the first one does not count", |list| {
            !list.is_empty() && by_sorting(&list[1..]) != by_sorting(list)
        }),
        regional(4, "special case: all are different", |list| list.len() > 1 && each_once(list).len() == list.len()),
        regional(5, "boundary: nine is not looked at", |list| by_sorting(list) == Some(9)),
        regional(6, "overflow: four of a value", |list| {
            list.iter().any(|value| list.iter().filter(|other| *other == value).count() > 3)
        }),
        regional(7, "swapped: the largest of a tie", is_tied),
        global(8, "how often and not which"),
        rewrite(9, "sorts the list"),
        rewrite(10, "compares all"),
    ],
    file: file!(),
    source: include_str!("top.rs"),
};

/// Whether two values are the most frequent ones.
fn is_tied(list: &List) -> bool {
    let Some(top) = by_sorting(list) else { return false };
    let count = |wanted: u8| list.iter().filter(|value| **value == wanted).count();
    list.iter().any(|&value| value != top && count(value) == count(top))
}

#[cfg(test)]
#[test]
fn the_truth_of_top_value_is_true() {
    crate::check::check(&SUBJECT);
}
