//! Corpora of one campaign, made by us and by the engines' own minimisers, and what each of them is worth.

pub mod case;
pub mod kept;
pub mod killed;
pub mod layout;
pub mod made;
pub mod tables;
pub mod worth;

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

/// The program that is measured.
pub const BUGORNOT: &str = env!("CARGO_BIN_EXE_bugornot");

/// Runs a command that has to succeed, without what the user's environment says to targets.
pub fn run(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("failed to run {command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The files of a folder that can be inputs, with their sizes.
pub fn files(folder: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_input = |path: &Path| path.is_file() && path.extension().is_none_or(|extension| extension != "toml");
    let sized = |path: std::path::PathBuf| std::fs::metadata(&path).ok().map(|file| (path, file.len()));
    entries.map(|entry| entry.path()).filter(|path| is_input(path)).filter_map(sized).collect()
}
