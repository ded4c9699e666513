//! Tables with a known truth, from a seed: rows of 20, 40 or 60 items, verdicts that follow a condition, some flipped.
//!
//! A row is six numbers as a fuzzer might draw them. The first attributes are what the truths speak of; all others put
//! one of the numbers into two to twelve ranges, so that they depend on each other as features of real inputs do.
#![allow(dead_code, reason = "each bench uses a part")]

use bugornot::mine::table::{Attributes, SHARD_ROWS, Table};
use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::Path,
};

/// A row violates when this is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// `a < b`
    Less,
    /// `a == 0 || b == 0`
    EitherZero,
    /// `a < b && c > 10`
    LessAndLarge,
    /// The text is empty.
    EmptyText,
    /// A region that 10^-3 of the rows are in.
    Thousandth,
    /// A region that 10^-5 of the rows are in.
    HundredThousandth,
}

/// All of them.
pub const TRUTHS: [Truth; 6] = [
    Truth::Less,
    Truth::EitherZero,
    Truth::LessAndLarge,
    Truth::EmptyText,
    Truth::Thousandth,
    Truth::HundredThousandth,
];

impl Truth {
    /// The items that say it, one OR of ANDs: attribute and value.
    pub fn terms(self) -> &'static [&'static [(usize, u8)]] {
        match self {
            Self::Less => &[&[(0, 0)]],
            Self::EitherZero => &[&[(1, 1)], &[(2, 1)]],
            Self::LessAndLarge => &[&[(0, 0), (3, 1)]],
            Self::EmptyText => &[&[(4, 1)]],
            Self::Thousandth => &[&[(5, 1)]],
            Self::HundredThousandth => &[&[(6, 1)]],
        }
    }
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub truth: Truth,
    /// Attributes, and so items per row: up to 60.
    pub width: usize,
    pub rows: usize,
    /// The share of verdicts that are flipped.
    pub noise: f64,
    pub seed: u64,
}

/// The attributes that the truths speak of have so many values: order of `a` and `b`, `a == 0`, `b == 0`, `c > 10`, the
/// text is empty, and two regions.
const NAMED: [usize; 7] = [3, 2, 2, 2, 2, 2, 2];
/// All others; with those above, 98, 144 and 204 items in the first 20, 40 and 60 attributes.
const RANGES: [usize; 53] = [
    12, 10, 8, 8, 7, 6, 6, 5, 5, 5, 4, 4, 3, // up to 20 attributes
    3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, // up to 40
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, // up to 60
];
const NUMBERS: usize = 6;
const LARGEST: u32 = 1000;

/// Random numbers that are the same everywhere (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// From 0 to below 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }
}

/// A row after the other.
pub struct Rows {
    plan: Plan,
    random: Random,
    /// For each range attribute: which number, and where its ranges end.
    ranges: Vec<(usize, Vec<u32>)>,
}

impl Rows {
    pub fn new(plan: Plan) -> Self {
        assert!((NAMED.len()..=NAMED.len() + RANGES.len()).contains(&plan.width), "7 to 60 attributes");
        let mut random = Random::new(plan.seed);
        let ranges = RANGES[..plan.width - NAMED.len()].iter().enumerate();
        let ends = |count: usize, random: &mut Random| {
            let mut ends: Vec<u32> = (1..count).map(|_| random.below(LARGEST)).collect();
            ends.sort_unstable();
            ends
        };
        let ranges = ranges.map(|(at, &count)| (at % NUMBERS, ends(count, &mut random))).collect();
        Self { plan, random, ranges }
    }

    pub fn attributes(&self) -> Attributes {
        Attributes::new(NAMED.into_iter().chain(RANGES).take(self.plan.width))
    }

    /// Writes the values of a row to `values`, and says whether it violates.
    fn fill(&mut self, values: &mut Vec<u8>) -> bool {
        let random = &mut self.random;
        // One in ten is zero, as fuzzers like it.
        let mut number = || if random.below(10) == 0 { 0 } else { random.below(LARGEST) };
        let numbers: [u32; NUMBERS] = std::array::from_fn(|_| number());
        let [a, b, c, ..] = numbers;
        let is = u8::from;
        values.clear();
        values.push(if a < b { 0 } else { 1 + is(a > b) });
        values.extend([is(a == 0), is(b == 0), is(c > 10)]);
        values.extend([is(random.below(4) == 0), is(random.below(1000) == 0), is(random.below(100_000) == 0)]);
        for (number, ends) in &self.ranges {
            values.push(ends.partition_point(|&end| end <= numbers[*number]) as u8);
        }
        let is_true = |&(attribute, value): &(usize, u8)| values[attribute] == value;
        let is_violated = self.plan.truth.terms().iter().any(|term| term.iter().all(is_true));
        is_violated != (random.share() < self.plan.noise)
    }

    /// Up to so many rows, as columns: one of values per attribute.
    fn block(&mut self, rows: usize) -> (Vec<Vec<u8>>, Vec<bool>) {
        let mut columns = vec![Vec::with_capacity(rows); self.plan.width];
        let (mut verdicts, mut values) = (Vec::with_capacity(rows), Vec::new());
        for _ in 0..rows {
            verdicts.push(self.fill(&mut values));
            for (column, &value) in columns.iter_mut().zip(&values) {
                column.push(value);
            }
        }
        (columns, verdicts)
    }
}

/// The sizes of the blocks that so many rows come in.
fn blocks(rows: usize) -> impl Iterator<Item = usize> {
    (0..rows).step_by(SHARD_ROWS).map(move |first| SHARD_ROWS.min(rows - first))
}

/// A table in memory.
pub fn table(plan: Plan) -> Table {
    let mut rows = Rows::new(plan);
    let mut table = Table::new(rows.attributes());
    for count in blocks(plan.rows) {
        let (columns, verdicts) = rows.block(count);
        table.extend(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>(), &verdicts);
    }
    table
}

/// Writes a table as a file of codes: blocks of at most [`SHARD_ROWS`] rows, in each one byte per row for attribute
/// after attribute, and then for the verdict (1 is violated).
pub fn write_codes(plan: Plan, path: &Path) -> io::Result<()> {
    let (mut rows, mut file) = (Rows::new(plan), BufWriter::new(File::create(path)?));
    for count in blocks(plan.rows) {
        let (columns, verdicts) = rows.block(count);
        for column in &columns {
            file.write_all(column)?;
        }
        file.write_all(&verdicts.into_iter().map(u8::from).collect::<Vec<_>>())?;
    }
    file.flush()
}

/// Writes a table as CSV: `a0` and so on, and `verdict`.
pub fn write_csv(plan: Plan, path: &Path) -> io::Result<()> {
    let (mut rows, mut file) = (Rows::new(plan), BufWriter::new(File::create(path)?));
    writeln!(file, "{},verdict", column_names(plan.width))?;
    let mut values = Vec::new();
    for _ in 0..plan.rows {
        let is_violated = rows.fill(&mut values);
        for value in &values {
            write!(file, "{value},")?;
        }
        writeln!(file, "{}", if is_violated { "violated" } else { "held" })?;
    }
    file.flush()
}

/// The names of the columns of items in [`write_csv`].
pub fn column_names(width: usize) -> String {
    (0..width).map(|attribute| format!("a{attribute}")).collect::<Vec<_>>().join(",")
}

/// Reads a file of codes.
pub fn read_codes(plan: Plan, path: &Path) -> io::Result<Table> {
    let mut file = File::open(path)?;
    let mut table = Table::new(Rows::new(plan).attributes());
    let (mut bytes, mut verdicts) = (vec![0; SHARD_ROWS * (plan.width + 1)], Vec::with_capacity(SHARD_ROWS));
    for count in blocks(plan.rows) {
        let bytes = &mut bytes[..count * (plan.width + 1)];
        file.read_exact(bytes)?;
        let columns: Vec<&[u8]> = bytes.chunks(count).collect();
        verdicts.clear();
        verdicts.extend(columns[plan.width].iter().map(|&verdict| verdict == 1));
        table.extend(&columns[..plan.width], &verdicts);
    }
    Ok(table)
}
