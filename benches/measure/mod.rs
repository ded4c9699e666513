//! What the benches share: how much to measure, the processor time of children, medians, tables.
#![allow(dead_code, reason = "each bench uses a part")]

use std::{
    fmt::Display,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// Whether small counts are enough: to see that a bench works, and under `cargo test --all-targets`.
pub fn is_quick() -> bool {
    let is_asked = std::env::var_os("BUGORNOT_BENCH_QUICK").is_some_and(|quick| quick != "0");
    is_asked || !std::env::args().any(|argument| argument == "--bench")
}

/// The one or the other.
pub fn quick_or<T>(quick: T, full: T) -> T {
    if is_quick() { quick } else { full }
}

/// The processor time that a `getrusage` of libc reports: `RUSAGE_SELF`, or `RUSAGE_CHILDREN`.
pub fn processor_time(whose: libc::c_int) -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: it has room for what is filled in, and is plain numbers.
    let usage = unsafe {
        libc::getrusage(whose, usage.as_mut_ptr());
        usage.assume_init()
    };
    processor(&usage)
}

fn processor(usage: &libc::rusage) -> Duration {
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.try_into().unwrap_or(0))
            + Duration::from_micros(time.tv_usec.try_into().unwrap_or(0))
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// The processor time of what a closure does in this process.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = processor_time(libc::RUSAGE_SELF);
    let done = work();
    (done, processor_time(libc::RUSAGE_SELF).saturating_sub(before))
}

/// From now on, children of children whose parents are gone become this process's, so that their time is counted.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // SAFETY: sets a flag of this process.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
    }
}

/// From now on, children are loaded at the same addresses every time: what libFuzzer does depends on them too.
pub fn fix_addresses() {
    #[cfg(target_os = "linux")]
    // SAFETY: sets a flag of this process; where that is forbidden, runs are just not reproducible.
    unsafe {
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
    }
}

/// Runs a command, silently and in a folder; whether it succeeded, and the processor time of it and all it started.
pub fn run_timed(command: &mut Command, folder: &Path) -> (bool, Duration) {
    let before = processor_time(libc::RUSAGE_CHILDREN);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap_or_else(|error| panic!("failed to run {command:?}: {error}"));
    // SAFETY: waits for children, and asks for nothing about them.
    while unsafe { libc::waitpid(-1, std::ptr::null_mut(), 0) } > 0 {}
    (status.success(), processor_time(libc::RUSAGE_CHILDREN).saturating_sub(before))
}

/// What a process used.
pub struct Used {
    pub processor: Duration,
    pub elapsed: Duration,
    /// Bytes of memory at the most.
    pub peak: u64,
}

/// Runs a command without its output, and says what it used; it may answer that there is something to decide.
#[expect(clippy::zombie_processes, reason = "`wait4` waits for it, and says more")]
pub fn run_apart(command: &mut Command) -> Used {
    let begin = std::time::Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    let child = child.unwrap_or_else(|error| panic!("failed to run {command:?}: {error}"));
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and nobody else waits for it; both have room for what is filled in.
    let usage = unsafe {
        libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr());
        usage.assume_init()
    };
    let is_done = libc::WIFEXITED(status) && matches!(libc::WEXITSTATUS(status), 0 | 2);
    assert!(is_done, "{command:?} ended with status {status:#x}");
    Used { processor: processor(&usage), elapsed: begin.elapsed(), peak: usage.ru_maxrss as u64 * 1024 }
}

/// Of sorted values the one in the middle, or the mean of the two there.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { f64::midpoint(values[middle - 1], values[middle]) } else { values[middle] }
}

/// `1234567` as `1 234 567`.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A row of a markdown table.
pub fn row(cells: &[&dyn Display]) -> String {
    cells.iter().fold("|".to_owned(), |line, cell| format!("{line} {cell} |"))
}

/// The head of a markdown table.
pub fn head(names: &[&str]) -> String {
    format!("| {} |\n|{}", names.join(" | "), "---|".repeat(names.len()))
}
