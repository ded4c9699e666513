//! Rows worth a look: random ones of every verdict, and atypical ones.

use super::{
    measure::{Path, Size, for_each_part, order},
    nearest,
};
use crate::{
    Verdict,
    clean::Cleaned,
    hash,
    log::{Row, identity_of},
};
use std::collections::{BTreeMap, HashMap};

/// A verdict is rare up to this share of those judged.
const RARE: f64 = 0.1;
/// How many parts of the input are looked at for extreme and boundary values.
const PARTS: usize = 8;
/// How far is looked for a row that has a detail, among equals.
const EQUALS: usize = 64;

/// Which rows are sampled.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// How many random rows of every cell and verdict.
    pub count: usize,
    /// Another seed, other rows.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { count: 3, seed: 0 }
    }
}

/// Rows of one cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Random ones of every verdict, in the order of verdicts.
    pub random: Vec<Sample>,
    /// What is rare, extreme, at a boundary, or nearest to the opposite verdict.
    pub atypical: Vec<Sample>,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its position in [`Cleaned::working`].
    pub row: usize,
    /// What it ended with in this cell.
    pub verdict: Verdict,
    /// Why it is shown; nothing for a random one.
    pub why: Vec<Why>,
}

/// Why a row is atypical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It has the rarer verdict, and that is at most a tenth of those judged.
    Rare,
    /// This row of the opposite verdict is the nearest to it, of all such pairs the nearest.
    Nearest(usize),
    /// No other has so small a value of this part.
    Smallest(String),
    /// No other has so large a value of this part.
    Largest(String),
    /// This part has a value where types and regions end: in words.
    Boundary(String, &'static str),
}

/// Picks the samples of all cells.
pub(super) fn pick(cleaned: &Cleaned, sampling: Sampling) -> Vec<Samples> {
    let orders = part_orders(&cleaned.working);
    let sorted: Vec<&[u32]> = orders.iter().map(|order| &order.rows[..]).collect();
    let shuffled = shuffled(&cleaned.working, sampling.seed);
    let picker = |cell: usize| {
        let cell = Cell::new(cleaned, cell, &shuffled);
        let random = cell.random(sampling.count);
        Samples { random, atypical: cell.atypical(cleaned, sampling.count, &orders, &sorted) }
    };
    (0..cleaned.cells.len()).map(picker).collect()
}

/// The two rows of opposite verdicts that are most alike, for each of so many cells: the held one first. The rows are in
/// the order of their identities.
pub(crate) fn nearest_pairs(rows: &[Row], cells: usize) -> Vec<Option<(usize, usize)>> {
    let orders = part_orders(rows);
    let sorted: Vec<&[u32]> = orders.iter().map(|order| &order.rows[..]).collect();
    let with = |cell: usize, verdict: Verdict| -> Vec<usize> {
        let is_so = |row: &usize| rows[*row].verdicts.get(cell).copied().flatten() == Some(verdict);
        (0..rows.len()).filter(is_so).collect()
    };
    let pair = |cell| {
        let (held, violated) = (with(cell, Verdict::Held), with(cell, Verdict::Violated));
        nearest::pair(rows, &held, &violated, &sorted).map(|pair| (pair.held, pair.violated))
    };
    (0..cells).map(pair).collect()
}

/// All rows in an order that the seed decides; those that can be shown with their outputs first.
fn shuffled(rows: &[Row], seed: u64) -> Vec<usize> {
    let seed = hash::of_bytes(&seed.to_le_bytes(), 0);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_cached_key(|&row| {
        let identity = identity_of(&rows[row]);
        (rows[row].detail.is_none(), hash::of_bytes(&identity.to_le_bytes(), seed), identity)
    });
    order
}

/// The rows in the order of one part's size.
struct PartOrder {
    path: String,
    rows: Vec<u32>,
    boundaries: BTreeMap<&'static str, Vec<u32>>,
}

fn part_orders(rows: &[Row]) -> Vec<PartOrder> {
    let mut known: HashMap<u64, (usize, String)> = HashMap::new();
    for row in rows {
        for_each_part(row, |path, _| {
            known.entry(path.key).or_insert_with(|| (0, path.to_string())).0 += 1;
        });
    }
    let mut keys: Vec<(usize, String, u64)> =
        known.into_iter().map(|(key, (count, path))| (count, path, key)).collect();
    keys.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    keys.truncate(PARTS);
    keys.into_iter().map(|(_, path, key)| part_order(rows, path, key)).collect()
}

fn part_order(rows: &[Row], path: String, key: u64) -> PartOrder {
    let size_of = |row: &Row| {
        let mut size = None;
        for_each_part(row, |path: &Path<'_>, found| {
            if path.key == key {
                size = Some(found);
            }
        });
        size
    };
    let mut sized: Vec<(Size, u32)> =
        rows.iter().zip(0..).filter_map(|(row, position)| Some((size_of(row)?, position))).collect();
    let mut boundaries: BTreeMap<&'static str, Vec<u32>> = BTreeMap::new();
    for (size, row) in &sized {
        if let Some(words) = size.boundary() {
            boundaries.entry(words).or_default().push(*row);
        }
    }
    sized.sort_by(|(size, row), (other_size, other)| {
        let fields = |row: u32| &rows[row as usize].fields[..];
        size.order(other_size).then_with(|| order(fields(*row), fields(*other))).then(row.cmp(other))
    });
    PartOrder { path, rows: sized.into_iter().map(|(_, row)| row).collect(), boundaries }
}

/// One cell's rows.
struct Cell<'rows> {
    rows: &'rows [Row],
    cell: usize,
    /// By verdict, in the order of the seed.
    by_verdict: [Vec<usize>; Verdict::COUNT],
}

impl<'rows> Cell<'rows> {
    fn new(cleaned: &'rows Cleaned, cell: usize, shuffled: &[usize]) -> Self {
        let mut by_verdict: [Vec<usize>; Verdict::COUNT] = Default::default();
        for &row in shuffled {
            if let Some(verdict) = cleaned.working[row].verdicts.get(cell).copied().flatten() {
                by_verdict[verdict as usize].push(row);
            }
        }
        Self { rows: &cleaned.working, cell, by_verdict }
    }

    fn of(&self, verdict: Verdict) -> &[usize] {
        &self.by_verdict[verdict as usize]
    }

    fn random(&self, count: usize) -> Vec<Sample> {
        let of_verdict = |verdict: Verdict| {
            self.of(verdict).iter().take(count).map(move |&row| Sample { row, verdict, why: Vec::new() })
        };
        Verdict::ALL.into_iter().flat_map(of_verdict).collect()
    }

    fn judged(&self, row: u32) -> Option<Verdict> {
        let verdict = self.rows[row as usize].verdicts.get(self.cell).copied().flatten();
        verdict.filter(|verdict| matches!(verdict, Verdict::Held | Verdict::Violated))
    }

    fn atypical(&self, cleaned: &Cleaned, count: usize, orders: &[PartOrder], sorted: &[&[u32]]) -> Vec<Sample> {
        let mut found = Atypical::default();
        if let Some(rarer) = rarer(cleaned, self.cell) {
            // Others than the random ones, as long as there are others.
            let rows = self.of(rarer);
            let start = if rows.len() >= 2 * count { count } else { 0 };
            rows[start..].iter().take(count).for_each(|&row| found.add(row, rarer, Why::Rare));
        }
        let (mut held, mut violated) = (self.of(Verdict::Held).to_vec(), self.of(Verdict::Violated).to_vec());
        held.sort_unstable();
        violated.sort_unstable();
        if let Some(pair) = nearest::pair(self.rows, &held, &violated, sorted) {
            found.add(pair.held, Verdict::Held, Why::Nearest(pair.violated));
            found.add(pair.violated, Verdict::Violated, Why::Nearest(pair.held));
        }
        for order in orders {
            self.extremes(order, &mut found);
        }
        for order in orders {
            self.boundaries(order, count, &mut found);
        }
        found.samples
    }

    fn extremes(&self, order: &PartOrder, found: &mut Atypical) {
        if order.rows.len() < 2 {
            return;
        }
        if let Some((row, verdict)) = self.first(order.rows.iter()) {
            found.add(row, verdict, Why::Smallest(order.path.clone()));
        }
        if let Some((row, verdict)) = self.first(order.rows.iter().rev()) {
            found.add(row, verdict, Why::Largest(order.path.clone()));
        }
    }

    /// The first row that was judged.
    fn first<'order>(&self, mut rows: impl Iterator<Item = &'order u32>) -> Option<(usize, Verdict)> {
        rows.find_map(|&row| Some((row as usize, self.judged(row)?)))
    }

    /// One row of each verdict at each boundary, with its outputs if there is such a one.
    fn boundaries(&self, order: &PartOrder, most: usize, found: &mut Atypical) {
        for (&words, rows) in order.boundaries.iter().take(most) {
            for verdict in [Verdict::Held, Verdict::Violated] {
                let matching = rows.iter().filter(|&&row| self.judged(row) == Some(verdict)).take(EQUALS);
                let best = matching.min_by_key(|&&row| self.rows[row as usize].detail.is_none());
                if let Some(&row) = best {
                    found.add(row as usize, verdict, Why::Boundary(order.path.clone(), words));
                }
            }
        }
    }
}

/// The rarer verdict of a cell, if it is rare.
fn rarer(cleaned: &Cleaned, cell: usize) -> Option<Verdict> {
    let counts = cleaned.cells.get(cell)?.distinct.counts;
    let verdicts = [Verdict::Held, Verdict::Violated];
    let rarer = verdicts.into_iter().min_by_key(|&verdict| counts.of(verdict))?;
    let is_rare = counts.of(rarer) as f64 <= RARE * counts.judged() as f64;
    (counts.is_seen_both_ways() && is_rare).then_some(rarer)
}

/// Rows with all reasons for each.
#[derive(Default)]
struct Atypical {
    samples: Vec<Sample>,
}

impl Atypical {
    fn add(&mut self, row: usize, verdict: Verdict, why: Why) {
        match self.samples.iter_mut().find(|sample| sample.row == row) {
            Some(sample) => sample.why.push(why),
            None => self.samples.push(Sample { row, verdict, why: vec![why] }),
        }
    }
}
