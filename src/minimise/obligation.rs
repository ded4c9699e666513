//! What a corpus must keep.
//!
//! Each is something that one input can show by itself, so that a set of inputs keeps all of them if each is met by one.

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
    /// The input shows what the tester has decided about a cell.
    Decided { cell: String, shows: &'static str },
    /// A condition that the corpus has, and no log that is at hand tells of: in its words.
    Recorded(String),
    /// An edge of the code under test is reached, and about so often: both are in its number.
    Edge(u32),
    /// So many edges that the corpus has this input for, and no build that is at hand can see.
    RecordedEdges { input: u64, count: usize },
}

impl Obligation {
    /// Whether it has a name that outlives a build.
    pub(crate) fn lasts(&self) -> bool {
        self.edges() == 0
    }

    /// How many edges it stands for.
    pub(crate) fn edges(&self) -> usize {
        match self {
            Self::Edge(_) => 1,
            Self::RecordedEdges { count, .. } => *count,
            _ => 0,
        }
    }
}

/// How what a condition asks for begins.
pub(super) const CONDITION: &str = "condition: ";

/// Whether what an input is kept for, in the words of a manifest, is about a cell.
pub(crate) fn is_kept_for(obligation: &str, cell: &str) -> bool {
    let about = ["verdict: ", "boundary: ", CONDITION].into_iter().find_map(|kind| obligation.strip_prefix(kind));
    about.and_then(|about| about.strip_prefix(cell)).is_some_and(|rest| rest.starts_with([' ', ':']))
}

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
            Self::Decided { cell, shows } => write!(f, "decision: {cell} {shows}"),
            Self::Recorded(text) => f.write_str(text),
            Self::Edge(edge) => write!(f, "edge {edge}"),
            Self::RecordedEdges { input, count } => write!(f, "{count} edges of {input:016x}"),
        }
    }
}
