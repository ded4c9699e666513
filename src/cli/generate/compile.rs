//! Formats and compiles a draft of the tests beside where they will be, before anything is replaced.

use crate::{
    cli::{process::Process, project},
    terminal::{escape_lines, shown},
};
use anyhow::{Context, Result, bail};
use cargo_metadata::{
    Message,
    diagnostic::{Diagnostic, DiagnosticLevel},
};
use std::{
    env, fs,
    io::{BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A draft, gone when this is.
pub(super) struct Draft {
    path: PathBuf,
    manifest: PathBuf,
    edition: String,
}

/// What a compiler does not like about a draft.
pub(super) struct Fault {
    /// The module it is in; none if it is outside all.
    pub(super) module: Option<String>,
    /// `E0616`
    pub(super) code: String,
    pub(super) message: String,
}

impl Fault {
    /// The type that the compiler does not find.
    pub(super) fn unknown_type(&self) -> Option<&str> {
        let is_unknown = matches!(self.code.as_str(), "E0412" | "E0425" | "E0433");
        self.message.split('`').nth(1).filter(|_| is_unknown)
    }
}

impl Draft {
    /// A draft of a file of tests, in the package of this manifest.
    pub(super) fn new(file: &Path, manifest: &Path, edition: &str) -> Self {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = file.with_file_name(format!("{stem}_draft_{}.rs", std::process::id()));
        Self { path, manifest: manifest.to_owned(), edition: edition.to_owned() }
    }

    /// Writes and formats the draft; the text as it is then. Formatted by stdin, so that no module that the draft names
    /// is touched, with the settings of the crate.
    pub(super) fn format(&self, text: &str) -> Result<String> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let failed = || format!("failed to write `{}`", shown(&self.path));
        fs::create_dir_all(folder).with_context(failed)?;
        let mut command = Command::new(env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into()));
        command.args(["--edition", &self.edition]).current_dir(folder);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut rustfmt = spawned.context("failed to run `rustfmt`: install it with `rustup component add rustfmt`")?;
        let stdin = rustfmt.stdin.take().context("rustfmt's input was not piped")?;
        // It reads all before it writes anything; if it ends early, its status tells.
        let _ = { stdin }.write_all(text.as_bytes());
        let output = rustfmt.wait_with_output().context("failed to wait for rustfmt")?;
        if !output.status.success() {
            bail!("rustfmt cannot format the tests\n{}", escape_lines(&String::from_utf8_lossy(&output.stderr)));
        }
        let formatted = String::from_utf8(output.stdout).context("rustfmt gave no text")?;
        fs::write(&self.path, &formatted).with_context(failed)?;
        Ok(formatted)
    }

    /// Compiles the draft; what is wrong with it.
    pub(super) fn check(&self, text: &str) -> Result<Vec<Fault>> {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut command = project::cargo();
        command.args(["check", "--quiet", "--message-format=json", "--test", &name, "--manifest-path"]);
        // What cargo says beside is of use only if the compiler says nothing about the draft.
        let said = self.path.with_extension("stderr");
        let stderr = fs::File::create(&said).with_context(|| format!("failed to write `{}`", shown(&said)))?;
        command.arg(&self.manifest).stdout(Stdio::piped()).stderr(stderr);
        let mut cargo = Process::spawn(&mut command)?;
        let stdout = cargo.stdout().context("cargo's output was not piped")?;
        let (mut faults, mut others) = (Vec::new(), String::new());
        for message in Message::parse_stream(BufReader::new(stdout)).flatten() {
            let Message::CompilerMessage(message) = message else { continue };
            if message.message.level != DiagnosticLevel::Error {
                continue;
            }
            if message.target.name == name {
                faults.extend(fault(&message.message, text));
            } else {
                others.push_str(message.message.rendered.as_deref().unwrap_or_default());
            }
        }
        let status = cargo.wait().context("failed to wait for cargo")?;
        others.push_str(&fs::read_to_string(&said).unwrap_or_default());
        let _ = fs::remove_file(&said);
        if !status.success() && faults.is_empty() {
            bail!("`{}` does not compile, so nothing was generated\n{}", shown(&self.manifest), escape_lines(&others));
        }
        Ok(faults)
    }

    /// Makes the draft the file.
    pub(super) fn keep(self, file: &Path, text: &str) -> Result<()> {
        let failed = || format!("failed to write `{}`", shown(file));
        fs::write(&self.path, text).and_then(|()| fs::rename(&self.path, file)).with_context(failed)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Where it was kept, it is not there any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// An error that says something about the text; what only counts the others says nothing.
fn fault(diagnostic: &Diagnostic, text: &str) -> Option<Fault> {
    let place = diagnostic.spans.iter().find(|span| span.is_primary)?;
    Some(Fault {
        module: module_at(text, place.line_start),
        code: diagnostic.code.as_ref().map(|code| code.code.clone()).unwrap_or_default(),
        message: diagnostic.message.clone(),
    })
}

/// The module that a line is in, counted from 1.
fn module_at(text: &str, line: usize) -> Option<String> {
    let before: Vec<&str> = text.lines().take(line).collect();
    let begin = before.iter().rev().find(|line| !line.starts_with([' ', '}']) && line.ends_with('{'))?;
    begin.strip_prefix("mod ")?.strip_suffix(" {").map(str::to_owned)
}
