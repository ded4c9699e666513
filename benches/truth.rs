//! Bug or not a bug? Hints held against the truth, on functions with known bugs and relations of which is known when
//! they hold: the package `benches/truth`.
//!
//! Each version of each function is fuzzed by libFuzzer, with what was found in the original as first inputs; then
//! `bugornot report` is asked, with and without the original's log as anchor, and `bugornot locate`. Every row of the
//! log is judged by the truth: a cell shows a bug if it was violated where it should hold, or the function panicked.
//!
//! | variable | chooses | default |
//! |---|---|---|
//! | `TRUTH_HALF` | `tune`, `held-out` (look at it once: it is worth nothing after that) or `both` | `tune` |
//! | `TRUTH_SUBJECTS` | suites of that half, by name, with commas between them | all |
//! | `TRUTH_ONLY` | `hints`: neither regions nor lines, which take most of the time | all |
//! | `TRUTH_RUNS` | executions per version | 100 000 |
//! | `TRUTH_LOGS` | a folder for the logs; what was fuzzed there before is not fuzzed again | a temporary one |
//!
//! All that was measured goes to `target/truth/HALF.json` as well.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints what it measured")]

mod hints;
mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use hints::{
    campaign::Campaign,
    record::Record,
    subject::{self, Kind, Subject},
    tables,
};
use measure::{fix_addresses, grouped, is_quick, quick_or};
use serde_json::{Value, json};
use std::{
    env,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

fn main() {
    fix_addresses();
    let half = env::var("TRUTH_HALF").unwrap_or("tune".into());
    let executions = env::var("TRUTH_RUNS").ok().and_then(|runs| runs.parse().ok());
    let executions = executions.unwrap_or(quick_or(2_000, 100_000));
    let subjects = chosen(&half);
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let kept = env::var_os("TRUTH_LOGS").map(|folder| std::path::absolute(folder).expect("TRUTH_LOGS is a folder"));
    let records = measured(&subjects, kept.as_deref().unwrap_or(temporary.path()), executions);
    let versions: usize = subjects.iter().map(|subject| subject.versions.len()).sum();
    println!(
        "{} subjects ({half}), {versions} versions, {} cells, {} executions each\n",
        subjects.len(),
        records.len(),
        grouped(executions as f64)
    );
    print(&records);
    println!("\nall of it: {}", save(&half, executions, &records).display());
}

/// The subjects to measure; one is enough to see that the bench works.
fn chosen(half: &str) -> Vec<Subject> {
    assert!(
        ["tune", "held-out", "both"].contains(&half),
        "TRUTH_HALF is `{half}`: choose `tune`, `held-out` or `both`"
    );
    let names = env::var("TRUTH_SUBJECTS").ok();
    let is_named =
        |subject: &Subject| names.as_ref().is_none_or(|names| names.split(',').any(|name| name == subject.name));
    let is_chosen = |subject: &Subject| (half == "both" || subject.half == half) && is_named(subject);
    let mut subjects: Vec<Subject> = subject::all().into_iter().filter(is_chosen).collect();
    assert!(!subjects.is_empty(), "TRUTH_SUBJECTS names no subject of the half `{half}`");
    if is_quick() {
        subjects.truncate(1);
    }
    subjects
}

/// Runs all campaigns, the originals first: the others begin with what they found.
fn measured(subjects: &[Subject], place: &Path, executions: u64) -> Vec<Record> {
    let is_whole = match env::var("TRUTH_ONLY").as_deref() {
        Err(_) => true,
        Ok("hints") => false,
        Ok(other) => panic!("TRUTH_ONLY is `{other}`: choose `hints`, or leave it out"),
    };
    let campaigns: Vec<Campaign> = subjects
        .iter()
        .flat_map(|subject| subject.versions.iter().map(move |version| (subject, version)))
        .map(|(subject, version)| Campaign { subject, version, place, executions, is_whole })
        .collect();
    let (originals, others): (Vec<_>, Vec<_>) =
        campaigns.into_iter().partition(|campaign| campaign.version.kind == Kind::Original);
    support::TRUTH.libfuzzer();
    let done = AtomicUsize::new(0);
    let all = originals.len() + others.len();
    let work = |campaign: &Campaign| {
        campaign.fuzz();
        let records = campaign.records();
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        eprintln!("{done} of {all}: {} {}", campaign.subject.name, campaign.version.number);
        records
    };
    let mut records = on_all_cores(&originals, work);
    records.extend(on_all_cores(&others, work));
    records.into_iter().flatten().collect()
}

/// Does something with all items, each when a core is free; in the order of the items.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(position) else { return };
                    let result = work(item);
                    results.lock().expect("no worker panicked").push((position, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(position, _)| *position);
    results.into_iter().map(|(_, result)| result).collect()
}

fn print(records: &[Record]) {
    println!("Cells with violations or panics, without faults:\n\n{}", tables::answers(records));
    println!("Hints without anchor:\n\n{}", tables::hints(records, false));
    println!("Hints with the original as anchor:\n\n{}", tables::hints(records, true));
    println!("Why, and how often that is right:\n\n{}", tables::reasons(records));
    println!("{}", tables::rewrites(records));
    println!("{}", tables::faults(records));
    if records.iter().any(|record| record.located.is_some()) {
        println!("{}", tables::regions(records));
    }
    print!("Claimed against right:\n\n{}", tables::reliability(records));
}

fn save(half: &str, executions: u64, records: &[Record]) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    let folder = Path::new(support::ROOT).join(target).join("truth");
    let cells: Vec<Value> = records.iter().map(Record::to_json).collect();
    let all = json!({"half": half, "executions": executions, "cells": cells});
    let path = folder.join(format!("{half}.json"));
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    std::fs::write(&path, format!("{all:#}\n")).expect("the target folder can be written");
    path
}
