//! cargo-mutants: whether it is here, how it is called, and how it is stopped.

use super::{plan, step, subject::Subject};
use crate::cli::{
    process::{self, Process},
    project::Project,
    target,
    terminal::shown,
};
use anyhow::{Context, Result, bail};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::stderr,
    os::fd::AsFd,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// What we tell it ourselves, or what would leave nothing to report.
const OURS: [&str; 15] = [
    "--baseline",
    "--check",
    "--dir",
    "-d",
    "--in-place",
    "--iterate",
    "--json",
    "--leak-dirs",
    "--list",
    "--list-files",
    "--manifest-path",
    "--output",
    "-o",
    "--test-tool",
    "--version",
];
/// Each part of a test has its own limit, so that one that hangs does not hide what others notice.
const TIMEOUT: &str = "86400";

/// An error if it is not installed, or is told what it must not be.
pub(super) fn check(arguments: &[OsString]) -> Result<()> {
    let found = Command::new(program()).args(["mutants", "--version"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        bail!("cargo-mutants is not installed: `cargo install --locked cargo-mutants` installs it");
    }
    if let Some(ours) = OURS.iter().find(|&&ours| is_given(arguments, ours)) {
        bail!("`{ours}` cannot be passed on: bugornot itself tells cargo-mutants what that is about");
    }
    Ok(())
}

/// Changes the code and tests it; whether that was interrupted.
pub(super) fn run(subject: &Subject, project: &Project, arguments: &[OsString], scratch: &Path) -> Result<bool> {
    let copies = plan::copies(scratch);
    fs::create_dir(&copies).with_context(|| format!("failed to make folder `{}`", shown(&copies)))?;
    let mut command = Command::new(program());
    command.arg("mutants").arg("--dir").arg(&subject.folder).arg("--output").arg(scratch);
    command.args(["--test-tool", "cargo", "--annotations", "none"]);
    if !["--timeout", "-t"].iter().any(|given| is_given(arguments, given)) {
        command.args(["--timeout", TIMEOUT]);
    }
    for suite in project.suites() {
        // What declares a suite is no code under test.
        command.args(["--exclude-re", &format!(" (in|replace) {}( |$)", suite.replace('-', "_"))]);
    }
    target::without_libfuzzer(&mut command, scratch)?;
    command.args(arguments).env("TMPDIR", &copies).env(step::VARIABLE, scratch);
    command.env("CARGO", env::current_exe().context("failed to find this program")?);
    if ["--jobs", "-j"].iter().any(|given| is_given(arguments, given)) || env::var_os("CARGO_MUTANTS_JOBS").is_some() {
        // Copies that are built at the same time need folders of their own.
        command.env_remove("CARGO_TARGET_DIR");
    }
    // What it tells is progress, not data.
    let told = stderr().as_fd().try_clone_to_owned().context("failed to share stderr")?;
    let mut process = Process::spawn(command.stdout(Stdio::from(told)))?;
    process::be_gentle(true);
    let ended = watch(&mut process);
    process::be_gentle(false);
    ended
}

/// Waits for its end; asked to stop, it takes away what it has made.
fn watch(process: &mut Process) -> Result<bool> {
    let mut is_told = false;
    loop {
        if process.try_wait().context("failed to wait for cargo-mutants")?.is_some() {
            return Ok(is_told);
        }
        if process::is_interrupted() && !is_told {
            is_told = true;
            process.signal(libc::SIGINT, false);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Called directly, and not as `cargo mutants`: that would tell it which cargo to call.
fn program() -> PathBuf {
    const NAME: &str = "cargo-mutants";
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let installed = home.map(|home| home.join("bin").join(NAME)).filter(|path| path.is_file());
    installed.unwrap_or_else(|| NAME.into())
}

/// Whether an argument is among these, with or without its value.
fn is_given(arguments: &[OsString], name: &str) -> bool {
    let is_it = |argument: &OsStr| {
        let rest = argument.to_str().and_then(|argument| argument.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !name.starts_with("--"))
    };
    arguments.iter().take_while(|argument| *argument != "--").any(|argument| is_it(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_found_with_and_without_its_value() {
        let given = |arguments: &[&str], name| is_given(&arguments.iter().map(Into::into).collect::<Vec<_>>(), name);
        assert!(given(&["--file", "a", "--jobs=2"], "--jobs") && given(&["-j2"], "-j") && given(&["-j", "2"], "-j"));
        assert!(!given(&["--jobserver=false"], "--jobs") && !given(&["--", "--jobs"], "--jobs"));
    }
}
