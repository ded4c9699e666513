//! Disk use stays under the budget: totals go on exactly, rows become a sample with weights, and nothing stops.

use crate::{Random, calculator, fuzz, open, open_with, rows, totals};
use bugornot::{
    Suite, Verdict,
    engine::{Execute, Settings, Step, Target},
    log::{Log, Phase, Row},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The least that a segment grows by.
const CHUNK: u64 = 64 << 10;

/// Violated for one input in a thousand, and those are rare.
fn suite(suite: &mut Suite<u64, u64>) {
    suite.function("same", |number| *number);
    suite.relation("not every thousandth", |_| 0, |source, _| source % 1000 != 0);
}

fn with_budget(directory: &Path, budget: u64) -> Target<u64, u64> {
    open_with(Settings { budget, ..Settings::new(Some(directory.to_owned()), 1) }, suite)
}

fn used(directory: &Path) -> u64 {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

fn count(rows: &[Row], verdict: Verdict) -> (usize, u64) {
    let found = rows.iter().filter(|row| row.verdicts[0] == Some(verdict));
    found.fold((0, 0), |(count, weight), row| (count + 1, weight + row.weight))
}

#[test]
fn past_the_budget_rows_are_a_sample_with_weights_and_what_is_rare_is_whole() {
    const INPUTS: u64 = 120_000;
    const BUDGET: u64 = 2 << 20;
    let directory = tempfile::tempdir().unwrap();
    let mut target = with_budget(directory.path(), BUDGET);
    for number in 1..=INPUTS {
        target.step(&number.to_le_bytes(), Phase::Fuzz);
        if number % 10_000 == 0 {
            assert!(used(directory.path()) <= BUDGET + CHUNK, "{}", used(directory.path()));
        }
    }
    drop(target);
    let (rows, totals) = (rows(directory.path()), totals(directory.path()));
    assert_eq!((totals.executions, totals.lost, totals.oversized), (INPUTS, 0, 0), "{totals:?}");
    // A hundred thousand inputs are more than the memory of repeats, but none came twice.
    assert_eq!(totals.distinct, INPUTS);
    assert_eq!(totals.cells[0][..2], [INPUTS - INPUTS / 1000, INPUTS / 1000]);
    assert_eq!(totals.rows, rows.len() as u64);
    assert_eq!(totals.rows + totals.thinned, totals.distinct);
    assert!(totals.thinned > INPUTS / 10, "the budget was never scarce: {totals:?}");
    assert_eq!(count(&rows, Verdict::Violated), (120, 120));
    let (_, weight) = count(&rows, Verdict::Held);
    let expected = (INPUTS - INPUTS / 1000) as f64;
    assert!((weight as f64 / expected - 1.0).abs() < 0.03, "{weight} for {expected}");
}

#[test]
fn a_used_up_budget_stops_the_rows_and_nothing_else() {
    const INPUTS: u64 = 60_000;
    const BUDGET: u64 = 512 << 10;
    let directory = tempfile::tempdir().unwrap();
    let mut target = with_budget(directory.path(), BUDGET);
    fuzz(&mut target, (1..=INPUTS).map(u64::to_le_bytes));
    assert!(used(directory.path()) <= BUDGET + CHUNK, "{}", used(directory.path()));
    let (rows, totals) = (rows(directory.path()), totals(directory.path()));
    assert!(totals.lost > 0 && !rows.is_empty(), "{totals:?}");
    assert_eq!((totals.executions, totals.distinct, totals.rows), (INPUTS, INPUTS, rows.len() as u64));
    assert_eq!(totals.cells[0][..2], [INPUTS - INPUTS / 1000, INPUTS / 1000]);
    assert_eq!(totals.rows + totals.thinned + totals.lost, totals.distinct);
}

#[test]
fn all_processes_together_stay_under_the_budget() {
    const BUDGET: u64 = 1 << 20;
    let directory = tempfile::tempdir().unwrap();
    let mut targets = [0u64; 3].map(|_| with_budget(directory.path(), BUDGET));
    let mut random = Random(5);
    for _ in 0..20_000 {
        for target in &mut targets {
            target.step(&random.next().to_le_bytes(), Phase::Fuzz);
        }
    }
    assert_eq!(Log::open(directory.path()).unwrap().segments.len(), 3);
    assert!(used(directory.path()) <= BUDGET + CHUNK, "{}", used(directory.path()));
    assert_eq!(totals(directory.path()).executions, 60_000);
}

#[test]
fn a_budget_of_nothing_still_counts() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = with_budget(directory.path(), 0);
    fuzz(&mut target, (1..=100u64).map(u64::to_le_bytes));
    let totals = totals(directory.path());
    assert_eq!((totals.executions, totals.distinct, totals.rows, totals.lost), (100, 100, 0, 100));
    assert_eq!(rows(directory.path()), []);
}

#[test]
fn room_that_is_freed_is_used_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = with_budget(directory.path(), 512 << 10);
    let heavy = directory.path().join(format!("{}-copied.verdicts", host(directory.path(), &mut target)));
    fs::write(&heavy, vec![0; 512 << 10]).unwrap();
    let mut number = 0u64;
    let mut fuzz = |target: &mut Target<u64, u64>| {
        fuzz(
            target,
            (0..5000).map(|_| {
                number += 1;
                number.to_le_bytes()
            }),
        );
    };
    fuzz(&mut target);
    let before = target_rows(directory.path());
    fs::remove_file(&heavy).unwrap();
    fuzz(&mut target);
    assert!(target_rows(directory.path()) > before, "{before}");
}

fn target_rows(directory: &Path) -> u64 {
    let log = Log::open(directory).unwrap();
    log.segments[0].totals().unwrap().rows
}

/// How this host's segments begin.
fn host(directory: &Path, target: &mut dyn Execute) -> String {
    target.begin();
    let path = crate::segment(directory);
    path.file_stem().unwrap().to_string_lossy().rsplitn(3, '-').last().unwrap().to_owned()
}

#[test]
fn where_nothing_can_be_written_fuzzing_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let unwritable: [PathBuf; 3] = [file.clone(), file.join("below"), "/proc/self/below".into()];
    for path in unwritable {
        let mut target = open(&path, calculator);
        for number in 0..100u8 {
            assert_eq!(target.step(&[number, 1], Phase::Fuzz), Step::Judged, "{}", path.display());
            assert_eq!(target.verdicts(), crate::judged(number as i8, 1));
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "no folder");
}

#[test]
fn a_log_folder_that_is_removed_stops_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let mut target = open_with(Settings::new(Some(log.clone()), 1), suite);
    for number in 0..30_000u64 {
        assert_eq!(target.step(&number.to_le_bytes(), Phase::Fuzz), Step::Judged);
        if number == 100 {
            fs::remove_dir_all(&log).unwrap();
        }
    }
}
