//! Cleaning against a model that keeps everything in memory and reads one row after the other.

use super::{Campaign, CellCounts, Cleaned, Counts, Options, campaigns, clean, join};
use crate::{
    Verdict,
    log::{Header, Log, Phase, Row, Stage, Worker, Writer, encode::Encoder, live::LeftMark, scan},
};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

const CELLS: usize = 3;

/// The number of an input, and its verdicts.
type Made = (u8, [Option<Verdict>; CELLS]);

fn header() -> Header {
    Header { fields: vec!["input".into()], ..Header::of(&["f"], &["one", "two", "three"]) }
}

/// Writes a segment, as an importer would: with rows that lack the verdicts of other functions.
fn write(directory: &Path, rows: &[Made]) -> Writer {
    let (mut writer, _) = Writer::open(directory, &header(), 1 << 30).expect("a segment");
    let mut encoder = Encoder::default();
    for (input, verdicts) in rows {
        let verdicts = verdicts.map(|verdict| verdict.map_or(u8::MAX, |verdict| verdict as u8));
        writer.made_row(&mut encoder, (input, &[]), &verdicts, 0);
    }
    writer
}

fn campaign(parts: &[Vec<Made>]) -> (tempfile::TempDir, Campaign) {
    let directory = tempfile::tempdir().expect("a folder");
    // All at once, or one would take over the segment of another.
    let writers: Vec<Writer> = parts.iter().map(|rows| write(directory.path(), rows)).collect();
    drop(writers);
    let campaign = campaigns(Log::open(directory.path()).expect("a log")).remove(0);
    (directory, campaign)
}

/// All verdicts that an input had in each cell.
fn model(rows: &[Made]) -> BTreeMap<u8, [BTreeSet<Verdict>; CELLS]> {
    let mut inputs: BTreeMap<u8, [BTreeSet<Verdict>; CELLS]> = BTreeMap::new();
    for (input, verdicts) in rows {
        let known = inputs.entry(*input).or_default();
        known.iter_mut().zip(verdicts).for_each(|(known, verdict)| known.extend(*verdict));
    }
    inputs
}

fn counts(inputs: &BTreeMap<u8, [BTreeSet<Verdict>; CELLS]>, cell: usize) -> (Counts, u64, u64, u64) {
    let (mut counts, mut conflicting, mut died_once, mut missing) = (Counts::default(), 0, 0, 0);
    for cells in inputs.values() {
        match &cells[cell].iter().copied().collect::<Vec<_>>()[..] {
            [] => missing += 1,
            [verdict] => counts.0[*verdict as usize] += 1,
            [_, Verdict::Died] => died_once += 1,
            _ => conflicting += 1,
        }
    }
    (counts, conflicting, died_once, missing)
}

fn check(cleaned: &Cleaned, rows: &[Made]) {
    let inputs = model(rows);
    let told = |cell: &CellCounts| {
        let tally = cell.distinct;
        (tally.counts, tally.conflicting, tally.died_once, tally.missing)
    };
    for cell in 0..CELLS {
        assert_eq!(told(&cleaned.cells[cell]), counts(&inputs, cell));
    }
    let has = |wanted: fn(usize) -> bool| {
        inputs.values().filter(|cells| cells.iter().any(|cell| wanted(cell.len()))).count() as u64
    };
    assert_eq!((cleaned.rows.read, cleaned.rows.kept), (rows.len() as u64, inputs.len() as u64));
    assert_eq!(cleaned.rows.inconsistent, has(|verdicts| verdicts > 1));
    assert_eq!(cleaned.rows.missing, has(|verdicts| verdicts == 0));
    assert_eq!(cleaned.inconsistent_identities.len() as u64, cleaned.rows.inconsistent);
    assert_eq!(cleaned.working.len(), inputs.len());
    for row in &cleaned.working {
        let input = row.fields[0].integer().expect("a number") as u8;
        for (verdict, known) in row.verdicts.iter().zip(&inputs[&input]) {
            let agreed = if known.len() == 1 { known.first().copied() } else { None };
            assert_eq!(*verdict, agreed);
        }
    }
    for found in &cleaned.inconsistent {
        let input = found.rows[0].fields[0].integer().expect("a number") as u8;
        let in_question = |cell: &usize| inputs[&input][*cell].len() > 1;
        assert_eq!(found.cells, (0..CELLS).filter(in_question).collect::<Vec<_>>());
        let different: BTreeSet<_> = rows.iter().filter(|row| row.0 == input).map(|row| row.1).collect();
        assert_eq!(found.rows.len(), different.len().min(8));
    }
}

fn verdicts() -> impl Strategy<Value = [Option<Verdict>; CELLS]> {
    let usual = prop::sample::select(vec![None, Some(Verdict::Held), Some(Verdict::Held), Some(Verdict::Violated)]);
    let verdict = prop_oneof![6 => usual, 1 => prop::sample::select(Verdict::ALL.to_vec()).prop_map(Some)];
    prop::array::uniform3(verdict)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn duplicates_partial_rows_and_conflicts_are_what_a_simple_model_says(
        parts in prop::collection::vec(prop::collection::vec((any::<u8>(), verdicts()), 1..60), 1..4),
        workers in 1usize..4,
        memory in prop::sample::select(vec![1u64 << 30, 1 << 20]),
    ) {
        let (_directory, campaign) = campaign(&parts);
        let cleaned = clean(&campaign, &Options { workers, memory, ..Options::default() });
        check(&cleaned, &parts.concat());
    }
}

#[test]
fn rows_that_complete_each_other_are_one_input() {
    let [held, violated] = [Verdict::Held, Verdict::Violated].map(Some);
    let rows = [(1, [held, None, None]), (1, [None, violated, None]), (2, [held, held, held])];
    let (_directory, campaign) = campaign(&[rows[..2].to_vec(), rows[2..].to_vec()]);
    let cleaned = clean(&campaign, &Options::default());
    check(&cleaned, &rows);
    assert_eq!((cleaned.rows.duplicate, cleaned.rows.inconsistent, cleaned.rows.missing), (1, 0, 1));
}

/// Writes down that an execution ended its process.
fn die(writer: &mut Writer, id: u64) {
    let (stage, verdicts) = (Stage::FollowUp(1).number(), vec![u8::MAX; CELLS]);
    let mark =
        LeftMark { id, stage, phase: Phase::Fuzz, length: 1, bytes: vec![id as u8], verdicts, is_mourned: false };
    writer.death(mark, 0, 0, &Encoder::default());
}

struct Collect(Vec<Row>);

impl Worker for Collect {
    fn row(&mut self, row: Row) {
        self.0.push(row);
    }
}

#[test]
fn a_death_whose_row_another_thread_reads_is_none() {
    let directory = tempfile::tempdir().expect("a folder");
    let rows: Vec<Made> = (0..200).map(|input| (input, [Some(Verdict::Held); CELLS])).collect();
    for round in 0..20 {
        // Each process goes on in the segment of the last, in a block of its own.
        let mut writer = write(directory.path(), &rows);
        let last = writer.live().mark.id;
        drop(writer);
        let (mut writer, _) = Writer::open(directory.path(), &header(), 1 << 30).expect("the segment");
        // One whose row was written, and one whose row was not.
        die(&mut writer, if round % 2 == 0 { last } else { last + 1 });
        writer.live().mark.id = last + 1;
    }
    let log = Log::open(directory.path()).expect("a log");
    let expected: Vec<Row> = log.segments[0].rows().expect("the segment opens").collect();
    assert_eq!((log.segments.len(), expected.len()), (1, 20 * 200 + 10));
    for workers in 1..4 {
        let collected = scan(&log.segments, (0..workers).map(|_| Collect(Vec::new())).collect());
        let mut found: Vec<Row> = collected.workers.into_iter().flat_map(|worker| worker.0).collect();
        found.sort_by_key(|row| (row.id, row.death.is_some()));
        assert_eq!(found, expected);
    }
}

#[test]
fn two_logs_are_joined_in_little_memory_as_they_are_in_much() {
    let verdict = |is_violated: bool| Some(if is_violated { Verdict::Violated } else { Verdict::Held });
    let rows = |inputs: std::ops::Range<u8>, every: u8| -> Vec<Made> {
        inputs.map(|input| (input, [verdict(input % every == 0), Some(Verdict::Held), None])).collect()
    };
    let (_one, old) =
        campaign(&[rows(0..150, 3), vec![(120, [Some(Verdict::Violated); 3]), (121, [Some(Verdict::Violated); 3])]]);
    let (_other, new) = campaign(&[rows(100..250, 2), rows(100..150, 2)]);
    let joined = |memory: u64| {
        let mut found = BTreeMap::new();
        join(&old, &new, &Options { memory, ..Options::default() }, |identity, then, now| {
            assert_eq!(found.insert(identity, (then[0], now[0])), None, "each input comes once");
        });
        found
    };
    let much = joined(1 << 30);
    assert_eq!(much.len(), 50);
    let moved = |then: Option<Verdict>, now| much.values().filter(|&&moved| moved == (then, now)).count();
    assert_eq!(moved(verdict(false), verdict(true)), 17);
    // Held and violated in one log: that is no verdict.
    assert_eq!(moved(None, verdict(false)), 1);
    assert_eq!(joined(1 << 10), much);
}
