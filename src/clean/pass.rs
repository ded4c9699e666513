//! One pass over the log: as many distinct inputs as fit into the memory are told apart, those with the smallest
//! identities first; the others wait for another pass.

use super::{
    findings::Findings,
    sample::{CLASSES, Sample, class},
    size,
    table::{Entry, SHARDS, Table, shard_of},
    vector::{self, Pool},
};
use crate::{
    Verdict,
    log::{Header, Outline, Phase, Row, Worker, identity_of},
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

/// A part of the log is at least this large: a log is never read more than 64 times.
const NARROWEST: u64 = u64::MAX / 64;

/// What a pass fills.
pub(super) struct Pass {
    first: u64,
    /// The last identity that belongs to the pass; becomes smaller when the memory is full.
    last: AtomicU64,
    inputs: RwLock<Inputs>,
    memory: usize,
    /// How much of it the working set takes.
    sampled: AtomicUsize,
}

/// The distinct inputs, and their verdicts.
pub(super) struct Inputs {
    pub(super) table: Table,
    pub(super) pool: Pool,
}

impl Pass {
    /// A pass over `width` identities from `first` on, if they fit into so much memory.
    pub(super) fn new(first: u64, width: u64, memory: usize, sampled: usize) -> Self {
        let inputs = RwLock::new(Inputs { table: Table::new(), pool: Pool::default() });
        let (last, sampled) = (AtomicU64::new(first.saturating_add(width)), AtomicUsize::new(sampled));
        Self { first, last, inputs, memory, sampled }
    }

    /// What it found, and the last identity that it took.
    pub(super) fn end(self) -> (Inputs, u64) {
        (self.inputs.into_inner().unwrap_or_else(PoisonError::into_inner), self.last.into_inner())
    }

    fn is_full(&self, inputs: &Inputs) -> bool {
        let used = inputs.table.bytes() + inputs.pool.lock().bytes() + self.sampled.load(Ordering::Relaxed);
        used > self.memory && self.last.load(Ordering::Relaxed) - self.first > NARROWEST
    }

    /// Leaves the upper half of the identities to a later pass.
    fn narrow(&self) {
        let mut inputs = self.inputs.write().unwrap_or_else(PoisonError::into_inner);
        while self.is_full(&inputs) {
            let last = self.first + (self.last.load(Ordering::Relaxed) - self.first) / 2;
            self.last.store(last, Ordering::Relaxed);
            let Inputs { table, pool } = &mut *inputs;
            table.retain(last, pool.get_mut());
        }
    }
}

/// A thread's part in a pass.
pub(super) struct Sorter<'pass> {
    pass: &'pass Pass,
    header: &'pass Header,
    /// What only the first pass collects.
    extras: Option<Extras<'pass>>,
    vectors: Vec<LocalVector>,
    /// Their positions by address.
    numbers: HashMap<usize, usize>,
    recent: usize,
    /// A row that is to be decoded, and its class.
    announced: Option<(u64, usize)>,
    shards: [Vec<Entry>; SHARDS],
}

struct Extras<'pass> {
    sample: &'pass Mutex<Sample>,
    found: Found,
    candidates: Vec<Candidate>,
}

/// What a thread found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) rows: u64,
    /// Rows whose names do not fit their fields.
    pub(super) malformed: u64,
    pub(super) findings: Findings,
}

/// A row that may belong to the working set.
struct Candidate {
    vector: usize,
    class: usize,
    identity: u64,
    row: Box<Row>,
}

/// Verdicts that a block has explained.
struct LocalVector {
    /// Holds the address that `numbers` knows.
    verdicts: Arc<[Option<Verdict>]>,
    codes: Arc<[u8]>,
    classes: [Option<Class>; CLASSES],
}

#[derive(Clone, Copy)]
struct Class {
    /// From which identity on the working set has no room.
    limit: u64,
    /// The smallest identity that was left out.
    left_out: Option<u64>,
}

impl<'pass> Sorter<'pass> {
    /// For a pass that also fills a working set, or for a later one.
    pub(super) fn new(pass: &'pass Pass, header: &'pass Header, sample: Option<&'pass Mutex<Sample>>) -> Self {
        let extras = sample.map(|sample| Extras { sample, found: Found::default(), candidates: Vec::new() });
        Self {
            pass,
            header,
            extras,
            announced: None,
            vectors: Vec::new(),
            numbers: HashMap::new(),
            recent: 0,
            shards: std::array::from_fn(|_| Vec::new()),
        }
    }

    pub(super) fn into_found(self) -> Found {
        self.extras.map(|extras| extras.found).unwrap_or_default()
    }

    /// The position of a row's verdicts among those of the batch.
    fn vector(&mut self, verdicts: &Arc<[Option<Verdict>]>) -> usize {
        if self.vectors.get(self.recent).is_some_and(|vector| Arc::ptr_eq(&vector.verdicts, verdicts)) {
            return self.recent;
        }
        self.recent = *self.numbers.entry(verdicts.as_ptr().addr()).or_insert_with(|| {
            let codes = vector::codes(verdicts).into();
            self.vectors.push(LocalVector { verdicts: verdicts.clone(), codes, classes: [None; CLASSES] });
            self.vectors.len() - 1
        });
        self.recent
    }

    /// Notes a row for the table.
    fn note(&mut self, identity: u64, vector: usize, weight: u64, phase: Phase) {
        if (self.pass.first..=self.pass.last.load(Ordering::Relaxed)).contains(&identity) {
            let weight = weight.checked_ilog2().unwrap_or(0) as u8;
            let entry = Entry::new(identity, vector as u32, weight, phase == Phase::Uniform);
            self.shards[shard_of(identity)].push(entry);
        }
    }
}

impl Worker for Sorter<'_> {
    fn outline(&mut self, outline: &Outline<'_>) -> bool {
        let &Outline { identity, phase, weight, .. } = outline;
        let vector = self.vector(outline.verdicts);
        if let Some(extras) = &mut self.extras {
            let class = class(outline.memory);
            if extras.is_candidate(&mut self.vectors[vector], class, identity) {
                self.announced = Some((identity, class));
                return true;
            }
            extras.found.rows += 1;
        }
        self.note(identity, vector, weight, phase);
        false
    }

    fn row(&mut self, row: Row) {
        let announced = self.announced.take();
        if row.names.len() != row.fields.len() {
            self.extras.iter_mut().for_each(|extras| extras.found.malformed += 1);
            return;
        }
        let (identity, class) = announced.unwrap_or_else(|| (identity_of(&row), class(size::of_values_of(&row))));
        let vector = self.vector(&row.verdicts);
        self.note(identity, vector, row.weight, row.phase);
        if let Some(extras) = &mut self.extras {
            extras.found.rows += 1;
            extras.found.findings.row(&row, identity, self.header);
            if announced.is_some() || extras.is_candidate(&mut self.vectors[vector], class, identity) {
                extras.candidates.push(Candidate { vector, class, identity, row: Box::new(row) });
            }
        }
    }

    fn pause(&mut self) {
        let inputs = self.pass.inputs.read().unwrap_or_else(PoisonError::into_inner);
        let mut known = inputs.pool.lock();
        let numbers: Vec<u32> = self.vectors.iter().map(|vector| known.number(&vector.codes)).collect();
        drop(known);
        let last = self.pass.last.load(Ordering::Relaxed);
        for (shard, entries) in self.shards.iter_mut().enumerate() {
            entries.retain(|entry| entry.identity <= last);
            entries.iter_mut().for_each(|entry| entry.vector = numbers[entry.vector as usize]);
            inputs.table.add(shard, entries, |one, other| inputs.pool.lock().join(one, other));
            entries.clear();
        }
        let is_full = self.pass.is_full(&inputs);
        drop(inputs);
        if is_full {
            self.pass.narrow();
        }
        if let Some(extras) = &mut self.extras {
            let sampled = extras.offer(&self.vectors);
            self.pass.sampled.store(sampled, Ordering::Relaxed);
        }
        self.vectors.clear();
        self.numbers.clear();
    }
}

impl Extras<'_> {
    /// Whether the working set may have room for a row; if not, it is noted as left out.
    fn is_candidate(&self, local: &mut LocalVector, class: usize, identity: u64) -> bool {
        let known = local.classes[class].get_or_insert_with(|| {
            let sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
            Class { limit: sample.limit(&local.codes, class), left_out: None }
        });
        let is_candidate = identity < known.limit;
        if !is_candidate {
            known.left_out = Some(known.left_out.map_or(identity, |other| other.min(identity)));
        }
        is_candidate
    }

    /// Offers the candidates to the working set; how much memory it takes then.
    fn offer(&mut self, vectors: &[LocalVector]) -> usize {
        // What goes side by side into the working set comes one after the other.
        self.candidates.sort_unstable_by_key(|candidate| (candidate.vector, candidate.identity));
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        for Candidate { vector, class, identity, row } in self.candidates.drain(..) {
            sample.offer(&vectors[vector].codes, class, identity, row);
        }
        for local in vectors {
            for (class, known) in local.classes.iter().enumerate() {
                if let Some(identity) = known.and_then(|known| known.left_out) {
                    sample.leave_out(&local.codes, class, identity);
                }
            }
        }
        sample.bytes()
    }
}
