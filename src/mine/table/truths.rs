//! A table from true/false columns over rows of all kinds, of which some are violated and some held.

use super::{Attributes, SHARD_ROWS, SHARD_WORDS, Shard, Side, Table};

impl Table {
    /// A table whose attributes are true or false, in this order of items. A column, and each verdict, has one bit per
    /// row; rows of neither verdict are left out.
    pub fn from_truths(columns: &[&[u64]], violated: &[u64], held: &[u64]) -> Self {
        let attributes = Attributes::new(columns.iter().map(|_| 2));
        let side = |rows: &[u64]| side(columns, rows, attributes.items());
        let (violated, held) = (side(violated), side(held));
        Self { attributes, violated, held }
    }

    /// The same with a weight for each row: it counts so often for the miner `apriori`. A row is in one shard for each
    /// power of two that its weight is the sum of.
    pub(crate) fn from_weighted_truths(columns: &[&[u64]], violated: &[u64], held: &[u64], weights: &[u64]) -> Self {
        let attributes = Attributes::new(columns.iter().map(|_| 2));
        let powers = powers(weights);
        let side = |rows: &[u64]| {
            let part = |&(weight, ref chosen): &(u64, Vec<u64>)| {
                let chosen: Vec<u64> = rows.iter().zip(chosen).map(|(rows, chosen)| rows & chosen).collect();
                let shards = side(columns, &chosen, attributes.items()).shards;
                shards.into_iter().map(move |shard| Shard { weight, ..shard })
            };
            Side { shards: powers.iter().flat_map(part).collect() }
        };
        let (violated, held) = (side(violated), side(held));
        Self { attributes, violated, held }
    }
}

/// The powers of two that weights are sums of, each with a bit for every row whose weight has it.
fn powers(weights: &[u64]) -> Vec<(u64, Vec<u64>)> {
    let used = weights.iter().fold(0, |used, weight| used | weight);
    let word = |power: u64, rows: &[u64]| {
        let has = rows.iter().enumerate().map(|(row, weight)| u64::from(weight & power != 0) << row);
        has.fold(0, |word, bit| word | bit)
    };
    let powers = (0..u64::BITS).map(|bit| 1 << bit).filter(|power| used & power != 0);
    powers.map(|power| (power, weights.chunks(64).map(|rows| word(power, rows)).collect())).collect()
}

fn side(columns: &[&[u64]], rows: &[u64], items: usize) -> Side {
    let total: usize = rows.iter().map(|word| word.count_ones() as usize).sum();
    let mut shards: Vec<Shard> = (0..total.div_ceil(SHARD_ROWS)).map(|_| Shard::new(items)).collect();
    for (position, shard) in shards.iter_mut().enumerate() {
        shard.rows = SHARD_ROWS.min(total - position * SHARD_ROWS);
    }
    for (attribute, column) in columns.iter().enumerate() {
        pack(column, rows, |word, bits, known| {
            let columns = &mut shards[word / SHARD_WORDS].columns;
            columns[2 * attribute].0[word % SHARD_WORDS] = !bits & known;
            columns[2 * attribute + 1].0[word % SHARD_WORDS] = bits;
        });
    }
    Side { shards }
}

/// Pushes the bits of `column` where `rows` is set together; calls `full` with each word's number, its bits, and which
/// of them are rows.
fn pack(column: &[u64], rows: &[u64], mut full: impl FnMut(usize, u64, u64)) {
    let (mut word, mut bits, mut used) = (0, 0u64, 0u32);
    for (&column, &rows) in column.iter().zip(rows) {
        let (packed, count) = (extract(column, rows), rows.count_ones());
        bits |= packed.checked_shl(used).unwrap_or(0);
        if used + count >= 64 {
            full(word, bits, u64::MAX);
            word += 1;
            bits = packed.checked_shr(64 - used).unwrap_or(0);
            used = used + count - 64;
        } else {
            used += count;
        }
    }
    if used > 0 {
        full(word, bits, (1 << used) - 1);
    }
}

/// The bits of `word` where `mask` is set, side by side.
fn extract(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has the instruction.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    let (mut packed, mut left, mut place) = (0, mask, 0);
    while left != 0 {
        packed |= (word >> left.trailing_zeros() & 1) << place;
        left &= left - 1;
        place += 1;
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_table_as_row_by_row(rows: Vec<(bool, bool, u8)>) {
            let mut expected = Table::new(Attributes::new([2, 2]));
            let words = rows.len().div_ceil(64);
            let (mut a, mut b, mut violated, mut held) = (vec![0; words], vec![0; words], vec![0; words], vec![0; words]);
            for (row, &(one, other, verdict)) in rows.iter().enumerate() {
                let bit = 1u64 << (row % 64);
                for (truth, column) in [(one, &mut a), (other, &mut b), (verdict < 90, &mut violated)] {
                    column[row / 64] |= if truth { bit } else { 0 };
                }
                held[row / 64] |= if verdict > 100 { bit } else { 0 };
                if !(90..=100).contains(&verdict) {
                    expected.push(&[one.into(), other.into()], verdict < 90);
                }
            }
            let table = Table::from_truths(&[&a, &b], &violated, &held);
            for (side, expected) in [(&table.violated, &expected.violated), (&table.held, &expected.held)] {
                prop_assert_eq!(side.rows(), expected.rows());
                for item in 0..4 {
                    for (shard, expected) in side.shards.iter().zip(&expected.shards) {
                        prop_assert_eq!(shard.column(item), expected.column(item));
                    }
                }
            }
        }

        #[test]
        fn a_row_counts_as_often_as_its_weight_says(rows in prop::collection::vec((any::<bool>(), any::<bool>(), 0..9u64), 0..200)) {
            let words = rows.len().div_ceil(64);
            let (mut a, mut violated, mut held) = (vec![0; words], vec![0; words], vec![0; words]);
            for (row, &(truth, is_violated, _)) in rows.iter().enumerate() {
                let bit = 1u64 << (row % 64);
                for (truth, column) in [(truth, &mut a), (is_violated, &mut violated), (!is_violated, &mut held)] {
                    column[row / 64] |= if truth { bit } else { 0 };
                }
            }
            let weights: Vec<u64> = rows.iter().map(|row| row.2).collect();
            let table = Table::from_weighted_truths(&[&a], &violated, &held, &weights);
            let sum = |wanted: fn(bool, bool) -> bool| -> u64 {
                rows.iter().filter(|row| wanted(row.0, row.1)).map(|row| row.2).sum()
            };
            prop_assert_eq!(table.violated.rows(), sum(|_, is_violated| is_violated));
            prop_assert_eq!(table.violated.count(&[1]), sum(|truth, is_violated| truth && is_violated));
            prop_assert_eq!(table.held.count(&[0]), sum(|truth, is_violated| !truth && !is_violated));
        }
    }
}
