//! Violations of several relations that have one cause: a region of inputs where the function itself is off shows in every
//! relation that touches it, from whichever side.

use super::{MOST_ROWS, Region, Role, cells_of, search};
use crate::{
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
/// How often regions are looked for again, with checks that those found before are wrong about.
const ROUNDS: usize = 3;
/// How many such checks a cell adds.
const MORE_ROWS: usize = 64;

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
        of_function(cleaned, explained, cells, &mut causes);
    }
    causes
}

/// Regions are found on a few checks and held against all there are; where one is wrong, they are looked for again with
/// those checks as well.
fn of_function(cleaned: &Cleaned, explained: &AllExplained, cells: Vec<usize>, causes: &mut [Option<Cause>]) {
    let mut sample = Sample { cleaned, wrong: Vec::new() };
    for round in 0..=ROUNDS {
        let candidates = candidates(&sample, explained, &cells);
        let chosen: Vec<(usize, usize)> =
            cells.iter().filter_map(|&cell| Some((cell, best(&candidates, cell)?))).collect();
        let mut distinct: Vec<usize> = chosen.iter().map(|&(_, candidate)| candidate).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let wrong = in_parallel(distinct.clone(), |candidate| candidates[candidate].exceptions(cleaned));
        if round == ROUNDS || wrong.iter().all(Vec::is_empty) {
            for (cell, candidate) in chosen {
                let is_right =
                    distinct.iter().zip(&wrong).any(|(&known, wrong)| known == candidate && wrong.is_empty());
                causes[cell] = is_right.then(|| candidates[candidate].cause.clone());
            }
            return;
        }
        sample.wrong.extend(wrong.into_iter().flatten());
    }
}

/// The checks that regions are looked for in.
struct Sample<'rows> {
    cleaned: &'rows Cleaned,
    /// What earlier regions were wrong about.
    wrong: Vec<&'rows Row>,
}

impl<'rows> Sample<'rows> {
    /// Rows with follow-ups of either verdict, and whether they are violated.
    fn rows(&self, cell: usize) -> impl Iterator<Item = (&'rows Row, bool)> {
        let few = move |is_violated: bool| {
            let is_wanted = move |(row, violated): &(&Row, bool)| row.detail.is_some() && *violated == is_violated;
            judged(self.cleaned, cell).filter(is_wanted).take(MOST_ROWS)
        };
        let wrong = self.wrong.iter().filter_map(move |row| Some((*row, row.is_violated(cell)?)));
        few(true).chain(few(false)).chain(wrong)
    }
}

/// All rows that held or were violated in a cell.
fn judged(cleaned: &Cleaned, cell: usize) -> impl Iterator<Item = (&Row, bool)> {
    cleaned.working.iter().filter_map(move |row| Some((row, row.is_violated(cell)?)))
}

/// All regions that explain some of a function's cells, the shortest first.
fn candidates(sample: &Sample<'_>, explained: &AllExplained, cells: &[usize]) -> Vec<Candidate> {
    let regions = in_parallel(cells.to_vec(), |cell| {
        let searched = search::regions(sample.cleaned, cell, sample.rows(cell).map(|(row, _)| row));
        of_condition(explained, cell).into_iter().chain(searched).collect::<Vec<_>>()
    });
    let mut regions: Vec<Region> =
        regions.into_iter().flatten().map(|region| region.smaller(&sample.cleaned.working)).collect();
    regions.sort_by(|one, other| (one.text.len(), &one.text).cmp(&(other.text.len(), &other.text)));
    regions.dedup_by(|one, other| one.text == other.text);
    regions.into_iter().filter_map(|region| Candidate::new(sample, region, cells)).collect()
}

/// What a cell's own condition is made of.
fn of_condition(explained: &AllExplained, cell: usize) -> Vec<Region> {
    let written = explained.cells.get(cell).and_then(|cell| cell.written.as_ref());
    written.map_or_else(Vec::new, |written| Region::all_in(&written.condition, &written.frame))
}

/// A region, and what it explains.
struct Candidate {
    region: Region,
    cause: Cause,
    /// Which of the inputs of each cell are inside, in the order of the cause's cells.
    inside: Vec<Vec<bool>>,
}

impl Candidate {
    /// Nothing if it explains no cell, or one cell in one role: that is no more than a condition.
    fn new(sample: &Sample<'_>, region: Region, cells: &[usize]) -> Option<Self> {
        let explained = cells.iter().filter_map(|&cell| Some((cell, role(sample, &region, cell)?)));
        let (cells, inside): (Vec<_>, Vec<_>) = explained.map(|(cell, (role, inside))| ((cell, role), inside)).unzip();
        let is_cause = cells.len() > 1 || cells.iter().any(|(_, role): &(_, Role)| role.is_symmetric());
        let cause = Cause { region: region.text.clone(), cells };
        is_cause.then_some(Self { region, cause, inside })
    }

    /// Some of the checks that it is wrong about, in any cell that it should explain.
    fn exceptions<'rows>(&self, cleaned: &'rows Cleaned) -> Vec<&'rows Row> {
        let of_cell = |&(cell, role): &(usize, Role)| {
            let can_tell = move |(row, _): &(&Row, bool)| row.detail.is_some() || role.says(true, None).is_some();
            let is_wrong = move |(row, is_violated): &(&'rows Row, bool)| {
                let (source, follow_up) = self.region.sides(cleaned, row, cell);
                role.says(source, follow_up) == Some(!is_violated)
            };
            judged(cleaned, cell).filter(can_tell).filter(is_wrong).take(MORE_ROWS).map(|(row, _)| row)
        };
        self.cause.cells.iter().flat_map(of_cell).collect()
    }

    /// Which inputs of a cell are inside, if it explains that.
    fn inside(&self, cell: usize) -> Option<&Vec<bool>> {
        let position = self.cause.cells.iter().position(|(explained, _)| *explained == cell)?;
        self.inside.get(position)
    }

    /// More cells are better, then more that do not depend on the role, and then fewer literals.
    fn quality(&self) -> (usize, usize, Reverse<usize>) {
        let symmetric = self.cause.cells.iter().filter(|(_, role)| role.is_symmetric()).count();
        (self.cause.cells.len(), symmetric, Reverse(self.region.condition.literals()))
    }
}

/// The position of the best cause of a cell; nothing if several are as good and name different inputs: then the checks do
/// not tell.
fn best(candidates: &[Candidate], cell: usize) -> Option<usize> {
    let explaining = || {
        let all = candidates.iter().enumerate();
        all.filter_map(|(position, candidate)| Some((position, candidate, candidate.inside(cell)?)))
    };
    let quality = explaining().map(|(_, candidate, _)| candidate.quality()).max()?;
    let mut equals = explaining().filter(|(_, candidate, _)| candidate.quality() == quality);
    let (first, _, inside) = equals.next()?;
    equals.all(|(_, _, other)| other == inside).then_some(first)
}

/// The cells of a function that were held and violated.
fn mixed_cells(cleaned: &Cleaned, function: usize) -> impl Iterator<Item = usize> {
    cells_of(cleaned, function).filter(|(_, counts)| counts.is_seen_both_ways()).map(|(cell, _)| cell)
}

/// How a region explains a cell, if it does so without exception, and which of the cell's inputs are inside.
fn role(sample: &Sample<'_>, region: &Region, cell: usize) -> Option<(Role, Vec<bool>)> {
    let mut possible = Role::ALL.to_vec();
    let mut seen = [0u64; 2];
    let mut all_inside = Vec::new();
    for (row, is_violated) in sample.rows(cell) {
        let (source, follow_up) = region.sides(sample.cleaned, row, cell);
        possible.retain(|role| role.says(source, follow_up) != Some(!is_violated));
        if possible.is_empty() {
            return None;
        }
        if let Some(follow_up) = follow_up {
            seen[usize::from(is_violated)] += 1;
            all_inside.extend([source, follow_up]);
        }
    }
    (seen.iter().all(|&count| count >= LEAST)).then(|| (possible[0], all_inside))
}

impl Region {
    /// Whether the source of a check is inside, and whether a follow-up is; nothing of these if the log has none.
    fn sides(&self, cleaned: &Cleaned, row: &Row, cell: usize) -> (bool, Option<bool>) {
        let check = Check::new(&cleaned.header, row, cell);
        let follow_ups: Option<Vec<Row>> = check.follow_ups.iter().map(|input| point::as_row(row, input)).collect();
        let follow_ups = follow_ups.filter(|follow_ups| !follow_ups.is_empty());
        (self.has(row), follow_ups.map(|follow_ups| follow_ups.iter().any(|row| self.has(row))))
    }
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
        let Some((one, two)) = row.is_violated(cell).zip(row.is_violated(other)) else { continue };
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
