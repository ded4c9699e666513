//! The committed corpus of a suite: a folder of inputs as raw bytes, named by their content, and beside it a manifest
//! that says what each is kept for and how it must be judged.
//!
//! The manifest stands beside the folder and not in it: an engine takes every file of a corpus for an input, and
//! libFuzzer allows inputs as long as the longest of them. The tester's decisions are in it, as people look for them
//! there; they are small, and to an engine one odd input.

mod error;
mod folder;
mod manifest;
#[cfg(feature = "cli")]
mod save;
#[cfg(feature = "cli")]
mod write;

pub(crate) use folder::{Corpus, Kept};
#[cfg(feature = "cli")]
pub(crate) use folder::{is_ours, limited, list, read_input};
#[cfg(feature = "cli")]
pub(crate) use manifest::{Expectation, LogBuild, SCHEMA, Verdicts};
pub(crate) use manifest::{Expected, Facts, Manifest};
#[cfg(feature = "cli")]
pub(crate) use save::{replace, save};
#[cfg(feature = "cli")]
pub(crate) use write::{key, quoted};

use crate::{
    hash,
    log::{Header, Row},
};
use std::path::{Path, PathBuf};

/// The file with the tester's decisions, in the folder of the inputs: it is none of them.
pub(crate) const DECISIONS: &str = "decisions.toml";

/// The name of an input: the hash of its bytes, so that damage shows and no two are the same.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    format!("{:016x}", hash::of_bytes(bytes, 0))
}

/// Where the manifest of a folder is.
pub(crate) fn manifest_of(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".toml");
    folder.with_file_name(name)
}

/// A decoded input in one line: its fields and parameters.
pub(crate) fn input_text(row: &Row, header: &Header) -> String {
    let parameters = header.parameters.iter().zip(&row.parameters);
    let parts = row.names.iter().zip(&row.fields).chain(parameters);
    parts.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}
