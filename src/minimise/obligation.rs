//! What a corpus must keep.
//!
//! Each is something that one input can show by itself, so that a set of inputs keeps all of them if each is met by one.
//! The witness of a tester's decision will be one more kind.

use crate::Verdict;
use std::fmt;

/// One thing that a corpus must keep. Cells are told by their names, because these last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Obligation {
    /// A cell ends with this verdict.
    Verdict { cell: String, verdict: Verdict },
    /// The function under test or the harness panics at this place.
    Panic { place: String },
    /// The process dies there.
    Death { cell: String, stage: &'static str },
    /// A literal of a cell's condition, or the opposite of one, is true.
    Literal { cell: String, literal: String },
    /// All literals of a rule of a cell's condition are true.
    Rule { cell: String, rule: String },
    /// All literals of such a rule are true but this one, which therefore decides.
    Decides { cell: String, rule: String, literal: String },
    /// The input is one of the two with opposite verdicts that are nearest to each other; it has this verdict.
    Boundary { cell: String, verdict: Verdict },
    /// A condition that the corpus has, and no log that is at hand tells of: in its words.
    Recorded(String),
    /// An edge of the code under test is reached.
    Edge(u32),
}

impl Obligation {
    /// Whether it has a name that outlives a build.
    pub(crate) fn lasts(&self) -> bool {
        !matches!(self, Self::Edge(_))
    }
}

/// How what a condition asks for begins.
pub(super) const CONDITION: &str = "condition: ";

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict { cell, verdict } => write!(f, "verdict: {cell} {verdict}"),
            Self::Panic { place } => write!(f, "panic: {place}"),
            Self::Death { cell, stage } => write!(f, "death: {cell}, {stage}"),
            Self::Literal { cell, literal } => write!(f, "{CONDITION}{cell}: {literal}"),
            Self::Rule { cell, rule } => write!(f, "{CONDITION}{cell}: {rule}"),
            Self::Decides { cell, rule, literal } => write!(f, "{CONDITION}{cell}: {rule}, but for {literal}"),
            Self::Boundary { cell, verdict } => write!(f, "boundary: {cell} {verdict}"),
            Self::Recorded(text) => f.write_str(text),
            Self::Edge(edge) => write!(f, "edge {edge}"),
        }
    }
}
