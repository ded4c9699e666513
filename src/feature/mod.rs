//! Features: from the fields of logged inputs to true/false statements, each a Rust expression.
//!
//! Knows nothing of bugs or terminals, and no user's types: rows of a log go in, columns of truths come out.
//!
//! | file | does |
//! |---|---|
//! | `tree` | the parts that values have |
//! | `place` | how they are written, and called where they are bound |
//! | `element` | what the elements of a list are |
//! | `term` | what can be measured about a part: its value, length, sum, ... |
//! | `fact` | what can be said of it without numbers: empty, sorted, a variant, ... |
//! | `form` | terms put together: `a - b`, `a % 3`, and comparisons with constants |
//! | `predicate` | any of these, with its opposite |
//! | `rank` | the order of their values |
//! | `frame` | the working rows as columns |
//! | `vocabulary` | what is asked whatever the verdicts say |
//! | `learn` | constants that the verdicts suggest |
//! | `part` | parts of texts that they suggest |

mod bits;
mod element;
mod fact;
mod form;
mod frame;
mod learn;
mod part;
mod place;
mod predicate;
mod rank;
mod term;
mod text;
mod tree;
mod vocabulary;

#[cfg(test)]
mod tests;

pub(crate) use bits::Bits;
pub(crate) use frame::{Frame, Scope};
pub(crate) use learn::{Learned, learn};
pub(crate) use place::raw;
pub(crate) use predicate::{Literal, Look, Predicate};
