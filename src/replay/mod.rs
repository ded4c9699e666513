//! Replay: committed inputs are judged again, and every verdict is held against the manifest and the tester's decisions.
//!
//! [`replay!`](crate::replay!) does it in a test, `bugornot replay` for any suite; both say the same.

mod compare;
mod github;
#[cfg(feature = "cli")]
mod json;
#[cfg(feature = "cli")]
mod junit;
mod last_words;
mod macros;
mod text;

pub(crate) use compare::{Answer, Compared, changed, compare, names_of, seen};
#[cfg(feature = "cli")]
pub(crate) use compare::{Seen, panic_of, value_of, why_stale};
#[cfg(feature = "cli")]
pub(crate) use github::annotations;
#[cfg(feature = "cli")]
pub(crate) use json::json;
#[cfg(feature = "cli")]
pub(crate) use junit::junit;
pub(crate) use last_words::LastWords;
pub(crate) use macros::ask;
#[doc(hidden)]
pub use macros::test;
pub(crate) use text::{changed_text, text};

use crate::{
    Verdict,
    corpus::{Corpus, Expected, Facts},
    log::Header,
};
use std::collections::BTreeSet;

/// A corpus, replayed.
pub(crate) struct Replayed {
    pub(crate) suite: String,
    /// The constants, as text.
    pub(crate) constants: Vec<(String, String)>,
    pub(crate) inputs: Vec<ReplayedInput>,
    /// What has to be known beside.
    pub(crate) notes: Vec<String>,
}

/// One input, replayed.
pub(crate) struct ReplayedInput {
    /// Where the file is, as a user would type it.
    pub(crate) path: String,
    /// The command that shows it again.
    pub(crate) command: String,
    pub(crate) compared: Compared,
}

/// Something that is not as it should be.
pub(crate) enum Finding {
    /// A verdict is another one, or one that the tester has not accepted.
    Changed(Box<Changed>),
    /// The manifest is not about this suite any more; in words, why.
    Stale(String),
}

/// A verdict that is not the expected one.
pub(crate) struct Changed {
    pub(crate) function: String,
    pub(crate) relation: String,
    pub(crate) expected: Verdict,
    /// `None` if the process died before it came to this cell.
    pub(crate) actual: Option<Verdict>,
    /// What the function gave for the source input.
    pub(crate) output: Option<String>,
    /// The follow-up inputs, and what the function gave for them.
    pub(crate) follow_ups: Vec<(String, String)>,
    /// The panic, if that is what happened.
    pub(crate) panic: Option<String>,
    /// What was decided about the cell, in words.
    pub(crate) decision: Option<String>,
    /// How it contradicts the decision.
    pub(crate) against: Option<Against>,
}

/// How a verdict contradicts a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    /// Violated where that was not accepted.
    Regression,
    /// What was called a bug is still there.
    Bug,
}

impl Changed {
    /// What happened, in two words at the most.
    pub(crate) fn word(&self) -> &'static str {
        match self.against {
            Some(Against::Regression) => return "regression",
            Some(Against::Bug) => return "bug",
            None => {}
        }
        match self.actual {
            None | Some(Verdict::Died) => "died",
            Some(Verdict::Violated) => "newly violated",
            Some(Verdict::Held) => "newly held",
            Some(verdict) if verdict.is_panic() || verdict == Verdict::TransformPanicked => "panicked",
            Some(_) => "changed",
        }
    }

    /// `function x relation`.
    pub(crate) fn cell(&self) -> String {
        format!("{} x {}", self.function, self.relation)
    }

    /// The verdict, or that there is none.
    pub(crate) fn actual_word(&self) -> &'static str {
        self.actual.map_or("not reached", Verdict::word)
    }
}

impl Replayed {
    pub(crate) fn new(corpus: &Corpus, header: &Header) -> Self {
        let constants = corpus.manifest.constants.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let mut notes = Vec::new();
        if !corpus.others.is_empty() {
            notes.push(format!(
                "{} in the corpus folder that the manifest does not list, not replayed: `bugornot minimise {}` takes \
                 them in",
                files(corpus.others.len()),
                header.suite
            ));
        }
        notes.extend(cells_note(corpus, header));
        notes.extend(corpus.manifest.decisions.faults().map(|(cell, decided)| {
            format!("{cell} is not held against its decision, {}: {}", decided.words, decided.fault)
        }));
        notes.extend(build_note(corpus.manifest.replayed, Facts::of(header)));
        Self { suite: header.suite.clone(), constants, inputs: Vec::new(), notes }
    }

    /// How many verdicts are not the expected ones.
    pub(crate) fn changed(&self) -> usize {
        self.findings()
            .filter(|finding| matches!(finding, Finding::Changed(changed) if changed.against.is_none()))
            .count()
    }

    /// How many verdicts contradict a decision.
    pub(crate) fn against(&self) -> usize {
        self.findings()
            .filter(|finding| matches!(finding, Finding::Changed(changed) if changed.against.is_some()))
            .count()
    }

    /// How many verdicts that contradicted a decision do so no more.
    pub(crate) fn settled(&self) -> usize {
        self.inputs.iter().map(|input| input.compared.settled).sum()
    }

    /// How many verdicts are as expected.
    pub(crate) fn kept(&self) -> usize {
        self.inputs.iter().map(|input| input.compared.kept).sum()
    }

    /// How many inputs or cells the manifest is stale about.
    pub(crate) fn stale(&self) -> usize {
        self.findings().filter(|finding| matches!(finding, Finding::Stale(_))).count()
    }

    /// Whether all is as expected.
    pub(crate) fn is_good(&self) -> bool {
        self.findings().next().is_none()
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.inputs.iter().flat_map(|input| &input.compared.findings)
    }
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".into() } else { format!("{count} files") }
}

/// Says so if the suite has cells that the manifest knows nothing of.
fn cells_note(corpus: &Corpus, header: &Header) -> Option<String> {
    let known: BTreeSet<(&str, &str)> = corpus
        .manifest
        .inputs
        .values()
        .flat_map(Expected::cells)
        .map(|(function, relation, _)| (function, relation))
        .collect();
    let new = header.cells.iter().filter(|&&cell| !known.contains(&compare::names_of(header, cell))).count();
    (new > 0).then(|| {
        let cells = if new == 1 { "1 cell".into() } else { format!("{new} cells") };
        format!(
            "the suite has {cells} that the manifest does not know: `bugornot minimise {}` takes them in",
            header.suite
        )
    })
}

/// Says so if the build is of another kind than the one whose verdicts are expected: that alone can change them.
fn build_note(expected: Facts, actual: Facts) -> Option<String> {
    let word = |is_on: bool| if is_on { "on" } else { "off" };
    let mut differs = Vec::new();
    for (what, expected, actual) in [
        ("overflow checks", expected.overflow_checks, actual.overflow_checks),
        ("debug assertions", expected.debug_assertions, actual.debug_assertions),
    ] {
        if expected != actual {
            differs.push(format!("{what} are {}, and were {}", word(actual), word(expected)));
        }
    }
    (!differs.is_empty()).then(|| {
        format!(
            "this build is not of the kind that the manifest is from, which can change verdicts: {}",
            differs.join("; ")
        )
    })
}
