//! Predicates: true/false statements about a row, each with its Rust text and its opposite.

use super::{
    fact::{Fact, PairFact},
    form::{Comparison, Form, Numeric},
    frame::Frame,
    term::{Number, Term},
    text::Wrapped,
};
use crate::log::{Row, Value};

/// A statement about a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// A number against a constant.
    Compare(Comparison),
    /// A fact about a node.
    Fact(usize, Fact),
    /// A fact about two nodes.
    Pair(usize, usize, PairFact),
    /// A feature of the user's own, by position.
    Own(usize),
}

/// A predicate or its opposite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) predicate: Predicate,
    pub(crate) is_true: bool,
}

impl Predicate {
    /// How hard it is to read.
    pub(crate) fn cost(&self) -> u32 {
        match self {
            Self::Compare(comparison) => comparison.cost(),
            Self::Fact(_, fact) => fact.cost(),
            Self::Pair(..) | Self::Own(_) => 1,
        }
    }
}

impl Predicate {
    /// Whether it speaks of the source input and the parameters alone.
    pub(crate) fn is_of_source(&self, frame: &Frame) -> bool {
        self.speaks_only_of(frame, |node| frame.tree.is_of_source(node))
    }

    /// Whether it can be asked of any input of a function, whatever its role: a feature of the user's own is known of
    /// sources alone, and a parameter is no part of an input.
    pub(crate) fn is_of_fields(&self, frame: &Frame) -> bool {
        !matches!(self, Self::Own(_)) && self.speaks_only_of(frame, |node| frame.tree.is_of_field(node))
    }

    fn speaks_only_of(&self, frame: &Frame, is_it: impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Compare(Comparison { form, .. }) => form.terms().all(|term| is_it(frame.terms.terms[term].node)),
            Self::Fact(node, _) => is_it(*node),
            Self::Pair(one, other, _) => is_it(*one) && is_it(*other),
            Self::Own(_) => true,
        }
    }

    /// The numbers that are written in it, where these constants of the suite have names.
    pub(crate) fn constants(&self, named: &[(String, i128)]) -> Vec<f64> {
        let Self::Compare(comparison) = self else { return Vec::new() };
        let modulus = match comparison.form {
            Form::Remainder(_, modulus) => Some(modulus as f64),
            _ => None,
        };
        comparison.written_bound(named).into_iter().chain(modulus).collect()
    }
}

impl Literal {
    /// What is true where this is not.
    pub(crate) fn opposite(&self) -> Self {
        Self { is_true: !self.is_true, ..self.clone() }
    }

    /// As Rust over the fields; with names for the suite's constants, or with their values.
    pub(crate) fn write(&self, frame: &Frame, constants: &[(String, i128)]) -> String {
        let place = |node: usize| frame.tree.place(node);
        let wrapped = match &self.predicate {
            Predicate::Compare(comparison) => comparison.write(&frame.terms.terms, self.is_true, constants),
            Predicate::Fact(node, fact) => fact.write(&place(*node), self.is_true),
            Predicate::Pair(one, other, fact) => fact.write(&place(*one), &place(*other), self.is_true),
            Predicate::Own(index) => {
                let text = frame.own.get(*index).map_or("?", String::as_str);
                Wrapped::plain(text.to_owned(), self.is_true)
            }
        };
        wrapped.render()
    }

    /// Whether a row that is not in the frame meets it.
    pub(crate) fn test(&self, row: &Look<'_, '_>) -> bool {
        let value = match &self.predicate {
            Predicate::Compare(comparison) => comparison.test(row),
            Predicate::Fact(node, fact) => row.values[*node].is_some_and(|value| fact.test(value)),
            Predicate::Pair(one, other, fact) => {
                row.values[*one].zip(row.values[*other]).is_some_and(|(one, other)| fact.test(one, other))
            }
            Predicate::Own(index) => row.row.features.get(*index).copied().flatten() == Some(true),
        };
        value == self.is_true
    }
}

/// A row as the nodes of a frame see it.
pub(crate) struct Look<'frame, 'row> {
    terms: &'frame [Term],
    row: &'row Row,
    values: Vec<Option<&'row Value>>,
}

impl<'frame, 'row> Look<'frame, 'row> {
    pub(crate) fn new(frame: &'frame Frame, row: &'row Row) -> Self {
        Self { terms: &frame.terms.terms, row, values: frame.values(row) }
    }

    fn number(&self, term: usize) -> Option<Number> {
        let term = &self.terms[term];
        term.of(self.values[term.node]?)
    }
}

impl Numeric for Look<'_, '_> {
    fn integer(&self, term: usize) -> Option<i128> {
        match self.number(term)? {
            Number::Integer(integer) => Some(integer),
            Number::Float(_) => None,
        }
    }

    fn float(&self, term: usize) -> Option<f64> {
        match self.number(term)? {
            Number::Float(float) => (!float.is_nan()).then_some(float),
            Number::Integer(integer) => (integer == 0 && self.terms[term].is_float).then_some(0.0),
        }
    }
}
