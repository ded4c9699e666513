//! What a test says that cannot run here.
#![allow(dead_code, reason = "each test uses a part")]

use std::io::Write;

/// Skips what no installation can bring here.
#[expect(clippy::explicit_write, reason = "the test harness hides what a passing test prints, not what it writes")]
pub fn skip(why: &str) {
    let thread = std::thread::current();
    // The harness names the thread of a test after the test.
    writeln!(std::io::stderr(), "skipped {}: {why}", thread.name().unwrap_or("a test")).unwrap();
}

/// Whether something to be installed is missing; a failure where nothing may be skipped.
pub fn is_missing(is_here: bool, what: &str, how: &str) -> bool {
    if is_here {
        return false;
    }
    let why = format!("{what} is not installed; `{how}` installs it");
    assert!(std::env::var_os("BUGORNOT_TEST_SKIP").is_none_or(|skip| skip != "never"), "{why}");
    skip(&why);
    true
}

/// Whether this cargo has a command.
pub fn has(command: &str) -> bool {
    let run = std::process::Command::new("cargo").args([command, "--version"]).output();
    run.is_ok_and(|output| output.status.success())
}
