//! The build of a target that records calls: LLVM calls back at every block, and nothing is optimised away, so that each
//! block has its own lines. What can change verdicts is as it was in the campaign.

use crate::{
    cli::{
        project::{self, Project},
        target,
    },
    log::Build,
};
use anyhow::{Result, bail};
use std::{path::PathBuf, process::Command};

const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
    -Cllvm-args=-sanitizer-coverage-trace-pc-guard -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-prune-blocks=0 -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cforce-frame-pointers=yes --cfg bugornot_calls";

/// The profile: lines are exact where nothing is optimised; the recorder itself need not be slow.
const PROFILE: [&str; 5] = [
    "profile.dev.opt-level=0",
    "profile.dev.debug=\"line-tables-only\"",
    "profile.dev.strip=false",
    "profile.dev.split-debuginfo=\"off\"",
    "profile.dev.package.bugornot.opt-level=2",
];

/// Builds a suite's target; the executable.
pub(super) fn build(project: &Project, suite: &str, campaign: &Build) -> Result<PathBuf> {
    if !cfg!(target_os = "linux") {
        bail!("`bugornot locate` reads the debug information of Linux executables only");
    }
    target::build(&mut command(project, suite, campaign)?, project, suite)
}

fn command(project: &Project, suite: &str, campaign: &Build) -> Result<Command> {
    // A folder of its own: other flags would build everything again each time.
    let folder = project.target_directory.join("bugornot-locate");
    let mut command = project::cargo();
    command.args(["build", "--target", &target::host()?, "--target-dir"]).arg(&folder);
    PROFILE.iter().for_each(|setting| _ = command.args(["--config", setting]));
    command.arg("--manifest-path").arg(&project.manifest).args(["--bin", suite]);
    target::set_flags(&mut command, &flags(campaign));
    target::without_libfuzzer(&mut command, &folder)?;
    Ok(command)
}

fn flags(campaign: &Build) -> Vec<&'static str> {
    let mut flags: Vec<&str> = FLAGS.split_whitespace().collect();
    flags.push(if campaign.debug_assertions { "-Cdebug-assertions=yes" } else { "-Cdebug-assertions=no" });
    flags.push(if campaign.overflow_checks { "-Coverflow-checks=yes" } else { "-Coverflow-checks=no" });
    if campaign.cfg_fuzzing {
        flags.extend(["--cfg", "fuzzing"]);
    }
    flags
}
