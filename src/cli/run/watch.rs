//! Looks at the log while a campaign writes it: only the live pages are read, so it is cheap.

use crate::{
    Verdict,
    clean::{self, Counts},
    log::{Header, Log, Totals},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// The log of a running campaign.
#[derive(Debug)]
pub(super) struct Watch {
    folder: PathBuf,
    begin: Instant,
    /// What earlier runs had counted in the same folder: processes go on in their segments.
    before: BTreeMap<PathBuf, Totals>,
    now: BTreeMap<PathBuf, (Arc<Header>, Totals)>,
    /// The (cell, verdict) pairs seen so far, by cell.
    pairs: Vec<[bool; Verdict::COUNT]>,
    last_new: Instant,
}

/// How far a run has come. Everything but the cells is counted from the start of this run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) elapsed: Duration,
    pub(crate) executions: u64,
    pub(crate) rejected: u64,
    pub(crate) distinct: u64,
    /// Cells seen both held and violated, in this log.
    pub(crate) both_ways: usize,
    pub(crate) cells: usize,
    pub(crate) violations: u64,
    pub(crate) panics: u64,
    /// Since a cell last had a verdict it had never had before.
    pub(crate) since_new: Duration,
}

impl Watch {
    /// Notes what is there before the run.
    pub(super) fn begin(folder: &Path) -> Self {
        let now = Instant::now();
        let mut watch = Self {
            folder: folder.to_owned(),
            begin: now,
            before: BTreeMap::new(),
            now: BTreeMap::new(),
            pairs: Vec::new(),
            last_new: now,
        };
        watch.look();
        watch.before = watch.now.iter().map(|(path, (_, totals))| (path.clone(), totals.clone())).collect();
        watch
    }

    /// Reads all totals again. What cannot be read now keeps its last numbers.
    pub(super) fn look(&mut self) {
        // Before the first execution there may be no segment, and while one is made it may look damaged.
        let Ok(log) = Log::open(&self.folder) else { return };
        for segment in &log.segments {
            if let Some(totals) = segment.totals() {
                self.now.insert(segment.path().to_owned(), (segment.header().clone(), totals));
            }
        }
    }

    /// What this build of the suite says about itself, once one of its processes has executed something.
    pub(super) fn header(&self) -> Option<&Arc<Header>> {
        self.now.iter().find(|(path, (_, totals))| self.growth(path, totals) > 0).map(|(_, (header, _))| header)
    }

    fn growth(&self, path: &Path, totals: &Totals) -> u64 {
        let work = |totals: &Totals| totals.executions.saturating_add(totals.rejected);
        work(totals).saturating_sub(self.before.get(path).map_or(0, work))
    }

    /// How many inputs were executed in this run, rejected ones included.
    pub(super) fn work(&self) -> u64 {
        self.now.iter().map(|(path, (_, totals))| self.growth(path, totals)).fold(0, u64::saturating_add)
    }

    /// How far the run has come, as of the last look.
    pub(super) fn progress(&mut self) -> Progress {
        let (before, now) = self.sums();
        let cells: Vec<Counts> = now.cells.iter().copied().map(Counts).collect();
        self.note_pairs(&before, &now);
        let violations = |totals: &Totals| count(totals, |verdict| verdict == Verdict::Violated);
        let panics = |totals: &Totals| count(totals, Verdict::is_panic);
        Progress {
            elapsed: self.begin.elapsed(),
            executions: now.executions.saturating_sub(before.executions),
            rejected: now.rejected.saturating_sub(before.rejected),
            distinct: now.distinct.saturating_sub(before.distinct),
            both_ways: cells.iter().filter(|counts| counts.is_seen_both_ways()).count(),
            cells: cells.len(),
            violations: violations(&now).saturating_sub(violations(&before)),
            panics: panics(&now).saturating_sub(panics(&before)),
            since_new: self.last_new.elapsed(),
        }
    }

    /// The totals of this campaign before the run and now.
    fn sums(&self) -> (Totals, Totals) {
        let (mut before, mut now) = (Totals::default(), Totals::default());
        let Some(ours) = self.header() else { return (before, now) };
        for (path, (header, totals)) in &self.now {
            if clean::is_same_campaign(header, ours) {
                now.add(totals);
                before.add(self.before.get(path).unwrap_or(&Totals::default()));
            }
        }
        (before, now)
    }

    /// Notes when a cell has a verdict for the first time, in this run or an earlier one.
    fn note_pairs(&mut self, before: &Totals, now: &Totals) {
        let pairs = |totals: &Totals| totals.cells.iter().map(|cell| cell.map(|count| count > 0)).collect::<Vec<_>>();
        let seen = pairs(now);
        if self.pairs.is_empty() {
            self.pairs = pairs(before);
        }
        if seen != self.pairs {
            self.pairs = seen;
            self.last_new = Instant::now();
        }
    }
}

/// The sum of some verdicts over all cells; a damaged log may hold any number.
fn count(totals: &Totals, wanted: impl Fn(Verdict) -> bool) -> u64 {
    let wanted: Vec<Verdict> = Verdict::ALL.into_iter().filter(|&verdict| wanted(verdict)).collect();
    let counts = totals.cells.iter().flat_map(|cell| wanted.iter().map(|&verdict| cell[verdict as usize]));
    counts.fold(0, u64::saturating_add)
}
