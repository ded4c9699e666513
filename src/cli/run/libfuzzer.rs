//! Real libFuzzer on stable Rust: the flags are those of `cargo fuzz run -s none`, so that the two share what they
//! build.

use super::engine::{Ending, Engine, Plan, Start, StopStep, make_seeds};
use crate::cli::{
    project::{self, Project},
    target,
    terminal::shown,
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::Duration,
};

pub(super) struct LibFuzzer;

const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cllvm-args=-simplifycfg-branch-fold-threshold=0";
const LINUX_FLAGS: &str = "-Cllvm-args=-sanitizer-coverage-stack-depth";
const LAST_FLAGS: &str = "-Cdebug-assertions -Ccodegen-units=1";

/// Seconds after which one execution is taken for a hang.
const TIMEOUT: u64 = 10;
/// What `_Exit` is given when it was interrupted.
const INTERRUPTED: i32 = 72;

/// The committed inputs; to libFuzzer, whose inputs get as long as the longest file, the manifest would be one.
fn seeds(plan: &Plan) -> PathBuf {
    plan.artifacts().join(".seeds")
}

/// The flags in the order of cargo-fuzz: any other would build everything again.
fn flags(triple: &str) -> Vec<&'static str> {
    let linux = if triple.contains("-linux-") { LINUX_FLAGS } else { "" };
    [FLAGS, linux, LAST_FLAGS].into_iter().flat_map(str::split_whitespace).collect()
}

/// The cargo call that builds an instrumented target.
pub(crate) fn build_command(project: &Project, suite: &str) -> Result<Command> {
    let triple = target::host()?;
    let mut command = project::cargo();
    // With `--target`, the flags do not reach build scripts.
    command.args(["build", "--release", "--config", "profile.release.debug=\"line-tables-only\"", "--target", &triple]);
    target::set_flags(&mut command, &flags(&triple));
    command.arg("--manifest-path").arg(&project.manifest).args(["--bin", suite]);
    Ok(command)
}

impl Engine for LibFuzzer {
    fn build(&self, plan: &Plan) -> Result<Command> {
        build_command(&plan.project, &plan.suite)
    }

    fn probe(&self, executable: &Path, _nothing: &Path) -> Command {
        let mut command = Command::new(executable);
        command.arg("-help=1");
        command
    }

    fn prepare(&self, plan: &Plan) -> Result<()> {
        let corpus = plan.corpus();
        fs::create_dir_all(&corpus)
            .with_context(|| format!("failed to make the corpus folder `{}`", shown(&corpus)))?;
        make_seeds(&seeds(plan), &plan.committed())
    }

    fn fuzz(&self, plan: &Plan, executable: &Path, start: Start) -> Command {
        let mut command = Command::new(executable);
        // The `/` at the end makes it a folder.
        command.arg(format!("-artifact_prefix={}/", plan.artifacts().display())).arg("-reload=1");
        if let Some(seconds) = start.seconds() {
            command.arg(format!("-max_total_time={seconds}"));
        }
        if let Some(seed) = start.seed(plan) {
            command.arg(format!("-seed={seed}"));
        }
        if !plan.sets("-timeout=") {
            command.arg(format!("-timeout={TIMEOUT}"));
        }
        if !plan.sets("-rss_limit_mb=") {
            command.arg("-rss_limit_mb=2048");
        }
        command.args(&plan.extra).arg(plan.corpus()).arg(seeds(plan));
        plan.tell(&mut command);
        command
    }

    fn ending(&self, status: ExitStatus, _words: &str) -> Ending {
        match status.code() {
            Some(0 | INTERRUPTED) => Ending::Finished,
            // Whatever the code under test does, libFuzzer exits with other codes.
            Some(1) => Ending::Refused,
            _ => Ending::Died,
        }
    }

    fn stop(&self) -> &'static [StopStep] {
        // USR1 is heard between two executions.
        const { &[(libc::SIGUSR1, Duration::from_secs(2)), (libc::SIGTERM, Duration::from_secs(2))] }
    }

    fn grace(&self, plan: &Plan) -> Duration {
        let users = plan.extra.iter().find_map(|argument| argument.to_str()?.strip_prefix("-timeout=")?.parse().ok());
        Duration::from_secs(users.unwrap_or(TIMEOUT).saturating_add(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_those_of_cargo_fuzz() {
        let flags = flags("x86_64-unknown-linux-gnu");
        assert_eq!(flags[0], "-Cpasses=sancov-module");
        assert_eq!(flags[5..7], ["--cfg", "fuzzing"]);
        assert_eq!(flags[8..], [LINUX_FLAGS, "-Cdebug-assertions", "-Ccodegen-units=1"]);
    }
}
