//! From a log to cleaned rows: rows per second and core, how that grows with the log, and how much memory it takes.
//!
//! Each log has distinct pairs of `i32` and 12 cells, in two segments, and every tenth pair is in both. Each is cleaned
//! by a process of its own, so that its peak memory (`VmHWM`) is that of this log alone; the limit is 1 GiB. A log whose
//! distinct inputs do not fit into that is read several times.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

#[path = "measure/calculator.rs"]
mod calculator;
mod measure;

use bugornot::{
    clean::{Options, campaigns, clean},
    engine::{Execute, Facts, Settings, Target},
    log::{Log, Phase},
};
use calculator::calculator;
use measure::{grouped, head, quick_or, row, timed};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

/// Names the log for a process that cleans.
const CLEAN: &str = "BUGORNOT_BENCH_CLEAN";
const MEMORY: u64 = 1 << 30;

/// Logs so many rows, of which a twentieth repeats another.
fn fill(log: &Path, rows: u64) {
    let facts = Facts { debug_assertions: false, overflow_checks: false, manifest: env!("CARGO_MANIFEST_DIR") };
    let open = || {
        let settings = Settings { budget: u64::MAX / 4, ..Settings::new(Some(log.to_owned()), 1) };
        Target::new("calculator", calculator, settings, &facts).expect("the suite is sound")
    };
    let (mut one, mut other) = (open(), open());
    let half = rows / 2;
    // Multiplying by an odd number is a permutation of all pairs.
    let pair = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
    for number in 1..=half {
        one.step(&pair(number), Phase::Fuzz);
        other.step(&pair(if number % 10 == 0 { number } else { number + half }), Phase::Fuzz);
    }
}

/// What one process does: cleans a log, and prints rows, distinct inputs, seconds of all cores, seconds, and peak KiB.
fn clean_one(log: &Path) {
    let options = Options { memory: MEMORY, ..Options::default() };
    let campaign = campaigns(Log::open(log).expect("there is a log")).remove(0);
    let begin = Instant::now();
    let (cleaned, busy) = timed(|| clean(&campaign, &options));
    let elapsed = begin.elapsed();
    assert!(cleaned.loss.is_none() && cleaned.rows.inconsistent == 0, "{:?}", cleaned.rows);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    let peak = peak.trim().trim_end_matches(" kB");
    let rows = &cleaned.rows;
    println!("{} {} {} {} {peak}", rows.read, rows.kept, busy.as_secs_f64(), elapsed.as_secs_f64());
}

/// Lets another process clean a log; what it printed.
fn clean_apart(log: &Path) -> Vec<f64> {
    let program = env::current_exe().expect("this program");
    let output =
        Command::new(program).env(CLEAN, log).stderr(Stdio::inherit()).output().expect("this program runs once more");
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

fn main() {
    if let Some(log) = env::var_os(CLEAN) {
        return clean_one(log.as_ref());
    }
    let sizes: &[u64] = quick_or(&[20_000, 100_000], &[100_000, 1_000_000, 10_000_000, 100_000_000]);
    println!("Pairs of `i32`, 12 cells, memory limit {} MiB\n", MEMORY >> 20);
    println!(
        "{}",
        head(&["rows", "distinct inputs", "rows per second and core", "rows per second", "seconds", "peak MiB"])
    );
    for &size in sizes {
        let place = tempfile::tempdir().expect("a temporary folder");
        fill(place.path(), size);
        let [rows, kept, busy, elapsed, peak] = clean_apart(place.path())[..] else { panic!("five numbers") };
        let (per_core, per_second) = (grouped(rows / busy), grouped(rows / elapsed));
        let (seconds, peak) = (format!("{elapsed:.2}"), format!("{:.0}", peak / 1024.0));
        println!("{}", row(&[&grouped(rows), &grouped(kept), &per_core, &per_second, &seconds, &peak]));
    }
}
