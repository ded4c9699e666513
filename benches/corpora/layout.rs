//! A crate as a user has it: the code under test, and the suites in `fuzz/` inside.
//!
//! Code under test that comes from a registry is copied from there, so that it can be changed; nothing of it is kept.

use super::{BUGORNOT, case::Case, run};
use crate::support::{ROOT, build_folder, copy, copy_suites};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// The crate of one suite, for as long as it is measured.
pub struct Layout {
    root: TempDir,
    pub suite: &'static str,
}

impl Layout {
    pub fn new(case: &Case) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        if let Some(package) = case.package {
            copy(&source_of(package), root.path());
        }
        copy_suites(root.path());
        if let Some(package) = case.package {
            patch(&root.path().join("fuzz/Cargo.toml"), package);
        }
        Self { root, suite: case.suite }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// What `bugornot` is told in this crate.
    pub fn bugornot(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BUGORNOT);
        command.args(arguments).arg("--manifest-path").arg(self.path("fuzz/Cargo.toml"));
        command.env("CARGO_TARGET_DIR", build_folder("corpora")).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.current_dir(self.root.path());
        command
    }
}

/// Makes a package depend on the code beside it, wherever that comes from.
fn patch(manifest: &Path, package: &str) {
    let text = fs::read_to_string(manifest).expect("the fuzz crate has a manifest");
    let patched = format!("{text}\n[patch.crates-io]\n{package} = {{ path = \"..\" }}\n");
    fs::write(manifest, patched).expect("the temporary folder can be written");
}

/// The source of a dependency of the fuzz crate, as cargo has it.
fn source_of(package: &str) -> PathBuf {
    let manifest = Path::new(ROOT).join("fuzz/Cargo.toml");
    let mut command = Command::new("cargo");
    let output = run(command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo speaks JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let found = packages.iter().find(|found| found["name"] == package).expect("the fuzz crate depends on it");
    Path::new(found["manifest_path"].as_str().unwrap_or_default()).parent().expect("a manifest is in a folder").into()
}
