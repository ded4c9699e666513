//! The committed corpus of a suite: a folder of inputs as raw bytes, named by their content, with a manifest that says
//! what each is kept for and how it must be judged, and with the tester's decisions.
//!
//! Engines take every file of a folder for an input, so those that we start get the inputs without the other two.

mod decided;
mod error;
mod folder;
#[cfg(feature = "cli")]
mod lock;
mod manifest;
#[cfg(feature = "cli")]
mod save;
#[cfg(feature = "cli")]
mod write;

pub(crate) use decided::Decided;
#[cfg(feature = "cli")]
pub(crate) use decided::{DecidedCell, LONGEST_DECISIONS, digest};
pub(crate) use folder::{Corpus, Kept};
#[cfg(feature = "cli")]
pub(crate) use folder::{is_ours, limited, list, read_input};
#[cfg(feature = "cli")]
pub(crate) use lock::Lock;
#[cfg(feature = "cli")]
pub(crate) use manifest::{Expectation, LogBuild, SCHEMA, Verdicts};
pub(crate) use manifest::{Expected, Facts, Manifest};
#[cfg(feature = "cli")]
pub(crate) use save::{replace, save};
#[cfg(feature = "cli")]
pub(crate) use write::{key, quoted};

use crate::hash;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Something for each cell: by function, then by relation.
pub(crate) type ByCell<T> = BTreeMap<String, BTreeMap<String, T>>;

/// The file that says what is expected of the inputs; it is none of them.
pub(crate) const MANIFEST: &str = "manifest.toml";
/// The file with the tester's decisions; it is no input either.
pub(crate) const DECISIONS: &str = "decisions.toml";

/// The name of an input: the hash of its bytes, so that damage shows and no two are the same.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    format!("{:016x}", hash::of_bytes(bytes, 0))
}

/// Where the manifest of a folder is.
pub(crate) fn manifest_of(folder: &Path) -> PathBuf {
    folder.join(MANIFEST)
}
