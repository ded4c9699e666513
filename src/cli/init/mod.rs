//! `bugornot init`: adds a target, its dependencies and an example suite to a user's crate.
//!
//! Everything is checked before anything is written, and no file that is there is ever replaced: a manifest is edited
//! and keeps its format and comments.

mod manifest;
mod workflow;

use super::{
    ExitCode, print,
    project::{is_fuzz_document, metadata},
    terminal::{escape, say, shown},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};
use toml_edit::DocumentMut;

/// Add a target with an example suite to a crate
///
/// Makes `fuzz/` as cargo-fuzz expects it, or adds to it; then `bugornot run` works at once.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The crate's folder
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The suite's name: a Rust function, and the target's name
    #[arg(long, value_name = "NAME", default_value = "example")]
    suite: String,
    /// Write a workflow for GitHub Actions, for the suites there are, and nothing else
    #[arg(long, conflicts_with = "suite")]
    workflow: bool,
}

/// The user's crate.
#[derive(Debug)]
struct Crate {
    /// The package's name.
    name: String,
    /// The library's name in code; without a library there is nothing to depend on.
    library: Option<String>,
}

/// What will be written.
struct Change {
    path: PathBuf,
    text: String,
    /// Whether the file must not be there yet.
    is_new: bool,
}

/// What every fuzz crate leaves out of version control.
const IGNORED: [&str; 7] = ["target", "verdicts", "witnesses", "artifacts", "corpus", "coverage", "afl"];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let suite = &arguments.suite;
    check_name(suite)?;
    let folder = fs::canonicalize(&arguments.path)
        .with_context(|| format!("failed to open `{}`; name the folder of a crate", shown(&arguments.path)))?;
    if arguments.workflow {
        let path = workflow::add(&folder)?;
        print(&format!(
            "created `{path}`\nnext: commit it, with the corpora that `bugornot run` has left in `corpus`\n"
        ))?;
        return Ok(ExitCode::Nothing);
    }
    let (crate_folder, fuzz) = folders(&folder)?;
    let user = user_crate(&crate_folder)?;
    let changes = [manifest_change(&fuzz, &user, suite)?, target_change(&fuzz, &user, suite)?, ignore_change(&fuzz)?];
    let mut told = String::new();
    for change in changes.iter().flatten() {
        write(change)?;
        let verb = if change.is_new { "created" } else { "changed" };
        told.push_str(&format!("{verb} `{}`\n", shown(&change.path)));
    }
    if user.library.is_none() {
        say(format_args!(
            "warning: `{}` has no library, so the suite cannot call it: move what you want to test into `src/lib.rs`, \
             and add `{} = {{ path = \"..\" }}` to `{}`",
            user.name,
            user.name,
            shown(&fuzz.join("Cargo.toml"))
        ));
    }
    warn_of_workspace(&crate_folder, &fuzz);
    told.push_str(&format!("next: bugornot run {suite} --time 10s\n"));
    print(&told)?;
    Ok(ExitCode::Nothing)
}

/// A workspace around the crate whose members are `*` takes in the fuzz crate, which is a workspace of its own.
fn warn_of_workspace(crate_folder: &Path, fuzz: &Path) {
    let is_readable = |folder: &Path| metadata(&folder.join("Cargo.toml")).is_ok();
    if !is_readable(crate_folder) || !is_readable(fuzz) {
        say(format_args!(
            "warning: cargo cannot read `{}` now: add `exclude = [\"{}\"]` to the `[workspace]` around it",
            shown(&crate_folder.join("Cargo.toml")),
            shown(fuzz)
        ));
    }
}

/// The suite's name becomes a function and a file.
fn check_name(name: &str) -> Result<()> {
    const KEYWORDS: &str = " abstract as async await become box break const continue crate do dyn else enum extern \
        false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
        super trait true try type typeof unsafe unsized use virtual where while yield _ main test build deps examples \
        incremental ";
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_lowercase() || letter == '_');
    let goes_on = letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    if begins && goes_on && !KEYWORDS.contains(&format!(" {name} ")) {
        return Ok(());
    }
    bail!("`{}` cannot name a suite; use a name that a Rust function can have, such as `my_suite`", escape(name))
}

/// The crate's folder and that of its fuzz crate, whichever of the two was named.
fn folders(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let document = read_manifest(&folder.join("Cargo.toml"))?;
    let document = document.with_context(|| {
        format!("`{}` holds no `Cargo.toml`; name the folder of a crate, or make one with `cargo init`", shown(folder))
    })?;
    match folder.parent() {
        Some(parent) if is_fuzz_document(&document) => Ok((parent.to_owned(), folder.to_owned())),
        _ => Ok((folder.to_owned(), folder.join("fuzz"))),
    }
}

fn read_manifest(path: &Path) -> Result<Option<DocumentMut>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(path).with_context(|| format!("failed to read `{}`", shown(path)))?;
    let document = text.parse().with_context(|| format!("`{}` is no valid TOML; correct it first", shown(path)))?;
    Ok(Some(document))
}

fn user_crate(folder: &Path) -> Result<Crate> {
    let path = folder.join("Cargo.toml");
    let document = read_manifest(&path)?.with_context(|| format!("`{}` is missing", shown(&path)))?;
    let name = document.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str());
    let Some(name) = name else {
        bail!("`{}` is a workspace without a package; name the folder of one of its members", shown(&path));
    };
    let metadata = metadata(&path)?;
    let package = metadata.packages.iter().find(|package| package.name == name);
    let library = package.and_then(|package| package.targets.iter().find(|target| target.is_lib()));
    Ok(Crate { name: name.to_owned(), library: library.map(|target| target.name.clone()) })
}

fn manifest_change(fuzz: &Path, user: &Crate, suite: &str) -> Result<Option<Change>> {
    let path = fuzz.join("Cargo.toml");
    let existing = read_manifest(&path)?;
    let is_new = existing.is_none();
    let mut document = match existing {
        Some(document) => document,
        None => manifest::fresh(&user.name)?,
    };
    if !is_fuzz_document(&document) {
        bail!(
            "`{}` is no cargo-fuzz project; set `package.metadata.cargo-fuzz = true` in it, or move it away",
            shown(&path)
        );
    }
    manifest::add(&mut document, user, suite)
        .with_context(|| format!("cannot add suite `{suite}` to `{}`", shown(&path)))?;
    Ok(Some(Change { path, text: document.to_string(), is_new }))
}

fn target_change(fuzz: &Path, user: &Crate, suite: &str) -> Result<Option<Change>> {
    let path = fuzz.join("fuzz_targets").join(format!("{suite}.rs"));
    if path.exists() {
        bail!("`{}` exists already, and nothing was changed; choose another name with `--suite`", shown(&path));
    }
    // `use` and call it: the comment shows how.
    let own = user.library.as_deref().unwrap_or("your_crate");
    let text = include_str!("target.rs.txt").replace("{suite}", suite).replace("{crate}", own);
    Ok(Some(Change { path, text, is_new: true }))
}

fn ignore_change(fuzz: &Path) -> Result<Option<Change>> {
    let path = fuzz.join(".gitignore");
    let is_new = !path.exists();
    let failed = || format!("failed to read `{}`", shown(&path));
    let mut text = if is_new { String::new() } else { fs::read_to_string(&path).with_context(failed)? };
    let has = |name: &str| text.lines().any(|line| line.trim().trim_matches('/') == name);
    let missing: Vec<&str> = IGNORED.into_iter().filter(|name| !has(name)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    missing.iter().for_each(|name| text.push_str(&format!("{name}\n")));
    Ok(Some(Change { path, text, is_new }))
}

/// Writes a new file, or replaces an edited one in one step.
fn write(change: &Change) -> Result<()> {
    let failed = || format!("failed to write `{}`", shown(&change.path));
    let folder = change.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(failed)?;
    if change.is_new {
        let mut file = fs::File::create_new(&change.path).with_context(failed)?;
        return file.write_all(change.text.as_bytes()).with_context(failed);
    }
    let draft = change.path.with_extension(format!("bugornot-{}", std::process::id()));
    fs::write(&draft, &change.text).and_then(|()| fs::rename(&draft, &change.path)).with_context(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_named_like_a_function() {
        for good in ["calculator", "_a1", "my_suite"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "_", "1a", "my-suite", "fn", "Suite", "../x", "a b", "größe", "main"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
