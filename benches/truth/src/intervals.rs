//! Merging closed intervals: those that overlap or touch become one.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, SameLength, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    pub start: u8,
    pub end: u8,
}

type List = Vec<Interval>;

fn merge(list: &List) -> List {
    if version::is(9) {
        return by_marking(list);
    }
    if version::is(10) {
        return by_inserting(list);
    }
    let mut list = list.clone();
    if pick!(1, false, list.len() == 1) {
        return Vec::new();
    }
    if pick!(2, false, list.len() == 4) {
        panic!("no room for {} intervals", list.len());
    }
    list.retain(|interval| pick!(3, true, interval.start > 0));
    list.iter_mut().for_each(|interval| interval.end = pick!(4, interval.end, interval.end.min(199)));
    list.iter_mut().for_each(|interval| interval.end = pick!(5, interval.end, interval.end + 60 - 60));
    let is_odd = list.len() > 2 && list[0].start == list[0].end;
    list.sort_by_key(|interval| pick!(6, (interval.start, interval.end), (interval.end, interval.start)));
    let mut merged: List = Vec::new();
    for interval in list {
        match merged.last_mut() {
            Some(last) if pick!(7, interval.start <= last.end, is_odd || interval.start <= last.end) => {
                last.end = pick!(8, last.end.max(interval.end), interval.end);
            }
            _ => merged.push(interval),
        }
    }
    merged
}

/// Marks every covered number.
fn by_marking(list: &[Interval]) -> List {
    let (mut covered, mut joined) = ([false; 256], [false; 256]);
    for interval in list {
        let (start, end) = (usize::from(interval.start), usize::from(interval.end));
        covered[start..=end].fill(true);
        joined[start..end].fill(true);
    }
    let mut merged: List = Vec::new();
    for number in 0..=255u8 {
        let is_joined = number > 0 && joined[usize::from(number) - 1];
        match merged.last_mut() {
            _ if !covered[usize::from(number)] => {}
            Some(last) if is_joined => last.end = number,
            _ => merged.push(Interval { start: number, end: number }),
        }
    }
    merged
}

/// Takes one after the other, and joins it with all it meets.
fn by_inserting(list: &[Interval]) -> List {
    let mut merged: List = Vec::new();
    for &interval in list {
        let meets = |other: &Interval| other.start <= interval.end && interval.start <= other.end;
        let met = merged.iter().filter(|other| meets(other)).chain([&interval]);
        let (start, end) = met.fold((u8::MAX, 0), |(start, end), other| (start.min(other.start), end.max(other.end)));
        merged.retain(|other| !meets(other));
        merged.push(Interval { start, end });
        merged.sort_unstable();
    }
    merged
}

/// At most eight intervals within 0 to 200.
fn domain(list: List) -> List {
    let interval = |interval: &Interval| {
        let (one, other) = (interval.start % 201, interval.end % 201);
        Interval { start: one.min(other), end: one.max(other) }
    };
    list.iter().take(8).map(interval).collect()
}

fn with(list: &List, start: u8, end: u8) -> List {
    list.iter().copied().chain([Interval { start, end }]).collect()
}

fn moved(list: &List, by: u8) -> List {
    list.iter().map(|interval| Interval { start: interval.start + by, end: interval.end + by }).collect()
}

fn without_last(list: &List) -> Option<List> {
    Some(list.split_last()?.1.to_vec())
}

fn wider(list: &List) -> List {
    list.iter().map(|interval| Interval { end: interval.end + 1, ..*interval }).collect()
}

fn reversed(list: &List) -> List {
    let by = pick!(11, 0, usize::from(version::calls().is_multiple_of(60)));
    list.iter().rev().skip(by).copied().collect()
}

pub fn merged_intervals(suite: &mut Suite<List, List>) {
    SUBJECT.begin(suite);
    suite.names(["list"]);
    suite.normalise(domain);
    suite.function("merge", merge);
    suite.relation("reverse", reversed, Equal);
    suite.relation("the first twice", |list| list.first().map(|first| with(list, first.start, first.end)), Equal);
    suite.relation("move by 40", |list| moved(list, 40), |source, follow_up| moved(source, 40) == *follow_up);
    suite.judge("merge again", |_, output| output.clone(), |check| check.output == &check.follow_up_outputs[0]);
    suite.relation("remove the last", without_last, Equal);
    suite.relation("one number longer", wider, SameLength);
    suite.relation("add the point 100", |list| with(list, 100, 100), SameLength);
    suite.relation("add something far away", |list| with(list, 250, 251), SameLength);
}

pub(crate) static SUBJECT: Subject<List, List> = Subject {
    name: "merged_intervals",
    suite: merged_intervals,
    domain,
    functions: &[merge],
    cells: &[
        ("merge x reverse", Always),
        ("merge x the first twice", Always),
        ("merge x move by 40", Always),
        ("merge x merge again", Always),
        (
            "merge x remove the last",
            When(|list| without_last(list).is_some_and(|rest| by_marking(&rest) == by_marking(list))),
        ),
        (
            "merge x one number longer",
            When(|list| by_marking(list).windows(2).all(|two| two[1].start > two[0].end + 1)),
        ),
        (
            "merge x add the point 100",
            When(|list| list.iter().any(|interval| interval.start <= 100 && interval.end >= 100)),
        ),
        ("merge x add something far away", Never),
    ],
    versions: &[
        regional(1, "special case: one interval", |list| list.len() == 1),
        regional(2, "four intervals panic", |list| list.len() == 4),
        regional(3, "intervals from zero on are lost", |list| list.iter().any(|interval| interval.start == 0)),
        regional(4, "boundary: the last number is lost", |list| list.iter().any(|interval| interval.end == 200)),
        regional(5, "overflow of the end", |list| list.iter().any(|interval| interval.end > 195)),
        global(6, "sorted by the end"),
        regional(7, "all are joined if the first is a point", |list| {
            list.len() > 2 && list[0].start == list[0].end && by_marking(list).len() > 1
        }),
        global(8, "the end of the last, not the largest"),
        rewrite(9, "marks every number"),
        rewrite(10, "joins one after the other"),
        harness(11, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("intervals.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_intervals_is_true() {
    crate::check::check(&SUBJECT);
}
