//! Violations of two relations that have one cause: a region of inputs where the function itself is off shows in every
//! relation that touches it, from whichever side.

use super::point;
use crate::{
    Verdict,
    clean::Cleaned,
    explain::{AllExplained, Written},
    feature::{Look, Scope},
    log::{Check, Row},
};

/// How many rows of either verdict a region is held against.
const MOST_ROWS: usize = 512;
/// So few violated rows show no shared cause.
const LEAST: u64 = 4;

/// How a cell's violations follow from a region of the function's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The source is inside.
    Source,
    /// A follow-up is inside.
    FollowUp,
    /// One of both is inside, or both.
    Either,
    /// Just one of both is inside.
    One,
}

impl Role {
    const ALL: [Self; 4] = [Self::Source, Self::FollowUp, Self::One, Self::Either];

    fn says(self, source: bool, follow_up: bool) -> bool {
        match self {
            Self::Source => source,
            Self::FollowUp => follow_up,
            Self::Either => source || follow_up,
            Self::One => source != follow_up,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Source => "when the source is there",
            Self::FollowUp => "when the follow-up is there",
            Self::Either => "when the source or the follow-up is there",
            Self::One => "when just one of source and follow-up is there",
        }
    }
}

/// A region of a function's inputs that explains the violations of several relations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    /// The region.
    pub(crate) region: String,
    /// The cell whose condition it is.
    pub(crate) of: usize,
    /// All cells that it explains without exception.
    pub(crate) cells: Vec<(usize, Role)>,
}

/// How often a cell is violated together with another one of its function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Overlap {
    pub(crate) other: usize,
    /// The share of this cell's violations in which the other is violated too.
    pub(crate) share: f64,
    /// How much more often that is than if they had nothing to do with each other.
    pub(crate) lift: f64,
}

/// The best shared cause of every cell.
pub(super) fn causes(cleaned: &Cleaned, explained: &AllExplained) -> Vec<Option<Cause>> {
    let count = cleaned.header.cells.len();
    let mut best: Vec<Option<Cause>> = vec![None; count];
    for of in 0..count {
        let Some(written) = region(explained, of) else { continue };
        let cells: Vec<(usize, Role)> =
            siblings(cleaned, of).filter_map(|cell| role(cleaned, written, cell).map(|role| (cell, role))).collect();
        if cells.len() < 2 {
            continue;
        }
        let cause = Cause { region: written.violated_when.clone(), of, cells };
        for &(cell, _) in &cause.cells {
            let is_better = best[cell].as_ref().is_none_or(|known| quality(&cause) > quality(known));
            if is_better {
                best[cell] = Some(cause.clone());
            }
        }
    }
    best
}

/// More cells first, then the shorter text.
fn quality(cause: &Cause) -> (usize, std::cmp::Reverse<usize>) {
    (cause.cells.len(), std::cmp::Reverse(cause.region.len()))
}

/// A condition over inputs that could be a region of the function's inputs.
fn region(explained: &AllExplained, cell: usize) -> Option<&Written> {
    let written = explained.cells.get(cell)?.written.as_ref()?;
    (written.condition.scope == Scope::Input && explained.cells[cell].explained.is_exact()).then_some(written)
}

/// The cells of the same function that were held and violated.
fn siblings(cleaned: &Cleaned, cell: usize) -> impl Iterator<Item = usize> {
    let function = cleaned.header.cells[cell].0;
    let cells = cleaned.header.cells.iter().enumerate();
    cells.filter(move |(_, other)| other.0 == function).map(|(cell, _)| cell).filter(|&cell| {
        let counts = cleaned.cells.get(cell).map(|counts| counts.distinct.counts).unwrap_or_default();
        counts.is_seen_both_ways()
    })
}

/// How a region explains a cell, if it does so without exception.
fn role(cleaned: &Cleaned, written: &Written, cell: usize) -> Option<Role> {
    let mut possible = Role::ALL.to_vec();
    let mut seen = [0u64; 2];
    for (row, is_violated) in some_rows(cleaned, cell) {
        let check = Check::new(&cleaned.header, row, cell);
        if check.follow_ups.is_empty() {
            continue;
        }
        let is_inside = |row: &Row| written.condition.is_violated(&Look::new(&written.frame, row));
        let follow_ups: Option<Vec<Row>> = check.follow_ups.iter().map(|input| point::as_row(row, input)).collect();
        let (source, follow_up) = (is_inside(row), follow_ups?.iter().any(is_inside));
        possible.retain(|role| role.says(source, follow_up) == is_violated);
        if possible.is_empty() {
            return None;
        }
        seen[usize::from(is_violated)] += 1;
    }
    (seen.iter().all(|&count| count >= LEAST)).then(|| possible[0])
}

/// Rows with follow-ups of either verdict, and whether they are violated.
fn some_rows(cleaned: &Cleaned, cell: usize) -> impl Iterator<Item = (&Row, bool)> {
    let with = move |verdict: Verdict| {
        let rows = cleaned.working.iter().filter(move |row| row.verdicts.get(cell).copied().flatten() == Some(verdict));
        rows.filter(|row| row.detail.is_some()).take(MOST_ROWS).map(move |row| (row, verdict == Verdict::Violated))
    };
    with(Verdict::Violated).chain(with(Verdict::Held))
}

/// The relation of the same function whose violations coincide most with a cell's own.
pub(super) fn overlap(cleaned: &Cleaned, cell: usize) -> Option<Overlap> {
    let others = siblings(cleaned, cell).filter(|&other| other != cell);
    let overlaps = others.filter_map(|other| overlap_with(cleaned, cell, other));
    overlaps.max_by(|one, other| one.lift.total_cmp(&other.lift))
}

fn overlap_with(cleaned: &Cleaned, cell: usize, other: usize) -> Option<Overlap> {
    let (mut both, mut own, mut others, mut all, mut rows) = (0.0, 0.0, 0.0, 0.0, 0);
    for (row, weight) in cleaned.working.iter().zip(&cleaned.stands_for) {
        let is_violated = |cell: usize| match row.verdicts.get(cell).copied().flatten() {
            Some(Verdict::Violated) => Some(true),
            Some(Verdict::Held) => Some(false),
            _ => None,
        };
        let Some((one, two)) = is_violated(cell).zip(is_violated(other)) else { continue };
        all += weight;
        own += if one { *weight } else { 0.0 };
        others += if two { *weight } else { 0.0 };
        both += if one && two { *weight } else { 0.0 };
        rows += u64::from(one && two);
    }
    (rows >= LEAST && own > 0.0 && others > 0.0).then(|| {
        let share = both / own;
        Overlap { other, share, lift: share * all / others }
    })
}
