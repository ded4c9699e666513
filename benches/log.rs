//! What the log takes: bytes per row, disk per million executions of a real campaign, and how fast it is read.
//!
//! - **Bytes per row** are counted exactly, in a segment with a million distinct pairs of `i32` and 12 cells: every
//!   record is measured by the length before it. A plain row's share of the rest (the heads of blocks, what they
//!   explain, their unused ends) is counted with it, the details of other rows are not.
//! - **Disk**: all files that a campaign of libFuzzer on `calculator_i32` leaves.
//! - **Reading**: processor time of `Segment::rows()` on one core, against reading the same file into memory and adding
//!   up its bytes; the medians of several passes.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

#[path = "measure/calculator.rs"]
mod calculator;
mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use bugornot::{
    engine::{Execute, Facts, Settings, Target},
    log::{Log, Phase, Segment, Totals},
};
use calculator::calculator;
use measure::{grouped, head, median, quick_or, row, run_timed, timed};
use std::{fs, hint::black_box, path::Path, process::Command};
use support::SUITES;

/// As the documentation of `bugornot::log` describes a segment.
const PAGE: usize = 4096;
const MAGIC: &[u8] = b"BnB1";
const BLOCK_HEAD: usize = 32;
const KIND_ROWS: usize = 2;

/// Logs this many pairs, no two of them the same: multiplying by an odd number is a permutation of all of them.
fn fill(log: &Path, rows: u64) {
    let facts = Facts { debug_assertions: false, overflow_checks: false, manifest: env!("CARGO_MANIFEST_DIR") };
    let settings = Settings::new(Some(log.to_owned()), 1);
    let mut target = Target::new("calculator", calculator, settings, &facts).expect("the suite is sound");
    for number in 1..=rows {
        target.step(&number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes(), Phase::Fuzz);
    }
}

fn totals(segment: &Segment) -> Totals {
    segment.totals().expect("the totals are sound")
}

fn only_segment(log: &Path) -> Segment {
    Log::open(log).expect("there is a log").segments.remove(0)
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

/// The number at the front of `bytes`, and how many bytes it takes.
fn varint(bytes: &[u8]) -> (usize, usize) {
    match bytes[0] {
        251 => (usize::from(u16::from_le_bytes([bytes[1], bytes[2]])), 3),
        252 => (word(bytes, 1), 5),
        first => (first.into(), 1),
    }
}

/// How many bytes a segment takes up to its last block, and the length of every row's record.
fn measure_records(bytes: &[u8]) -> (usize, Vec<usize>) {
    let (mut at, mut end, mut lengths) = (0, 0, Vec::new());
    while at + PAGE <= bytes.len() {
        let is_block = bytes[at..].starts_with(MAGIC);
        let capacity = if is_block { word(bytes, at + 8) } else { PAGE };
        if is_block && word(bytes, at + 4) == KIND_ROWS {
            let payload = &bytes[at + BLOCK_HEAD..][..word(bytes, at + 24)];
            lengths.extend(records(payload));
            end = at + capacity;
        }
        at += capacity;
    }
    (end, lengths)
}

/// The lengths of a block's rows; what begins with 0 is a notice, and no row.
fn records(mut payload: &[u8]) -> Vec<usize> {
    let mut lengths = Vec::new();
    while !payload.is_empty() {
        let (length, width) = varint(payload);
        if payload[width] != 0 {
            lengths.push(width + length);
        }
        payload = &payload[width + length..];
    }
    lengths
}

fn bytes_per_row(segment: &Segment) {
    let bytes = fs::read(segment.path()).expect("the segment can be read");
    let (used, lengths) = measure_records(&bytes);
    let mut rows = segment.rows().expect("it can be read");
    let has_detail: Vec<bool> = rows.by_ref().map(|row| row.detail.is_some()).collect();
    assert!(rows.loss().is_none() && lengths.len() == has_detail.len(), "{:?}", rows.loss());
    let (mut plain_rows, mut plain_bytes) = (0, 0);
    for (length, _) in lengths.iter().zip(&has_detail).filter(|(_, has_detail)| !**has_detail) {
        plain_rows += 1;
        plain_bytes += length;
    }
    let others = used - lengths.iter().sum::<usize>();
    let share = others as f64 / lengths.len() as f64;
    let alone = plain_bytes as f64 / f64::from(plain_rows);
    let line = |what: &str, value: f64, aim: &str| println!("{}", row(&[&what, &format!("{value:.2}"), &aim]));
    line("bytes per plain row, its record alone", alone, "");
    line("bytes per plain row, with its share of the blocks", alone + share, "<= 24");
    line("bytes per row, details included", used as f64 / lengths.len() as f64, "");
    line("rows with a detail, in percent", 100.0 - 100.0 * f64::from(plain_rows) / lengths.len() as f64, "");
}

fn reading(segment: &Segment) {
    let passes = quick_or(3, 9);
    let rows = totals(segment).rows as f64;
    let read = || segment.rows().expect("it can be read").map(|row| black_box(row).id).fold(0, u64::wrapping_add);
    let plainly = || fs::read(segment.path()).expect("it can be read").iter().map(|&byte| u64::from(byte)).sum::<u64>();
    let (mut reader, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..passes {
        reader.push(timed(|| black_box(read())).1.as_secs_f64());
        plain.push(timed(|| black_box(plainly())).1.as_secs_f64());
    }
    let (reader, plain) = (median(&mut reader), median(&mut plain));
    println!("{}", row(&[&"rows read per second and core", &grouped(rows / reader), &""]));
    println!(
        "{}",
        row(&[&"share of plainly reading the file, in percent", &format!("{:.1}", 100.0 * plain / reader), &""])
    );
}

fn campaign() {
    let runs = quick_or(100_000, 5_000_000);
    let place = tempfile::tempdir().expect("a temporary folder");
    let log = place.path().join("log");
    let mut command = Command::new(SUITES.libfuzzer().join("calculator_i32"));
    command.arg(format!("-runs={runs}")).arg("-seed=1").env("BUGORNOT_LOG", &log).env("BUGORNOT_SEED", "1");
    let (is_done, _) = run_timed(&mut command, place.path());
    assert!(is_done, "{command:?} failed");
    let files = fs::read_dir(&log).expect("the target left a log").flatten();
    let disk: u64 = files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
    let totals = totals(&only_segment(&log));
    let millions = (totals.executions + totals.rejected) as f64 / 1e6;
    let line = |what: &str, value: f64| println!("{}", row(&[&what, &grouped(value), &""]));
    line("campaign: executions", millions * 1e6);
    line("campaign: rows per million executions", totals.rows as f64 / millions);
    line("campaign: bytes on disk per million executions", disk as f64 / millions);
}

fn main() {
    let rows = quick_or(50_000, 1_000_000);
    let place = tempfile::tempdir().expect("a temporary folder");
    fill(place.path(), rows);
    let segment = only_segment(place.path());
    assert_eq!(totals(&segment).rows, rows, "every pair has a row");
    println!("A pair of `i32`, 12 cells, {} distinct inputs\n", grouped(rows as f64));
    println!("{}", head(&["what", "measured", "aim"]));
    bytes_per_row(&segment);
    reading(&segment);
    campaign();
}
