//! AFL++ through cargo-afl: one main instance and any number of secondary ones on the same folder.

use super::engine::{Ending, Engine, Plan, Start, StopStep, make_seeds};
use crate::{
    cli::{project, terminal::shown},
    corpus,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::Duration,
};

pub(super) struct Afl;

/// What AFL is told so that it neither asks questions nor paints the screen.
const SETTINGS: [&str; 6] = [
    "AFL_NO_UI",
    "AFL_SKIP_CPUFREQ",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
    "AFL_AUTORESUME",
    // More processes than free cores are no reason to give up.
    "AFL_TRY_AFFINITY",
    "AFL_NO_WARN_INSTABILITY",
];

/// Longer files are refused by AFL.
const MAX_SEED: u64 = 1 << 20;

fn output(plan: &Plan) -> PathBuf {
    plan.project.folder.join("afl").join(&plan.suite)
}

fn seeds(plan: &Plan) -> PathBuf {
    plan.project.folder.join("afl").join(format!("{}.seeds", plan.suite))
}

/// Whether AFL takes a file.
fn fits(path: &PathBuf) -> bool {
    fs::metadata(path).is_ok_and(|metadata| (1..=MAX_SEED).contains(&metadata.len()))
}

impl Engine for Afl {
    fn check(&self) -> Result<()> {
        let output = project::cargo()
            .args(["afl", "--version"])
            .output()
            .context("failed to run `cargo`; install Rust first")?;
        if !output.status.success() {
            bail!(
                "`--engine afl` needs cargo-afl, which is not installed; install it with `cargo install cargo-afl` \
                 and then `cargo afl config --build`"
            );
        }
        // It names AFL++ only if that is built for this Rust.
        if !String::from_utf8_lossy(&output.stdout).contains("AFL++") {
            bail!(
                "`--engine afl` needs AFL++, which is not built for this Rust; build it with `cargo afl config --build`"
            );
        }
        Ok(())
    }

    fn build(&self, plan: &Plan) -> Result<Command> {
        let mut command = project::cargo();
        command.args(["afl", "build", "--release", "--manifest-path"]).arg(&plan.project.manifest);
        // A folder of its own: the flags differ, and would rebuild everything each time.
        command.args(["--bin", &plan.suite, "--target-dir"]).arg(plan.project.target_directory.join("afl"));
        Ok(command)
    }

    /// AFL takes one folder of first inputs, in which one at least must not be empty.
    fn prepare(&self, plan: &Plan) -> Result<()> {
        let found = corpus::list(&plan.corpus()).unwrap_or_default();
        let given: Vec<PathBuf> = found.into_iter().chain(plan.committed()).filter(fits).collect();
        let folder = seeds(plan);
        make_seeds(&folder, &given)?;
        if given.is_empty() {
            let path = folder.join("zeros");
            fs::write(&path, [0; 16]).with_context(|| format!("failed to write `{}`", shown(&path)))?;
        }
        Ok(())
    }

    fn fuzz(&self, plan: &Plan, executable: &Path, start: Start) -> Command {
        let mut command = project::cargo();
        command.args(["afl", "fuzz", "-i"]).arg(seeds(plan)).arg("-o").arg(output(plan));
        match start.job {
            1 => command.args(["-M", "main"]),
            job => command.args(["-S", &format!("s{}", job - 1)]),
        };
        if let Some(seconds) = start.seconds() {
            command.args(["-V", &seconds.to_string()]);
        }
        if let Some(seed) = start.seed(plan) {
            command.args(["-s", &seed.to_string()]);
        }
        command.args(&plan.extra).arg("--").arg(executable);
        command.envs(SETTINGS.map(|name| (name, "1")));
        plan.tell(&mut command);
        command
    }

    fn ending(&self, status: ExitStatus, _words: &str) -> Ending {
        // The code under test cannot end `afl-fuzz`, so whatever it says is a refusal.
        match status.code() {
            Some(0) => Ending::Finished,
            Some(_) => Ending::Refused,
            None => Ending::Died,
        }
    }

    fn stop(&self) -> &'static [StopStep] {
        // `afl-fuzz` kills its target in the middle of an execution, unless it is held until the target has finished.
        const {
            &[
                (libc::SIGSTOP, Duration::from_millis(200)),
                (libc::SIGTERM, Duration::ZERO),
                (libc::SIGCONT, Duration::from_secs(5)),
            ]
        }
    }

    fn is_wrapped(&self) -> bool {
        true
    }

    fn grace(&self, _plan: &Plan) -> Duration {
        Duration::ZERO
    }

    fn hidden_deaths(&self, plan: &Plan) -> u64 {
        let Ok(entries) = fs::read_dir(output(plan)) else { return 0 };
        let stats = entries.flatten().filter_map(|entry| fs::read_to_string(entry.path().join("fuzzer_stats")).ok());
        stats.map(|text| deaths(&text)).sum()
    }
}

/// Crashes kept and timeouts, from AFL's statistics; it does not count more.
fn deaths(stats: &str) -> u64 {
    let value = |name: &str| {
        let line = stats.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix(':'));
        line.and_then(|value| value.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    value("saved_crashes") + value("total_tmout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deaths_are_read_from_the_statistics() {
        assert_eq!(
            deaths("execs_done        : 77\nsaved_crashes     : 3\nsaved_hangs       : 1\ntotal_tmout       : 9\n"),
            12
        );
        assert_eq!(deaths(""), 0);
    }
}
