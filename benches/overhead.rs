//! What logging costs: executions per second of processor time with a log, as a ratio of those without, the same
//! binary otherwise.
//!
//! The targets are built as `cargo fuzz -s none` and `cargo afl` build them. Runs alternate between on and off, and
//! which of a pair comes first alternates too, so that whatever else the machine does meets both alike; processor time
//! (user and system) of the engine and all its children is what counts, not the clock. Each run has a fresh log, and
//! both runs of a pair have the same seed. For comparison, the same for the calculator with one `write(2)` of 40 bytes
//! in every execution.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use measure::{adopt_orphans, fix_addresses, grouped, head, median, quick_or, row, run_timed};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use support::{SUITES, TARGETS, skip::has};

/// Seconds of processor time that a run of libFuzzer should take.
const SECONDS: f64 = 1.5;

/// What is on in one run of a pair and off in the other.
#[derive(Clone, Copy)]
enum Switch {
    Log,
    WritePerExecution,
}

impl Switch {
    fn turn(self, is_on: bool, place: &Path, command: &mut Command) {
        let path = place.join("log");
        command.env("BUGORNOT_SEED", "1").env("BUGORNOT_LOG", "off").env_remove("WRITE_TO");
        match self {
            Self::Log if is_on => command.env("BUGORNOT_LOG", path),
            Self::WritePerExecution if is_on => command.env("WRITE_TO", path),
            _ => command,
        };
    }
}

/// One line of the table.
struct Case {
    engine: &'static str,
    target: &'static str,
    switch: Switch,
    aim: &'static str,
}

const fn case(engine: &'static str, target: &'static str, switch: Switch, aim: &'static str) -> Case {
    Case { engine, target, switch, aim }
}

const CASES: [Case; 7] = [
    case("libFuzzer", "calculator", Switch::Log, ">= 0.95"),
    case("libFuzzer", "calculator_i32", Switch::Log, ">= 0.95"),
    case("libFuzzer", "edit_distance", Switch::Log, ">= 0.99"),
    case("libFuzzer", "write_per_execution", Switch::WritePerExecution, ""),
    case("AFL", "calculator", Switch::Log, ">= 0.95"),
    case("AFL", "edit_distance", Switch::Log, ">= 0.99"),
    case("AFL", "write_per_execution", Switch::WritePerExecution, ""),
];

/// Executions and seconds of processor time.
struct Run {
    executions: f64,
    seconds: f64,
}

impl Run {
    fn per_second(&self) -> f64 {
        self.executions / self.seconds
    }
}

impl Case {
    fn binary(&self) -> PathBuf {
        let targets = if matches!(self.switch, Switch::Log) { &SUITES } else { &TARGETS };
        let folder = if self.engine == "AFL" { targets.afl() } else { targets.libfuzzer() };
        folder.join(self.target)
    }

    /// Runs libFuzzer for a number of executions.
    fn libfuzzer(&self, is_on: bool, seed: usize, runs: u64) -> Run {
        let place = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(self.binary());
        command.arg(format!("-runs={runs}")).arg(format!("-seed={seed}"));
        self.switch.turn(is_on, place.path(), &mut command);
        let (is_done, time) = run_timed(&mut command, place.path());
        assert!(is_done, "{command:?} failed");
        Run { executions: runs as f64, seconds: time.as_secs_f64() }
    }

    /// Runs AFL for a number of seconds.
    fn afl(&self, is_on: bool, seed: usize, seconds: u64) -> Run {
        let place = tempfile::tempdir().expect("a temporary folder");
        let seeds = place.path().join("seeds");
        fs::create_dir(&seeds).and_then(|()| fs::write(seeds.join("seed"), [1, 2])).expect("a seed for AFL");
        let mut command = Command::new("cargo");
        command.args(["afl", "fuzz", "-s", &seed.to_string(), "-V", &seconds.to_string(), "-i", "seeds", "-o", "out"]);
        command.arg("--").arg(self.binary()).env("AFL_NO_UI", "1").env("AFL_SKIP_CPUFREQ", "1");
        command.env("AFL_NO_AFFINITY", "1").env("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1");
        self.switch.turn(is_on, place.path(), &mut command);
        let (is_done, time) = run_timed(&mut command, place.path());
        assert!(is_done, "{command:?} failed");
        Run { executions: statistic(&place.path().join("out/default"), "execs_done"), seconds: time.as_secs_f64() }
    }

    /// How many executions of libFuzzer take about the time wanted.
    fn calibrate(&self) -> u64 {
        let probe = self.libfuzzer(false, 1, quick_or(20_000, 200_000));
        let seconds = SECONDS * quick_or(0.1, 1.0);
        (probe.per_second() * seconds) as u64 / 1000 * 1000 + 1000
    }

    /// Runs pairs, and prints a line of the table.
    fn measure(&self, pairs: usize) {
        let amount = if self.engine == "AFL" { quick_or(2, 5) } else { self.calibrate() };
        let run = |is_on, seed| {
            if self.engine == "AFL" { self.afl(is_on, seed, amount) } else { self.libfuzzer(is_on, seed, amount) }
        };
        let (mut on, mut off, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for pair in 1..=pairs {
            let first = run(pair % 2 == 0, pair).per_second();
            let second = run(pair % 2 != 0, pair).per_second();
            let (with, without) = if pair % 2 == 0 { (first, second) } else { (second, first) };
            on.push(with);
            off.push(without);
            ratios.push(with / without);
        }
        let what = if matches!(self.switch, Switch::Log) { self.target } else { "calculator, `write(2)` and no log" };
        let (on, off) = (grouped(median(&mut on)), grouped(median(&mut off)));
        let ratio = format!("{:.3}", median(&mut ratios));
        let range = format!("{:.3} to {:.3}", ratios[0], ratios[pairs - 1]);
        println!("{}", row(&[&self.engine, &what, &off, &on, &ratio, &range, &self.aim]));
    }
}

/// A number from the statistics that AFL leaves.
fn statistic(folder: &Path, name: &str) -> f64 {
    let text = fs::read_to_string(folder.join("fuzzer_stats")).expect("AFL leaves statistics");
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split(':').nth(1).and_then(|number| number.trim().parse().ok()).expect("AFL's statistics have this number")
}

fn main() {
    adopt_orphans();
    fix_addresses();
    let pairs = quick_or(3, 9);
    println!("Executions per second of processor time, medians of {pairs} pairs of runs\n");
    println!("{}", head(&["engine", "suite", "off", "on", "ratio on / off", "range of the ratio", "aim"]));
    let has_afl = has("afl");
    CASES.iter().filter(|case| has_afl || case.engine != "AFL").for_each(|case| case.measure(pairs));
    if !has_afl {
        println!("\nAFL was skipped: cargo-afl is not installed; `cargo install cargo-afl` installs it");
    }
}
