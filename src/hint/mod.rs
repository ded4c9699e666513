//! Bug or not a bug? Evidence for each cell, and a hint that follows from it.
//!
//! A hint is a proposal: the tester decides. It is reached in a fixed order, the first that fits; where nothing fits it is
//! `inconclusive` and says what would decide. Knows nothing of how conditions were mined.
//!
//! | file | does |
//! |---|---|
//! | `sound` | the same input with two outcomes: nondeterminism, faults of the harness |
//! | `proof` | the rows that prove it, side by side |
//! | `inverse` | rows that are each other's follow-up |
//! | `sides` | panics, deaths and NaN on one side only |
//! | `unchanged` | checks whose follow-up is the source itself |
//! | `constant` | constants of a condition that look natural, or arbitrary |
//! | `border` | exceptions beside a condition's boundary |
//! | `region` | sets of inputs that a function goes wrong on |
//! | `others` | how the other relations of the function fare |
//! | `deviation` | how far outputs are from what held checks show: rounding or more |
//! | `expectation` | what the suite declares about a relation |
//! | `facts` | all of these about one cell |
//! | `evidence` | facts in words |
//! | `order` | facts -> hint |
//! | `wanted` | what would decide an open cell |
//! | `calibrated` | how often such a hint was right on mutants |

mod border;
mod calibrated;
mod constant;
mod deviation;
mod evidence;
mod expectation;
mod facts;
mod identity;
mod inverse;
mod order;
mod others;
mod point;
mod proof;
mod region;
mod sides;
mod sound;
mod unchanged;
mod wanted;

pub(crate) use evidence::Evidence;
pub(crate) use facts::{Anchor, Said};
pub(crate) use sides::has_nan_on_one_side;
pub(crate) use wanted::Wanted;

use crate::{
    clean::{Campaign, Cleaned},
    explain::AllExplained,
};

/// What a cell's rows suggest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hint {
    /// The same input has two verdicts.
    Nondeterministic,
    /// The suite is at fault, not the function.
    Harness,
    /// Violated where it was agreed, or known, to hold.
    Regression,
    Bug,
    /// Never violated.
    Fits,
    /// Always violated.
    DoesNotApply,
    /// Violated just where it has to be.
    NotABug,
    Inconclusive,
}

impl Hint {
    pub(crate) const ALL: [Self; 8] = [
        Self::Nondeterministic,
        Self::Harness,
        Self::Regression,
        Self::Bug,
        Self::Fits,
        Self::DoesNotApply,
        Self::NotABug,
        Self::Inconclusive,
    ];

    /// As it is written everywhere.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Nondeterministic => "nondeterministic",
            Self::Harness => "harness",
            Self::Regression => "regression",
            Self::Bug => "bug",
            Self::Fits => "fits",
            Self::DoesNotApply => "does-not-apply",
            Self::NotABug => "not-a-bug",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// Whether it is the tester who has to say so.
    pub(crate) fn is_proposal(self) -> bool {
        matches!(self, Self::Bug | Self::DoesNotApply | Self::NotABug)
    }
}

/// A set of a function's inputs, as source or as follow-up, that explains what goes wrong in a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedRegion {
    pub(crate) when: String,
    /// `panics` or `violations`.
    pub(crate) of: &'static str,
    /// Whether it explains all that was looked at.
    pub(crate) is_exact: bool,
}

/// A hint, how often such a hint was right, and why it is given.
#[derive(Clone, Debug)]
pub(crate) struct Hinted {
    pub(crate) hint: Hint,
    /// Why, in a word that never changes.
    pub(crate) reason: &'static str,
    /// Whether somebody has to look at it, whatever else is known.
    pub(crate) is_alarm: bool,
    /// Whether the reason covers every violation, with or without a condition.
    pub(crate) covers_all: bool,
    /// How often a hint for this reason was right on mutants; nothing where that was not measured.
    pub(crate) confidence: Option<f64>,
    /// What decided first.
    pub(crate) evidence: Vec<Evidence>,
    /// The inputs that the function goes wrong on, in whatever role, if they can be named.
    pub(crate) region: Option<NamedRegion>,
    /// For an inconclusive cell: what would decide.
    pub(crate) would_decide: Option<Wanted>,
}

impl Hinted {
    /// How far it can be trusted, in words; nothing for what claims nothing.
    pub(crate) fn trust(&self) -> Option<String> {
        match (self.hint, self.confidence) {
            (_, Some(confidence)) => Some(format!("right in {:.0} % on mutants", 100.0 * confidence)),
            (Hint::Fits | Hint::Inconclusive, None) => None,
            // The tester's own word needs no measuring.
            (_, None) if matches!(self.reason, "accepted" | "decided-bug") => None,
            (_, None) => Some("how often that is right was not measured".into()),
        }
    }
}

/// The hint of every cell.
pub(crate) fn hints(
    campaign: &Campaign,
    cleaned: &Cleaned,
    explained: &AllExplained,
    anchors: &[Anchor],
) -> Vec<Hinted> {
    let facts = facts::of_all(campaign, cleaned, explained, anchors);
    facts.iter().map(order::hinted).collect()
}
