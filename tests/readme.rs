//! The README is followed to the letter, in a fresh crate outside the repository.

#[path = "support/skip.rs"]
mod skip;

use skip::{has, is_missing};
use std::{path::Path, process::Command};

const README: &str = include_str!("../README.md");

/// The commands of a section, in order.
fn commands(section: &str) -> Vec<&'static str> {
    let start = README.find(section).expect("the section is there") + section.len();
    let end = README[start..].find("\n## ").map_or(README.len(), |end| start + end);
    README[start..end].lines().filter_map(|line| line.strip_prefix("$ ")).collect()
}

#[test]
fn the_readme_can_be_followed_in_a_fresh_crate() {
    let place = tempfile::tempdir().unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_bugornot")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut script = String::from("set -e\n");
    for command in commands("\n## In your own crate\n") {
        let tool = command.strip_prefix("cargo ").and_then(|rest| rest.split_whitespace().next());
        let engine = tool.filter(|tool| ["fuzz", "afl"].contains(tool));
        let without = |tool| {
            is_missing(has(tool), &format!("cargo-{tool}, for `{command}`,"), &format!("cargo install cargo-{tool}"))
        };
        // The crate under test is the one to install, and it is on the path already.
        if command != "cargo install bugornot" && !engine.is_some_and(without) {
            script += &format!("echo '+ {command}' >&2\n{command}\n");
        }
    }
    let output = Command::new("bash")
        .arg("-c")
        .arg(&script)
        .current_dir(place.path())
        .env("PATH", path)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    let replayed = text(&output.stdout).lines().any(|line| line.ends_with("inputs replayed"));
    assert!(replayed, "{}", text(&output.stdout));
}
