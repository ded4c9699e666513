//! Many rows at once, from columns of codes: one byte per row and attribute.
//!
//! An item's column is a comparison of 64 codes at a time, which is many times faster than setting bit by bit.

use super::{Attributes, NO_VALUE, SHARD_ROWS, Shard, Side, Table};

/// Rows that a word has bits for.
const LANES: usize = u64::BITS as usize;

impl Table {
    /// Adds rows, given as one column of values per attribute; a value that the attribute does not have, such as
    /// [`NO_VALUE`], is none. The same as [`Table::push`] row by row, but faster.
    ///
    /// # Panics
    /// If there are not as many columns as attributes, or a column has not as many rows as there are verdicts.
    pub fn extend(&mut self, columns: &[&[u8]], is_violated: &[bool]) {
        // What is chosen from one piece after the other stays in the cache.
        for (piece, verdicts) in is_violated.chunks(SHARD_ROWS).enumerate() {
            let first = piece * SHARD_ROWS;
            let rows_that = |wanted: bool| -> Vec<usize> {
                let rows = verdicts.iter().enumerate().filter(|(_, is_violated)| **is_violated == wanted);
                rows.map(|(row, _)| first + row).collect()
            };
            self.violated.extend(&self.attributes, columns, &rows_that(true));
            self.held.extend(&self.attributes, columns, &rows_that(false));
        }
        assert!(columns.iter().all(|column| column.len() == is_violated.len()), "one value per row");
    }
}

impl Side {
    /// Adds the chosen rows of columns of values, as [`Table::extend`] does.
    ///
    /// # Panics
    /// If there are not as many columns as attributes, or a column does not have a chosen row.
    pub fn extend(&mut self, attributes: &Attributes, columns: &[&[u8]], mut chosen: &[usize]) {
        assert_eq!(columns.len(), attributes.count(), "one column per attribute");
        let mut codes = Vec::with_capacity(SHARD_ROWS);
        while !chosen.is_empty() {
            if self.shards.last().is_none_or(|shard| shard.rows == SHARD_ROWS) {
                self.shards.push(Shard::new(attributes.items()));
            }
            let Some(shard) = self.shards.last_mut() else { return };
            let (now, later) = chosen.split_at(chosen.len().min(SHARD_ROWS - shard.rows));
            for (attribute, column) in columns.iter().enumerate() {
                // Rows that are there already, and rows to come, match nothing.
                codes.clear();
                codes.resize(shard.rows % LANES, NO_VALUE);
                codes.extend(now.iter().map(|&row| column[row]));
                codes.resize(codes.len().next_multiple_of(LANES), NO_VALUE);
                shard.set(attributes.items_of(attribute), &codes);
            }
            shard.rows += now.len();
            chosen = later;
        }
    }
}

impl Shard {
    /// Sets the bits of an attribute's items, beginning with the word that the next row belongs to.
    fn set(&mut self, items: std::ops::Range<usize>, codes: &[u8]) {
        let first = self.rows / LANES;
        let (groups, _) = codes.as_chunks::<LANES>();
        for (value, item) in (0..NO_VALUE).zip(items) {
            for (word, codes) in self.columns[item][first..].iter_mut().zip(groups) {
                *word |= equal(codes, value);
            }
        }
    }
}

/// A bit for each code: whether it is this one.
#[cfg(target_arch = "x86_64")]
fn equal(codes: &[u8; LANES], value: u8) -> u64 {
    // SAFETY: every processor of this kind has SSE2.
    unsafe { with_sse2(codes, value) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn with_sse2(codes: &[u8; LANES], value: u8) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    let wanted = _mm_set1_epi8(value.cast_signed());
    let (quarters, _) = codes.as_chunks::<16>();
    quarters.iter().rev().fold(0, |bits, quarter| {
        let all = u128::from_le_bytes(*quarter);
        let lanes = _mm_set_epi64x((all >> 64) as i64, all as i64);
        bits << 16 | u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(lanes, wanted)) as u16)
    })
}

/// A bit for each code: whether it is this one.
#[cfg(not(target_arch = "x86_64"))]
fn equal(codes: &[u8; LANES], value: u8) -> u64 {
    codes.iter().rev().fold(0, |bits, &code| bits << 1 | u64::from(code == value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mine::table::SHARD_WORDS;
    use proptest::prelude::*;

    fn columns(table: &Table) -> Vec<(usize, Vec<[u64; SHARD_WORDS]>)> {
        let shards = table.violated.shards.iter().chain(&table.held.shards);
        shards.map(|shard| (shard.rows, shard.columns.clone())).collect()
    }

    /// Adds the same rows both ways, the second way in two parts.
    fn compare(rows: &[([u8; 2], bool)], split: usize) {
        let attributes = Attributes::new([2, 254]);
        let (mut one, mut many) = (Table::new(attributes.clone()), Table::new(attributes));
        for (values, is_violated) in rows {
            one.push(values, *is_violated);
        }
        for part in [&rows[..split], &rows[split..]] {
            let column = |at: usize| -> Vec<u8> { part.iter().map(|(values, _)| values[at]).collect() };
            let verdicts: Vec<bool> = part.iter().map(|(_, is_violated)| *is_violated).collect();
            many.extend(&[&column(0), &column(1)], &verdicts);
        }
        assert_eq!(columns(&one), columns(&many));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn many_rows_at_once_are_the_same_as_one_by_one(
            rows in prop::collection::vec((any::<[u8; 2]>(), any::<bool>()), 0..400),
            split in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<_> = rows.into_iter().map(|([a, b], verdict)| ([a % 4, b], verdict)).collect();
            compare(&rows, split.index(rows.len() + 1));
        }
    }

    #[test]
    fn rows_go_on_in_the_next_shard() {
        let rows: Vec<_> =
            (0..3 * SHARD_ROWS + 77).map(|row| ([(row % 3) as u8, (row % 256) as u8], row % 5 > 0)).collect();
        for split in [0, 1, SHARD_ROWS / 2 + 3, SHARD_ROWS, 2 * SHARD_ROWS + 5] {
            compare(&rows, split);
        }
    }
}
