//! Tables whose condition is known: tall ones with categories, wide ones with thresholds.
#![allow(dead_code, reason = "each bench uses a part")]

use bugornot::mine::{
    condition::When,
    table::{Attributes, Table},
};

/// Numbers that look random (SplitMix64).
pub struct Draw(pub u64);

impl Draw {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// True so often.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}

/// A value of an attribute.
pub type Literal = (usize, u8);

/// A condition with a name, its share of the rows, and what is to be found.
pub struct Truth {
    /// What it is called.
    pub name: &'static str,
    /// The verdict that the terms describe.
    pub when: When,
    /// The OR of ANDs.
    pub terms: &'static [&'static [Literal]],
    /// The share of rows of its rarest term.
    pub share: f64,
}

const fn violated(name: &'static str, terms: &'static [&'static [Literal]], share: f64) -> Truth {
    Truth { name, when: When::Violated, terms, share }
}

/// What is planted in tall tables.
pub const TALL: [Truth; 10] = [
    violated("`a < b`", &[&[(0, 0)]], 0.49),
    violated("`a == 0 \\|\\| b == 0`", &[&[(1, 1)], &[(2, 1)]], 0.01),
    violated("`a < b && c > 10`", &[&[(0, 0), (3, 1)]], 0.24),
    violated("region of 1e-3", &[&[(5, 7)]], 1e-3),
    violated("region of 1e-5", &[&[(5, 7), (6, 6)]], 1e-5),
    violated("AND of three", &[&[(0, 0), (3, 1), (4, 2)]], 0.06),
    violated("same parity", &[&[(7, 0), (8, 0)], &[(7, 1), (8, 1)]], 0.25),
    violated("OR of four", &[&[(1, 1)], &[(5, 7)], &[(0, 0), (4, 3)], &[(7, 1), (8, 0), (9, 2)]], 1e-3),
    violated("`a < b` or region of 1e-5", &[&[(0, 0)], &[(5, 7), (6, 6)]], 5e-6),
    Truth { name: "held when `a > b`", when: When::Held, terms: &[&[(0, 2)]], share: 0.49 },
];

impl Truth {
    /// Whether it says so of a row.
    pub fn is_violated(&self, row: &[u8]) -> bool {
        let is_true = self.terms.iter().any(|term| term.iter().all(|&(attribute, value)| row[attribute] == value));
        is_true == (self.when == When::Violated)
    }

    /// The terms as items, as the miner gives them.
    pub fn items(&self, attributes: &Attributes) -> Vec<Vec<usize>> {
        let item = |&(attribute, value): &Literal| attributes.items_of(attribute).start + usize::from(value);
        let mut terms: Vec<Vec<usize>> = self.terms.iter().map(|term| term.iter().map(item).collect()).collect();
        terms.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
        terms
    }
}

/// Attributes of rows with 20, 40 or 60 items: 98, 144 or 204 distinct ones.
pub fn attributes(width: usize) -> Vec<usize> {
    let first = [3, 2, 2, 2, 4, 8, 7, 2, 2, 5, 3, 3, 4, 6, 6, 7, 8, 8, 8, 8];
    let second = (0..20).map(|place| if place < 14 { 2 } else { 3 });
    let third = std::iter::repeat_n(3, 20);
    first.into_iter().chain(second).chain(third).take(width).collect()
}

/// How often each value occurs, in 2^16ths, added up.
fn thresholds(attribute: usize, values: usize) -> Vec<u32> {
    let even = |values: usize, of: u32| (1..=values as u32).map(move |value| value * of / values as u32);
    let rare = |values: usize, share: f64| {
        let last = (share * 65536.0) as u32;
        even(values - 1, 65536 - last).chain([65536]).collect()
    };
    match attribute {
        0 => vec![32440, 33096, 65536],
        1 | 2 => rare(2, 0.01),
        5 => rare(8, 1e-3),
        6 => rare(7, 1e-2),
        _ => even(values, 65536).collect(),
    }
}

/// Draws rows; every third attribute from the eleventh on often repeats the one ten before it.
pub struct Rows {
    thresholds: Vec<Vec<u32>>,
    draw: Draw,
    /// The values of the current row.
    pub row: Vec<u8>,
}

impl Rows {
    /// Rows of so many items.
    pub fn new(width: usize, seed: u64) -> Self {
        let thresholds = attributes(width).into_iter().enumerate().map(|(place, values)| thresholds(place, values));
        Self { thresholds: thresholds.collect(), draw: Draw(seed), row: vec![0; width] }
    }

    /// Draws the next row.
    pub fn next(&mut self) {
        let mut bits = 0;
        for place in 0..self.row.len() {
            if place % 4 == 0 {
                bits = self.draw.next();
            }
            let at = (bits & 0xffff) as u32;
            bits >>= 16;
            let values = self.thresholds[place].len() as u8;
            let value = self.thresholds[place].iter().take_while(|&&threshold| threshold <= at).count() as u8;
            let is_repeat = place > 9 && place % 3 == 1 && at & 7 != 0;
            self.row[place] = if is_repeat { self.row[place - 10] % values } else { value };
        }
    }
}

/// A tall table of a truth, some verdicts flipped.
pub fn tall(width: usize, rows: usize, seed: u64, flips: f64, is_violated: impl Fn(&[u8], &mut Draw) -> bool) -> Table {
    let mut table = Table::new(Attributes::new(attributes(width)));
    let mut source = Rows::new(width, seed);
    let mut draw = Draw(seed ^ 0x5eed);
    for _ in 0..rows {
        source.next();
        let is_violated = is_violated(&source.row, &mut draw) != (flips > 0.0 && draw.chance(flips));
        table.push(&source.row, is_violated);
    }
    table
}

/// A tall table of one of the truths.
pub fn planted(truth: &Truth, width: usize, rows: usize, seed: u64, flips: f64) -> Table {
    tall(width, rows, seed, flips, |row, _| truth.is_violated(row))
}

/// How many numbers a row of a wide table has, and how many thresholds of each are attributes.
pub const WIDE: (usize, usize) = (20, 100);

/// A wide table: for each number and threshold the attribute `number >= threshold`, false or true.
pub fn wide(rows: usize, seed: u64, flips: f64, is_violated: impl Fn(&[u64]) -> bool) -> Table {
    let (numbers, thresholds) = WIDE;
    let mut table = Table::new(Attributes::new(vec![2; numbers * thresholds]));
    let mut draw = Draw(seed);
    let (mut row, mut values) = (vec![0; numbers], vec![0; numbers * thresholds]);
    for _ in 0..rows {
        row.iter_mut().for_each(|number| *number = draw.next() % 1000);
        for (place, value) in values.iter_mut().enumerate() {
            *value = u8::from(row[place / thresholds] >= 10 * (place % thresholds) as u64 + 5);
        }
        table.push(&values, is_violated(&row) != (flips > 0.0 && draw.chance(flips)));
    }
    table
}

/// The item of a wide table that says `number >= threshold` (10 times the step, and 5), or that it is not.
pub fn at_least(number: usize, step: usize, is_true: bool) -> usize {
    2 * (number * WIDE.1 + step) + usize::from(is_true)
}
