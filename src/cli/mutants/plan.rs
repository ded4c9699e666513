//! What the processes that cargo-mutants starts have to know.

use crate::{
    cli::terminal::shown,
    log::codec,
    mutants::{Expected, Tests},
};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// How each mutant is tested.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) suite: String,
    /// The cargo that really builds.
    pub(super) cargo: PathBuf,
    /// The folder that is copied.
    pub(super) root: PathBuf,
    /// The fuzz crate, relative to it.
    pub(super) fuzz: PathBuf,
    pub(super) constants: Vec<(String, String)>,
    /// Function and relation of each cell.
    pub(super) cells: Vec<(String, String)>,
    /// The sets of inputs, the committed corpus first.
    pub(super) sets: Vec<Vec<Expected>>,
    /// The test that `bugornot generate` has written.
    pub(super) generated: Option<String>,
    /// What cargo is told beside to run the crate's own tests; nothing if they are not run.
    pub(super) own: Option<Vec<String>>,
    /// An input that takes longer is a hang.
    pub(super) patience: Duration,
}

impl Plan {
    /// Writes it to a folder, with room for records.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join("plan");
        let saved = fs::create_dir(records(folder)).and_then(|()| fs::write(&path, codec::encode(self)));
        saved.with_context(|| format!("failed to write `{}`", shown(&path)))
    }

    pub(super) fn load(folder: &Path) -> Result<Self> {
        let path = folder.join("plan");
        let bytes = fs::read(&path).with_context(|| format!("failed to read `{}`", shown(&path)))?;
        codec::decode(&bytes).with_context(|| format!("`{}` is damaged", shown(&path)))
    }
}

/// Where records are.
pub(super) fn records(folder: &Path) -> PathBuf {
    folder.join("records")
}

/// Where cargo-mutants copies the crate to: it goes with the folder, however cargo-mutants ends.
pub(super) fn copies(folder: &Path) -> PathBuf {
    folder.join("tmp")
}

/// Where it is noted how long tests take without a mutant.
pub(super) fn duration(folder: &Path, tests: Tests) -> PathBuf {
    folder.join(match tests {
        Tests::Generated => "generated",
        Tests::Own => "own",
    })
}
