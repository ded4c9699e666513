//! The tester's decisions: what each cell's violations are, committed beside the corpus.
//!
//! A hint proposes, a decision holds. It says of a cell when it may be violated, and later logs are compared with it.
//!
//! | file | does |
//! |---|---|
//! | `file` | `decisions.toml`: load, save |
//! | `check` | refuses what contradicts the log |
//! | `date` | which day it is |

mod check;
mod date;
mod file;

pub(crate) use check::{Choice, check};
pub(crate) use file::Decisions;

use crate::{
    Verdict,
    claim::{Claim, Says},
    clean::Cleaned,
    expression::Expression,
    log::{Header, Value},
    replay::names_of,
    terminal::{grouped, plural},
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a tester says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// Violations are a bug: fix it, and fuzz again
    Bug,
    /// Violated under a condition, as it has to be
    NotABug,
    /// The relation says nothing about the function
    DoesNotApply,
    /// Never violated
    Fits,
}

impl Answer {
    /// As it is written everywhere.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Bug => "bug",
            Self::NotABug => "not-a-bug",
            Self::DoesNotApply => "does-not-apply",
            Self::Fits => "fits",
        }
    }

    /// The tests that can follow from it, the usual one first.
    pub(crate) fn tests(self) -> &'static [Test] {
        match self {
            Self::Bug => &[Test::None],
            Self::NotABug => &[Test::Both, Test::Positive, Test::Negative],
            Self::DoesNotApply => &[Test::None, Test::Negative],
            Self::Fits => &[Test::Positive],
        }
    }
}

/// Which regression tests follow from a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Test {
    /// It must hold outside the condition
    Positive,
    /// It must be violated inside the condition
    Negative,
    /// Positive outside, negative inside
    Both,
    /// No test
    None,
}

impl Test {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::Both => "both",
            Self::None => "none",
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Positive => "positive test",
            Self::Negative => "negative test",
            Self::Both => "positive test outside, negative inside",
            Self::None => "no test",
        }
    }

    /// Whether it must hold outside the condition.
    pub(crate) fn has_positive(self) -> bool {
        matches!(self, Self::Positive | Self::Both)
    }

    /// Whether it must be violated inside the condition.
    pub(crate) fn has_negative(self) -> bool {
        matches!(self, Self::Negative | Self::Both)
    }
}

/// A tester's answer about one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) answer: Answer,
    /// The condition under which it may be violated.
    pub(crate) when: Option<String>,
    pub(crate) test: Test,
    pub(crate) note: String,
    /// The day in UTC.
    pub(crate) date: String,
    /// What the log had then.
    pub(crate) numbers: Numbers,
    /// How many of these inputs met the condition and held all the same.
    pub(crate) held_inside: u64,
    pub(crate) build: Build,
}

impl Decision {
    /// A decision of today about a log, with what [`check`] has found.
    pub(crate) fn new(choice: &Choice, note: String, cleaned: &Cleaned, held_inside: u64) -> Self {
        Self {
            answer: choice.answer,
            when: choice.when.clone(),
            test: choice.test,
            note,
            date: date::today(),
            numbers: Numbers::of(cleaned, choice.cell),
            held_inside,
            build: Build::of(&cleaned.header),
        }
    }

    /// The answer in words: ``not a bug when `a <= b` ``.
    pub(crate) fn words(&self) -> String {
        words(self.answer, self.when.as_deref())
    }

    /// The answer in words, with the day it was given and why.
    pub(crate) fn words_dated(&self) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(": {}", self.note) };
        format!("{} ({}{note})", self.words(), self.date)
    }

    /// When the cell may be violated; in words why the condition cannot be used.
    pub(crate) fn claim(&self, header: &Header, cell: usize) -> Result<Claim, String> {
        let says = match (self.answer, &self.when) {
            (Answer::NotABug, Some(when)) => {
                Says::ViolatedWhen(Expression::parse(when, header).map_err(|fault| fault.to_string())?)
            }
            (Answer::DoesNotApply, _) => Says::Always,
            _ => Says::Never,
        };
        Ok(Claim { cell, says })
    }

    /// The same with constants as they were then, if they have other values now: a number in a condition may be that of
    /// a constant by chance.
    pub(crate) fn claim_as_then(&self, header: &Header, cell: usize) -> Option<Claim> {
        let then = |name: &str| self.build.constants.get(name).and_then(|value| value.parse().ok());
        let mut before = header.clone();
        for (name, value) in &mut before.constants {
            if let Some(known) = then(name) {
                *value = Value::of_integer(known);
            }
        }
        (before.constants != header.constants).then(|| self.claim(&before, cell).ok()).flatten()
    }

    /// The verdicts that contradict it, wherever it does not accept them.
    pub(crate) fn wrong(&self) -> Vec<Verdict> {
        match self.answer {
            Answer::NotABug | Answer::Fits => vec![Verdict::Violated],
            Answer::DoesNotApply => Vec::new(),
            // If nothing else was wrong then, it was called a bug for outputs that have no order.
            Answer::Bug if !self.numbers.is_bad() => [&BAD[..], &[Verdict::Incomparable]].concat(),
            Answer::Bug => BAD.to_vec(),
        }
    }

    /// Whether it says the same.
    pub(crate) fn is_same(&self, choice: &Choice) -> bool {
        (self.answer, &self.when, self.test) == (choice.answer, &choice.when, choice.test)
    }
}

/// An answer in words.
pub(crate) fn words(answer: Answer, when: Option<&str>) -> String {
    match (answer, when) {
        (Answer::NotABug, Some(when)) => format!("not a bug when `{when}`"),
        (Answer::NotABug, None) => "not a bug".into(),
        (Answer::Bug, _) => "a bug".into(),
        (Answer::DoesNotApply, _) => "does not apply".into(),
        (Answer::Fits, _) => "fits".into(),
    }
}

/// What went wrong where a bug shows.
const BAD: [Verdict; 4] = [Verdict::Violated, Verdict::SourcePanicked, Verdict::FollowUpPanicked, Verdict::Died];

/// What a log has of a cell, in distinct inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Held or violated.
    pub(crate) judged: u64,
    pub(crate) violated: u64,
    /// The function panicked, or its process died.
    pub(crate) panicked: u64,
}

impl Numbers {
    pub(crate) fn of(cleaned: &Cleaned, cell: usize) -> Self {
        let counts = cleaned.cells.get(cell).map(|cell| cell.distinct.counts).unwrap_or_default();
        let panics = [Verdict::SourcePanicked, Verdict::FollowUpPanicked, Verdict::Died];
        Self {
            judged: counts.judged(),
            violated: counts.of(Verdict::Violated),
            panicked: panics.into_iter().fold(0, |sum: u64, verdict| sum.saturating_add(counts.of(verdict))),
        }
    }

    /// Whether something went wrong that can be called a bug.
    pub(crate) fn is_bad(self) -> bool {
        self.violated > 0 || self.panicked > 0
    }

    /// `55 of 100 violated`.
    pub(crate) fn text(self) -> String {
        let panicked = match self.panicked {
            0 => String::new(),
            panicked => format!(", {} panicked or died", plural(panicked, "input")),
        };
        format!("{} of {} violated{panicked}", grouped(self.violated), grouped(self.judged))
    }
}

/// The facts about a build, and its constants, that change verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Build {
    pub(crate) facts: Facts,
    /// As text.
    pub(crate) constants: BTreeMap<String, String>,
}

/// The facts about a build that change verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    pub(crate) revision: String,
    pub(crate) overflow_checks: bool,
    pub(crate) debug_assertions: bool,
    pub(crate) sanitizer: String,
}

impl Build {
    fn of(header: &Header) -> Self {
        let build = &header.build;
        Self {
            facts: Facts {
                revision: build.revision.clone(),
                overflow_checks: build.overflow_checks,
                debug_assertions: build.debug_assertions,
                sanitizer: build.sanitizer.clone(),
            },
            constants: header.constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        }
    }

    /// What is different in another log and may be why its verdicts are; the revision is expected to change.
    pub(crate) fn differences(&self, header: &Header) -> Vec<String> {
        let (then, now) = (self, Self::of(header));
        let on = |is_on| if is_on { "on" } else { "off" };
        let mut differences = Vec::new();
        let mut compare = |what: &str, then: &str, now: &str| {
            if then != now {
                differences.push(format!("{what} {then} then, {now} now"));
            }
        };
        compare("overflow checks", on(then.facts.overflow_checks), on(now.facts.overflow_checks));
        compare("debug assertions", on(then.facts.debug_assertions), on(now.facts.debug_assertions));
        compare("sanitizer", &then.facts.sanitizer, &now.facts.sanitizer);
        for (name, value) in &now.constants {
            compare(name, then.constants.get(name).map_or("nothing", String::as_str), value);
        }
        differences
    }
}

/// How a cell is named on the command line and in the file: `sub:MR2`.
pub(crate) fn cell_key(header: &Header, cell: usize) -> String {
    let Some(&cell) = header.cells.get(cell) else { return String::new() };
    let (function, relation) = names_of(header, cell);
    format!("{function}:{relation}")
}

/// The cells of that name, as it is typed or as reports show it: one, unless colons in names make two look alike.
pub(crate) fn cells_named(header: &Header, name: &str) -> Vec<usize> {
    let is_it = |&cell: &usize| cell_key(header, cell) == name || header.cell_name(cell) == name;
    (0..header.cells.len()).filter(is_it).collect()
}
