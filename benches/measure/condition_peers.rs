//! Runs other tools on a table, in a Python environment under `target/`.
#![allow(dead_code, reason = "each bench uses a part")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What a tool gave.
pub struct Found {
    /// CPU seconds.
    pub seconds: f64,
    /// How many rules.
    pub rules: usize,
    /// The first of them.
    pub text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers-condition")
}

/// Makes the environment, if it is not there; whether it is now.
pub fn install() -> bool {
    let python = folder().join("bin/python");
    if !python.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(folder()).status();
        if !made.is_ok_and(|status| status.success()) {
            return false;
        }
    }
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/condition-requirements.txt");
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements);
    pip.status().is_ok_and(|status| status.success())
}

/// Keeps a table for the tools: per row its values, then its verdict.
pub fn keep(name: &str, rows: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, rows).expect("there is room for a table");
    path
}

/// Runs a tool for at most so many seconds; says what went wrong otherwise.
pub fn run(tool: &str, table: &Path, width: usize, limit: u32) -> Result<Found, &'static str> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/condition.py");
    let mut command = Command::new("timeout");
    command.arg(limit.to_string()).arg(folder().join("bin/python")).arg(script).arg(tool).arg(table);
    let output = command.arg(width.to_string()).stderr(Stdio::null()).output().map_err(|_| "did not start")?;
    // What `timeout` exits with when it had to end the command.
    if output.status.code() == Some(124) {
        return Err("over the limit");
    }
    parse(&String::from_utf8_lossy(&output.stdout)).ok_or("failed")
}

fn parse(output: &str) -> Option<Found> {
    let mut fields = output.trim().split('\t');
    let (seconds, rules) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let text = fields.next().unwrap_or_default().replace('|', "\\|");
    Some(Found { seconds, rules, text })
}
