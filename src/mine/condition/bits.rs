//! Masks: some rows of a side.
//!
//! A mask has one bit per row of a side, shard after shard, as columns have.

pub(crate) use crate::mine::bits::count_and;
use crate::mine::table::{SHARD_WORDS, Side};

/// Some rows of a side.
pub type Mask = Vec<u64>;

/// How many rows a mask has.
pub fn count(mask: &[u64]) -> u64 {
    count_and(mask, mask)
}

/// Keeps of a mask what a column has too.
pub fn keep(mask: &mut [u64], column: &[u64]) {
    for (mask, column) in mask.iter_mut().zip(column) {
        *mask &= column;
    }
}

/// Takes from a mask what another has.
pub fn remove(mask: &mut [u64], other: &[u64]) {
    for (mask, other) in mask.iter_mut().zip(other) {
        *mask &= !other;
    }
}

/// Adds to a mask what another has.
pub fn add(mask: &mut [u64], other: &[u64]) {
    for (mask, other) in mask.iter_mut().zip(other) {
        *mask |= other;
    }
}

/// All rows of a side.
pub fn all(side: &Side) -> Mask {
    let mut mask = Vec::with_capacity(side.shards.len() * SHARD_WORDS);
    for shard in &side.shards {
        mask.extend((0..SHARD_WORDS).map(|word| match shard.rows().saturating_sub(word * 64) {
            0 => 0,
            rows if rows >= 64 => u64::MAX,
            rows => (1 << rows) - 1,
        }));
    }
    mask
}

/// The bits of a mask: at most `limit` of them, spread evenly.
pub fn ones_of(mask: &[u64], limit: usize) -> Vec<usize> {
    let total = count(mask) as usize;
    let wanted = total.min(limit);
    let (mut before, mut found) = (0, Vec::with_capacity(wanted));
    for (word, &bits) in mask.iter().enumerate() {
        let here = bits.count_ones() as usize;
        // The next of `wanted` ranks that lie evenly among `total`.
        while found.len() < wanted && found.len() * total / wanted < before + here {
            let rank = found.len() * total / wanted - before;
            found.push(word * 64 + select(bits, rank));
        }
        before += here;
    }
    found
}

/// The place of a set bit, counted from the lowest.
fn select(bits: u64, rank: usize) -> usize {
    (0..rank).fold(bits, |bits, _| bits & (bits - 1)).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_bits_evenly() {
        let mask = [u64::MAX, 0, 0b1010];
        assert_eq!(ones_of(&mask, 100).len(), 66);
        assert_eq!(ones_of(&mask, 100)[64..], [129, 131]);
        assert_eq!(ones_of(&mask, 3), [0, 22, 44]);
        assert_eq!(ones_of(&[0; 4], 3), [0usize; 0]);
        assert_eq!(count_and(&mask, &[1, 1, 2]), 2);
    }
}
