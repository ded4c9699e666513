//! Conditions over texts.

use super::cell::{Cell, Expected::*, Family, Random, scramble};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Texts {
    pub s: String,
    pub t: String,
    pub n: i64,
}

pub const FAMILY: Family<Texts> =
    Family { name: "texts", pattern: "Texts { s, t, n }", widen: "", logged: 8_000, draw, cells: [TUNED, HELD_OUT] };

fn draw(random: &mut Random) -> Texts {
    let s = text(random);
    let t = match random.below(6) {
        0 => s.clone(),
        1 => s.chars().take(2).collect(),
        2 => s.chars().skip(1).collect(),
        _ => text(random),
    };
    Texts { n: random.integer(4), s, t }
}

fn text(random: &mut Random) -> String {
    let letters = ['a', 'b', 'z', 'A', 'Q', '0', '7', ' ', '.', '-', 'é', 'ß', '中', '\n'];
    let length = random.below(10);
    (0..length).map(|_| random.pick(&letters)).collect()
}

const TUNED: &[Cell<Texts>] = &[
    Cell { name: "empty", truth: |x| x.s.is_empty(), expected: Exact(1) },
    Cell { name: "equal", truth: |x| x.s == x.t, expected: Exact(1) },
    Cell { name: "longer", truth: |x| x.s.len() > x.t.len(), expected: Exact(1) },
    Cell { name: "not ascii", truth: |x| !x.s.is_ascii() && x.n > 0, expected: Exact(2) },
    Cell { name: "longer than n", truth: |x| x.s.len() as i64 > x.n, expected: Exact(1) },
    Cell { name: "begins", truth: |x| x.s.starts_with("a7"), expected: Exact(1) },
    Cell { name: "ends", truth: |x| x.s.ends_with('é') && x.n > 0, expected: Exact(2) },
    Cell { name: "inside", truth: |x| x.s.contains("7-"), expected: Exact(1) },
    Cell { name: "scrambled", truth: |x| scramble(x.s.bytes().map(i64::from)).is_multiple_of(2), expected: Nothing },
];

const HELD_OUT: &[Cell<Texts>] = &[
    Cell { name: "prefix", truth: |x| x.s.starts_with(&x.t), expected: Exact(1) },
    Cell { name: "capitals", truth: |x| x.s.chars().any(char::is_uppercase), expected: Exact(1) },
    Cell { name: "padded", truth: |x| x.s.trim() != x.s, expected: Exact(1) },
    Cell { name: "dash", truth: |x| x.s.contains('-') && x.t.is_empty(), expected: Exact(2) },
    Cell { name: "much longer", truth: |x| x.s.len() > x.t.len() + 3, expected: Exact(1) },
    Cell { name: "letters", truth: |x| x.s.chars().count() > 6, expected: Exact(1) },
    Cell { name: "noisy contains", truth: |x| x.s.contains(&x.t), expected: Noisy(1) },
];
