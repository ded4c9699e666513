//! Of some terms, the OR that is shortest: exact, on the rows projected on which of the terms cover them.

use super::{
    data::{Counts, Data, Rows, Term},
    model::{Model, Objective},
};
use crate::mine::table::{SHARD_WORDS, Side};
use std::collections::BTreeMap;

/// How many terms a choice can be made from.
pub const POOL: usize = 64;

/// The rows that the same terms cover.
#[derive(Clone, Copy)]
struct Cell {
    terms: u64,
    counts: Counts,
}

/// The best OR of at most so many of the terms and so many items.
pub fn choose(
    data: &Data<'_>,
    everything: &Rows,
    objective: &Objective<'_>,
    pool: &[Term],
    (most_terms, most_literals): (usize, usize),
) -> Model {
    let cells = project(data, everything, pool);
    let empty = objective.model(Vec::new(), (0, 0));
    let mut choice = Choice { data, objective, pool, most_literals, best: empty };
    choice.extend(&mut Vec::new(), 0, (0, 0), &cells, most_terms);
    choice.best
}

fn project(data: &Data<'_>, everything: &Rows, pool: &[Term]) -> Vec<Cell> {
    let mut cells: BTreeMap<u64, Counts> = BTreeMap::new();
    let named: Vec<_> = pool.iter().map(|term| data.vocabulary.named(term)).collect();
    data.spend((everything.ones.len() + everything.others.len()) * (2 + pool.len()));
    patterns(data.ones, &everything.ones, &named, |terms, rows| cells.entry(terms).or_default().0 += rows);
    patterns(data.others, &everything.others, &named, |terms, rows| cells.entry(terms).or_default().1 += rows);
    cells.into_iter().filter(|&(terms, _)| terms != 0).map(|(terms, counts)| Cell { terms, counts }).collect()
}

/// Tells which terms cover how many rows, in pieces.
fn patterns(side: &Side, mask: &[u64], pool: &[Vec<usize>], mut tell: impl FnMut(u64, u64)) {
    let mut covered = vec![[0; SHARD_WORDS]; pool.len()];
    for (part, shard) in mask.chunks(SHARD_WORDS).zip(&side.shards) {
        for (rows, term) in covered.iter_mut().zip(pool) {
            rows.copy_from_slice(part);
            term.iter().for_each(|&item| super::bits::keep(rows, shard.column(item)));
        }
        for word in 0..SHARD_WORDS {
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
}

struct Choice<'a> {
    data: &'a Data<'a>,
    objective: &'a Objective<'a>,
    pool: &'a [Term],
    most_literals: usize,
    best: Model,
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
        }
    }
}

fn covered(cells: &[Cell], place: usize) -> Counts {
    let covered = cells.iter().filter(|cell| cell.terms >> place & 1 == 1);
    covered.fold((0, 0), |sum, cell| (sum.0 + cell.counts.0, sum.1 + cell.counts.1))
}
