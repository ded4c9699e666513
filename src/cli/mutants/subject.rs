//! The code that is changed.

use crate::cli::{
    project::{self, Project},
    terminal::shown,
};
use anyhow::{Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where code is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Mutate {
    /// The crate that the fuzz crate stands in
    Crate,
    /// The fuzz crate itself
    Fuzz,
}

/// The package that is changed.
pub(super) struct Subject {
    pub(super) folder: PathBuf,
    /// The workspace that is copied.
    pub(super) root: PathBuf,
    /// The fuzz crate, relative to it.
    pub(super) fuzz: PathBuf,
    is_fuzz: bool,
}

impl Subject {
    pub(super) fn new(project: &Project, asked: Option<Mutate>) -> Result<Self> {
        let is_fuzz = match asked {
            Some(asked) => asked == Mutate::Fuzz,
            None => !depends_on_its_crate(project)?,
        };
        let folder = if is_fuzz { &project.folder } else { project.crate_folder() };
        let root = project::metadata(&folder.join("Cargo.toml"))?.workspace_root.into_std_path_buf();
        let (fuzz, root) = (real(&project.folder), real(&root));
        let Ok(fuzz) = fuzz.strip_prefix(&root) else {
            bail!(
                "the fuzz crate `{}` is not in the workspace `{}`, of which cargo-mutants makes a copy: move it there",
                shown(&project.folder),
                shown(&root)
            );
        };
        Ok(Self { folder: folder.to_owned(), fuzz: fuzz.to_owned(), root, is_fuzz })
    }

    /// What cargo is told beside, so that it runs the package's own tests: in the fuzz crate, tests in `tests/` are ours.
    pub(super) fn own_tests(&self) -> Vec<String> {
        if self.is_fuzz { vec!["--lib".into()] } else { Vec::new() }
    }
}

/// Whether the code under test is in the crate around the fuzz crate, and not in the library that fuzzes it.
fn depends_on_its_crate(project: &Project) -> Result<bool> {
    let around = real(project.crate_folder());
    let is_under_test = |package: &crate::locate::Package| {
        package.is_own && package.name != env!("CARGO_PKG_NAME") && real(&package.folder) == around
    };
    Ok(project.packages()?.iter().any(is_under_test))
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
