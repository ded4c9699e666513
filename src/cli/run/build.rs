//! Builds a target with cargo, and finds out whether its suite can be declared.

use super::engine::{Engine, Plan};
use crate::cli::{
    process::Process,
    terminal::{Color, escape_lines, shown, warn},
};
use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use std::{
    fs::File,
    io::{BufReader, Read, Seek},
    path::{Path, PathBuf},
    process::Stdio,
};

/// Builds the target; cargo's own progress and errors go to stderr.
pub(super) fn build(engine: &dyn Engine, plan: &Plan) -> Result<PathBuf> {
    let mut command = engine.build(plan)?;
    command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped());
    let mut cargo = Process::spawn(&mut command)?;
    let stdout = cargo.stdout().context("cargo's output was not piped")?;
    let mut executable = None;
    for message in Message::parse_stream(BufReader::new(stdout)) {
        if let Ok(Message::CompilerArtifact(artifact)) = message
            && artifact.target.name == plan.suite
            && let Some(path) = artifact.executable
        {
            executable = Some(path.into_std_path_buf());
        }
    }
    let status = cargo.wait().context("failed to wait for cargo")?;
    let source = shown(plan.project.source(&plan.suite)?);
    if !status.success() {
        bail!(
            "failed to build `{source}`; correct what cargo says above, or see `bugornot doctor` for what is missing"
        );
    }
    executable.with_context(|| format!("cargo built `{source}` and named no executable"))
}

/// Starts the target once without executing anything: whatever is wrong with the suite is told once, and now.
pub(super) fn probe(engine: &dyn Engine, plan: &Plan, executable: &Path, color: Color) -> Result<()> {
    let nothing = plan.artifacts().join(".nothing");
    std::fs::create_dir_all(&nothing).with_context(|| format!("failed to make folder `{}`", shown(&nothing)))?;
    let path = plan.artifacts().join("probe.log");
    let failed = || format!("failed to write `{}`", shown(&path));
    let mut words =
        File::options().read(true).write(true).create(true).truncate(true).open(&path).with_context(failed)?;
    let mut command = engine.probe(executable, &nothing);
    plan.tell(&mut command);
    command.env("BUGORNOT_LOG", "off").stdout(Stdio::null()).stderr(words.try_clone().with_context(failed)?);
    let status = Process::spawn(&mut command)?.wait().context("failed to wait for the target")?;
    let mut said = Vec::new();
    words.rewind().and_then(|()| words.read_to_end(&mut said)).with_context(failed)?;
    let said = String::from_utf8_lossy(&said);
    let source = shown(plan.project.source(&plan.suite)?);
    if !status.success() {
        bail!("`{source}` cannot be run: {}", refusal(&said));
    }
    for warning in said.lines().filter_map(|line| line.strip_prefix("bugornot: warning: ")) {
        warn(color, escape_lines(warning));
    }
    Ok(())
}

/// What a target that refuses to run says: its error, or else its last words.
pub(super) fn refusal(said: &str) -> String {
    let error = said.lines().find_map(|line| line.strip_prefix("error: "));
    error.map_or_else(|| format!("its last words were\n{}", last_lines(said)), escape_lines)
}

/// The last few lines of what a program said, indented.
pub(super) fn last_lines(said: &str) -> String {
    const LINES: usize = 12;
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    if last.is_empty() {
        return "    (nothing)".into();
    }
    last.iter().map(|line| format!("    {}", escape_lines(&uncoloured(line)))).collect::<Vec<_>>().join("\n")
}

/// A line without the colours that a program gave it.
fn uncoloured(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let is_number = |letter: char| letter.is_ascii_digit() || letter == ';' || letter == '?';
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(is_number);
        text + rest.strip_prefix(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_the_error_or_the_last_words() {
        assert_eq!(refusal("INFO: x\nerror: suite `a` is empty\nmore"), "suite `a` is empty");
        let colourful = "\u{1b}[?25h\u{1b}[1;91m[-] \u{1b}[0mPROGRAM ABORT\u{7}\n\n";
        assert_eq!(refusal(colourful), "its last words were\n    [-] PROGRAM ABORT\\u{7}");
        assert_eq!(refusal(""), "its last words were\n    (nothing)");
    }
}
