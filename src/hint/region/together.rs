//! Violations of several relations that have one cause: a region of inputs where the function itself is off shows in every
//! relation that touches it, from whichever side.

use super::{MOST_ROWS, Region, Role, cells_of, search};
use crate::{
    Verdict,
    clean::Cleaned,
    explain::{AllExplained, in_parallel},
    hint::point,
    log::{Check, Row},
};
use std::cmp::Reverse;

/// Violations coincide if they do so this much more often than by chance.
const MUCH: f64 = 2.0;
/// So few violated rows show no shared cause.
const LEAST: u64 = 4;

/// A region of a function's inputs that explains the violations of one relation, or of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    pub(crate) region: String,
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

/// The best cause of every cell, shared by as many of its function's cells as can be.
pub(in crate::hint) fn causes(cleaned: &Cleaned, explained: &AllExplained) -> Vec<Option<Cause>> {
    let mut causes: Vec<Option<Cause>> = vec![None; cleaned.header.cells.len()];
    for function in 0..cleaned.header.functions.len() {
        let cells: Vec<usize> = mixed_cells(cleaned, function).collect();
        let candidates = candidates(cleaned, explained, &cells);
        cells.into_iter().for_each(|cell| causes[cell] = best(&candidates, cell));
    }
    causes
}

/// All regions that explain some of a function's cells, the shortest first.
fn candidates(cleaned: &Cleaned, explained: &AllExplained, cells: &[usize]) -> Vec<Candidate> {
    let regions = in_parallel(cells.to_vec(), |cell| {
        let searched = search::regions(cleaned, cell, some_rows(cleaned, cell).map(|(row, _)| row));
        of_condition(explained, cell).into_iter().chain(searched).collect::<Vec<_>>()
    });
    let mut regions: Vec<Region> =
        regions.into_iter().flatten().map(|region| region.smaller(&cleaned.working)).collect();
    regions.sort_by(|one, other| (one.text.len(), &one.text).cmp(&(other.text.len(), &other.text)));
    regions.dedup_by(|one, other| one.text == other.text);
    regions.iter().filter_map(|region| Candidate::new(cleaned, region, cells)).collect()
}

/// What a cell's own condition is made of.
fn of_condition(explained: &AllExplained, cell: usize) -> Vec<Region> {
    let written = explained.cells.get(cell).and_then(|cell| cell.written.as_ref());
    written.map_or_else(Vec::new, |written| Region::all_in(&written.condition, &written.frame))
}

/// A region, and what it explains.
struct Candidate {
    cause: Cause,
    literals: usize,
    /// Which of the inputs of each cell are inside, in the order of the cause's cells.
    inside: Vec<Vec<bool>>,
}

impl Candidate {
    /// Nothing if it explains no cell, or one cell in one role: that is no more than a condition.
    fn new(cleaned: &Cleaned, region: &Region, cells: &[usize]) -> Option<Self> {
        let explained = cells.iter().filter_map(|&cell| Some((cell, role(cleaned, region, cell)?)));
        let (cells, inside): (Vec<_>, Vec<_>) = explained.map(|(cell, (role, inside))| ((cell, role), inside)).unzip();
        let is_cause = cells.len() > 1 || cells.iter().any(|(_, role): &(_, Role)| role.is_symmetric());
        let cause = Cause { region: region.text.clone(), cells };
        is_cause.then_some(Self { cause, literals: region.condition.literals(), inside })
    }

    /// Which inputs of a cell are inside, if it explains that.
    fn inside(&self, cell: usize) -> Option<&Vec<bool>> {
        let position = self.cause.cells.iter().position(|(explained, _)| *explained == cell)?;
        self.inside.get(position)
    }

    /// More cells are better, then more that do not depend on the role, and then fewer literals.
    fn quality(&self) -> (usize, usize, Reverse<usize>) {
        let symmetric = self.cause.cells.iter().filter(|(_, role)| role.is_symmetric()).count();
        (self.cause.cells.len(), symmetric, Reverse(self.literals))
    }
}

/// The best cause of a cell; nothing if several are as good and name different inputs: then the checks do not tell.
fn best(candidates: &[Candidate], cell: usize) -> Option<Cause> {
    let explaining = || candidates.iter().filter_map(|candidate| Some((candidate, candidate.inside(cell)?)));
    let quality = explaining().map(|(candidate, _)| candidate.quality()).max()?;
    let mut equals = explaining().filter(|(candidate, _)| candidate.quality() == quality);
    let (first, inside) = equals.next()?;
    equals.all(|(_, other)| other == inside).then(|| first.cause.clone())
}

/// The cells of a function that were held and violated.
fn mixed_cells(cleaned: &Cleaned, function: usize) -> impl Iterator<Item = usize> {
    cells_of(cleaned, function).filter(|(_, counts)| counts.is_seen_both_ways()).map(|(cell, _)| cell)
}

/// How a region explains a cell, if it does so without exception, and which of the cell's inputs are inside.
fn role(cleaned: &Cleaned, region: &Region, cell: usize) -> Option<(Role, Vec<bool>)> {
    let mut possible = Role::ALL.to_vec();
    let mut seen = [0u64; 2];
    let mut all_inside = Vec::new();
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
        all_inside.extend([source, follow_up]);
    }
    (seen.iter().all(|&count| count >= LEAST)).then(|| (possible[0], all_inside))
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
pub(in crate::hint) fn overlap(cleaned: &Cleaned, cell: usize) -> Option<Overlap> {
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
