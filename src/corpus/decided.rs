//! What the tester has decided, as far as replay has to know it. `minimise` writes it down, so that a light test needs
//! nothing that reads conditions.

use super::{ByCell, DECISIONS, folder::limited, manifest::Expectation};
use crate::{Verdict, hash};
use serde::Deserialize;
use std::{io, path::Path};

/// No file of decisions is longer.
pub(crate) const LONGEST_DECISIONS: u64 = 16 << 20;

/// The decisions that a corpus was made under.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decided {
    /// The [`digest`] of their file.
    pub(crate) digest: String,
    #[serde(default)]
    pub(crate) cells: ByCell<DecidedCell>,
}

/// The decision about one cell.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecidedCell {
    /// The answer, by its word.
    pub(crate) answer: String,
    /// The answer with its condition, its day and its note.
    pub(crate) words: String,
    /// The verdicts that contradict it, in inputs that do not accept them.
    pub(crate) wrong: Vec<Expectation>,
    /// Why its condition cannot be used; then nothing contradicts it.
    #[serde(default)]
    pub(crate) fault: String,
}

impl Decided {
    /// The decision about a cell.
    pub(crate) fn of(&self, function: &str, relation: &str) -> Option<&DecidedCell> {
        self.cells.get(function)?.get(relation)
    }

    /// The cells whose decision cannot be used, each with the reason.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (String, &DecidedCell)> {
        let cells = self.cells.iter().flat_map(|(function, relations)| {
            relations.iter().map(move |(relation, cell)| (format!("{function} x {relation}"), cell))
        });
        cells.filter(|(_, cell)| !cell.fault.is_empty())
    }
}

impl DecidedCell {
    /// Whether it was decided that the violations are a bug.
    pub(crate) fn is_bug(&self) -> bool {
        self.answer == "bug"
    }

    pub(crate) fn contradicts(&self, verdict: Verdict) -> bool {
        self.wrong.contains(&Expectation(verdict))
    }
}

/// What tells one file of decisions from another: nothing if there is none. How lines end is no difference.
pub(crate) fn digest(folder: &Path) -> io::Result<String> {
    let bytes = match limited(&folder.join(DECISIONS), LONGEST_DECISIONS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        read => read?.ok_or_else(|| io::Error::other("it is too long to be what it claims to be"))?,
    };
    let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != b'\r').collect();
    Ok(if bytes.is_empty() { String::new() } else { format!("{:016x}", hash::of_bytes(&bytes, 0)) })
}
