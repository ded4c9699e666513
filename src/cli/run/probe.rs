//! Finds out whether a suite can be declared.

use super::engine::{Engine, Plan};
use crate::cli::{
    process::Process,
    target::refusal,
    terminal::{Color, escape_lines, shown, warn},
};
use anyhow::{Context, Result, bail};
use std::{
    fs::File,
    io::{Read, Seek},
    path::Path,
    process::Stdio,
};

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
