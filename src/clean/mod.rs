//! Cleaning: damaged, inconsistent and duplicate rows out, each counted.
//!
//! A log is streamed by all cores, and what is kept in memory is bounded by a flag and not by the log: 16 bytes for each
//! distinct input (in several passes if that is too much), and a working set of rows. What comes out depends on the rows
//! alone: neither the order of segments nor which thread read what shows.

mod campaign;
mod conflict;
mod counts;
mod distinct;
mod findings;
mod join;
mod pass;
mod sample;
mod size;
mod smallest;
mod table;
#[cfg(test)]
mod tests;
mod vector;

pub use campaign::{Campaign, campaigns, is_same_campaign};
pub use conflict::Inconsistency;
pub use counts::{CellCounts, Counts, Tally};
pub(crate) use distinct::Distinct;
pub use findings::{DeathKey, FailedChecks, Findings, HarnessPanics};
pub(crate) use findings::{MAX_PLACES, words as stage_words};
pub(crate) use join::join;
pub(crate) use smallest::among_smallest;

use crate::{
    Verdict,
    log::{Header, Loss, Row, Segment, Totals, Worker, identity_of, scan},
};
use conflict::Conflicts;
use counts::Weight;
use pass::{Found, Inputs, Pass, Sorter};
use sample::Sample;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// The working set has this much memory, however little there is.
const LEAST_SAMPLED: usize = 1 << 20;

/// How much may be used.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many bytes of memory; a log with more distinct inputs than fit is read several times.
    pub memory: u64,
    /// How many rows the working set may have.
    pub working_rows: usize,
    /// How many threads read.
    pub workers: usize,
}

impl Default for Options {
    fn default() -> Self {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        Self { memory: 2 << 30, working_rows: 1 << 15, workers }
    }
}

/// A campaign's rows, cleaned.
#[derive(Debug)]
pub struct Cleaned {
    /// What the log says about itself.
    pub header: Arc<Header>,
    /// What became of its rows.
    pub rows: RowCounts,
    /// What the log says about each cell.
    pub cells: Vec<CellCounts>,
    /// Inputs with two different verdicts: a few of every cell.
    pub inconsistent: Vec<Inconsistency>,
    /// The identities of such inputs, in order; the first million.
    pub inconsistent_identities: Vec<u64>,
    /// Distinct rows, in the order of their identities: all, or a sample that has all of what is rare. A verdict is
    /// `None` where it is missing or in question, and the weight is that of the input.
    pub working: Vec<Row>,
    /// How many distinct inputs each row of the working set stands for.
    pub stands_for: Vec<f64>,
    /// Whether the working set holds every distinct row.
    pub is_complete: bool,
    /// What single rows told.
    pub findings: Findings,
    /// The totals of all segments.
    pub totals: Totals,
    /// What could not be read, in all segments together.
    pub loss: Loss,
    /// Segments that could not be read at all, and why.
    pub unreadable: Vec<String>,
}

/// What became of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows that could be read.
    pub read: u64,
    /// Distinct inputs: as many rows are kept.
    pub kept: u64,
    /// Rows of an input that another row has.
    pub duplicate: u64,
    /// Records that make no sense.
    pub damaged: u64,
    /// Blocks that are damaged or missing; nobody knows how many rows they had.
    pub damaged_blocks: u64,
    /// Segments that end before they should.
    pub truncated: u64,
    /// Segments without readable totals.
    pub without_totals: u64,
    /// Distinct inputs with two different verdicts in some cell.
    pub inconsistent: u64,
    /// Distinct inputs without a verdict in some cell.
    pub missing: u64,
    /// Rows of executions that ended their process.
    pub died: u64,
    /// Executions, of which repeats have no row.
    pub executions: u64,
    /// How many distinct inputs the rows stand for: more than are kept if the log is a sample.
    pub distinct: u64,
    /// Inputs without a row because the budget allowed only a sample.
    pub thinned: u64,
    /// Inputs without a row because the disk or the budget was full.
    pub lost: u64,
    /// Inputs without a row because it would have been too long.
    pub oversized: u64,
}

impl Cleaned {
    /// What a log without rows comes to.
    #[cfg(test)]
    pub(crate) fn of_nothing(header: Arc<Header>) -> Self {
        let campaign = Campaign { header, segments: Vec::new(), written: std::time::SystemTime::UNIX_EPOCH };
        clean(&campaign, &Options::default())
    }

    /// Whether some row of the working set stands for several inputs.
    #[cfg(feature = "cli")]
    pub(crate) fn is_sample(&self) -> bool {
        self.stands_for.iter().any(|&inputs| inputs > 1.0)
    }

    /// Whether the rows of an input contradict each other.
    pub fn is_inconsistent(&self, identity: u64) -> bool {
        self.inconsistent_identities.binary_search(&identity).is_ok()
    }

    /// Visits the rows of all inputs that are what they are said to be: none that ended its process or contradicts itself.
    /// They come from memory if they are all there, where only verdicts that contradict each other are missing; if not, from
    /// the log, duplicates included.
    #[cfg(feature = "cli")]
    pub(crate) fn for_each_sound_row(&self, campaign: &Campaign, visit: impl Fn(&Row, u64) + Sync) {
        if self.is_complete {
            let rows = self.working.iter().filter(|row| row.death.is_none());
            rows.for_each(|row| visit(row, identity_of(row)));
            return;
        }
        for_each_row(campaign, |row, identity| {
            if row.death.is_none() && !self.is_inconsistent(identity) {
                visit(row, identity);
            }
        });
    }
}

/// Cleans a campaign.
pub fn clean(campaign: &Campaign, options: &Options) -> Cleaned {
    let memory = usize::try_from(options.memory).unwrap_or(usize::MAX);
    let sample = Mutex::new(Sample::new(options.working_rows.max(1), (memory / 4).max(LEAST_SAMPLED)));
    let mut cleaning = Cleaning::new(campaign, options.workers.max(1));
    // What the threads are busy with takes the rest.
    let room = memory - memory / 8;
    let pass = Pass::new(0, u64::MAX, room, 0);
    let (found, loss) = cleaning.read(&pass, Some(&sample));
    let mut sample = sample.into_inner().unwrap_or_else(PoisonError::into_inner);
    sample.trim();
    let mut last = cleaning.take(pass, &sample);
    let width = last;
    while let Some(first) = last.checked_add(1) {
        let pass = Pass::new(first, width, room, sample.bytes());
        cleaning.read(&pass, None);
        last = cleaning.take(pass, &sample);
    }
    cleaning.finish(sample, found, loss)
}

/// Streams every row again, with all cores: `visit` gets a row and the identity of its input. Duplicates come too.
pub fn for_each_row(campaign: &Campaign, visit: impl Fn(&Row, u64) + Sync) {
    struct Visitor<'visit, F>(&'visit F);
    impl<F: Fn(&Row, u64) + Sync> Worker for Visitor<'_, F> {
        fn row(&mut self, row: Row) {
            if row.names.len() == row.fields.len() {
                (self.0)(&row, identity_of(&row));
            }
        }
    }
    let workers = (0..Options::default().workers).map(|_| Visitor(&visit)).collect();
    scan(&campaign.segments, workers);
}

/// What is known so far.
struct Cleaning<'campaign> {
    campaign: &'campaign Campaign,
    workers: usize,
    rows: RowCounts,
    cells: Vec<CellCounts>,
    conflicts: Conflicts,
    /// The merged verdicts and the weight of each input of the working set.
    merged: HashMap<u64, (Arc<[u8]>, u8)>,
    unreadable: Vec<String>,
}

impl<'campaign> Cleaning<'campaign> {
    fn new(campaign: &'campaign Campaign, workers: usize) -> Self {
        let cells = vec![CellCounts::default(); campaign.header.cells.len()];
        Self {
            campaign,
            workers,
            rows: RowCounts::default(),
            cells,
            conflicts: Conflicts::default(),
            merged: HashMap::new(),
            unreadable: Vec::new(),
        }
    }

    fn read(&mut self, pass: &Pass, sample: Option<&Mutex<Sample>>) -> (Found, Vec<Loss>) {
        let sorter = || Sorter::new(pass, &self.campaign.header, sample);
        let scanned = scan(&self.campaign.segments, (0..self.workers).map(|_| sorter()).collect());
        let mut found = Found::default();
        for part in scanned.workers.into_iter().map(Sorter::into_found) {
            found.rows += part.rows;
            found.malformed += part.malformed;
            found.findings.add(part.findings);
        }
        self.unreadable = scanned.unreadable;
        (found, scanned.losses)
    }

    /// Takes in what a pass found; the last identity that it had room for.
    fn take(&mut self, pass: Pass, sample: &Sample) -> u64 {
        let (Inputs { mut table, mut pool }, last) = pass.end();
        let vectors = pool.get_mut().vectors();
        let is_inconsistent: Vec<bool> = vectors.iter().map(|vector| vector::is_inconsistent(vector)).collect();
        let mut weights = vec![(Weight::default(), Weight::default()); vectors.len()];
        for entry in table.entries() {
            let vector = entry.vector as usize;
            weights[vector].0.add(entry.weight);
            entry.uniform_weight().into_iter().for_each(|weight| weights[vector].1.add(weight));
            if is_inconsistent[vector] {
                self.conflicts.add(entry, &vectors[vector]);
            }
        }
        for ((vector, (all, uniform)), is_inconsistent) in vectors.iter().zip(&weights).zip(is_inconsistent) {
            self.count(vector, *all, *uniform, is_inconsistent);
        }
        for identity in sample.identities().filter(|&identity| identity <= last) {
            if let Some(entry) = table.find(identity) {
                self.merged.insert(identity, (vectors[entry.vector as usize].clone(), entry.weight));
            }
        }
        last
    }

    fn count(&mut self, vector: &[u8], all: Weight, uniform: Weight, is_inconsistent: bool) {
        self.rows.kept += all.inputs;
        self.rows.distinct = self.rows.distinct.saturating_add(u64::try_from(all.sum).unwrap_or(u64::MAX));
        self.rows.inconsistent += if is_inconsistent { all.inputs } else { 0 };
        let is_missing = vector.iter().any(|&code| vector::said(code) == vector::Said::Missing);
        self.rows.missing += if is_missing { all.inputs } else { 0 };
        for (cell, &code) in self.cells.iter_mut().zip(vector) {
            cell.distinct.add(code, all);
            cell.uniform.add(code, uniform);
        }
    }

    fn finish(mut self, sample: Sample, found: Found, losses: Vec<Loss>) -> Cleaned {
        let totals = self.add_totals();
        let mut loss = Loss::default();
        losses.iter().for_each(|more| loss.add(more));
        self.rows = RowCounts {
            read: found.rows,
            duplicate: found.rows.saturating_sub(self.rows.kept),
            damaged: loss.records + found.malformed,
            damaged_blocks: loss.blocks,
            truncated: losses.iter().filter(|loss| loss.cut_off > 0).count() as u64,
            died: found.findings.deaths,
            executions: totals.executions,
            thinned: totals.thinned,
            lost: totals.lost,
            oversized: totals.oversized,
            ..self.rows
        };
        let is_complete = sample.is_complete();
        let inconsistent = self.conflicts.shown(&sample, &self.campaign.segments, self.workers);
        let (working, stands_for) = self.working(sample);
        self.unreadable.sort();
        Cleaned {
            header: self.campaign.header.clone(),
            rows: self.rows,
            cells: self.cells,
            inconsistent,
            inconsistent_identities: self.conflicts.identities(),
            working,
            stands_for,
            is_complete,
            findings: found.findings,
            totals,
            loss,
            unreadable: self.unreadable,
        }
    }

    fn add_totals(&mut self) -> Totals {
        let mut totals = Totals::default();
        for segment in self.campaign.segments.iter().map(Segment::totals) {
            match segment {
                Some(more) => totals.add(&more),
                None => self.rows.without_totals += 1,
            }
        }
        for cells in [&mut totals.cells, &mut totals.distinct_cells] {
            cells.resize(self.cells.len(), [0; Verdict::COUNT]);
        }
        for (cell, executions) in self.cells.iter_mut().zip(&totals.cells) {
            cell.executions = Counts(*executions);
        }
        totals
    }

    /// The rows of the working set, each with what all rows of its input agree on.
    fn working(&self, sample: Sample) -> (Vec<Row>, Vec<f64>) {
        let mut agreed: HashMap<Arc<[u8]>, Arc<[Option<Verdict>]>> = HashMap::new();
        let (mut rows, mut stands_for) = (Vec::new(), Vec::new());
        for sampled in sample.into_rows() {
            let mut row = sampled.row;
            // A log that is still written may show a row only once.
            if let Some((vector, weight)) = self.merged.get(&sampled.identity) {
                row.verdicts = agreed.entry(vector.clone()).or_insert_with(|| vector::agreed(vector)).clone();
                row.weight = 1 << (*weight).min(63);
            }
            stands_for.push(row.weight as f64 / sampled.share);
            rows.push(row);
        }
        (rows, stands_for)
    }
}
