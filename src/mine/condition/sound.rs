//! Whether chance could explain a term, an item of a term, or what a model leaves unexplained.

use super::{
    chance::{self, ln_choose, ln_fisher},
    data::{Counts, Data, Rows, Term},
    model::{Model, Objective},
    search::LEAST_ROWS,
};

/// More bits than an item has to save: a false alarm here would take back a condition that is right.
const ALARM_BITS: f64 = 10.0;

/// How small a chance has to be, as natural logarithms: the allowed share of false findings, spread over the lengths
/// of terms (Webb's layers), over the terms of a model and the two directions, and over all terms of that length.
pub struct Critical {
    alpha: f64,
    hypotheses: u64,
}

/// A term that stood the test.
pub struct Tested {
    /// What it covers that no other term does.
    pub counts: Counts,
    /// The natural logarithm of the chance that some term of its length does as well anywhere.
    pub ln_chance: f64,
}

impl Critical {
    /// For a search among so many items, for models of such a size.
    pub fn new(alpha: f64, items: u64, depth: usize, terms: usize) -> Self {
        Self { alpha: alpha.ln() - ((2 * depth * terms) as f64).ln(), hypotheses: items }
    }

    fn is_met(&self, ln_chance: f64, literals: usize) -> bool {
        ln_chance + self.corrected(literals) <= self.alpha
    }

    /// The logarithm of the number of terms with so many items.
    fn corrected(&self, literals: usize) -> f64 {
        ln_choose(self.hypotheses, literals as u64)
    }

    /// Tests a term on the rows that no other term covers: as a whole, and each item against the term without it.
    fn test(&self, data: &Data<'_>, rows: &Rows, term: &Term) -> Option<Tested> {
        let inside = data.with(rows, term).count();
        let ln_chance = ln_fisher(inside, rows.count());
        let is_item_needed = |literal: usize| {
            let mut rest = term.clone();
            rest.remove(literal);
            self.is_met(ln_fisher(inside, data.count(rows, &rest)), 1)
        };
        let stands = inside.0 >= LEAST_ROWS && self.is_met(ln_chance, term.len());
        let stands = stands && (term.len() == 1 || (0..term.len()).all(is_item_needed));
        stands.then(|| Tested { counts: inside, ln_chance: (ln_chance + self.corrected(term.len())).min(0.0) })
    }

    /// The model without the terms that chance could explain.
    pub fn filter(
        &self,
        data: &Data<'_>,
        everything: &Rows,
        objective: &Objective<'_>,
        model: Model,
    ) -> (Model, Vec<Tested>) {
        let mut model = model;
        loop {
            let mut tested = Vec::new();
            let failed = (0..model.terms.len()).find(|&place| {
                let others = model.terms.iter().enumerate().filter(|&(other, _)| other != place);
                let rows = data.without(everything, others.map(|(_, term)| term));
                self.test(data, &rows, &model.terms[place]).map(|test| tested.push(test)).is_none()
            });
            let Some(place) = failed else { return (model, tested) };
            let mut terms = model.terms;
            terms.remove(place);
            model = objective.counted(data, everything, terms);
        }
    }
}

/// Whether some item says which rows are exceptions, better than chance: then there is more to be found.
pub fn is_structured(data: &Data<'_>, everything: &Rows, objective: &Objective<'_>, model: &Model) -> bool {
    let outside = data.without(everything, &model.terms);
    let mut inside = everything.clone();
    inside.remove(&outside);
    [inside, outside].into_iter().any(|rows| {
        let total = rows.count();
        total.0.min(total.1) > 0
            && data
                .tally(&rows)
                .into_iter()
                .any(|counts| chance::gain(counts, total) > objective.literal_bits + ALARM_BITS)
    })
}
