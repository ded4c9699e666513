//! Of some terms, the OR that is shortest: exact, on the rows projected on which of the terms cover them.

use super::{
    data::{Counts, Data, Rows, Term},
    model::{Model, Objective},
    sample::Matrix,
};
use crate::mine::table::{SHARD_WORDS, Side};
use std::collections::BTreeMap;

/// How many terms a choice can be made from.
pub const POOL: usize = 64;

/// On many rows, how many terms are left when all rows are projected.
const SHORTLIST: usize = 16;

/// The rows that the same terms cover.
#[derive(Clone, Copy)]
struct Cell {
    terms: u64,
    counts: Counts,
}

/// The best OR of at most so many of the terms and so many items.
///
/// On many rows, the sample says first which terms are worth the projection of all rows, besides those that `kept`
/// names: it may have no row of a rare one.
pub fn choose(
    data: &Data<'_>,
    everything: &Rows,
    objective: &Objective<'_>,
    (pool, kept): (&[Term], &[Term]),
    most: (usize, usize),
) -> Model {
    let is_large = objective.total.0 + objective.total.1 > 4 * (data.drawn.0.rows + data.drawn.1.rows) as u64;
    if is_large && pool.len() > SHORTLIST {
        let mut seen = best_of(data, objective, pool, project_sample(data, objective, pool), most).1;
        seen.retain(|term| !kept.contains(term));
        let pool: Vec<Term> = kept.iter().cloned().chain(seen).take(SHORTLIST).collect();
        let cells = project(data, everything, &pool);
        return best_of(data, objective, &pool, cells, most).0;
    }
    best_of(data, objective, pool, project(data, everything, pool), most).0
}

/// The best OR, and the terms of all that were best for a while, the last first.
fn best_of(
    data: &Data<'_>,
    objective: &Objective<'_>,
    pool: &[Term],
    cells: Vec<Cell>,
    (most_terms, most_literals): (usize, usize),
) -> (Model, Vec<Term>) {
    let empty = objective.model(Vec::new(), (0, 0));
    let mut choice = Choice { data, objective, pool, most_literals, best: empty, seen: Vec::new() };
    choice.extend(&mut Vec::new(), 0, (0, 0), &cells, most_terms);
    let mut shortlist: Vec<Term> = Vec::new();
    for &place in choice.seen.iter().rev() {
        if !shortlist.contains(&pool[place]) {
            shortlist.push(pool[place].clone());
        }
    }
    (choice.best, shortlist)
}

type Cells = BTreeMap<u64, Counts>;

fn listed(cells: Cells) -> Vec<Cell> {
    cells.into_iter().filter(|&(terms, _)| terms != 0).map(|(terms, counts)| Cell { terms, counts }).collect()
}

fn project(data: &Data<'_>, everything: &Rows, pool: &[Term]) -> Vec<Cell> {
    let mut cells = Cells::new();
    let named: Vec<_> = pool.iter().map(|term| data.vocabulary.named(term)).collect();
    data.spend((everything.ones.len() + everything.others.len()) * (2 + pool.len()));
    project_side(data.ones, &everything.ones, &named, |terms, rows| cells.entry(terms).or_default().0 += rows);
    project_side(data.others, &everything.others, &named, |terms, rows| cells.entry(terms).or_default().1 += rows);
    listed(cells)
}

fn project_side(side: &Side, mask: &[u64], pool: &[Vec<usize>], mut tell: impl FnMut(u64, u64)) {
    let mut covered = vec![Vec::new(); pool.len()];
    for (part, shard) in mask.chunks(SHARD_WORDS).zip(&side.shards) {
        for (rows, term) in covered.iter_mut().zip(pool) {
            rows.clear();
            rows.extend_from_slice(part);
            term.iter().for_each(|&item| super::bits::keep(rows, shard.column(item)));
        }
        patterns(&covered, &mut tell);
    }
}

/// The same on the sampled rows, each counted as often as the rows it stands for.
fn project_sample(data: &Data<'_>, objective: &Objective<'_>, pool: &[Term]) -> Vec<Cell> {
    let mut cells = Cells::new();
    let (ones, others) = data.drawn;
    let covered = |matrix: &Matrix| pool.iter().map(|term| matrix.with(term, usize::MAX)).collect::<Vec<_>>();
    patterns(&covered(ones), |terms, rows| cells.entry(terms).or_default().0 += rows);
    patterns(&covered(others), |terms, rows| cells.entry(terms).or_default().1 += rows);
    data.spend((ones.stride() + others.stride()) * pool.len() * 4);
    // Rounded down, so that sums stay within the total.
    let scaled = |count: u64, total: u64, rows: usize| count * total / rows.max(1) as u64;
    let (total_ones, total_others) = objective.total;
    for counts in cells.values_mut() {
        *counts = (scaled(counts.0, total_ones, ones.rows), scaled(counts.1, total_others, others.rows));
    }
    listed(cells)
}

/// Tells which terms cover how many rows, in pieces, given the rows of each.
fn patterns(covered: &[Vec<u64>], mut tell: impl FnMut(u64, u64)) {
    for word in 0..covered.first().map_or(0, Vec::len) {
        let mut left = covered.iter().fold(0, |any, rows| any | rows[word]);
        while left != 0 {
            let row = left.trailing_zeros();
            let (mut same, mut terms) = (left, 0);
            for (place, rows) in covered.iter().enumerate() {
                let bit = rows[word] >> row & 1;
                terms |= bit << place;
                same &= if bit == 1 { rows[word] } else { !rows[word] };
            }
            tell(terms, u64::from(same.count_ones()));
            left &= !same;
        }
    }
}

struct Choice<'a> {
    data: &'a Data<'a>,
    objective: &'a Objective<'a>,
    pool: &'a [Term],
    most_literals: usize,
    best: Model,
    /// The places of all terms that were in the best so far, in that order.
    seen: Vec<usize>,
}

impl Choice<'_> {
    /// Tries every further term; `cells` are those not covered yet.
    fn extend(&mut self, chosen: &mut Vec<usize>, from: usize, inside: Counts, cells: &[Cell], more: usize) {
        self.consider(chosen, inside);
        if more == 0 || !self.data.spend(cells.len()) {
            return;
        }
        let literals: usize = chosen.iter().map(|&place| self.pool[place].len()).sum();
        let additions: Vec<Counts> = (from..self.pool.len()).map(|place| covered(cells, place)).collect();
        let most = additions.iter().map(|addition| addition.0).max().unwrap_or(0);
        // No choice of the rest adds more ones than the largest addition as often as there is room.
        let reachable = (inside.0 + most * more as u64).min(self.objective.total.0);
        for (place, addition) in (from..).zip(additions) {
            let longer = literals + self.pool[place].len();
            let with = (inside.0 + addition.0, inside.1 + addition.1);
            let at_best = self.objective.bits((reachable.max(with.0), with.1), longer);
            if addition.0 == 0 || longer > self.most_literals || at_best > self.best.bits + 1e-6 {
                continue;
            }
            let rest: Vec<Cell> = cells.iter().copied().filter(|cell| cell.terms >> place & 1 == 0).collect();
            chosen.push(place);
            self.extend(chosen, place + 1, with, &rest, more - 1);
            chosen.pop();
        }
    }

    fn consider(&mut self, chosen: &[usize], inside: Counts) {
        let terms = chosen.iter().map(|&place| self.pool[place].clone()).collect();
        let model = self.objective.model(terms, inside);
        if self.objective.compare(&model, &self.best).is_lt() {
            self.best = model;
            self.seen.extend(chosen);
        }
    }
}

fn covered(cells: &[Cell], place: usize) -> Counts {
    let covered = cells.iter().filter(|cell| cell.terms >> place & 1 == 1);
    covered.fold((0, 0), |sum, cell| (sum.0 + cell.counts.0, sum.1 + cell.counts.1))
}
