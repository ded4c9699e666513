//! The records of a row block beside the rows themselves, and what a row can carry in detail.

use super::Value;
use crate::Verdict;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an input was judged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// A typed example of the suite; it has no raw bytes.
    Example,
    /// Drawn uniformly by the built-in engine: the only phase whose rates estimate how common a case is.
    Uniform,
    /// Chosen by a coverage-guided engine.
    Fuzz,
    /// Read from a file.
    Replay,
    /// A row of another tool's table: nobody knows how its input was chosen, and it has no raw bytes.
    Import,
}

/// A record that is no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Notice {
    /// Names that values in this block refer to by number.
    Shape(Shape),
    /// What many rows of this block have in common.
    Template(Template),
    /// A process began to write here.
    Began {
        /// Its process id.
        process: u32,
        /// Milliseconds since 1970.
        at: u64,
    },
    /// A process that wrote here before ended while it judged this input. The next one found its write-ahead mark.
    Died {
        /// The execution id.
        id: u64,
        /// How far the check had come; see [`Stage`](super::Stage).
        stage: u32,
        /// The verdicts reached by then, 255 for none.
        verdicts: Vec<u8>,
        /// What the input was judged for.
        phase: Phase,
        /// The raw bytes, or as many as the mark holds.
        bytes: Vec<u8>,
        /// How many bytes the input had.
        length: u64,
        /// The shape of the fields.
        shape: u32,
        /// Fields, parameters and own features, if the input could be decoded again.
        values: Vec<Value>,
    },
}

/// The numbers of [`Notice`]'s variants in the log. A writer gives a notice as its number and its parts, because the
/// code for any [`Value`] would stand in every fuzz target; a test holds both against each other.
pub(super) mod notice {
    pub(in crate::log) const SHAPE: u32 = 0;
    pub(in crate::log) const TEMPLATE: u32 = 1;
    pub(in crate::log) const BEGAN: u32 = 2;
    pub(in crate::log) const DIED: u32 = 3;
}

/// The names of a struct's fields, or of a variant and its enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The number that values use.
    pub number: u32,
    /// The names.
    pub names: Vec<String>,
}

/// What many rows have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Template {
    /// The number that rows use, from 1.
    pub number: u32,
    /// The shape of the fields.
    pub shape: u32,
    /// What the inputs were judged for.
    pub phase: Phase,
    /// Each row stands for 2 to the power of this many distinct inputs.
    pub weight: u8,
    /// Whether each row carries a [`Detail`].
    pub detailed: bool,
    /// The verdict of every cell, as a number.
    pub verdicts: Vec<u8>,
}

/// All that one execution saw; kept for rare rows and a sample of the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// What each function gave for the source input.
    pub sources: Vec<Outcome>,
    /// Follow-up inputs and what they gave, per cell.
    pub cells: Vec<CellDetail>,
    /// Soundness checks that failed.
    pub unsound: Vec<Soundness>,
}

/// The follow-ups of one cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellDetail {
    /// The follow-up inputs; empty where an earlier cell of the same relation has the same ones.
    pub inputs: Vec<Value>,
    /// What the function gave for them.
    pub outcomes: Vec<Outcome>,
    /// The panic of a transformation, precondition or judgement.
    pub harness: Option<PanicInfo>,
}

/// What one call of a function ended with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It returned.
    Output(Value),
    /// It panicked.
    Panicked(PanicInfo),
    /// The log does not say: an imported table had no such column, or nothing in it.
    Unknown,
}

/// In a word.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(value) => value.fmt(f),
            Self::Panicked(_) => f.write_str("(panicked)"),
            Self::Unknown => f.write_str("(unknown)"),
        }
    }
}

/// A caught panic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PanicInfo {
    /// What it said, cut to a few hundred bytes.
    pub message: String,
    /// `file:line:column`, or nothing if the code under test hid it.
    pub location: String,
}

#[cfg(feature = "replay")]
impl PanicInfo {
    /// Where it was, without the part of the path that differs from machine to machine.
    pub(crate) fn place(&self) -> String {
        /// How many parts are kept of a path outside the crate.
        const PARTS: usize = 3;
        if !std::path::Path::new(&self.location).is_absolute() {
            return self.location.clone();
        }
        let parts: Vec<&str> = self.location.split('/').collect();
        parts[parts.len().saturating_sub(PARTS)..].join("/")
    }
}

/// A failed soundness check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Soundness {
    /// Which function, by position.
    pub function: u16,
    /// What was wrong.
    pub kind: SoundnessKind,
    /// What the first call gave.
    pub first: Outcome,
    /// What the second gave.
    pub second: Outcome,
}

/// What a soundness check can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SoundnessKind {
    /// The same input twice in a row gave two outputs.
    Nondeterministic,
    /// The same input gave one output as source and another as follow-up: something leaks between the runs.
    RoleDependent,
}

impl Template {
    /// The verdicts as such; `None` for a number no verdict has.
    pub(crate) fn verdicts(&self) -> Vec<Option<Verdict>> {
        self.verdicts.iter().map(|&number| Verdict::from_number(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::codec::encode, *};

    #[test]
    fn a_notice_is_its_number_and_its_parts() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let template =
            Template { number: 7, shape: 300, phase: Phase::Fuzz, weight: 3, detailed: true, verdicts: vec![0, 1, 5] };
        let parts = (70_000u64, 9u32, vec![0u8, 255], Phase::Replay, vec![1u8, 2, 3], 900u64, 4u32);
        let (id, stage, verdicts, phase, bytes, length, shape) = parts.clone();
        assert_eq!(encode(&(notice::SHAPE, 4u32, &names)), encode(&Notice::Shape(Shape { number: 4, names })));
        assert_eq!(encode(&(notice::TEMPLATE, &template)), encode(&Notice::Template(template)));
        assert_eq!(encode(&(notice::BEGAN, 12u32, 1u64 << 40)), encode(&Notice::Began { process: 12, at: 1 << 40 }));
        let values = vec![Value::True];
        let died = [encode(&(notice::DIED, parts)), encode(&values)].concat();
        assert_eq!(died, encode(&Notice::Died { id, stage, verdicts, phase, bytes, length, shape, values }));
    }
}
