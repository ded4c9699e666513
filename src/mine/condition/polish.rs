//! One change at a time to a model, each judged on all rows: drop, exchange or add an item, drop or add a term.

use super::{
    data::{Counts, Data, Rows, Term},
    model::{Model, Objective},
    search::Size,
};

/// How many changes in a row are tried.
const STEPS: usize = 8;
/// How many changes that look better are asked whether flips account for their exceptions.
const ASKED: usize = 16;

/// The model after every change that shortens it.
pub fn polish(data: &Data<'_>, everything: &Rows, objective: &Objective<'_>, model: Model, size: Size) -> Model {
    let mut model = model;
    for _ in 0..STEPS {
        match step(data, everything, objective, &model, size) {
            Some(better) if !data.is_spent() => model = better,
            _ => break,
        }
    }
    model
}

fn step(data: &Data<'_>, all: &Rows, objective: &Objective<'_>, model: &Model, size: Size) -> Option<Model> {
    let mut moves = Moves { objective, model, size, better: Vec::new() };
    for place in 0..model.terms.len() {
        let others = model.terms.iter().enumerate().filter(|&(other, _)| other != place).map(|(_, term)| term);
        let rows = data.without(all, others);
        moves.change(data, &rows, place);
    }
    if model.terms.len() < size.terms && model.literals() < size.literals {
        moves.lengthen(data, &data.without(all, &model.terms));
    }
    moves.better.sort_by(|left, right| objective.compare(left, right));
    let is_pure = |term: &Term| model.terms.contains(term) || data.count_pure(all, term).is_some();
    moves.better.into_iter().take(ASKED).find(|better| better.terms.iter().all(is_pure))
}

struct Moves<'a> {
    objective: &'a Objective<'a>,
    model: &'a Model,
    size: Size,
    better: Vec<Model>,
}

impl Moves<'_> {
    fn offer(&mut self, terms: Vec<Term>, inside: Counts) {
        let model = self.objective.model(terms, inside);
        if model.terms.len() > self.size.terms || model.literals() > self.size.literals {
            return;
        }
        if self.objective.compare(&model, self.model).is_lt() {
            self.better.push(model);
        }
    }

    /// What is covered when these rows are left over.
    fn covered_without(&self, rows: &Rows) -> Counts {
        let (total, left) = (self.objective.total, rows.count());
        (total.0 - left.0, total.1 - left.1)
    }

    /// Offers every item as a further term, given the rows that no term covers.
    fn lengthen(&mut self, data: &Data<'_>, rows: &Rows) {
        let covered = self.covered_without(rows);
        for (item, counts) in data.tally(rows).into_iter().enumerate() {
            let terms = self.model.terms.iter().cloned().chain([vec![item]]).collect();
            self.offer(terms, (covered.0 + counts.0, covered.1 + counts.1));
        }
    }

    /// Offers all changes to one term, given the rows that no other term covers.
    fn change(&mut self, data: &Data<'_>, rows: &Rows, place: usize) {
        let base = self.covered_without(rows);
        let term = &self.model.terms[place];
        let plus = |counts: Counts| (base.0 + counts.0, base.1 + counts.1);
        let with = |new: Option<Term>| {
            let mut terms = self.model.terms.clone();
            match new {
                Some(new) => terms[place] = new,
                None => _ = terms.remove(place),
            }
            terms
        };
        let mut offers = vec![(with(None), base)];
        let mut shorter: Vec<Term> = (0..term.len()).map(|literal| without(term, literal)).collect();
        if term.len() < self.size.depth && self.model.literals() < self.size.literals {
            shorter.push(term.clone());
        }
        for rest in shorter {
            let inside = data.with(rows, &rest);
            if !rest.is_empty() && rest.len() < term.len() {
                offers.push((with(Some(rest.clone())), plus(inside.count())));
            }
            for (item, counts) in data.tally(&inside).into_iter().enumerate() {
                if !rest.contains(&item) {
                    let mut longer = rest.clone();
                    longer.push(item);
                    longer.sort_unstable();
                    offers.push((with(Some(longer)), plus(counts)));
                }
            }
        }
        offers.into_iter().for_each(|(terms, inside)| self.offer(terms, inside));
    }
}

fn without(term: &[usize], literal: usize) -> Term {
    term.iter().enumerate().filter(|&(place, _)| place != literal).map(|(_, &item)| item).collect()
}
