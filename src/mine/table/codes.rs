//! Many rows at once, from columns of codes: one byte per row and attribute.
//!
//! The codes of the rows of one verdict are moved together, eight at a time; then an item's column is a comparison of 64
//! codes at a time. That is many times faster than setting bit by bit.

use super::{Attributes, NO_VALUE, SHARD_ROWS, SHARD_WORDS, Shard, Side, Table};

/// Rows that a word has bits for.
const LANES: usize = u64::BITS as usize;
/// Rows that a word has bytes for.
const BYTES: usize = 8;

impl Table {
    /// Adds rows, given as one column of values per attribute; a value that the attribute does not have, such as
    /// [`NO_VALUE`], is none. The same as [`Table::push`] row by row, but faster.
    ///
    /// # Panics
    /// If there are not as many columns as attributes, or a column has not as many rows as there are verdicts.
    pub fn extend(&mut self, columns: &[&[u8]], is_violated: &[bool]) {
        assert!(columns.iter().all(|column| column.len() == is_violated.len()), "one value per row");
        // What is moved from one piece after the other stays in the cache.
        for (piece, verdicts) in is_violated.chunks(SHARD_ROWS).enumerate() {
            let first = piece * SHARD_ROWS;
            let columns: Vec<&[u8]> = columns.iter().map(|column| &column[first..first + verdicts.len()]).collect();
            let violated = Chosen::new(verdicts);
            let held = violated.others(verdicts.len());
            self.violated.append(&self.attributes, &columns, &violated);
            self.held.append(&self.attributes, &columns, &held);
        }
    }
}

impl Side {
    /// Adds all rows of columns of values, as [`Table::extend`] does.
    ///
    /// # Panics
    /// If there are not as many columns as attributes, or a column has not so many rows.
    pub fn extend(&mut self, attributes: &Attributes, columns: &[&[u8]], rows: usize) {
        assert!(columns.iter().all(|column| column.len() == rows), "one value per row");
        for first in (0..rows).step_by(SHARD_ROWS) {
            let count = SHARD_ROWS.min(rows - first);
            let columns: Vec<&[u8]> = columns.iter().map(|column| &column[first..first + count]).collect();
            self.append(attributes, &columns, &Chosen::new(&[]).others(count));
        }
    }

    /// Adds the chosen rows, of which there are no more than a shard has.
    fn append(&mut self, attributes: &Attributes, columns: &[&[u8]], chosen: &Chosen) {
        assert_eq!(columns.len(), attributes.count(), "one column per attribute");
        let start = self.rows() as usize;
        let rows = start + chosen.rows;
        self.shards.resize_with(rows.div_ceil(SHARD_ROWS), || Shard::new(attributes.items()));
        let filled = start / SHARD_ROWS;
        let mut codes = Vec::new();
        for (attribute, column) in columns.iter().enumerate() {
            // Rows that are there already, and rows to come, match nothing.
            codes.clear();
            codes.resize(start % LANES, NO_VALUE);
            chosen.move_to(&mut codes, column);
            codes.resize(codes.len().next_multiple_of(LANES), NO_VALUE);
            let (groups, _) = codes.as_chunks::<LANES>();
            let word = start % SHARD_ROWS / LANES;
            let (now, later) = groups.split_at(groups.len().min(SHARD_WORDS - word));
            for (shard, (groups, word)) in self.shards[filled..].iter_mut().zip([(now, word), (later, 0)]) {
                shard.set(attributes.items_of(attribute), word, groups);
            }
        }
        for (shard, first) in self.shards[filled..].iter_mut().zip((filled * SHARD_ROWS..).step_by(SHARD_ROWS)) {
            shard.rows = SHARD_ROWS.min(rows - first);
        }
    }
}

impl Shard {
    /// Sets the bits of an attribute's items, beginning with this word.
    fn set(&mut self, items: std::ops::Range<usize>, word: usize, groups: &[[u8; LANES]]) {
        for (value, item) in (0..NO_VALUE).zip(items) {
            for (word, codes) in self.columns[item].0[word..].iter_mut().zip(groups) {
                *word |= equal(codes, value);
            }
        }
    }
}

/// Some of the rows of a piece.
struct Chosen {
    rows: usize,
    /// For each row a byte, all ones if it is chosen.
    masks: Vec<u64>,
    /// The same with a bit for each row.
    bits: Vec<u64>,
}

impl Chosen {
    fn new(is_chosen: &[bool]) -> Self {
        let rows = is_chosen.iter().filter(|is_chosen| **is_chosen).count();
        let mask = |some: &[bool]| {
            let mut bytes = [0; BYTES];
            for (byte, &is_chosen) in bytes.iter_mut().zip(some) {
                *byte = if is_chosen { u8::MAX } else { 0 };
            }
            u64::from_le_bytes(bytes)
        };
        Self::of(rows, is_chosen.chunks(BYTES).map(mask).collect())
    }

    fn of(rows: usize, masks: Vec<u64>) -> Self {
        let word = |masks: &[u64]| {
            let bytes = masks.iter().rev().flat_map(|mask| mask.to_be_bytes());
            bytes.fold(0, |bits, byte| bits << 1 | u64::from(byte & 1))
        };
        let bits = masks.chunks(LANES / BYTES).map(word).collect();
        Self { rows, masks, bits }
    }

    /// The others among so many rows.
    fn others(&self, rows: usize) -> Self {
        let mut masks: Vec<u64> = self.masks.iter().map(|mask| !mask).collect();
        masks.resize(rows.div_ceil(BYTES), u64::MAX);
        if let Some(last) = masks.last_mut().filter(|_| !rows.is_multiple_of(BYTES)) {
            *last &= (1 << (rows % BYTES * 8)) - 1;
        }
        Self::of(rows - self.rows, masks)
    }

    /// Adds the codes of the chosen rows to those that are there.
    fn move_to(&self, codes: &mut Vec<u8>, column: &[u8]) {
        let start = codes.len();
        // As much as can be is written at a time, and what is too much is overwritten next.
        codes.resize(start + self.rows + LANES, NO_VALUE);
        self.move_together(&mut codes[start..], column);
        codes.truncate(start + self.rows);
    }

    /// Writes the bytes of `column` that are chosen to the front of `moved`, where there is room for 64 more.
    fn move_together(&self, moved: &mut [u8], column: &[u8]) {
        #[cfg(target_arch = "x86_64")]
        {
            let has_popcnt = is_x86_feature_detected!("popcnt");
            if has_popcnt && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vbmi2") {
                // SAFETY: the processor has the instructions, as was just asked.
                return unsafe { move_with_avx512(moved, column, &self.bits) };
            }
            if has_popcnt && is_x86_feature_detected!("bmi2") {
                // SAFETY: the processor has the instructions, as was just asked.
                return unsafe { move_with_bmi2(moved, column, &self.masks) };
            }
        }
        move_plainly(moved, column, &self.masks);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
fn move_with_avx512(moved: &mut [u8], column: &[u8], bits: &[u64]) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_storeu_si512};
    let (whole, rest) = column.as_chunks::<LANES>();
    let mut last = [0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let mut at = 0;
    for (codes, &bits) in whole.iter().chain([&last]).zip(bits) {
        let Some(place) = moved[at..].first_chunk_mut::<LANES>() else { return };
        // SAFETY: both are references to as many bytes as are read and written.
        unsafe {
            let packed = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(codes.as_ptr().cast()));
            _mm512_storeu_si512(place.as_mut_ptr().cast(), packed);
        }
        at += bits.count_ones() as usize;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn move_with_bmi2(moved: &mut [u8], column: &[u8], masks: &[u64]) {
    move_words(moved, column, masks, |word, mask| std::arch::x86_64::_pext_u64(word, mask));
}

fn move_plainly(moved: &mut [u8], column: &[u8], masks: &[u64]) {
    move_words(moved, column, masks, |word, mask| {
        let (mut packed, mut at) = (0, 0);
        for shift in (0..u64::BITS).step_by(8) {
            let is_chosen = mask >> shift & 1;
            packed |= (word >> shift & 0xFF & is_chosen.wrapping_neg()) << at;
            // Behind the eighth there is nothing to come.
            at = (at + 8 * is_chosen) % 64;
        }
        packed
    });
}

// Inlined, so that it is compiled anew for the instructions of each caller.
#[inline(always)]
fn move_words(moved: &mut [u8], column: &[u8], masks: &[u64], pack: impl Fn(u64, u64) -> u64) {
    let (whole, rest) = column.as_chunks::<BYTES>();
    let mut last = [0; BYTES];
    last[..rest.len()].copy_from_slice(rest);
    let mut at = 0;
    for (bytes, &mask) in whole.iter().chain([&last]).zip(masks) {
        moved[at..at + BYTES].copy_from_slice(&pack(u64::from_le_bytes(*bytes), mask).to_le_bytes());
        at += mask.count_ones() as usize / 8;
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
    use crate::mine::table::Words;
    use proptest::prelude::*;

    fn columns(table: &Table) -> Vec<(usize, Vec<Words>)> {
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

    proptest! {
        #[test]
        fn every_way_moves_the_same(column in prop::collection::vec(any::<u8>(), 0..100), seed in any::<u64>()) {
            let is_chosen: Vec<bool> = (0..column.len()).map(|row| seed >> (row % 61) & 1 == 1).collect();
            let chosen = Chosen::new(&is_chosen);
            let [expected, others] = [true, false].map(|wanted| -> Vec<u8> {
                column.iter().zip(&is_chosen).filter(|(_, is)| **is == wanted).map(|(code, _)| *code).collect()
            });
            let mut codes = Vec::new();
            chosen.move_to(&mut codes, &column);
            prop_assert_eq!(&codes, &expected);
            codes.resize(codes.len() + LANES, 0);
            move_plainly(&mut codes, &column, &chosen.masks);
            prop_assert_eq!(&codes[..chosen.rows], &expected);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
                codes.fill(0);
                // SAFETY: the processor has the instructions, as was just asked.
                unsafe { move_with_bmi2(&mut codes, &column, &chosen.masks) };
                prop_assert_eq!(&codes[..chosen.rows], &expected);
            }
            let mut codes = Vec::new();
            chosen.others(column.len()).move_to(&mut codes, &column);
            prop_assert_eq!(codes, others);
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
