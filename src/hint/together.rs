//! Violations of two relations that have one cause: a region of inputs where the function itself is off shows in every
//! relation that touches it, from whichever side.

use super::point;
use crate::{
    Verdict,
    clean::Cleaned,
    explain::{AllExplained, Condition, explain_labels, usable},
    feature::{Frame, Look, Scope},
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
    pub(crate) region: String,
    /// All cells that it explains without exception.
    pub(crate) cells: Vec<(usize, Role)>,
}

/// A condition over inputs, whatever their role.
struct Region<'frame> {
    condition: Condition,
    frame: &'frame Frame,
    text: String,
}

impl<'frame> Region<'frame> {
    fn new(condition: &Condition, frame: &'frame Frame) -> Option<Self> {
        let is_region = condition.scope == Scope::Input && condition.is_exact();
        is_region.then(|| Self { condition: condition.clone(), frame, text: condition.write(frame, &[]).0 })
    }

    fn has(&self, row: &Row) -> bool {
        self.condition.is_violated(&Look::new(self.frame, row))
    }
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
    let mut best: Vec<Option<Cause>> = vec![None; cleaned.header.cells.len()];
    for function in 0..cleaned.header.functions.len() {
        let cells: Vec<usize> = mixed_cells(cleaned, function).collect();
        if cells.len() < 2 {
            continue;
        }
        let of_cell = |&cell: &usize| {
            let written = explained.cells.get(cell)?.written.as_ref()?;
            Region::new(&written.condition, &written.frame)
        };
        let regions = cells.iter().filter_map(of_cell).chain(joint_region(cleaned, explained, &cells));
        for region in regions {
            consider(cleaned, &region, &cells, &mut best);
        }
    }
    best
}

/// Where an input violates two relations at once: a region that shows in both of its roles is hard to see in either cell
/// alone.
fn joint_region<'frame>(cleaned: &Cleaned, explained: &'frame AllExplained, cells: &[usize]) -> Option<Region<'frame>> {
    let label = |row: &&Row| {
        let verdicts = || cells.iter().filter_map(|&cell| row.verdicts.get(cell).copied().flatten());
        match verdicts().filter(|&verdict| verdict == Verdict::Violated).count() {
            0 => verdicts().any(|verdict| verdict == Verdict::Held).then_some(false),
            1 => None,
            _ => Some(true),
        }
    };
    let labels: Vec<Option<bool>> = usable(cleaned).iter().map(label).collect();
    let found = explain_labels(&explained.frame, &labels);
    found.condition().and_then(|condition| Region::new(condition, &explained.frame))
}

/// Takes a region as the cause of all cells that it explains, unless they have a better one.
fn consider(cleaned: &Cleaned, region: &Region<'_>, cells: &[usize], best: &mut [Option<Cause>]) {
    let explains = |&cell: &usize| role(cleaned, region, cell).map(|role| (cell, role));
    let cause = Cause { region: region.text.clone(), cells: cells.iter().filter_map(explains).collect() };
    if cause.cells.len() < 2 {
        return;
    }
    for &(cell, _) in &cause.cells {
        if best[cell].as_ref().is_none_or(|known| quality(&cause) > quality(known)) {
            best[cell] = Some(cause.clone());
        }
    }
}

/// More cells first, then the shorter text.
fn quality(cause: &Cause) -> (usize, std::cmp::Reverse<usize>) {
    (cause.cells.len(), std::cmp::Reverse(cause.region.len()))
}

/// The cells of a function that were held and violated.
fn mixed_cells(cleaned: &Cleaned, function: usize) -> impl Iterator<Item = usize> {
    let cells = cleaned.header.cells.iter().enumerate();
    cells.filter(move |(_, cell)| usize::from(cell.0) == function).map(|(cell, _)| cell).filter(|&cell| {
        let counts = cleaned.cells.get(cell).map(|counts| counts.distinct.counts).unwrap_or_default();
        counts.is_seen_both_ways()
    })
}

/// How a region explains a cell, if it does so without exception.
fn role(cleaned: &Cleaned, region: &Region<'_>, cell: usize) -> Option<Role> {
    let mut possible = Role::ALL.to_vec();
    let mut seen = [0u64; 2];
    for (row, is_violated) in some_rows(cleaned, cell) {
        let check = Check::new(&cleaned.header, row, cell);
        if check.follow_ups.is_empty() {
            continue;
        }
        let follow_ups: Option<Vec<Row>> = check.follow_ups.iter().map(|input| point::as_row(row, input)).collect();
        let (source, follow_up) = (region.has(row), follow_ups?.iter().any(|row| region.has(row)));
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
    let function = cleaned.header.cells.get(cell)?.0.into();
    let others = mixed_cells(cleaned, function).filter(|&other| other != cell);
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
