//! Inputs with two different verdicts: which they are, and a few of them with their rows side by side.

use super::{
    sample::{Sample, order},
    table::Entry,
    vector::{Said, codes, said},
};
use crate::log::{Outline, Row, Segment, Worker, identity_of, scan};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many inputs of each cell are shown, and of all.
const PER_CELL: usize = 3;
const MAX_SHOWN: usize = 64;
/// How many different rows of one input are shown.
const MAX_ROWS: usize = 8;
/// How many are remembered by their identity.
const MAX_KNOWN: usize = 1 << 20;

/// The same input with different verdicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconsistency {
    /// The input.
    pub identity: u64,
    /// The cells whose verdicts differ.
    pub cells: Vec<usize>,
    /// One row for each combination of verdicts.
    pub rows: Vec<Row>,
    /// Whether the verdicts only differ in that the input ended the process once: that may have come from outside.
    pub is_death: bool,
}

/// The inconsistent inputs of a log.
#[derive(Default)]
pub(super) struct Conflicts {
    /// Those with the smallest identities.
    known: BTreeSet<u64>,
    /// A few of each cell.
    by_cell: BTreeMap<usize, BTreeSet<u64>>,
    vectors: BTreeMap<u64, Arc<[u8]>>,
}

fn add_bounded(set: &mut BTreeSet<u64>, identity: u64, most: usize) -> bool {
    if set.len() >= most && set.last().is_some_and(|&last| identity > last) {
        return false;
    }
    set.insert(identity);
    if set.len() > most {
        set.pop_last();
    }
    true
}

fn is_in_question(code: u8) -> bool {
    matches!(said(code), Said::Conflict | Said::DiedOnce)
}

impl Conflicts {
    /// Notes an input whose rows contradict each other.
    pub(super) fn add(&mut self, entry: &Entry, vector: &Arc<[u8]>) {
        add_bounded(&mut self.known, entry.identity, MAX_KNOWN);
        let mut is_shown = false;
        for (cell, _) in vector.iter().enumerate().filter(|(_, code)| is_in_question(**code)) {
            // Cells without number would be a memory without bound.
            if self.by_cell.len() < MAX_KNOWN || self.by_cell.contains_key(&cell) {
                is_shown |= add_bounded(self.by_cell.entry(cell).or_default(), entry.identity, PER_CELL);
            }
        }
        if is_shown {
            self.vectors.insert(entry.identity, vector.clone());
        }
    }

    /// The identities, in order.
    pub(super) fn identities(&self) -> Vec<u64> {
        self.known.iter().copied().collect()
    }

    /// Some of every cell, each with its rows: those of the working set if it has them all, else read again.
    pub(super) fn shown(&self, sample: &Sample, segments: &[Segment], workers: usize) -> Vec<Inconsistency> {
        let chosen = self.chosen();
        let mut rows = BTreeMap::new();
        if sample.is_complete() {
            for &identity in &chosen {
                for (vector, row) in sample.rows_of(identity) {
                    collect(&mut rows, identity, vector.to_vec(), row.clone());
                }
            }
        } else if !chosen.is_empty() {
            let workers = (0..workers.max(1)).map(|_| Collector { chosen: &chosen, rows: BTreeMap::new() }).collect();
            for part in scan(segments, workers).workers {
                for ((identity, vector), row) in part.rows {
                    collect(&mut rows, identity, vector, row);
                }
            }
        }
        chosen.iter().map(|&identity| self.inconsistency(identity, &rows)).collect()
    }

    /// The first of every cell, then the second of every cell, and so on.
    fn chosen(&self) -> BTreeSet<u64> {
        let mut chosen = BTreeSet::new();
        for rank in 0..PER_CELL {
            for identities in self.by_cell.values() {
                if chosen.len() < MAX_SHOWN {
                    chosen.extend(identities.iter().nth(rank));
                }
            }
        }
        chosen
    }

    fn inconsistency(&self, identity: u64, rows: &Rows) -> Inconsistency {
        let vector: &[u8] = self.vectors.get(&identity).map_or(&[], |vector| vector);
        let cells = |wanted: fn(u8) -> bool| {
            vector.iter().enumerate().filter(move |(_, code)| wanted(**code)).map(|(cell, _)| cell)
        };
        let rows = rows.range((identity, Vec::new())..).take_while(|((other, _), _)| *other == identity);
        Inconsistency {
            identity,
            cells: cells(is_in_question).collect(),
            rows: rows.map(|(_, row)| row.clone()).collect(),
            is_death: cells(|code| said(code) == Said::Conflict).next().is_none(),
        }
    }
}

/// The best row of each input and vector.
type Rows = BTreeMap<(u64, Vec<u8>), Row>;

fn collect(rows: &mut Rows, identity: u64, vector: Vec<u8>, row: Row) {
    let key = (identity, vector);
    if rows.get(&key).is_none_or(|known| order(&row, known) == Ordering::Less) {
        rows.insert(key, row);
    }
    let mut of_input = rows.range((identity, Vec::new())..).take_while(|((other, _), _)| *other == identity);
    if let Some((beyond, _)) = of_input.nth(MAX_ROWS) {
        let beyond = beyond.clone();
        rows.remove(&beyond);
    }
}

/// Collects the rows of some inputs.
struct Collector<'chosen> {
    chosen: &'chosen BTreeSet<u64>,
    rows: Rows,
}

impl Worker for Collector<'_> {
    fn outline(&mut self, outline: &Outline<'_>) -> bool {
        self.chosen.contains(&outline.identity)
    }

    fn row(&mut self, row: Row) {
        let identity = identity_of(&row);
        if self.chosen.contains(&identity) && row.names.len() == row.fields.len() {
            collect(&mut self.rows, identity, codes(&row.verdicts), row);
        }
    }
}
