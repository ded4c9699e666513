//! Builds a suite's target with cargo.

use super::{
    process::Process,
    project::{self, Project},
    terminal::{escape_lines, shown},
};
use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use std::{
    env, fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The cargo call for a target without an engine, built like the tests that `cargo test` runs: what it says about a
/// corpus is what they say.
pub(crate) fn plain(project: &Project, suite: &str) -> Command {
    let mut command = project::cargo();
    command.args(["build", "--manifest-path"]).arg(&project.manifest).args(["--bin", suite]);
    command
}

/// No libFuzzer is linked in: an empty archive, kept in a folder, saves a minute of C++.
pub(crate) fn without_libfuzzer(command: &mut Command, folder: &Path) -> Result<()> {
    const VARIABLE: &str = "CUSTOM_LIBFUZZER_PATH";
    if env::var_os(VARIABLE).is_none() {
        let archive = folder.join("libnothing.a");
        // Written anew, it would be built in anew.
        if !archive.exists() {
            let made = fs::create_dir_all(folder).and_then(|()| fs::write(&archive, "!<arch>\n"));
            made.with_context(|| format!("failed to write `{}`", shown(&archive)))?;
        }
        command.env(VARIABLE, archive);
    }
    Ok(())
}

/// Sets flags, the user's own behind them, in the variable that the user uses: cargo reads only one of them.
pub(crate) fn set_flags(command: &mut Command, ours: &[&str]) {
    const SEPARATOR: &str = "\u{1f}";
    let with_users =
        |users: Vec<&str>, separator| ours.iter().copied().chain(users).collect::<Vec<_>>().join(separator);
    match env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(encoded) => {
            let users = encoded.split(SEPARATOR).filter(|flag| !flag.is_empty()).collect();
            command.env("CARGO_ENCODED_RUSTFLAGS", with_users(users, SEPARATOR));
        }
        Err(_) => {
            let users = env::var("RUSTFLAGS").unwrap_or_default();
            command.env("RUSTFLAGS", with_users(users.split_whitespace().collect(), " "));
        }
    }
}

/// The triple of this machine: with `--target`, flags do not reach build scripts.
pub(crate) fn host() -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc).arg("-vV").output();
    let output = output.with_context(|| format!("failed to run `{}`; install Rust first", rustc.to_string_lossy()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host; reinstall Rust")?.to_owned())
}

/// Builds a target; cargo's own progress and errors go to stderr.
pub(crate) fn build(command: &mut Command, project: &Project, suite: &str) -> Result<PathBuf> {
    command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped());
    let mut cargo = Process::spawn(command)?;
    let stdout = cargo.stdout().context("cargo's output was not piped")?;
    let mut executable = None;
    for message in Message::parse_stream(BufReader::new(stdout)) {
        if let Ok(Message::CompilerArtifact(artifact)) = message
            && artifact.target.name == suite
            && let Some(path) = artifact.executable
        {
            executable = Some(path.into_std_path_buf());
        }
    }
    let status = cargo.wait().context("failed to wait for cargo")?;
    let source = shown(project.source(suite)?);
    if !status.success() {
        bail!(
            "failed to build `{source}`; correct what cargo says above, or see `bugornot doctor` for what is missing"
        );
    }
    executable.with_context(|| format!("cargo built `{source}` and named no executable"))
}

/// The command that replays one input without us, for a debugger.
pub(crate) fn reproduce<'name>(
    project: &Project,
    suite: &str,
    constants: impl IntoIterator<Item = (&'name String, &'name String)>,
    path: &str,
) -> String {
    let pin = |(name, value)| format!("BUGORNOT_CONST_{name}={value} ");
    let pins: String = constants.into_iter().map(pin).collect();
    format!("{pins}BUGORNOT_LOG=off cargo run --manifest-path {} --bin {suite} -- {path}", shown(&project.manifest))
}

/// What a target that refuses to run says: its error, or else its last words.
pub(crate) fn refusal(said: &str) -> String {
    let error = said.lines().find_map(|line| line.strip_prefix("error: "));
    error.map_or_else(|| format!("its last words were\n{}", last_lines(said)), escape_lines)
}

/// The last few lines of what a program said, indented.
pub(crate) fn last_lines(said: &str) -> String {
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
