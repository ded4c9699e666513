//! The largest sum of a contiguous part of a list by Kadane's algorithm; a part has at least one number.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, Increase, NonDecreasing, ScaledBy, Suite};

type List = Vec<i16>;

fn best_sum(list: &List) -> i32 {
    if version::is(9) {
        return by_all_parts(list);
    }
    if version::is(10) {
        return by_lowest_before(list);
    }
    let first = pick!(1, list.first().copied().unwrap_or(0), list[0]);
    if pick!(2, false, list.len() == 2) {
        return list.iter().map(|&number| i32::from(number)).sum();
    }
    let mut best = pick!(3, i32::from(first), 0);
    let mut ending = pick!(7, 0, i32::from(first));
    let end = pick!(4, list.len(), list.len().saturating_sub(1));
    for &number in &list[..end] {
        let number = i32::from(number);
        let is_gain = pick!(5, ending > 0, ending > 1);
        if pick!(8, is_gain, is_gain && number != 0) {
            ending = pick!(6, ending + number, i32::from(ending as i16 + number as i16));
        } else {
            ending = number;
        }
        best = best.max(ending);
    }
    pick!(11, best, best + i32::from(version::calls() % 85 == 5))
}

/// Sums up every part.
fn by_all_parts(list: &[i16]) -> i32 {
    let from = |begin: usize| {
        list[begin..].iter().scan(0, |sum, &number| {
            *sum += i32::from(number);
            Some(*sum)
        })
    };
    (0..list.len()).flat_map(from).max().unwrap_or(0)
}

/// The sum up to an end, less the lowest sum before it.
fn by_lowest_before(list: &[i16]) -> i32 {
    let (mut sum, mut lowest, mut best) = (0, 0, None);
    for &number in list {
        sum += i32::from(number);
        best = best.max(Some(sum - lowest));
        lowest = lowest.min(sum);
    }
    best.unwrap_or(0)
}

/// The best of the parts that end at each number, where only more than `least` is worth keeping.
fn by_endings(list: &[i16], least: i32) -> i32 {
    let ending = |before: &mut i32, &number: &i16| {
        *before = i32::from(number) + if *before > least { *before } else { 0 };
        Some(*before)
    };
    list.iter().scan(0, ending).max().unwrap_or(0)
}

/// At most twelve numbers from -14999 to 14999.
fn domain(list: List) -> List {
    list.iter().take(12).map(|number| number % 15_000).collect()
}

fn each(list: &List, change: impl Fn(i16) -> i16) -> List {
    list.iter().map(|&number| change(number)).collect()
}

fn appended(list: &List, number: i16) -> List {
    [&list[..], &[number]].concat()
}

fn sorted(list: &List) -> List {
    let mut list = list.clone();
    list.sort_unstable();
    list
}

/// The gap costs more than any list is worth.
fn twice_with_a_gap(list: &List) -> List {
    [&list[..], &[-30_000; 6], list].concat()
}

fn without_last(list: &List) -> Option<List> {
    Some(list.split_last()?.1.to_vec())
}

fn larger_first(list: &List) -> Option<List> {
    let (first, rest) = list.split_first()?;
    Some([&[first + 1], rest].concat())
}

pub fn best_subarray(suite: &mut Suite<List, i32>) {
    SUBJECT.begin(suite);
    suite.names(["list"]);
    suite.normalise(domain);
    suite.function("best_sum", best_sum);
    suite.relation("reverse", |list| list.iter().rev().copied().collect::<List>(), Equal);
    suite.relation("double all", |list| each(list, |number| 2 * number), ScaledBy(2));
    suite.relation("sort", sorted, NonDecreasing);
    suite.relation("twice with a gap", twice_with_a_gap, Equal).when(|list| !list.is_empty());
    suite.relation("append zero", |list| appended(list, 0), |s, f| (*s).max(0) == *f);
    suite
        .relation("add 10", |list| each(list, |number| number + 10), |s, f| *f >= s + 10)
        .when(|list| !list.is_empty());
    suite.relation("append a large loss", |list| appended(list, -20_000), Equal);
    suite.relation("append a gain", |list| appended(list, 1000), Increase);
    suite.relation("without the last", without_last, Equal);
    suite.relation("a larger first one", larger_first, Equal);
}

pub(crate) static SUBJECT: Subject<List, i32> = Subject {
    name: "best_subarray",
    suite: best_subarray,
    domain,
    functions: &[best_sum],
    cells: &[
        ("best_sum x reverse", Always),
        ("best_sum x double all", Always),
        ("best_sum x sort", Always),
        ("best_sum x twice with a gap", Always),
        ("best_sum x append zero", Always),
        ("best_sum x add 10", Always),
        ("best_sum x append a large loss", When(|list| !list.is_empty())),
        ("best_sum x append a gain", When(|list| by_all_parts(&appended(list, 1000)) > by_all_parts(list))),
        (
            "best_sum x without the last",
            When(|list| without_last(list).is_some_and(|rest| by_all_parts(&rest) == by_all_parts(list))),
        ),
        (
            "best_sum x a larger first one",
            When(|list| larger_first(list).is_some_and(|other| by_all_parts(&other) == by_all_parts(list))),
        ),
    ],
    versions: &[
        regional(1, "an empty list panics", |list| list.is_empty()),
        regional(2, "special case: two numbers are added", |list| list.len() == 2 && (list[0] < 0 || list[1] < 0)),
        regional(3, "special case: a list of losses is worth nothing", |list| {
            !list.is_empty() && list.iter().all(|number| *number < 0)
        }),
        regional(4, "boundary: the last number of several is left out", |list| {
            list.len() > 1 && by_all_parts(&list[..list.len() - 1]) != by_all_parts(list)
        }),
        regional(5, "boundary: a gain of one is given up", |list| by_endings(list, 1) != by_endings(list, 0)),
        regional(6, "overflow of a sum", |list| by_all_parts(list) > i16::MAX.into()),
        global(7, "the first number counts twice"),
        regional(8, "a zero ends a part", |list| {
            let best = list.split(|number| *number == 0).map(by_all_parts).max();
            list.contains(&0) && best.unwrap_or(0).max(0) != by_all_parts(list)
        }),
        rewrite(9, "sums up every part"),
        rewrite(10, "differences of sums from the beginning"),
        nondeterministic(11, "every 85th call is wrong"),
    ],
    file: file!(),
    source: include_str!("subarray.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_subarray_is_true() {
    crate::check::check(&SUBJECT);
}
