//! From a log to cleaned rows, and to the whole report: rows per second and core, how that grows with the log, and how
//! much memory it takes.
//!
//! Each log has distinct pairs of `i32` and 12 cells, in two segments, and every tenth pair is in both. Each is cleaned
//! and reported by processes of their own, so that peak memory is that of this log alone; the limit is 1 GiB. A log
//! whose distinct inputs do not fit into that is read several times.
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
use measure::{Used, grouped, head, quick_or, row, run_apart};
use std::{env, path::Path, process::Command};

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

/// What one process does: cleans a log.
fn clean_one(log: &Path) {
    let options = Options { memory: MEMORY, ..Options::default() };
    let campaign = campaigns(Log::open(log).expect("there is a log")).remove(0);
    let cleaned = clean(&campaign, &options);
    assert!(cleaned.loss.is_none() && cleaned.rows.inconsistent == 0, "{:?}", cleaned.rows);
}

fn main() {
    if let Some(log) = env::var_os(CLEAN) {
        return clean_one(log.as_ref());
    }
    let sizes: &[u64] = quick_or(&[20_000, 100_000], &[100_000, 1_000_000, 10_000_000, 100_000_000]);
    println!("Pairs of `i32`, 12 cells, memory limit {} MiB\n", MEMORY >> 20);
    println!("{}", head(&["rows", "command", "rows per second and core", "rows per second", "seconds", "peak MiB"]));
    for &size in sizes {
        let place = tempfile::tempdir().expect("a temporary folder");
        fill(place.path(), size);
        let program = env::current_exe().expect("this program");
        let cleaned = run_apart(Command::new(program).env(CLEAN, place.path()));
        let mut report = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        let report = report.arg("report").arg(place.path()).args(["--format", "json", "--memory"]);
        let reported = run_apart(report.arg(format!("{}MiB", MEMORY >> 20)));
        for (name, Used { processor, elapsed, peak }) in [("clean", cleaned), ("report", reported)] {
            let per = |seconds: f64| grouped(size as f64 / seconds);
            let (per_core, per_second) = (per(processor.as_secs_f64()), per(elapsed.as_secs_f64()));
            let seconds = format!("{:.2}", elapsed.as_secs_f64());
            println!("{}", row(&[&grouped(size as f64), &name, &per_core, &per_second, &seconds, &(peak >> 20)]));
        }
    }
}
