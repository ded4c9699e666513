//! Some rows, close together: what a search over very many terms looks at before all rows are asked.
//!
//! Rows are drawn evenly and laid out shuffled, so that the first words of a column are a smaller sample of their own.

use super::{
    bits,
    data::{Counts, Data, Rows, Vocabulary},
};
use crate::mine::table::{SHARD_WORDS, Side};

/// Words for rows that proved other terms wrong.
const HARD_WORDS: usize = 8;

/// Columns of the sampled rows of one side.
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
    /// Draws at most so many words of rows of each side.
    pub fn new(data: &Data<'_>, rows: &Rows, words: usize) -> Self {
        let items = data.vocabulary.items.len();
        let draw = |side: &Side, mask: &[u64], first_word: usize| {
            let drawn = shuffled(bits::ones_of(mask, words * 64), first_word * 64);
            let mut matrix = Matrix::new(items, first_word + drawn.len().div_ceil(64));
            data.spend(drawn.len() * items / 16);
            matrix.gather(side, data.vocabulary, &drawn);
            matrix
        };
        let ones = draw(data.ones, &rows.ones, 0);
        let (total_ones, total_others) = rows.count();
        let hard_words = if total_others as usize > words * 64 { HARD_WORDS } else { 0 };
        let others = draw(data.others, &rows.others, hard_words);
        let weight = |total: u64, rows: usize| total as f64 / rows.max(1) as f64;
        let weights = (weight(total_ones, ones.rows), weight(total_others, others.rows));
        Self { ones, others, weights, hard: 0 }
    }

    /// Adds rows of the others that a term wrongly covers; whether there was room for any.
    pub fn add_hard(&mut self, data: &Data<'_>, wrong: &[u64]) -> bool {
        if self.others.stride() == 0 || self.weights.1 <= 1.0 {
            return false;
        }
        let room = HARD_WORDS * 64 - self.hard;
        let rows: Vec<_> = bits::ones_of(wrong, room.min(32)).into_iter().zip(self.hard..).collect();
        self.others.gather(data.others, data.vocabulary, &rows);
        self.hard += rows.len();
        !rows.is_empty()
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
