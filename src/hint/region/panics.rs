//! Which inputs a function panics on, whatever their role: no relation is needed to see it.

use super::{Region, cells_of, points::Points};
use crate::{
    Verdict,
    clean::Cleaned,
    explain::{AllExplained, explain_labels, usable},
    feature::{Frame, Scope},
    log::Row,
};
use std::sync::Arc;

/// How many rows with follow-ups are looked at: more tell no more.
const MOST_ROWS: usize = 1 << 12;

/// When a function panics.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panics {
    pub(crate) region: String,
    /// Inputs that were looked at.
    pub(crate) checked: u64,
    /// Inputs that it panics on outside, and that it does not panic on inside.
    pub(crate) wrong: u64,
}

/// When each function panics, if it does and a condition tells.
pub(in crate::hint) fn of_panics(cleaned: &Cleaned, explained: &AllExplained) -> Vec<Option<Panics>> {
    (0..cleaned.header.functions.len()).map(|function| of_function(cleaned, explained, function)).collect()
}

fn of_function(cleaned: &Cleaned, explained: &AllExplained, function: usize) -> Option<Panics> {
    let cells: Vec<usize> = cells_of(cleaned, function).map(|(cell, _)| cell).collect();
    let seen = |verdict| cells_of(cleaned, function).any(|(_, counts)| counts.of(verdict) > 0);
    if seen(Verdict::SourcePanicked) {
        let rows = usable(cleaned);
        let labels: Vec<Option<bool>> = rows.iter().map(|row| panics_as_source(row, &cells)).collect();
        return told(&explained.frame, &rows, &labels);
    }
    // Transformations lead where no source is.
    seen(Verdict::FollowUpPanicked).then_some(())?;
    let detailed = cleaned.working.iter().filter(|row| row.detail.is_some() && row.death.is_none());
    let points = Points::of(cleaned, &cells, detailed.take(MOST_ROWS));
    let rows: Vec<&Row> = points.rows.iter().collect();
    told(&Arc::new(Frame::new(&rows, &cleaned.header, Scope::Input)), &rows, &points.panics)
}

/// Whether the function panics on a row's source; nothing if it was not run.
fn panics_as_source(row: &Row, cells: &[usize]) -> Option<bool> {
    let verdicts = || cells.iter().filter_map(|&cell| row.verdict(cell));
    let was_run = |verdict: Verdict| {
        matches!(verdict, Verdict::Held | Verdict::Violated | Verdict::FollowUpPanicked | Verdict::Incomparable)
    };
    if verdicts().any(|verdict| verdict == Verdict::SourcePanicked) {
        return Some(true);
    }
    verdicts().any(was_run).then_some(false)
}

fn told(frame: &Arc<Frame>, rows: &[&Row], labels: &[Option<bool>]) -> Option<Panics> {
    let found = explain_labels(frame, labels);
    let region = Region::new(found.condition()?.clone(), frame);
    let labelled = rows.iter().zip(labels).filter_map(|(row, label)| Some((row, (*label)?)));
    let (mut checked, mut wrong) = (0, 0);
    for (row, panics) in labelled {
        checked += 1;
        wrong += u64::from(region.has(row) != panics);
    }
    Some(Panics { region: region.text, checked, wrong })
}
