//! Duplicates, conflicts, partial rows, damage, several builds: each is counted and kept apart.

use crate::{Pair, all_campaigns, calculator, campaign, cleaned, fuzz, open};
use bugornot::{
    Equal, Suite, Verdict,
    clean::{Counts, Options, clean, for_each_row},
    engine::{Execute, Settings, Target},
    log::{Log, Phase, identity_of},
};
use std::{
    collections::BTreeSet,
    fs,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

fn counts(held: u64, violated: u64, not_applicable: u64) -> Counts {
    let mut counts = [0; Verdict::COUNT];
    (counts[0], counts[1], counts[2]) = (held, violated, not_applicable);
    Counts(counts)
}

#[test]
fn an_input_counts_once_however_many_bytes_processes_and_executions_show_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut targets = [0; 3].map(|_| open(directory.path(), calculator));
    for target in &mut targets {
        for a in 0..10u8 {
            for b in 0..10u8 {
                // Bytes that the input does not need.
                fuzz(target, [vec![a, b], vec![a, b, 1], vec![a, b, 1, 2]]);
            }
        }
    }
    drop(targets);
    let cleaned = cleaned(directory.path(), &Options::default());
    assert_eq!((cleaned.rows.read, cleaned.rows.kept, cleaned.rows.duplicate), (300, 100, 200));
    assert_eq!((cleaned.rows.distinct, cleaned.rows.executions), (100, 900));
    assert_eq!((cleaned.rows.inconsistent, cleaned.rows.missing, cleaned.rows.damaged), (0, 0, 0));
    assert!(cleaned.is_complete && cleaned.working.len() == 100 && cleaned.stands_for.iter().all(|&n| n == 1.0));
    let distinct: Vec<Counts> = cleaned.cells.iter().map(|cell| cell.distinct.counts).collect();
    // add: swapping never matters, doubling grows all but 0 + 0; sub: swapping matters off the diagonal.
    assert_eq!(distinct, [counts(100, 0, 0), counts(99, 1, 0), counts(10, 90, 0), counts(45, 55, 0)]);
    assert_eq!(cleaned.cells[3].executions, counts(405, 495, 0));
    assert!(cleaned.working.iter().all(|row| row.detail.is_some()));
    assert!(cleaned.working.is_sorted_by_key(identity_of));
}

/// Violated every second time.
fn fickle(suite: &mut Suite<u8, u64>) {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    suite.function("count", |&input| if input < 10 { CALLS.fetch_add(1, Ordering::Relaxed) % 4 / 2 } else { 1 });
    suite.function("same", |_| 1);
    suite.relation("again", |&input| input, |_: &u64, follow_up: &u64| *follow_up == 1);
}

#[test]
fn an_input_with_two_verdicts_is_shown_with_its_rows_and_in_no_rate() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let mut target = open(directory.path(), fickle);
        for number in 0..20u8 {
            // Two verdicts, also within one process.
            fuzz(&mut target, [[number], [number]]);
        }
    }
    for working_rows in [1000, 3] {
        let cleaned = cleaned(directory.path(), &Options { working_rows, ..Options::default() });
        assert_eq!((cleaned.rows.kept, cleaned.rows.inconsistent), (20, 10), "{:?}", cleaned.rows);
        let [count, same] = &cleaned.cells[..] else { panic!("two cells") };
        assert_eq!((count.distinct.counts, count.distinct.conflicting), (counts(10, 0, 0), 10));
        assert_eq!((same.distinct.counts, same.distinct.conflicting), (counts(20, 0, 0), 0));
        assert_eq!(cleaned.inconsistent_identities.len(), 10);
        assert_eq!(cleaned.inconsistent.len(), 3);
        for found in &cleaned.inconsistent {
            assert_eq!((&found.cells[..], found.rows.len(), found.is_death), (&[0][..], 2, false));
            let verdicts: BTreeSet<_> = found.rows.iter().map(|row| row.verdicts[0]).collect();
            assert_eq!(verdicts, BTreeSet::from([Some(Verdict::Held), Some(Verdict::Violated)]));
            assert!(found.rows.iter().all(|row| identity_of(row) == found.identity));
            assert!(cleaned.is_inconsistent(found.identity));
        }
        for row in &cleaned.working {
            let is_fickle = row.fields[0].integer().unwrap() < 10;
            assert_eq!((row.verdicts[0].is_none(), row.verdicts[1]), (is_fickle, Some(Verdict::Held)));
        }
    }
}

#[test]
fn segments_of_other_constants_or_builds_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let suite = |suite: &mut Suite<Pair, i32>| {
        let k = suite.constant("k", 2..=9);
        suite.function("add", |p| i32::from(p.a) + i32::from(p.b));
        suite.relation("plus", move |p| Pair { a: p.a.wrapping_add(k), b: p.b }, Equal);
    };
    for (k, count) in [("3", 10u8), ("4", 20), ("3", 30)] {
        let pins = vec![("k".to_owned(), k.to_owned())];
        let settings = Settings { pins, ..Settings::new(Some(directory.path().to_owned()), 1) };
        let mut target = Target::new("suite", suite, settings, &bugornot::__facts!()).unwrap();
        fuzz(&mut target, (0..count).map(|number| [number, 1]));
    }
    let mut other = open(directory.path(), calculator);
    fuzz(&mut other, [[1, 2]]);
    drop(other);
    let campaigns = all_campaigns(directory.path());
    let kept: Vec<u64> = campaigns.iter().map(|campaign| clean(campaign, &Options::default()).rows.kept).collect();
    let mut sorted = kept.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [1, 20, 30], "{kept:?}");
}

#[test]
fn damage_and_a_cut_off_end_are_counted_and_the_rest_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    fuzz(&mut target, (0..20_000u16).map(u16::to_le_bytes));
    drop(target);
    let path = Log::open(directory.path()).unwrap().segments[0].path().to_owned();
    let whole = cleaned(directory.path(), &Options::default());
    assert_eq!((whole.rows.kept, whole.rows.truncated, whole.rows.damaged_blocks), (20_000, 0, 0));
    let mut bytes = fs::read(&path).unwrap();
    // One byte in a block, and the last third of the file.
    let at = bytes.len() / 2 + 100;
    bytes[at] ^= 0xff;
    bytes.truncate(bytes.len() / 3 * 2);
    fs::write(&path, bytes).unwrap();
    let hurt = cleaned(directory.path(), &Options::default());
    assert_eq!((hurt.rows.truncated, hurt.rows.inconsistent), (1, 0), "{:?}", hurt.rows);
    assert!(hurt.rows.damaged_blocks > 1 && hurt.rows.kept > 10_000, "{:?}", hurt.rows);
    assert_eq!(hurt.rows.kept, hurt.rows.read);
}

#[test]
fn a_log_that_is_a_sample_estimates_how_many_inputs_there_were() {
    const INPUTS: u64 = 60_000;
    let directory = tempfile::tempdir().unwrap();
    let suite = |suite: &mut Suite<u64, u64>| {
        suite.function("same", |number| *number);
        suite.relation("not every thousandth", |_| 0, |source: &u64, _: &u64| !source.is_multiple_of(1000));
    };
    let settings = Settings { budget: 1 << 20, ..Settings::new(Some(directory.path().to_owned()), 1) };
    let mut target = Target::new("suite", suite, settings, &bugornot::__facts!()).unwrap();
    fuzz(&mut target, (1..=INPUTS).map(u64::to_le_bytes));
    drop(target);
    let cleaned = cleaned(directory.path(), &Options { working_rows: 1 << 17, ..Options::default() });
    assert!(cleaned.rows.thinned > 1000 && cleaned.rows.kept < INPUTS, "{:?}", cleaned.rows);
    let tally = cleaned.cells[0].distinct;
    assert_eq!(tally.counts.of(Verdict::Violated), INPUTS / 1000);
    let expected = (INPUTS - cleaned.rows.lost) as f64;
    assert!((cleaned.rows.distinct as f64 / expected - 1.0).abs() < 0.05, "{:?}", cleaned.rows);
    assert!(tally.effective() < cleaned.rows.kept as f64 + 0.5, "{}", tally.effective());
    assert_eq!(cleaned.stands_for.iter().sum::<f64>(), cleaned.rows.distinct as f64);
}

#[test]
fn rates_of_uniform_draws_are_kept_apart() {
    let directory = tempfile::tempdir().unwrap();
    let mut targets = [0; 2].map(|_| open(directory.path(), calculator));
    for number in 0..100u8 {
        targets[0].step(&[number, 1], Phase::Fuzz);
        if number % 10 == 0 {
            targets[1].step(&[number, 1], Phase::Uniform);
            targets[1].step(&[number, 2], Phase::Uniform);
        }
    }
    drop(targets);
    let cleaned = cleaned(directory.path(), &Options::default());
    assert_eq!((cleaned.rows.kept, cleaned.rows.read), (110, 120));
    let cell = &cleaned.cells[2];
    assert_eq!((cell.distinct.counts, cell.uniform.counts), (counts(1, 109, 0), counts(0, 20, 0)));
}

#[test]
fn every_row_is_visited_with_its_identity() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let mut target = open(directory.path(), calculator);
        fuzz(&mut target, (0..100u8).map(|number| [number, 7]));
    }
    let seen = Mutex::new(Vec::new());
    for_each_row(&campaign(directory.path()), |row, identity| {
        assert_eq!(identity_of(row), identity);
        seen.lock().unwrap().push(identity);
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!((seen.len(), seen.iter().collect::<BTreeSet<_>>().len()), (200, 100));
}
