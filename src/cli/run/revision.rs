//! Which code a target was built from. Rows of different code must not be added up, and a bug is often fixed before
//! anything is committed: then the revision that is checked out says too little.

use crate::hash;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What tells this code from the revision that is checked out, and from other changes to it; nothing if it is that
/// revision, or the user says which one it is, or nobody can tell.
pub(super) fn of_changed(executable: &Path, manifest: &Path) -> Option<String> {
    if env::var_os("BUGORNOT_REVISION").is_some() {
        return None;
    }
    let folder = manifest.parent()?;
    let mut sources = sources(&fs::read_to_string(executable.with_extension("d")).ok()?);
    sources.push(folder.join("Cargo.lock"));
    let revision = git(folder, &["rev-parse", "HEAD"], &[]);
    let changed = git(folder, &["status", "--porcelain", "--"], &sources);
    if revision.is_some() && changed.is_some_and(|changed| changed.is_empty()) {
        return None;
    }
    let hash = sources.iter().fold(0, |hash, source| hash::of_bytes(&fs::read(source).unwrap_or_default(), hash));
    Some(format!("{}+{:08x}", revision.unwrap_or_default(), hash as u32))
}

/// What git says, if it can say anything.
fn git(folder: &Path, arguments: &[&str], paths: &[PathBuf]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).args(paths).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The files that cargo says an executable is made of: a line of a makefile, where a blank in a name is escaped.
fn sources(rule: &str) -> Vec<PathBuf> {
    let (_, files) = rule.lines().next().and_then(|line| line.split_once(": ")).unwrap_or_default();
    let files = files.replace("\\ ", "\0");
    files.split_whitespace().map(|file| file.replace('\0', " ").into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(folder: &Path, arguments: &[&str]) {
        git(folder, &[&["-c", "user.name=a", "-c", "user.email=a@b"], arguments].concat(), &[]).expect("git works");
    }

    #[test]
    fn changes_that_are_not_committed_are_told_from_the_revision_and_from_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let [source, executable, manifest] =
            ["a source.rs", "target", "Cargo.toml"].map(|name| folder.path().join(name));
        let told = || of_changed(&executable, &manifest);
        fs::write(folder.path().join(".gitignore"), "target*\n").unwrap();
        assert_eq!(told(), None, "nothing says what it is made of");
        let rule = format!("{}: {}\n", executable.display(), source.display().to_string().replace(' ', "\\ "));
        fs::write(executable.with_extension("d"), rule).unwrap();
        fs::write(&source, "fn a() {}").unwrap();
        let unversioned = told().expect("there is no revision");
        assert!(unversioned.starts_with('+'), "{unversioned}");

        run(folder.path(), &["init", "--quiet"]);
        run(folder.path(), &["add", "."]);
        run(folder.path(), &["commit", "--quiet", "--message", "a"]);
        assert_eq!(told(), None, "it is the revision");
        fs::write(folder.path().join("notes.md"), "no source").unwrap();
        assert_eq!(told(), None, "what it is not made of does not count");
        fs::write(&source, "fn b() {}").unwrap();
        let first = told().expect("it has changed");
        fs::write(&source, "fn c() {}").unwrap();
        let second = told().expect("it has changed");
        assert!(first != second && first.split_once('+').is_some_and(|(revision, _)| revision.len() >= 40), "{first}");
        fs::write(&source, "fn a() {}").unwrap();
        assert_eq!(told(), None, "it is the revision again");
    }
}
