//! Some rows, close together: what a search over very many terms looks at before all rows are asked.
//!
//! Rows are drawn evenly and laid out shuffled, so that the first words of a column are a smaller sample of their own.

use super::{
    bits,
    data::{Counts, Data, Rows, Term, Vocabulary},
};
use crate::mine::table::{SHARD_WORDS, Side};

/// Words for rows that proved other terms wrong.
const HARD_WORDS: usize = 8;

/// Columns of the sampled rows of one side.
#[derive(Clone)]
pub struct Matrix {
    stride: usize,
    words: Vec<u64>,
    /// How many rows were drawn.
    pub rows: usize,
}

impl Matrix {
    fn new(items: usize, stride: usize) -> Self {
        Self { stride, words: vec![0; items * stride], rows: 0 }
    }

    /// The column of an item.
    pub fn column(&self, item: usize) -> &[u64] {
        &self.words[item * self.stride..(item + 1) * self.stride]
    }

    /// How many words a column has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Copies rows of a side to slots, each given as its bit in a mask of the side.
    fn gather(&mut self, side: &Side, vocabulary: &Vocabulary, rows: &[(usize, usize)]) {
        for part in rows.chunk_by(|left, right| left.0 / SHARD_WORDS / 64 == right.0 / SHARD_WORDS / 64) {
            let shard = &side.shards[part[0].0 / SHARD_WORDS / 64];
            for (place, &item) in vocabulary.items.iter().enumerate() {
                let from = shard.column(item);
                let to = &mut self.words[place * self.stride..(place + 1) * self.stride];
                for &(row, slot) in part {
                    let bit = from[row / 64 % SHARD_WORDS] >> (row % 64) & 1;
                    to[slot / 64] |= bit << (slot % 64);
                }
            }
        }
        self.rows += rows.len();
    }

    /// Draws at most so many words of the rows of a mask, and leaves room for others before them.
    pub fn draw(side: &Side, vocabulary: &Vocabulary, mask: &[u64], words: usize) -> Self {
        let rows = bits::ones_of(mask, words * 64);
        let is_part = bits::count(mask) as usize > rows.len();
        let room = if is_part { HARD_WORDS } else { 0 };
        let mut matrix = Self::new(vocabulary.items.len(), room + rows.len().div_ceil(64));
        matrix.gather(side, vocabulary, &shuffled(rows, room * 64));
        matrix
    }

    /// The first words of the rows that have all items of a term.
    pub fn with(&self, term: &[usize], words: usize) -> Vec<u64> {
        let words = words.min(self.stride);
        let Some((&first, rest)) = term.split_first() else { return vec![u64::MAX; words] };
        let mut rows = self.column(first)[..words].to_vec();
        rest.iter().for_each(|&item| bits::keep(&mut rows, &self.column(item)[..words]));
        rows
    }

    /// How many rows some of the terms cover.
    pub fn covered(&self, terms: &[Term]) -> u64 {
        bits::count(&self.cover(terms))
    }

    fn cover(&self, terms: &[Term]) -> Vec<u64> {
        let mut covered = vec![0; self.stride];
        for term in terms {
            bits::add(&mut covered, &self.with(term, usize::MAX));
        }
        covered
    }

    /// Forgets the rows that some of the terms cover.
    fn uncover(&mut self, terms: &[Term]) {
        let covered = self.cover(terms);
        if self.stride > 0 {
            self.words.chunks_mut(self.stride).for_each(|column| bits::remove(column, &covered));
        }
        self.rows -= bits::count(&covered) as usize;
    }
}

/// Sampled rows of both sides.
pub struct Sample {
    /// Of the ones.
    pub ones: Matrix,
    /// Of the others.
    pub others: Matrix,
    /// How many rows one sampled row stands for.
    pub weights: (f64, f64),
    hard: usize,
}

impl Sample {
    /// The rows that no term covers, as far as they were drawn before, and drawn anew where that leaves too few.
    pub fn new(data: &Data<'_>, rows: &Rows, terms: &[Term]) -> Self {
        let total = rows.count();
        let part = |side: &Side, drawn: &Matrix, mask: &[u64], total: u64| {
            let mut matrix = drawn.clone();
            data.spend(matrix.words.len());
            matrix.uncover(terms);
            let words = drawn.stride;
            // A quarter of a sample is a sample still.
            if (matrix.rows as u64) < total && 4 * matrix.rows < drawn.rows {
                data.spend(drawn.rows * data.vocabulary.items.len() / 8);
                matrix = Matrix::draw(side, data.vocabulary, mask, words);
            }
            matrix
        };
        let ones = part(data.ones, data.drawn.0, &rows.ones, total.0);
        let others = part(data.others, data.drawn.1, &rows.others, total.1);
        let weight = |total: u64, rows: usize| total as f64 / rows.max(1) as f64;
        let weights = (weight(total.0, ones.rows), weight(total.1, others.rows));
        Self { ones, others, weights, hard: 0 }
    }

    /// Adds rows of the others that a term wrongly covers; whether there was room for any.
    pub fn add_hard(&mut self, data: &Data<'_>, wrong: &[u64]) -> bool {
        if self.weights.1 <= 1.0 {
            return false;
        }
        let room = HARD_WORDS * 64 - self.hard;
        let rows: Vec<_> = bits::ones_of(wrong, room.min(32)).into_iter().zip(self.hard..).collect();
        self.others.gather(data.others, data.vocabulary, &rows);
        self.hard += rows.len();
        !rows.is_empty()
    }

    /// The first words of the rows that have all items of a term.
    pub fn rows(&self, term: &[usize], words: usize) -> (Vec<u64>, Vec<u64>) {
        (self.ones.with(term, words), self.others.with(term, words))
    }

    /// How many rows there are.
    pub fn count(&self) -> Counts {
        (self.ones.rows as u64, self.others.rows as u64)
    }

    /// Whether a term that covers so many may be one that flips account for on all rows.
    pub fn may_be_pure(&self, ones: u64, others: u64) -> bool {
        let tolerated = super::chance::tolerated((ones as f64 * self.weights.0) as u64 + others);
        if self.weights.1 <= 1.0 {
            return others <= tolerated;
        }
        let expected = tolerated as f64 / self.weights.1;
        let hard = if self.hard > 0 { tolerated.min(8) as f64 } else { 0.0 };
        others as f64 <= expected + 2.0 * expected.sqrt() + 1.0 + hard
    }
}

/// Each row with a slot; neighbours end up far apart.
fn shuffled(rows: Vec<usize>, first: usize) -> Vec<(usize, usize)> {
    let count = rows.len();
    let mut step = (count as f64 * 0.618) as usize | 1;
    while greatest_common_divisor(step, count) != 1 {
        step += 2;
    }
    rows.into_iter().enumerate().map(|(rank, row)| (row, first + rank * step % count)).collect()
}

fn greatest_common_divisor(left: usize, right: usize) -> usize {
    if right == 0 { left } else { greatest_common_divisor(right, left % right) }
}
