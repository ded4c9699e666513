//! The manifest: what each input of a corpus is kept for, and the verdicts it must have.

use super::{
    ByCell, Decided,
    error::{Error, Kind, Result},
};
use crate::{Verdict, escape::escape, log::Header};
use serde::{Deserialize, Deserializer, de::Error as _};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The version of the manifest this build writes, and the newest it reads.
pub(crate) const SCHEMA: u32 = 1;

/// The verdict of every cell that has one.
pub(crate) type Verdicts = ByCell<Expectation>;

/// What a corpus is expected to show.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) schema: u32,
    /// The suite's name.
    pub(crate) suite: String,
    /// The constants that the verdicts are for, as text that pins them.
    #[serde(default)]
    pub(crate) constants: BTreeMap<String, String>,
    /// The build whose verdicts are expected.
    pub(crate) replayed: Facts,
    /// The builds that made the logs.
    #[serde(default)]
    pub(crate) builds: Vec<LogBuild>,
    /// What the tester has decided.
    #[serde(default)]
    pub(crate) decisions: Decided,
    /// The inputs, by the names of their files.
    #[serde(default)]
    pub(crate) inputs: BTreeMap<String, Expected>,
}

/// The facts of a build that most often change verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    pub(crate) overflow_checks: bool,
    pub(crate) debug_assertions: bool,
}

/// A build that made a log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogBuild {
    pub(crate) engine: String,
    pub(crate) overflow_checks: bool,
    pub(crate) debug_assertions: bool,
    pub(crate) sanitizer: String,
    pub(crate) compiler: String,
    pub(crate) target: String,
    pub(crate) revision: String,
}

/// What one input is expected to show.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// The decoded input, for people.
    pub(crate) input: String,
    /// The identity of the decoded input in hexadecimal digits: another one means that the type has changed. Nothing
    /// where the process died of it, and nobody knows.
    pub(crate) value: String,
    /// What it is kept for.
    pub(crate) keeps: Vec<String>,
    /// How many edges of the code under test no other input reaches about as often; they have no names that last.
    #[serde(default)]
    pub(crate) edges: usize,
    /// The relations that it may violate, by function: the tester has accepted it.
    #[serde(default)]
    pub(crate) accepted: BTreeMap<String, BTreeSet<String>>,
    pub(crate) verdicts: Verdicts,
}

/// A verdict, by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expectation(pub(crate) Verdict);

impl<'de> Deserialize<'de> for Expectation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Verdict::from_word(&word)
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("`{}` is no verdict", escape(&word))))
    }
}

impl Expected {
    /// The cells with their verdicts.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (&str, &str, Verdict)> {
        self.verdicts.iter().flat_map(|(function, of_function)| {
            of_function.iter().map(move |(relation, verdict)| (function.as_str(), relation.as_str(), verdict.0))
        })
    }

    /// Whether a verdict of a cell contradicts what was decided about it.
    pub(crate) fn is_wrong(&self, decisions: &Decided, function: &str, relation: &str, verdict: Verdict) -> bool {
        let is_accepted = self.accepted.get(function).is_some_and(|relations| relations.contains(relation));
        !is_accepted && decisions.of(function, relation).is_some_and(|decided| decided.contradicts(verdict))
    }

    /// Whether the input is known to end its process.
    pub(crate) fn is_deadly(&self) -> bool {
        self.cells().any(|(_, _, verdict)| verdict == Verdict::Died)
    }
}

impl Facts {
    /// The facts of the build that a header describes.
    pub(crate) fn of(header: &Header) -> Self {
        let build = &header.build;
        Self { overflow_checks: build.overflow_checks, debug_assertions: build.debug_assertions }
    }
}

impl Manifest {
    /// Reads a manifest.
    pub(super) fn parse(text: &str, path: &Path, suite: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let failed = |kind| Error::new(path, suite, kind);
        let damaged = |error: toml_edit::de::Error| failed(Kind::NotToml(one_line(error.message())));
        // Asked first: a newer manifest may look different altogether.
        let version: Version = toml_edit::de::from_str(text).map_err(damaged)?;
        if version.schema > SCHEMA {
            return Err(failed(Kind::Newer(version.schema)));
        }
        let manifest: Self = toml_edit::de::from_str(text).map_err(damaged)?;
        if manifest.suite != suite {
            return Err(failed(Kind::Foreign(escape(&manifest.suite))));
        }
        Ok(manifest)
    }
}

fn one_line(text: &str) -> String {
    escape(text.trim().lines().next().unwrap_or_default())
}
