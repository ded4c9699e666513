//! The distinct inputs of a log, 16 bytes each, in shards that several threads fill at once.

use super::vector::Known;
use crate::hash;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// A power of two; the low bits of an identity choose one.
pub(super) const SHARDS: usize = 64;
/// A shard is at most this full, in sixteenths, and then grows by a quarter: a table that doubles would be half empty.
const FULL: usize = 14;
/// The weight of an input that no row of a phase shows.
const NEVER: u8 = u8::MAX;

/// One distinct input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its identity; 0 in an empty place.
    pub(super) identity: u64,
    /// The number of its merged verdicts.
    pub(super) vector: u32,
    /// It stands for 2 to the power of this many distinct inputs: the least of its rows, because that row would have
    /// been kept whatever the others.
    pub(super) weight: u8,
    /// The same among the rows drawn uniformly.
    uniform: u8,
}

impl Entry {
    pub(super) fn new(identity: u64, vector: u32, weight: u8, is_uniform: bool) -> Self {
        Self { identity, vector, weight, uniform: if is_uniform { weight } else { NEVER } }
    }

    /// Its weight among the inputs drawn uniformly, if it is one.
    pub(super) fn uniform_weight(&self) -> Option<u8> {
        (self.uniform != NEVER).then_some(self.uniform)
    }
}

/// The distinct inputs.
pub(super) struct Table {
    shards: Vec<Mutex<Shard>>,
    bytes: AtomicUsize,
}

/// A hash table with linear probing.
struct Shard {
    places: Vec<Entry>,
    used: usize,
    number: usize,
}

/// Which shard an input is in.
pub(super) fn shard_of(identity: u64) -> usize {
    identity as usize % SHARDS
}

impl Table {
    pub(super) fn new() -> Self {
        let shards = (0..SHARDS).map(|number| Mutex::new(Shard::with_room(0, number)));
        Self { shards: shards.collect(), bytes: AtomicUsize::new(0) }
    }

    /// Adds rows to a shard; `join` says which vector two of them make.
    pub(super) fn add(&self, shard: usize, entries: &[Entry], mut join: impl FnMut(u32, u32) -> u32) {
        let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let before = shard.places.len();
        for entry in entries {
            shard.add(*entry, &mut join);
        }
        self.bytes.fetch_add((shard.places.len() - before) * size_of::<Entry>(), Ordering::Relaxed);
    }

    /// How much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The input with this identity.
    pub(super) fn find(&mut self, identity: u64) -> Option<Entry> {
        let shard = self.shards[shard_of(identity)].get_mut().unwrap_or_else(PoisonError::into_inner);
        shard.find(identity)
    }

    /// All inputs, in no order that means anything.
    pub(super) fn entries(&mut self) -> impl Iterator<Item = &Entry> {
        let shards = self.shards.iter_mut().map(|shard| &*shard.get_mut().unwrap_or_else(PoisonError::into_inner));
        shards.flat_map(|shard| shard.places.iter().filter(|entry| entry.identity != 0))
    }

    /// Keeps the inputs up to `last`, and of the vectors only theirs.
    pub(super) fn retain(&mut self, last: u64, known: &mut Known) {
        let mut kept = Known::default();
        let mut bytes = 0;
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            let number = shard.number;
            let old = std::mem::take(&mut shard.places);
            let count = old.iter().filter(|entry| entry.identity != 0 && entry.identity <= last).count();
            *shard = Shard::with_room(count, number);
            for entry in old.into_iter().filter(|entry| entry.identity != 0 && entry.identity <= last) {
                let vector = kept.number(&known.vectors()[entry.vector as usize]);
                shard.insert_new(Entry { vector, ..entry });
            }
            bytes += shard.places.len() * size_of::<Entry>();
        }
        *known = kept;
        self.bytes = AtomicUsize::new(bytes);
    }
}

impl Shard {
    /// An empty one with room for so many and up to a quarter more: each for another number, or all would be full at
    /// the same time, and the memory would suddenly be too small.
    fn with_room(count: usize, number: usize) -> Self {
        let count = count + count * number / (4 * SHARDS);
        let places = if count == 0 { 0 } else { (count * 16).div_ceil(FULL) + 1 };
        Self { places: vec![Entry::default(); places], used: 0, number }
    }

    /// Where an input is, or where it goes.
    fn place(&self, identity: u64) -> usize {
        // The low bits have chosen the shard, and the high ones the part of the log that is in memory.
        let spread = hash::fold(identity, 0xD6E8_FEB8_6659_FD93);
        let mut place = ((u128::from(spread) * self.places.len() as u128) >> 64) as usize;
        while self.places[place].identity != identity && self.places[place].identity != 0 {
            place = if place + 1 == self.places.len() { 0 } else { place + 1 };
        }
        place
    }

    fn find(&self, identity: u64) -> Option<Entry> {
        if self.places.is_empty() {
            return None;
        }
        Some(self.places[self.place(identity)]).filter(|entry| entry.identity == identity)
    }

    fn insert_new(&mut self, entry: Entry) {
        let place = self.place(entry.identity);
        self.places[place] = entry;
        self.used += 1;
    }

    fn add(&mut self, entry: Entry, join: &mut impl FnMut(u32, u32) -> u32) {
        if (self.used + 1) * 16 > self.places.len() * FULL {
            // The first time by a number of its own, then by the same factor.
            let more = if self.used == 0 { 16 + self.number / 4 } else { self.used / 4 };
            let mut grown = Self::with_room(self.used + more, 0);
            grown.number = self.number;
            for entry in self.places.drain(..).filter(|entry| entry.identity != 0) {
                grown.insert_new(entry);
            }
            *self = grown;
        }
        let place = self.place(entry.identity);
        let known = &mut self.places[place];
        if known.identity == 0 {
            *known = entry;
            self.used += 1;
            return;
        }
        known.weight = known.weight.min(entry.weight);
        known.uniform = known.uniform.min(entry.uniform);
        if known.vector != entry.vector {
            known.vector = join(known.vector, entry.vector);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::vector::Pool;
    use std::collections::BTreeMap;

    #[test]
    fn inputs_are_found_again_whatever_the_table_had_to_grow() {
        let mut table = Table::new();
        let mut pool = Pool::default();
        let vectors: Vec<u32> = (0..3u8).map(|code| pool.get_mut().number(&[code, 0])).collect();
        let mut expected = BTreeMap::new();
        for number in 1..20_000u64 {
            let identity = hash::fold(number % 7_000 + 1, 0x9E37_79B9_7F4A_7C15);
            let entry =
                Entry::new(identity, vectors[(number % 7_000 % 3) as usize], (number % 5) as u8, number % 2 == 0);
            table.add(shard_of(identity), &[entry], |_, _| unreachable!("equal vectors"));
            let weight: &mut u8 = expected.entry(identity).or_insert(entry.weight);
            *weight = entry.weight.min(*weight);
        }
        assert_eq!(table.entries().count(), expected.len());
        assert!(table.bytes() <= expected.len() * 24 + SHARDS * 16 * 24, "{}", table.bytes());
        let middle = u64::MAX / 2;
        let before: BTreeMap<u64, Entry> = table.entries().map(|entry| (entry.identity, *entry)).collect();
        table.retain(middle, pool.get_mut());
        for (&identity, &weight) in &expected {
            let found = table.find(identity);
            assert_eq!(found.map(|entry| entry.weight), (identity <= middle).then_some(weight));
            if let Some(found) = found {
                assert_eq!(pool.get_mut().vectors()[found.vector as usize][0], before[&identity].vector as u8);
            }
        }
    }
}
