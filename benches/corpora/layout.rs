//! A crate as a user has it: the code under test, and the suites in `fuzz/` inside.
//!
//! Code under test that comes from a registry is copied from there, so that it can be changed; nothing of it is kept.

use super::{BUGORNOT, case::Case, run};
use crate::support::{ROOT, build_folder};
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
        let ours = Path::new(ROOT).join("fuzz");
        let fuzz = root.path().join("fuzz");
        if let Some(package) = case.package {
            copy(&source_of(package), root.path());
        }
        for part in ["src", "fuzz_targets"] {
            copy(&ours.join(part), &fuzz.join(part));
        }
        fs::copy(ours.join("Cargo.lock"), fuzz.join("Cargo.lock")).expect("the lock file can be copied");
        let manifest = fs::read_to_string(ours.join("Cargo.toml")).expect("the fuzz crate has a manifest");
        let mut manifest = manifest.replace("path = \"..\"", &format!("path = \"{ROOT}\""));
        if let Some(package) = case.package {
            manifest += &format!("\n[patch.crates-io]\n{package} = {{ path = \"..\" }}\n");
        }
        fs::write(fuzz.join("Cargo.toml"), manifest).expect("the temporary folder can be written");
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

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the temporary folder can be written");
    for entry in fs::read_dir(from).expect("the folder can be read").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("the temporary folder can be written");
        }
    }
}
