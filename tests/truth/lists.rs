//! Conditions over lists.

use super::cell::{Cell, Expected::*, Family, Random, scramble};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Lists {
    pub list: Vec<i64>,
    pub other: Vec<u8>,
    pub x: i64,
}

pub const FAMILY: Family<Lists> = Family {
    name: "lists",
    pattern: "Lists { list, other, x }",
    widen: "",
    logged: 8_000,
    draw,
    cells: [TUNED, HELD_OUT],
};

fn draw(random: &mut Random) -> Lists {
    let length = random.below(7);
    let mut list: Vec<i64> = (0..length).map(|_| random.integer(6)).collect();
    if random.one_in(5) {
        list.sort_unstable();
    }
    let length = random.below(5);
    let other = (0..length).map(|_| random.below(12) as u8).collect();
    let x = if random.one_in(3) { list.first().copied().unwrap_or(3) } else { random.integer(6) };
    Lists { list, other, x }
}

const TUNED: &[Cell<Lists>] = &[
    Cell { name: "sorted", truth: |x| x.list.is_sorted(), expected: Exact(1) },
    Cell { name: "contains", truth: |x| x.list.contains(&x.x), expected: Exact(1) },
    Cell { name: "sum", truth: |x| x.list.iter().sum::<i64>() > 7, expected: Exact(1) },
    Cell { name: "negative element", truth: |x| x.list.iter().any(|&item| item < 0), expected: Exact(1) },
    Cell { name: "scrambled", truth: |x| scramble(x.list.iter().copied()).is_multiple_of(2), expected: Nothing },
];

const HELD_OUT: &[Cell<Lists>] = &[
    Cell { name: "duplicates", truth: |x| has_duplicates(&x.other), expected: Exact(1) },
    Cell { name: "long and negative", truth: |x| x.list.len() > 3 && x.x < 0, expected: Exact(2) },
    Cell { name: "last below first", truth: |x| x.list.last() < x.list.first(), expected: Exact(1) },
    Cell { name: "largest", truth: |x| x.list.iter().max().is_some_and(|&max| max > x.x), expected: Exact(1) },
    Cell { name: "either empty", truth: |x| x.list.is_empty() || x.other.is_empty(), expected: Exact(2) },
    Cell { name: "more of one", truth: |x| x.list.len() > x.other.len(), expected: Exact(1) },
];

fn has_duplicates(list: &[u8]) -> bool {
    (1..list.len()).any(|end| list[..end].contains(&list[end]))
}
