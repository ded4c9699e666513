//! `bugornot doctor`: what is installed, what is missing, what it is needed for, and how to get it.

use super::{
    ExitCode, print,
    project::cargo,
    terminal::{Color, Paint, escape, shorten},
};
use anyhow::Result;
use std::{env, io, process::Command};

/// See what is installed, what is missing and how to get it
///
/// Exits with 0 if the default engine can run, and with 1 if something that it needs is missing.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

/// One thing that may be installed.
struct Tool {
    name: &'static str,
    /// What it is for, and whether the default engine needs it.
    needed_for: &'static str,
    is_required: bool,
    how_to_get: &'static str,
    /// What it says about its version, if it is there.
    found: Option<String>,
}

/// Runs the command.
pub(crate) fn run(color: Color) -> Result<ExitCode> {
    let tools = tools();
    let paint = color.paint(&io::stdout());
    let mut text: String = tools.iter().map(|tool| tool.line(paint)).collect();
    let is_ready = tools.iter().all(|tool| tool.found.is_some() || !tool.is_required);
    text.push_str(if is_ready {
        "\nthe default engine can run\nnext: bugornot init   in your crate, or   bugornot run SUITE\n"
    } else {
        "\nthe default engine cannot run: install what is missing first\n"
    });
    print(&text)?;
    Ok(if is_ready { ExitCode::Nothing } else { ExitCode::Usage })
}

fn tools() -> Vec<Tool> {
    let afl = version(cargo().args(["afl", "--version"]));
    // cargo-afl names AFL++ only if that is built for this Rust.
    let afl_plus_plus = afl.clone().filter(|found| found.contains("AFL++"));
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    // As the `cc` crate chooses it, which builds libFuzzer.
    let compiler = env::var_os("CXX").filter(|name| !name.is_empty()).unwrap_or_else(|| "c++".into());
    let required =
        |name, needed_for, how_to_get, found| Tool { name, needed_for, is_required: true, how_to_get, found };
    let optional =
        |name, needed_for, how_to_get, found| Tool { name, needed_for, is_required: false, how_to_get, found };
    const RUSTUP: &str = "see https://rustup.rs";
    vec![
        required("rustc", "everything", RUSTUP, version(Command::new(rustc).arg("--version"))),
        required("cargo", "everything", RUSTUP, version(cargo().arg("--version"))),
        required(
            "C++ compiler",
            "libFuzzer, the default engine",
            "install g++ or clang++, or name one with CXX",
            version(Command::new(compiler).arg("--version")),
        ),
        optional(
            "cargo-fuzz",
            "`cargo fuzz` on the same targets; not for `bugornot run`",
            "cargo install cargo-fuzz",
            version(cargo().args(["fuzz", "--version"])),
        ),
        optional(
            "nightly Rust",
            "the address sanitizer of `cargo fuzz`",
            "rustup toolchain install nightly",
            version(Command::new("rustup").args(["run", "nightly", "rustc", "--version"])),
        ),
        optional("cargo-afl", "`--engine afl`", "cargo install cargo-afl", afl),
        optional("AFL++", "`--engine afl`", "cargo afl config --build", afl_plus_plus),
        optional(
            "cargo-mutants",
            "`bugornot mutants`",
            "cargo install cargo-mutants",
            version(cargo().args(["mutants", "--version"])),
        ),
        optional(
            "git",
            "the revision in the log",
            "see https://git-scm.com",
            version(Command::new("git").arg("--version")),
        ),
    ]
}

/// The first line that a program prints, if it can be run and has no complaints.
fn version(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| shorten(&escape(line.trim()), 60))
}

impl Tool {
    fn line(&self, paint: Paint) -> String {
        let (mark, told) = match &self.found {
            Some(version) => (paint.green("ok     "), version.clone()),
            None if self.is_required => (paint.red("MISSING"), format!("get it: {}", self.how_to_get)),
            None => (paint.yellow("missing"), format!("get it: {}", self.how_to_get)),
        };
        format!(
            "{mark}  {:<13}  {told}\n{:24}{}\n",
            self.name,
            "",
            paint.dim(format!("needed for {}", self.needed_for))
        )
    }
}
