//! Violations of two relations that have one cause: a region of inputs where the function itself is off shows in every
//! relation that touches it, from whichever side.

use super::point;
use crate::{
    Verdict,
    clean::Cleaned,
    explain::{AllExplained, Condition, explain_labels, usable},
    feature::{Frame, Literal, Look, Scope},
    log::{Check, Row},
    mine::condition::When,
};

/// How many rows of either verdict a region is held against.
const MOST_ROWS: usize = 512;
/// How many terms of a condition are looked at on their own.
const MOST_TERMS: usize = 8;
/// Violations coincide if they do so this much more often than by chance.
const MUCH: f64 = 2.0;
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

/// A set of inputs, whatever their role.
struct Region<'frame> {
    condition: Condition,
    frame: &'frame Frame,
    text: String,
}

impl<'frame> Region<'frame> {
    fn new(condition: Condition, frame: &'frame Frame) -> Self {
        let text = condition.write(frame, &[]).0;
        Self { condition, frame, text }
    }

    /// A condition over inputs, each of its terms, and each literal: what one relation shows may be the region of a cause
    /// that the condition describes in both of its roles.
    fn all_in(condition: &Condition, frame: &'frame Frame) -> Vec<Self> {
        if condition.scope != Scope::Input {
            return Vec::new();
        }
        let made_of = |terms: Vec<Vec<Literal>>| {
            let condition = Condition { when: When::Violated, terms, ..condition.clone() };
            Self::new(condition, frame)
        };
        let opposite = |literal: &Literal| Literal { is_true: !literal.is_true, ..literal.clone() };
        let mut regions = vec![Self::new(condition.clone(), frame)];
        for term in condition.terms.iter().take(MOST_TERMS) {
            regions.push(made_of(vec![term.clone()]));
            for literal in term {
                regions.extend([literal.clone(), opposite(literal)].map(|literal| made_of(vec![vec![literal]])));
            }
        }
        regions
    }

    /// Whether fewer inputs are inside than outside: else the outside is the odd one.
    fn is_small(&self, rows: &[Row]) -> bool {
        let some = &rows[..rows.len().min(MOST_ROWS)];
        2 * some.iter().filter(|row| self.has(row)).count() < some.len()
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
            Some(Region::all_in(&written.condition, &written.frame))
        };
        let joint = joint_regions(cleaned, explained, &cells);
        let mut regions: Vec<Region<'_>> = cells.iter().filter_map(of_cell).flatten().chain(joint).collect();
        regions.sort_by(|one, other| (one.text.len(), &one.text).cmp(&(other.text.len(), &other.text)));
        regions.dedup_by(|one, other| one.text == other.text);
        for region in regions.into_iter().filter(|region| region.is_small(&cleaned.working)) {
            consider(cleaned, &region, &cells, &mut best);
        }
    }
    best
}

/// Where an input violates two relations at once: a region that shows in both of its roles is hard to see in either cell
/// alone.
fn joint_regions<'frame>(cleaned: &Cleaned, explained: &'frame AllExplained, cells: &[usize]) -> Vec<Region<'frame>> {
    // An input that violates one relation alone may be innocent, and its follow-up to blame.
    let label = |row: &&Row| {
        let verdicts = || cells.iter().filter_map(|&cell| row.verdict(cell));
        let count = |wanted: Verdict| verdicts().filter(|&verdict| verdict == wanted).count();
        let (violated, held) = (count(Verdict::Violated), count(Verdict::Held));
        (violated + held > 1).then_some(violated > 1)
    };
    let labels: Vec<Option<bool>> = usable(cleaned).iter().map(label).collect();
    let found = explain_labels(&explained.frame, &labels);
    found.condition().map_or_else(Vec::new, |condition| Region::all_in(condition, &explained.frame))
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
        let rows = cleaned.working.iter().filter(move |row| row.verdict(cell) == Some(verdict));
        rows.filter(|row| row.detail.is_some()).take(MOST_ROWS).map(move |row| (row, verdict == Verdict::Violated))
    };
    with(Verdict::Violated).chain(with(Verdict::Held))
}

/// The relation of the same function whose violations coincide most with a cell's own.
pub(super) fn overlap(cleaned: &Cleaned, cell: usize) -> Option<Overlap> {
    let function = cleaned.header.cells.get(cell)?.0.into();
    let others = mixed_cells(cleaned, function).filter(|&other| other != cell);
    let overlaps = others.filter_map(|other| overlap_with(cleaned, cell, other)).filter(|found| found.lift >= MUCH);
    overlaps.max_by(|one, other| one.lift.total_cmp(&other.lift))
}

fn overlap_with(cleaned: &Cleaned, cell: usize, other: usize) -> Option<Overlap> {
    let (mut both, mut own, mut others, mut all, mut rows) = (0.0, 0.0, 0.0, 0.0, 0);
    for (row, weight) in cleaned.working.iter().zip(&cleaned.stands_for) {
        let is_violated = |cell: usize| match row.verdict(cell) {
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
