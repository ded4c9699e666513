//! Conditions as people write them: a part of Rust's expressions, over the fields of logged rows.
//!
//! What the miner prints, what `.expect_condition(..)` declares and what a tester decides is all text. Here it becomes
//! something that rows can be tested with, without a compiler and without the user's types. Whole numbers are as wide as
//! they need to be, so that nothing overflows that would not overflow a hand-written condition over `i128`; floats are
//! calculated with as `f64`, as in generated tests.
//!
//! | file | does |
//! |---|---|
//! | `parse` | text -> `Node` |
//! | `room` | a stack that no text exhausts |
//! | `pattern` | what `matches!` takes |
//! | `datum` | what a node comes to |
//! | `evaluate` | a node and a row -> datum |
//! | `method` | the methods that can be called |

mod datum;
mod evaluate;
mod method;
mod parse;
mod pattern;
mod room;
#[cfg(test)]
mod tests;

pub(crate) use parse::{matches_parts, member, plain, syntax};
pub(crate) use room::with_room;

use crate::log::{Header, Row, Value};
use datum::{Datum, Width};
use method::Method;
use pattern::Pattern;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A condition that rows can be tested with.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    node: Node,
    parameters: Vec<String>,
    constants: Vec<(String, Value)>,
    /// Whether it took too many steps for some row: it is not tried with all the others, which would take as many each.
    is_too_much: Arc<AtomicBool>,
}

/// Why a text is no condition, or says nothing about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(String);

impl Fault {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

type Result<T, E = Fault> = std::result::Result<T, E>;

impl Expression {
    /// Reads a condition over the inputs of a suite.
    pub fn parse(text: &str, header: &Header) -> Result<Self> {
        let node = parse::parse(text, header)?;
        let (parameters, constants) = (header.parameters.clone(), header.constants.clone());
        Ok(Self { text: text.trim().to_owned(), node, parameters, constants, is_too_much: Arc::default() })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a row meets it; a fault where that makes no sense: a field that the row does not have, a number too wide.
    pub fn test(&self, row: &Row) -> Result<bool> {
        if self.is_too_much.load(Ordering::Relaxed) {
            return Err(evaluate::too_much());
        }
        let scope = Scope { row, expression: self };
        let mut names = evaluate::Names::new(&scope);
        let found = evaluate::evaluate(&self.node, &mut names);
        self.is_too_much.fetch_or(names.are_exhausted(), Ordering::Relaxed);
        match found? {
            Datum::Truth(truth) => Ok(truth),
            other => Err(Fault::new(format!("it comes to {other}, not to true or false"))),
        }
    }
}

/// What names stand for.
struct Scope<'row> {
    row: &'row Row,
    expression: &'row Expression,
}

impl<'row> Scope<'row> {
    fn find(&self, name: &str) -> Option<Datum<'row>> {
        let Expression { parameters, constants, .. } = self.expression;
        let position = |names: &[String]| names.iter().position(|known| known == name);
        let field = position(&self.row.names).and_then(|position| self.row.fields.get(position));
        let value = field
            .or_else(|| position(parameters).and_then(|position| self.row.parameters.get(position)))
            .or_else(|| constants.iter().find(|(known, _)| known == name).map(|(_, value)| value));
        value.map(Datum::of)
    }

    /// A feature that panicked is not so, as the miner has it.
    fn own(&self, index: usize) -> Result<Datum<'row>> {
        let said = self.row.features.get(index);
        said.map(|said| Datum::Truth(*said == Some(true)))
            .ok_or_else(|| Fault::new("the row does not say what a feature of the suite's own is"))
    }
}

/// A part of a condition.
#[derive(Clone, Debug)]
enum Node {
    Constant(Datum<'static>),
    /// A field, a parameter, a constant of the suite, or what a closure or pattern binds.
    Name(String),
    /// A feature of the suite's own, by position.
    Own(usize),
    /// A field of a struct or a part of a tuple.
    Field(Box<Node>, String),
    Index(Box<Node>, Box<Node>),
    Range {
        from: Option<Box<Node>>,
        to: Option<Box<Node>>,
        is_closed: bool,
    },
    Not(Box<Node>),
    Negate(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Cast(Box<Node>, Type),
    Some(Box<Node>),
    Tuple(Vec<Node>),
    List(Vec<Node>),
    Call(Box<Node>, Method, Vec<Node>),
    Closure(Vec<Pattern>, Box<Node>),
    Matches(Box<Node>, Pattern, Option<Box<Node>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// What a number can be cast to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// So many bits, with a sign or without.
    Integer(u32, bool),
    Float(Width),
    Letter,
}
