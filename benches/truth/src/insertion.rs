//! Where a number belongs in a sorted list: binary search for the first element that is not less.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Search {
    pub needle: i16,
    pub list: Vec<i16>,
}

fn insertion(search: &Search) -> usize {
    let Search { needle, list } = search;
    if version::is(8) {
        return list.iter().filter(|element| *element < needle).count();
    }
    if version::is(9) {
        return list.partition_point(|element| element < needle);
    }
    if pick!(1, false, list.len() == 1) {
        return 0;
    }
    let mut low = 0;
    let high = pick!(2, list.len(), list.len().saturating_sub(1));
    let mut high = pick!(3, high, if list.len() == 5 { 6 } else { high });
    while low < high {
        let middle = low + (high - low) / 2;
        let wanted = pick!(4, i32::from(*needle), i32::from(*needle * 12) / 12);
        let is_before = pick!(5, i32::from(list[middle]) < wanted, i32::from(list[middle]) <= wanted);
        if is_before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let low = pick!(6, low, if needle / 2 == 500 && !list.is_empty() { low + 1 } else { low });
    pick!(7, low, list.len() - low)
}

fn domain(search: Search) -> Search {
    let mut list: Vec<i16> = search.list.iter().take(12).map(|element| element % 3000).collect();
    list.sort_unstable();
    Search { needle: search.needle % 3000, list }
}

fn changed(search: &Search, change: impl Fn(&mut Search)) -> Search {
    let mut search = search.clone();
    change(&mut search);
    search
}

fn append(search: &Search) -> Search {
    let larger = search.list.last().copied().unwrap_or(0).max(search.needle) + 1;
    changed(search, |search| search.list.push(larger))
}

fn prepend(search: &Search) -> Search {
    let smaller = search.list.first().copied().unwrap_or(0).min(search.needle) - 1;
    changed(search, |search| search.list.insert(0, smaller))
}

fn shift(search: &Search) -> Search {
    let by = pick!(10, 7, 7 + i16::from(version::calls().is_multiple_of(40)));
    changed(search, |search| {
        search.needle += 7;
        search.list.iter_mut().for_each(|element| *element += by);
    })
}

fn without_first(search: &Search) -> Option<Search> {
    let (_, rest) = search.list.split_first()?;
    Some(Search { list: rest.to_vec(), ..*search })
}

fn has_needle(search: &Search) -> bool {
    search.list.contains(&search.needle)
}

pub fn insertion_point(suite: &mut Suite<Search, usize>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("insertion", insertion);
    suite.relation("append a larger one", append, Equal);
    suite.relation("prepend a smaller one", prepend, |source, follow_up| source + 1 == *follow_up);
    suite.relation("shift all by 7", shift, Equal);
    suite.relation("larger needle", |search| changed(search, |search| search.needle += 50), NonDecreasing);
    suite.relation("next needle", |search| changed(search, |search| search.needle += 1), Equal);
    suite.relation("remove the first", without_first, |source, follow_up| *source == follow_up + 1);
    suite.relation("only the first", |search| changed(search, |search| search.list.truncate(1)), Equal);
    suite.relation("append, and it moves", append, Increase);
}

pub(crate) static SUBJECT: Subject<Search, usize> = Subject {
    name: "insertion_point",
    suite: insertion_point,
    domain,
    functions: &[insertion],
    cells: &[
        ("insertion x append a larger one", Always),
        ("insertion x prepend a smaller one", Always),
        ("insertion x shift all by 7", Always),
        ("insertion x larger needle", Always),
        ("insertion x next needle", When(|search| !has_needle(search))),
        (
            "insertion x remove the first",
            When(|search| search.list.first().is_some_and(|&first| first < search.needle)),
        ),
        ("insertion x only the first", When(|search| search.list.get(1).is_none_or(|&second| second >= search.needle))),
        ("insertion x append, and it moves", Never),
    ],
    versions: &[
        regional(1, "special case: a list of one", |search| search.list.len() == 1 && search.list[0] < search.needle),
        regional(2, "the search ends one too early", |search| {
            search.list.last().is_some_and(|&last| last < search.needle)
        }),
        regional(3, "looks behind lists of five: panics", |search| {
            search.list.len() == 5 && search.list[3] < search.needle
        }),
        regional(4, "overflow: the needle is scaled", |search| {
            !search.list.is_empty() && search.needle.unsigned_abs() > 2730
        }),
        regional(5, "boundary: after equal ones", has_needle),
        regional(6, "two needles of six thousand", |search| search.needle / 2 == 500 && !search.list.is_empty()),
        global(7, "counts from the end"),
        rewrite(8, "counts all that are less"),
        rewrite(9, "the standard library's search"),
        harness(10, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("insertion.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_insertion_is_true() {
    crate::check::check(&SUBJECT);
}
