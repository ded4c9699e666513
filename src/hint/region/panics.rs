//! Which inputs a function panics on, whatever their role: no relation is needed to see it.

use super::{Region, cells_of, points::Points};
use crate::{
    Verdict,
    clean::{Campaign, Cleaned, Counts},
    explain::{AllExplained, Exceptions, explain_labels, usable},
    feature::{Frame, Scope},
    log::Row,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// How many rows with follow-ups are looked at: more tell no more.
const MOST_ROWS: usize = 1 << 12;
/// A region that is wrong about more than such a part of the inputs of either kind says nothing.
const WRONG: u64 = 10;
/// How often a region is looked for again, with inputs that those found before are wrong about.
const ROUNDS: usize = 3;

/// When a function panics.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panics {
    pub(crate) region: String,
    /// Inputs that were looked at.
    pub(crate) checked: u64,
    /// Inputs that it panics on outside, and that it does not panic on inside.
    pub(crate) wrong: u64,
}

impl Panics {
    /// Nothing, if it is wrong about too many of so many inputs that the function panics on, or of the others.
    fn if_it_tells(self, panicking: u64) -> Option<Self> {
        let rarer = panicking.min(self.checked.saturating_sub(panicking));
        (self.wrong.saturating_mul(WRONG) <= rarer).then_some(self)
    }
}

/// When each function panics, if it does and a condition tells.
pub(in crate::hint) fn of_panics(
    campaign: &Campaign,
    cleaned: &Cleaned,
    explained: &AllExplained,
) -> Vec<Option<Panics>> {
    let of_function = |function| {
        let cells: Vec<usize> = cells_of(cleaned, function).map(|(cell, _)| cell).collect();
        let seen = |verdict| cells_of(cleaned, function).any(|(_, counts)| counts.of(verdict) > 0);
        if seen(Verdict::SourcePanicked) {
            return Sources { campaign, cleaned, cells }.told(&explained.frame);
        }
        // Transformations lead where no source is.
        seen(Verdict::FollowUpPanicked).then(|| of_follow_ups(cleaned, &cells)).flatten()
    };
    (0..cleaned.header.functions.len()).map(of_function).collect()
}

/// When a function panics that does so on follow-ups alone.
fn of_follow_ups(cleaned: &Cleaned, cells: &[usize]) -> Option<Panics> {
    let detailed = cleaned.working.iter().filter(|row| row.detail.is_some() && row.death.is_none());
    let points = Points::of(cleaned, cells, detailed.take(MOST_ROWS));
    let rows: Vec<&Row> = points.rows.iter().collect();
    let region = region(&Arc::new(Frame::new(&rows, &cleaned.header, Scope::Input)), &points.panics)?;
    let known = || rows.iter().zip(&points.panics).filter_map(|(row, panics)| Some((row, (*panics)?)));
    let wrong = known().filter(|(row, panics)| region.has(row) != *panics).count() as u64;
    let panicking = known().filter(|(_, panics)| *panics).count() as u64;
    Panics { checked: known().count() as u64, wrong, region: region.text }.if_it_tells(panicking)
}

fn region(frame: &Arc<Frame>, labels: &[Option<bool>]) -> Option<Region> {
    Some(Region::new(explain_labels(frame, labels).condition()?.clone(), frame))
}

/// The sources of a function that panics on some.
struct Sources<'log> {
    campaign: &'log Campaign,
    cleaned: &'log Cleaned,
    /// The cells of the function.
    cells: Vec<usize>,
}

impl Sources<'_> {
    /// A region is found on the working set and held against all rows; where it is wrong, it is looked for again with
    /// those inputs as well.
    fn told(&self, frame: &Arc<Frame>) -> Option<Panics> {
        let mut more: BTreeMap<u64, Row> = BTreeMap::new();
        let mut frame = frame.clone();
        let mut best: Option<Panics> = None;
        for _ in 0..ROUNDS {
            let rows: Vec<&Row> = usable(self.cleaned).into_iter().chain(more.values()).collect();
            if !more.is_empty() {
                frame = Arc::new(Frame::new(&rows, &self.cleaned.header, Scope::Input));
            }
            let labels: Vec<Option<bool>> = rows.iter().map(|row| self.panics(row)).collect();
            let Some(region) = region(&frame, &labels) else { break };
            let is_learned = region.condition.is_exact();
            let exceptions = self.exceptions(&region);
            let wrong = exceptions.count();
            if best.as_ref().is_none_or(|best| wrong < best.wrong) {
                best = Some(Panics { region: region.text, checked: self.runs(), wrong });
            }
            // What is wrong about rows that it was learned from will be so again.
            if wrong == 0 || !is_learned {
                break;
            }
            more.extend(exceptions.rows);
        }
        best?.if_it_tells(self.panicking())
    }

    /// Whether the function panics on a row's source; nothing if it was not run.
    fn panics(&self, row: &Row) -> Option<bool> {
        let verdicts = || self.cells.iter().filter_map(|&cell| row.verdict(cell));
        if verdicts().any(|verdict| verdict == Verdict::SourcePanicked) {
            return Some(true);
        }
        verdicts().any(was_run).then_some(false)
    }

    /// The inputs of the whole log that a region is wrong about.
    fn exceptions(&self, region: &Region) -> Exceptions {
        let found: Mutex<Exceptions> = Mutex::default();
        self.cleaned.for_each_sound_row(self.campaign, |row, identity| {
            if let Some(panics) = self.panics(row).filter(|&panics| region.has(row) != panics) {
                found.lock().unwrap_or_else(PoisonError::into_inner).add(row, identity, panics);
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// On how many distinct inputs that have rows the function was run.
    fn runs(&self) -> u64 {
        self.most(|verdict| was_run(verdict) || verdict == Verdict::SourcePanicked)
    }

    /// On how many of these it panicked.
    fn panicking(&self) -> u64 {
        self.most(|verdict| verdict == Verdict::SourcePanicked)
    }

    /// How many distinct inputs that have rows have such a verdict, in the cell that has the most.
    fn most(&self, is_it: impl Fn(Verdict) -> bool) -> u64 {
        let counts = self.cells.iter().filter_map(|&cell| self.cleaned.cells.get(cell));
        let of_cell = |kept: Counts| Verdict::ALL.into_iter().filter(|&it| is_it(it)).map(|it| kept.of(it)).sum();
        counts.map(|counts| of_cell(counts.distinct.kept)).max().unwrap_or(0)
    }
}

fn was_run(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Held | Verdict::Violated | Verdict::FollowUpPanicked | Verdict::Incomparable)
}
