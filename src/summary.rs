//! Adds up what a log says: the totals of every cell, and what reading its rows showed.
//!
//! Verdicts of two builds must not be mixed, so a log is first parted into [`Campaign`]s.

use crate::{
    Verdict,
    log::{Detail, Header, Log, Loss, Outcome, PanicInfo, Row, Segment, SoundnessKind, Stage, Totals},
};
use std::{
    collections::BTreeMap,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::SystemTime,
};

/// How many different deaths are told apart; more would only fill the memory.
const MAX_DEATHS: usize = 1000;

/// The segments of a log that can be added up: one suite, the same constants, the same build.
#[derive(Debug)]
pub(crate) struct Campaign {
    /// What the segments say about themselves; the seed and the version are those of one of them.
    pub(crate) header: Arc<Header>,
    pub(crate) segments: Vec<Segment>,
    /// When one of them was last written.
    written: SystemTime,
}

/// Whether two segments can be added up.
pub(crate) fn is_same_campaign(one: &Header, other: &Header) -> bool {
    (&one.suite, &one.functions, &one.relations, &one.cells)
        == (&other.suite, &other.functions, &other.relations, &other.cells)
        && (&one.constants, &one.build) == (&other.constants, &other.build)
        && (&one.parameters, &one.features) == (&other.parameters, &other.features)
}

/// Parts a log into campaigns, the newest first.
pub(crate) fn campaigns(log: Log) -> Vec<Campaign> {
    let mut campaigns: Vec<Campaign> = Vec::new();
    for segment in log.segments {
        let modified = fs::metadata(segment.path()).and_then(|metadata| metadata.modified());
        let written = modified.unwrap_or(SystemTime::UNIX_EPOCH);
        match campaigns.iter_mut().find(|campaign| is_same_campaign(&campaign.header, segment.header())) {
            Some(campaign) => {
                campaign.written = campaign.written.max(written);
                campaign.segments.push(segment);
            }
            None => campaigns.push(Campaign { header: segment.header().clone(), segments: vec![segment], written }),
        }
    }
    campaigns.sort_by_key(|campaign| std::cmp::Reverse(campaign.written));
    campaigns
}

/// The counts of one cell, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) [u64; Verdict::COUNT]);

impl Counts {
    pub(crate) fn of(self, verdict: Verdict) -> u64 {
        self.0[verdict as usize]
    }

    /// How often the outputs could be compared.
    pub(crate) fn judged(self) -> u64 {
        self.of(Verdict::Held).saturating_add(self.of(Verdict::Violated))
    }

    /// Violated in percent of what was judged: neither a panic nor an input the relation leaves out says anything about
    /// how often the relation holds.
    pub(crate) fn violated_percent(self) -> Option<f64> {
        let judged = self.judged();
        (judged > 0).then(|| 100.0 * self.of(Verdict::Violated) as f64 / judged as f64)
    }

    pub(crate) fn is_seen_both_ways(self) -> bool {
        self.of(Verdict::Held) > 0 && self.of(Verdict::Violated) > 0
    }
}

/// What reading all rows of a campaign showed.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) totals: Totals,
    /// Segments whose totals could not be read.
    pub(crate) without_totals: usize,
    pub(crate) rows: u64,
    pub(crate) loss: Loss,
    /// Segments whose rows could not be read at all.
    pub(crate) unreadable: Vec<String>,
    pub(crate) deaths: u64,
    /// How often each different death was seen; a count beside each.
    pub(crate) different_deaths: BTreeMap<DeathKey, (u64, String)>,
    /// Deaths per cell.
    pub(crate) died: Vec<u64>,
    /// The first panic seen in each cell.
    pub(crate) panics: BTreeMap<usize, PanicInfo>,
    /// Failed soundness checks by function; true if the function is nondeterministic.
    pub(crate) unsound: BTreeMap<(usize, bool), u64>,
}

/// What makes two deaths the same: where the process was, and the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeathKey {
    /// The cells that were being checked.
    pub(crate) cells: Vec<usize>,
    /// In words, where the check was.
    pub(crate) stage: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) length: u64,
}

impl Campaign {
    /// Reads everything, with all cores: a log is up to a gigabyte.
    pub(crate) fn read(&self) -> Reading {
        let next = AtomicUsize::new(0);
        let whole = Mutex::new(Reading::default());
        let work = || {
            while let Some(segment) = self.segments.get(next.fetch_add(1, Ordering::Relaxed)) {
                let part = read_segment(segment);
                whole.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(part);
            }
        };
        let workers = thread::available_parallelism().map_or(1, usize::from).min(self.segments.len());
        thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
        let mut whole = whole.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        for cells in [&mut whole.totals.cells, &mut whole.totals.distinct_cells] {
            cells.resize(self.header.cells.len(), [0; Verdict::COUNT]);
        }
        whole.died.resize(self.header.cells.len(), 0);
        whole
    }
}

fn read_segment(segment: &Segment) -> Reading {
    let mut reading = Reading::default();
    match segment.totals() {
        Some(totals) => reading.totals = totals,
        None => reading.without_totals = 1,
    }
    match segment.rows() {
        Ok(mut rows) => {
            for row in rows.by_ref() {
                reading.row(&row, segment.header());
            }
            reading.loss = rows.loss().clone();
        }
        Err(error) => reading.unreadable.push(error.to_string()),
    }
    reading
}

impl Reading {
    /// The counts of a cell over distinct inputs, deaths included.
    pub(crate) fn distinct(&self, cell: usize) -> Counts {
        let mut counts = self.totals.distinct_cells.get(cell).copied().unwrap_or_default();
        let died = &mut counts[Verdict::Died as usize];
        *died = died.saturating_add(self.died.get(cell).copied().unwrap_or(0));
        Counts(counts)
    }

    /// The counts of a cell over executions.
    pub(crate) fn executions(&self, cell: usize) -> Counts {
        Counts(self.totals.cells.get(cell).copied().unwrap_or_default())
    }

    fn row(&mut self, row: &Row, header: &Header) {
        self.rows += 1;
        if let Some(death) = &row.death {
            self.death(row, death.stage, death.length);
        }
        if let Some(detail) = &row.detail {
            self.detail(row, detail, header);
        }
    }

    fn death(&mut self, row: &Row, stage: Stage, length: u64) {
        self.deaths += 1;
        let is_dead = |(cell, verdict): (usize, &Option<Verdict>)| (*verdict == Some(Verdict::Died)).then_some(cell);
        let cells: Vec<usize> = row.verdicts.iter().enumerate().filter_map(is_dead).collect();
        self.died.resize(self.died.len().max(row.verdicts.len()), 0);
        for &cell in &cells {
            self.died[cell] += 1;
        }
        let key = DeathKey { cells, stage: words(stage), bytes: row.bytes.clone(), length };
        let is_known = self.different_deaths.contains_key(&key);
        if is_known || self.different_deaths.len() < MAX_DEATHS {
            let fields = row.names.iter().zip(&row.fields).map(|(name, value)| format!("{name} = {value}"));
            let told = self.different_deaths.entry(key).or_insert_with(|| (0, fields.collect::<Vec<_>>().join(", ")));
            told.0 += 1;
        }
    }

    fn detail(&mut self, row: &Row, detail: &Detail, header: &Header) {
        for (cell, verdict) in row.verdicts.iter().enumerate() {
            let Some(verdict) = verdict.filter(|verdict| verdict.is_panic() || *verdict == Verdict::TransformPanicked)
            else {
                continue;
            };
            if self.panics.contains_key(&cell) {
                continue;
            }
            let function = header.cells.get(cell).map_or(usize::MAX, |cell| usize::from(cell.0));
            let told = match verdict {
                Verdict::SourcePanicked => detail.sources.get(function).and_then(panic_of),
                Verdict::FollowUpPanicked => {
                    detail.cells.get(cell).and_then(|cell| cell.outcomes.iter().find_map(panic_of))
                }
                _ => detail.cells.get(cell).and_then(|cell| cell.harness.as_ref()),
            };
            if let Some(told) = told {
                self.panics.insert(cell, told.clone());
            }
        }
        for unsound in &detail.unsound {
            let key = (usize::from(unsound.function), unsound.kind == SoundnessKind::Nondeterministic);
            *self.unsound.entry(key).or_default() += 1;
        }
    }

    fn add(&mut self, other: Self) {
        self.totals.add(&other.totals);
        self.without_totals += other.without_totals;
        self.rows += other.rows;
        self.loss.blocks += other.loss.blocks;
        self.loss.records += other.loss.records;
        self.loss.bytes += other.loss.bytes;
        self.unreadable.extend(other.unreadable);
        self.deaths += other.deaths;
        for (key, (count, fields)) in other.different_deaths {
            self.different_deaths.entry(key).or_insert((0, fields)).0 += count;
        }
        self.died.resize(self.died.len().max(other.died.len()), 0);
        self.died.iter_mut().zip(other.died).for_each(|(sum, more)| *sum += more);
        for (cell, panic) in other.panics {
            self.panics.entry(cell).or_insert(panic);
        }
        for (key, count) in other.unsound {
            *self.unsound.entry(key).or_default() += count;
        }
    }
}

fn panic_of(outcome: &Outcome) -> Option<&PanicInfo> {
    match outcome {
        Outcome::Panicked(info) => Some(info),
        Outcome::Output(_) | Outcome::Unknown => None,
    }
}

/// Where a check was, in words.
fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Decode => "while the input was decoded",
        Stage::Source(_) => "while the source input ran",
        Stage::Transform(_) => "in the transformation",
        Stage::FollowUp(_) => "while a follow-up input ran",
        Stage::Judge(_) => "while the outputs were judged",
        Stage::Soundness(_) => "in a soundness check",
        Stage::Commit => "after all verdicts were reached",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentage_leaves_out_what_was_not_judged() {
        let mut counts = [0; Verdict::COUNT];
        assert_eq!(Counts(counts).violated_percent(), None);
        counts[Verdict::Held as usize] = 45;
        counts[Verdict::Violated as usize] = 55;
        counts[Verdict::NotApplicable as usize] = 1000;
        counts[Verdict::SourcePanicked as usize] = 7;
        assert_eq!(Counts(counts).violated_percent(), Some(55.0));
        assert!(Counts(counts).is_seen_both_ways());
    }
}
