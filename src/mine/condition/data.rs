//! The rows as the search sees them: which are the ones to describe and which the others, under which items.
//!
//! Inside the search an item is its place in the [`Vocabulary`], simplest first, so that comparing places breaks ties.

use super::{bits, sample::Matrix};
use crate::mine::table::{SHARD_WORDS, Shard, Side, Table};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

/// An AND of items, ascending.
pub type Term = Vec<usize>;

/// How many of the ones, how many of the others.
pub type Counts = (u64, u64);

/// The items worth a look: none that is true in every row or in none, and of those true in the same rows the simplest.
pub struct Vocabulary {
    /// What each place is in the table.
    pub items: Vec<usize>,
    /// The attribute of each place.
    pub attributes: Vec<usize>,
    /// The cost of each place.
    pub costs: Vec<u64>,
    /// How many violated and held rows have each place.
    counts: Vec<Counts>,
}

impl Vocabulary {
    /// Looks at every column once.
    pub fn new(table: &Table, costs: &[u32]) -> Self {
        let mut order: Vec<usize> = (0..table.attributes.items()).collect();
        order.sort_by_key(|&item| (costs[item], item));
        let counts = |side: &Side| {
            let data = bits::all(side);
            tally(side, &data, &order)
        };
        let (ones, others) = (counts(&table.violated), counts(&table.held));
        let rows = table.violated.rows() + table.held.rows();
        let mut groups: BTreeMap<Counts, Vec<usize>> = BTreeMap::new();
        let (mut items, mut kept) = (Vec::new(), Vec::new());
        for (&item, counts) in order.iter().zip(ones.into_iter().zip(others)) {
            if counts.0 + counts.1 == 0 || counts.0 + counts.1 == rows {
                continue;
            }
            let group = groups.entry(counts).or_default();
            if !group.iter().any(|&simpler| is_synonym(table, simpler, item)) {
                group.push(item);
                items.push(item);
                kept.push(counts);
            }
        }
        let attributes = items.iter().map(|&item| table.attributes.attribute_of(item)).collect();
        let costs = items.iter().map(|&item| u64::from(costs[item])).collect();
        Self { items, attributes, costs, counts: kept }
    }

    /// The items of a term in the table, simplest first.
    pub fn named(&self, term: &[usize]) -> Vec<usize> {
        term.iter().map(|&place| self.items[place]).collect()
    }

    /// What tells terms of a condition apart when they are equally right: literals, terms, cost, places.
    pub fn size(&self, terms: &[Term]) -> (usize, usize, u64, BTreeSet<Term>) {
        let literals = terms.iter().map(Vec::len).sum();
        let cost = terms.iter().flatten().map(|&place| self.costs[place]).sum();
        (literals, terms.len(), cost, terms.iter().cloned().collect())
    }
}

/// Whether two items are true in the same rows.
pub fn is_synonym(table: &Table, left: usize, right: usize) -> bool {
    let same = |shard: &Shard| shard.column(left) == shard.column(right);
    table.violated.shards.iter().all(same) && table.held.shards.iter().all(same)
}

fn tally(side: &Side, mask: &[u64], items: &[usize]) -> Vec<u64> {
    let mut counts = vec![0; items.len()];
    for (part, shard) in mask.chunks(SHARD_WORDS).zip(&side.shards) {
        if part.iter().all(|&word| word == 0) {
            continue;
        }
        for (total, &item) in counts.iter_mut().zip(items) {
            *total += bits::count_and(part, shard.column(item));
        }
    }
    counts
}

/// Some of the ones and some of the others.
#[derive(Clone)]
pub struct Rows {
    /// Of the ones.
    pub ones: bits::Mask,
    /// Of the others.
    pub others: bits::Mask,
}

impl Rows {
    /// How many there are.
    pub fn count(&self) -> Counts {
        (bits::count(&self.ones), bits::count(&self.others))
    }

    /// Leaves some out.
    pub fn remove(&mut self, rows: &Rows) {
        bits::remove(&mut self.ones, &rows.ones);
        bits::remove(&mut self.others, &rows.others);
    }
}

/// A table, a direction, and how much of the allowed work is done.
pub struct Data<'a> {
    /// The rows to describe.
    pub ones: &'a Side,
    /// The rows to keep out.
    pub others: &'a Side,
    /// Whether the held rows are to be described.
    pub is_swapped: bool,
    /// The rows to look at, if not all.
    pub part: Option<&'a Rows>,
    /// Samples of both.
    pub drawn: (&'a Matrix, &'a Matrix),
    /// The items.
    pub vocabulary: &'a Vocabulary,
    /// The words touched so far.
    pub work: &'a Cell<u64>,
    /// How many may be.
    pub limit: u64,
}

impl Data<'_> {
    /// Counts work; whether there is any left.
    pub fn spend(&self, words: usize) -> bool {
        self.work.set(self.work.get().saturating_add(words as u64));
        self.work.get() <= self.limit
    }

    /// Whether the work is up.
    pub fn is_spent(&self) -> bool {
        self.work.get() > self.limit
    }

    /// Of each item, how many rows have it, of all there are.
    pub fn counts(&self) -> impl Iterator<Item = Counts> {
        let is_swapped = self.is_swapped;
        self.vocabulary
            .counts
            .iter()
            .map(move |&(violated, held)| if is_swapped { (held, violated) } else { (violated, held) })
    }

    /// Every row to look at.
    pub fn all(&self) -> Rows {
        let all = || Rows { ones: bits::all(self.ones), others: bits::all(self.others) };
        self.part.cloned().unwrap_or_else(all)
    }

    /// Those of the rows that have all items of the term.
    pub fn with(&self, rows: &Rows, term: &[usize]) -> Rows {
        let named = self.vocabulary.named(term);
        self.spend((rows.ones.len() + rows.others.len()) * (1 + named.len()));
        Rows { ones: with(self.ones, &rows.ones, &named), others: with(self.others, &rows.others, &named) }
    }

    /// The rows that none of the terms covers.
    pub fn without<'t>(&self, rows: &Rows, terms: impl IntoIterator<Item = &'t Term>) -> Rows {
        let mut left = rows.clone();
        for term in terms {
            left.remove(&self.with(rows, term));
        }
        left
    }

    /// How many of the rows have all items of the term; `None` once too many of the others do for flips to account for.
    pub fn count_pure(&self, rows: &Rows, term: &[usize]) -> Option<Counts> {
        let named = self.vocabulary.named(term);
        self.spend(rows.ones.len() * named.len());
        let ones = count_with(self.ones, &rows.ones, &named, u64::MAX).0;
        // As many exceptions as flips account for among all rows, the exceptions included.
        let limit = super::chance::tolerated(ones + 2 * super::chance::tolerated(ones) + 16);
        let (others, words) = count_with(self.others, &rows.others, &named, limit);
        self.spend(words * named.len());
        super::chance::is_pure(ones, others).then_some((ones, others))
    }

    /// How many of the rows have all items of the term.
    pub fn count(&self, rows: &Rows, term: &[usize]) -> Counts {
        let named = self.vocabulary.named(term);
        self.spend((rows.ones.len() + rows.others.len()) * named.len());
        let count = |side: &Side, mask: &[u64]| count_with(side, mask, &named, u64::MAX).0;
        (count(self.ones, &rows.ones), count(self.others, &rows.others))
    }

    /// Of each item, how many of the rows have it.
    pub fn tally(&self, rows: &Rows) -> Vec<Counts> {
        self.spend((rows.ones.len() + rows.others.len()) * self.vocabulary.items.len());
        let ones = tally(self.ones, &rows.ones, &self.vocabulary.items);
        let others = tally(self.others, &rows.others, &self.vocabulary.items);
        ones.into_iter().zip(others).collect()
    }
}

/// The rows of a side that are in the mask and have all of these items of the table.
pub fn with(side: &Side, mask: &[u64], items: &[usize]) -> bits::Mask {
    let mut mask = mask.to_vec();
    for (part, shard) in mask.chunks_mut(SHARD_WORDS).zip(&side.shards) {
        for &item in items {
            bits::keep(part, shard.column(item));
        }
    }
    mask
}

/// How many rows of a side are in the mask and have all of these items, and how many words that took; gives up once
/// there are more than `limit`.
fn count_with(side: &Side, mask: &[u64], items: &[usize], limit: u64) -> (u64, usize) {
    let (mut total, mut words) = (0, 0);
    let mut rows = [0; SHARD_WORDS];
    for (part, shard) in mask.chunks(SHARD_WORDS).zip(&side.shards) {
        total += match items {
            [] => bits::count(part),
            [item] => bits::count_and(part, shard.column(*item)),
            [rest @ .., last] => {
                rows.copy_from_slice(part);
                rest.iter().for_each(|&item| bits::keep(&mut rows, shard.column(item)));
                bits::count_and(&rows, shard.column(*last))
            }
        };
        words += SHARD_WORDS;
        if total > limit {
            break;
        }
    }
    (total, words)
}
