//! An OR of terms, and what it costs in bits: to write it down, and to name the rows it gets wrong.

use super::{
    chance,
    data::{Counts, Data, Rows, Term, Vocabulary},
};
use std::cmp::Ordering;

/// Two lengths in bits that differ by less are equal.
const EQUAL_BITS: f64 = 1e-6;

/// An OR of terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The terms, in order.
    pub terms: Vec<Term>,
    /// How many rows it covers.
    pub inside: Counts,
    /// Its length and that of its exceptions.
    pub bits: f64,
}

impl Model {
    /// How many items it names.
    pub fn literals(&self) -> usize {
        self.terms.iter().map(Vec::len).sum()
    }
}

/// How models are compared.
#[derive(Clone, Copy)]
pub struct Objective<'a> {
    /// All rows there are.
    pub total: Counts,
    /// What an item costs: enough that chance does not pay for it.
    pub literal_bits: f64,
    /// For ties.
    pub vocabulary: &'a Vocabulary,
}

impl Objective<'_> {
    /// A model, given what it covers.
    pub fn model(&self, mut terms: Vec<Term>, inside: Counts) -> Model {
        terms.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
        let literals: usize = terms.iter().map(Vec::len).sum();
        let bits = self.bits(inside, literals);
        Model { terms, inside, bits }
    }

    /// The length of a model of so many items that covers so many rows.
    pub fn bits(&self, inside: Counts, literals: usize) -> f64 {
        let outside = (self.total.0 - inside.0, self.total.1 - inside.1);
        chance::bits(inside.0, inside.1) + chance::bits(outside.0, outside.1) + self.literal_bits * literals as f64
    }

    /// The model that counts its terms' rows.
    pub fn counted(&self, data: &Data<'_>, everything: &Rows, terms: Vec<Term>) -> Model {
        let outside = data.without(everything, &terms).count();
        self.model(terms, (self.total.0 - outside.0, self.total.1 - outside.1))
    }

    /// Fewer bits first, then the smaller, then the simpler.
    pub fn compare(&self, left: &Model, right: &Model) -> Ordering {
        if (left.bits - right.bits).abs() > EQUAL_BITS {
            return left.bits.total_cmp(&right.bits);
        }
        self.vocabulary.size(&left.terms).cmp(&self.vocabulary.size(&right.terms))
    }
}
