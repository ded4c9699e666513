//! A fuzz target builds none of the analyser's dependencies, and the encoding of the log is one file's business.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The packages that `cargo tree` shows for normal dependencies.
fn tree(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).unwrap();
    shown.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

const OF_THE_ANALYSER: [&str; 10] = [
    "addr2line",
    "anyhow",
    "cargo_metadata",
    "clap",
    "console",
    "csv",
    "ctrlc",
    "indicatif",
    "serde_json",
    "toml_edit",
];

fn shared(packages: &BTreeSet<String>) -> Vec<&str> {
    OF_THE_ANALYSER.into_iter().filter(|name| packages.contains(*name)).collect()
}

#[test]
fn a_fuzz_target_has_none_of_the_analyser_s_dependencies() {
    let packages = tree(&["--package", "bugornot-fuzz", "--manifest-path", "fuzz/Cargo.toml"]);
    assert!(packages.contains("bugornot") && packages.contains("bincode"), "{packages:?}");
    assert_eq!(shared(&packages), [""; 0]);
}

#[test]
fn the_library_without_the_command_line_has_none_of_its_dependencies() {
    assert_eq!(shared(&tree(&["--package", "bugornot", "--no-default-features"])), [""; 0]);
    assert_eq!(shared(&tree(&["--package", "bugornot"])), OF_THE_ANALYSER);
}

/// All files below a folder whose names end so.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|name| name == extension) {
            found.push(path);
        }
    }
    found
}

/// The files whose code, not whose comments, names bincode.
fn naming(paths: Vec<PathBuf>, comment: &str) -> Vec<String> {
    let code = |line: &&str| !line.trim_start().starts_with(comment);
    let names =
        |path: &PathBuf| fs::read_to_string(path).unwrap().lines().filter(code).any(|line| line.contains("bincode"));
    let mut paths: Vec<PathBuf> = paths.into_iter().filter(names).collect();
    paths.sort();
    paths.iter().map(|path| path.strip_prefix(root()).unwrap().display().to_string()).collect()
}

#[test]
fn one_file_and_one_manifest_name_bincode() {
    assert_eq!(naming(files(&root().join("src"), "rs"), "//"), ["src/log/codec.rs"]);
    let manifests = ["Cargo.toml", "fuzz/Cargo.toml"].map(|path| root().join(path)).to_vec();
    assert_eq!(naming(manifests, "#"), ["Cargo.toml"]);
}
