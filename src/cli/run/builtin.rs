//! The built-in engine: the target built as it is, told to fuzz itself.

use super::engine::{Ending, Engine, Plan, Start, StopStep};
use crate::cli::project;
use anyhow::Result;
use std::{
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};

pub(super) struct Builtin;

/// How the last line of a campaign that came to its end ends.
const FINISHED: &str = "inputs kept";

impl Engine for Builtin {
    fn default_jobs(&self) -> u32 {
        // It follows from the campaign's seed: a second process would do the same again.
        1
    }

    fn build(&self, plan: &Plan) -> Result<Command> {
        let mut command = project::cargo();
        command
            .args(["build", "--release", "--manifest-path"])
            .arg(&plan.project.manifest)
            .args(["--bin", &plan.suite]);
        Ok(command)
    }

    fn fuzz(&self, plan: &Plan, executable: &Path, start: Start) -> Command {
        let mut command = Command::new(executable);
        command.arg("--fuzz");
        if let Some(seconds) = start.seconds() {
            command.args(["--time", &seconds.to_string()]);
        }
        if plan.uniform > 0 {
            command.args(["--uniform", &plan.uniform.to_string()]);
        }
        command.args(&plan.extra).args(plan.committed());
        plan.tell(&mut command);
        command
    }

    fn ending(&self, status: ExitStatus, words: &str) -> Ending {
        let last = words.lines().last().unwrap_or_default();
        match status.code() {
            // The code under test may exit as well, with any code.
            Some(0) if last.ends_with(FINISHED) => Ending::Finished,
            Some(1) if words.lines().any(|line| line.starts_with("error: ")) => Ending::Refused,
            _ => Ending::Died,
        }
    }

    fn stop(&self) -> &'static [StopStep] {
        const { &[(libc::SIGTERM, Duration::from_secs(2))] }
    }

    fn grace(&self, _plan: &Plan) -> Duration {
        Duration::from_secs(3)
    }

    fn restarts(&self) -> bool {
        // It would come to the same input again.
        false
    }
}
