//! What it buys that verdicts guide the fuzzer: executions of libFuzzer until a relation is violated that holds except
//! in a tiny region, guided against not guided.
//!
//! The target is `tests/targets/fuzz_targets/needle.rs`: no branch and no comparison in it reveals the region, so that
//! without guidance only chance finds it. Each run has its own seed and its own empty log, and ends at the first
//! violation or at the limit; the log's totals say how many executions it took.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use bugornot::{Verdict, log::Log};
use measure::{fix_addresses, grouped, head, median, quick_or, row};
use std::{
    path::Path,
    process::{Command, Stdio},
    thread,
};
use support::TARGETS;

/// The value of `NEEDLE`, what it means, and the share of the inputs.
const REGIONS: [(&str, &str, &str); 5] = [
    ("small", "`0 <= a < 65536`", "2^-16"),
    ("near", "`-256 <= a - b < 256`", "2^-23"),
    ("equal", "`a == b`", "2^-32"),
    ("sum", "`a + b == k`", "2^-32"),
    ("text", "`a == b`, words of seven letters", "2^-33"),
];
const AIM: f64 = 20.0;

/// The executions of several runs, those that did not find the region at the limit.
struct Runs {
    executions: Vec<f64>,
    found: usize,
}

impl Runs {
    fn median(&mut self) -> f64 {
        median(&mut self.executions)
    }

    /// Whether the median is known, and not just that it is beyond the limit.
    fn is_known(&self) -> bool {
        2 * self.found > self.executions.len()
    }

    fn describe(&mut self) -> String {
        let (found, all) = (self.found, self.executions.len());
        let beyond = if self.is_known() { "" } else { "> " };
        let median = grouped(self.median());
        if found == all { median } else { format!("{beyond}{median} (found in {found} of {all})") }
    }
}

/// Fuzzes until the relation is violated or the limit is reached; executions, and whether it was violated.
fn find(region: &str, guide: &str, seed: u64, limit: u64) -> (f64, bool) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let log = place.path().join("log");
    let mut command = Command::new(TARGETS.libfuzzer().join("needle"));
    command.arg(format!("-runs={limit}")).arg(format!("-seed={seed}"));
    command.env("NEEDLE", region).env("BUGORNOT_GUIDE", guide).env("BUGORNOT_CRASH", "1").env("BUGORNOT_LOG", &log);
    // Rows are of no interest here.
    command.env("BUGORNOT_SEED", seed.to_string()).env("BUGORNOT_BUDGET", "4M");
    command.current_dir(place.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the target was built");
    outcome(&log)
}

fn outcome(log: &Path) -> (f64, bool) {
    let log = Log::open(log).expect("the target left a log");
    let totals = log.segments[0].totals().expect("the totals are sound");
    ((totals.executions + totals.rejected) as f64, totals.cells[0][Verdict::Violated as usize] > 0)
}

/// Does something for the seeds from 1 on. Executions are counted, not time, so runs may share the machine.
fn on_all_cores<T: Send>(seeds: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let share = |worker| (1..=seeds).filter(|seed| seed % workers == worker).map(&work).collect::<Vec<T>>();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a run failed")).collect()
    })
}

fn repeat(region: &str, guide: &str, seeds: u64, limit: u64) -> Runs {
    let outcomes = on_all_cores(seeds, |seed| find(region, guide, seed, limit));
    let executions = outcomes.iter().map(|&(executions, found)| if found { executions } else { limit as f64 });
    Runs { executions: executions.collect(), found: outcomes.iter().filter(|(_, found)| *found).count() }
}

/// How many times fewer, as far as the limit lets one say.
fn ratio(guided: &mut Runs, unguided: &mut Runs) -> String {
    if !guided.is_known() {
        return "unknown".into();
    }
    let ratio = unguided.median() / guided.median();
    let sign = if unguided.is_known() { "" } else { ">= " };
    let verdict = if ratio >= AIM { "" } else { " (below the aim)" };
    format!("{sign}{ratio:.1}{verdict}")
}

fn main() {
    fix_addresses();
    let (seeds, limit) = (quick_or(2, 10), quick_or(200_000, 5_000_000));
    println!(
        "Executions until both verdicts are seen: medians of {seeds} seeds, limit {}, aim: at least {AIM:.0} times \
         fewer\n",
        grouped(limit as f64)
    );
    println!("{}", head(&["violated when", "share of the inputs", "guided", "not guided", "times fewer"]));
    for (region, meaning, share) in REGIONS {
        let mut guided = repeat(region, "on", seeds, limit);
        let mut unguided = repeat(region, "off", seeds, limit);
        let times = ratio(&mut guided, &mut unguided);
        println!("{}", row(&[&meaning, &share, &guided.describe(), &unguided.describe(), &times]));
    }
}
