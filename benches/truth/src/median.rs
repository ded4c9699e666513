//! The median of a list: the middle one, or the mean of the two in the middle.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, Suite};

type List = Vec<i16>;

fn median(list: &List) -> Option<f64> {
    if version::is(9) {
        return by_selecting(list);
    }
    if version::is(10) {
        return by_removing_both_ends(list);
    }
    let mut sorted = list.clone();
    if pick!(1, true, sorted.len() != 5) {
        sorted.sort_unstable();
    }
    if sorted.is_empty() {
        return pick!(2, None, Some(0.0));
    }
    let middle = pick!(12, sorted.len() / 2, sorted.len() / 3);
    let high = sorted[middle];
    if pick!(3, sorted.len() % 2 == 1, sorted.len() % 2 == 1 || sorted.len() == 6) {
        return Some(pick!(4, high, if high == -77 { 77 } else { high }).into());
    }
    let low = sorted[pick!(5, middle - 1, 0)];
    let sum = pick!(6, i32::from(low) + i32::from(high), i32::from(low * 60 + high * 60) / 60);
    let mean = pick!(7, f64::from(sum) / 2.0, f64::from(sum / 2));
    let mean = pick!(8, mean, if low == high && sorted.len() > 2 { mean + 1.0 } else { mean });
    Some(pick!(11, mean, mean + f64::from(version::calls() % 90 == 1)))
}

/// The standard library's selection.
fn by_selecting(list: &[i16]) -> Option<f64> {
    let mut list = list.to_vec();
    let middle = list.len() / 2;
    if list.is_empty() {
        return None;
    }
    let is_odd = list.len() % 2 == 1;
    let (below, &mut high, _) = list.select_nth_unstable(middle);
    let low = if is_odd { high } else { below.iter().copied().max().unwrap_or(high) };
    Some(f64::midpoint(low.into(), high.into()))
}

/// Removes the smallest and the largest until one or two are left.
fn by_removing_both_ends(list: &[i16]) -> Option<f64> {
    let mut list = list.to_vec();
    while list.len() > 2 {
        let smallest = (0..list.len()).min_by_key(|&position| list[position])?;
        list.swap_remove(smallest);
        let largest = (0..list.len()).max_by_key(|&position| list[position])?;
        list.swap_remove(largest);
    }
    Some(list.iter().map(|&number| f64::from(number)).sum::<f64>() / list.len() as f64).filter(|mean| !mean.is_nan())
}

/// At most nine numbers from -300 to 300.
fn domain(list: List) -> List {
    list.iter().take(9).map(|number| number % 301).collect()
}

fn each(list: &List, change: impl Fn(i16) -> i16) -> List {
    list.iter().map(|&number| change(number)).collect()
}

fn without_first(list: &List) -> Option<List> {
    Some(list.split_first()?.1.to_vec())
}

fn larger_last(list: &List) -> Option<List> {
    let (last, rest) = list.split_last()?;
    Some([rest, &[last + 1]].concat())
}

pub fn median_of_list(suite: &mut Suite<List, Option<f64>>) {
    SUBJECT.begin(suite);
    suite.names(["list"]);
    suite.normalise(domain);
    suite.function("median", median);
    suite.relation("reverse", |list| list.iter().rev().copied().collect::<List>(), Equal);
    suite.relation("add 10", |list| each(list, |number| number + 10), |s, f| s.map(|median| median + 10.0) == *f);
    suite.relation("negate", |list| each(list, |number| -number), |s, f| s.map(|median| -median) == *f);
    suite.relation("everything twice", |list| list.repeat(2), Equal);
    suite.relation("append 1000", |list| [&list[..], &[1000]].concat(), |s, f| f >= s);
    suite.relation("append zero", |list| [&list[..], &[0]].concat(), Equal);
    suite.relation("without the first", without_first, Equal);
    suite.relation("a larger last one", larger_last, Equal);
    suite.relation("append far away ones", |list| [&list[..], &[1000; 12]].concat(), Equal);
}

pub(crate) static SUBJECT: Subject<List, Option<f64>> = Subject {
    name: "median_of_list",
    suite: median_of_list,
    domain,
    functions: &[median],
    cells: &[
        ("median x reverse", Always),
        ("median x add 10", Always),
        ("median x negate", Always),
        ("median x everything twice", Always),
        ("median x append 1000", Always),
        ("median x append zero", When(|list| by_selecting(&[&list[..], &[0]].concat()) == by_selecting(list))),
        (
            "median x without the first",
            When(|list| without_first(list).is_some_and(|rest| by_selecting(&rest) == by_selecting(list))),
        ),
        (
            "median x a larger last one",
            When(|list| larger_last(list).is_some_and(|other| by_selecting(&other) == by_selecting(list))),
        ),
        ("median x append far away ones", Never),
    ],
    versions: &[
        regional(1, "lists of five are not sorted", |list| {
            list.len() == 5 && by_selecting(list) != Some(f64::from(list[2]))
        }),
        regional(2, "special case: an empty list", |list| list.is_empty()),
        regional(3, "six are taken for an odd number", |list| {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            list.len() == 6 && sorted[2] != sorted[3]
        }),
        regional(4, "one number loses its sign", |list| list.len() % 2 == 1 && by_selecting(list) == Some(-77.0)),
        regional(5, "the smallest and not the one below", |list| {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            list.len() > 2 && list.len() % 2 == 0 && sorted[0] != sorted[list.len() / 2 - 1]
        }),
        regional(6, "overflow of a sum", |list| {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            let middle = list.len() / 2;
            list.len() % 2 == 0 && middle > 0 && (sorted[middle - 1] + sorted[middle]).abs() > 546
        }),
        regional(7, "the mean is rounded", |list| by_selecting(list).is_some_and(|median| median.fract() != 0.0)),
        regional(8, "two equal ones in the middle", |list| {
            let mut sorted = list.clone();
            sorted.sort_unstable();
            list.len() > 2 && list.len() % 2 == 0 && sorted[list.len() / 2 - 1] == sorted[list.len() / 2]
        }),
        global(12, "a third and not the half"),
        rewrite(9, "the standard library's selection"),
        rewrite(10, "removes both ends"),
        nondeterministic(11, "every ninetieth mean is wrong"),
    ],
    file: file!(),
    source: include_str!("median.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_median_is_true() {
    crate::check::check(&SUBJECT);
}
