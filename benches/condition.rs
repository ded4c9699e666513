//! The miner `condition` on tables whose truth is known: is it found, how long does it take, and what do others find?
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

mod measure;
#[path = "measure/condition_peers.rs"]
mod peers;
#[path = "measure/truths.rs"]
mod truths;

use bugornot::mine::{
    condition::{Answer, Item, Options, When, condition},
    table::{Attributes, Table},
};
use measure::{grouped, head, quick_or, row, timed};
use std::time::Duration;
use truths::{TALL, Truth, at_least, planted, tall, wide};

fn mine(table: &Table) -> (Answer, Duration) {
    let items = vec![Item { cost: 1 }; table.attributes.items()];
    timed(|| condition(table, &items, &Options::default()))
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Condition(found) => format!(
            "{:?} {:?}, exact {}, {} false alarms, {} missed, structured {}, limit {}",
            found.when, found.terms, found.exact, found.false_alarms, found.missed, found.structured, found.limit_hit
        ),
        other => format!("{other:?}"),
    }
}

fn is_right(answer: &Answer, when: When, terms: &[Vec<usize>], flips: f64) -> bool {
    matches!(answer, Answer::Condition(found) if found.when == when && found.terms == terms && (found.exact || flips > 0.0))
}

/// The numbers of rows named as arguments, or else these.
fn sizes(usual: Vec<usize>) -> Vec<usize> {
    let named: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if named.is_empty() { usual } else { named }
}

/// Whether so few rows are enough for a truth.
fn is_determined(truth: &Truth, rows: usize) -> bool {
    truth.share * rows as f64 >= 40.0
}

fn tall_truths() {
    println!("\n## Tall tables\n");
    println!("{}", head(&["rows", "items per row", "flips", "truth", "CPU s", "found"]));
    for rows in sizes(quick_or(vec![10_000], vec![10_000, 100_000, 1_000_000, 10_000_000])) {
        for width in quick_or(vec![20], vec![20, 60]) {
            for flips in if rows > 1_000_000 { vec![0.01] } else { vec![0.0, 0.001, 0.01] } {
                for truth in TALL.iter().filter(|truth| is_determined(truth, rows)) {
                    let table = planted(truth, width, rows, 1, flips);
                    let (answer, time) = mine(&table);
                    let is_right = is_right(&answer, truth.when, &truth.items(&table.attributes), flips);
                    let found = if is_right { "exact and minimal".to_owned() } else { describe(&answer) };
                    let time = format!("{:.3}", time.as_secs_f64());
                    println!("{}", row(&[&grouped(rows as f64), &width, &flips, &truth.name, &time, &found]));
                }
            }
        }
    }
}

fn seeds() {
    println!("\n## Seeds\n");
    let (rows, seeds) = (quick_or(5_000, 100_000), quick_or(2, 20));
    let (mut right, mut all) = (0, 0);
    for width in [20, 60] {
        for flips in [0.0, 0.001, 0.01] {
            for truth in TALL.iter().filter(|truth| is_determined(truth, rows)) {
                for seed in 0..seeds {
                    let table = planted(truth, width, rows, 1000 + seed, flips);
                    let answer = mine(&table).0;
                    let is_right = is_right(&answer, truth.when, &truth.items(&table.attributes), flips);
                    right += u64::from(is_right);
                    all += 1;
                    if !is_right {
                        println!("{} flips {flips} width {width} seed {seed}: {}", truth.name, describe(&answer));
                    }
                }
            }
        }
    }
    println!("exact and minimal: {right} of {all} ({} rows)", grouped(rows as f64));
}

fn noise() {
    println!("\n## Verdicts that depend on nothing\n");
    for (rows, rate) in [(200, 0.5), (1_000, 0.1), (10_000, 0.01), (10_000, 0.5)] {
        let runs = quick_or(20, 500);
        let invented = (0..runs).filter(|&seed| {
            let answer = mine(&tall(40, rows, seed, 0.0, |_, draw| draw.chance(rate))).0;
            !matches!(&answer, Answer::Inconclusive(none) if none.partial.is_none() && none.short.is_none())
        });
        println!("{rows} rows, {rate} violated: a rule in {} of {runs} runs", invented.count());
    }
}

fn inexpressible() {
    println!("\n## Truths that no item expresses\n");
    for (name, rows) in quick_or(
        vec![("hidden", 10_000), ("sum", 10_000)],
        vec![("hidden", 1_000_000), ("sum", 1_000_000), ("hidden", 10_000_000), ("sum", 10_000_000)],
    ) {
        let table = tall(60, rows, 7, 0.0, |row, draw| match name {
            "hidden" => draw.chance(0.2),
            _ => {
                row[13..19].iter().map(|&value| u32::from(value)).sum::<u32>() % 7 == 3
                    || row[20..30].iter().sum::<u8>() > 8
            }
        });
        let (answer, time) = mine(&table);
        println!("{name} {rows}: {:.3} s, {}", time.as_secs_f64(), describe(&answer));
    }
}

type WideTruth = (&'static str, fn(&[u64]) -> bool, Vec<Vec<usize>>);

fn wide_truths() {
    println!("\n## Wide tables\n");
    println!("{}", head(&["rows", "violated", "flips", "truth", "CPU s", "found"]));
    let truths: Vec<WideTruth> = vec![
        ("x3 >= 575", |row| row[3] >= 575, vec![vec![at_least(3, 57, true)]]),
        (
            "x3 >= 575 && x7 < 205",
            |row| row[3] >= 575 && row[7] < 205,
            vec![vec![at_least(3, 57, true), at_least(7, 20, false)]],
        ),
        (
            "three",
            |row| row[3] >= 575 && row[7] < 205 && row[9] >= 305,
            vec![vec![at_least(3, 57, true), at_least(7, 20, false), at_least(9, 30, true)]],
        ),
        (
            "rare",
            |row| row[3] >= 995 && row[7] < 5 && row[9] >= 595,
            vec![vec![at_least(3, 99, true), at_least(7, 0, false), at_least(9, 59, true)]],
        ),
        (
            "or",
            |row| row[3] >= 895 || row[7] < 105 && row[1] >= 505,
            vec![vec![at_least(3, 89, true)], vec![at_least(1, 50, true), at_least(7, 10, false)]],
        ),
        (
            "xor",
            |row| (row[3] >= 505) == (row[7] >= 495),
            vec![
                vec![at_least(3, 50, false), at_least(7, 49, false)],
                vec![at_least(3, 50, true), at_least(7, 49, true)],
            ],
        ),
        ("sum", |row| row[3] + row[7] >= 1400, vec![]),
    ];
    for rows in sizes(quick_or(vec![5_000], vec![10_000, 100_000, 1_000_000])) {
        for flips in [0.0, 0.01] {
            for (name, truth, terms) in &truths {
                let table = wide(rows, 3, flips, truth);
                let (answer, time) = mine(&table);
                let found = if is_right(&answer, When::Violated, terms, flips) {
                    "exact and minimal".to_owned()
                } else {
                    describe(&answer)
                };
                let time = format!("{:.3}", time.as_secs_f64());
                println!("{}", row(&[&grouped(rows as f64), &table.violated.rows(), &flips, name, &time, &found]));
            }
        }
    }
}

/// The table that the tools get, and the one that the miner gets.
fn kept(truth: &Truth, width: usize, rows: usize, flips: f64) -> (std::path::PathBuf, Table) {
    let mut bytes = Vec::with_capacity(rows * (width + 1));
    let (mut draw, mut source) = (truths::Draw(9), truths::Rows::new(width, 1));
    let mut table = Table::new(Attributes::new(truths::attributes(width)));
    for _ in 0..rows {
        source.next();
        let is_violated = truth.is_violated(&source.row) != draw.chance(flips);
        table.push(&source.row, is_violated);
        bytes.extend(source.row.iter().copied().chain([u8::from(is_violated)]));
    }
    (peers::keep("table.bin", &bytes), table)
}

fn others() {
    println!("\n## Other tools\n");
    if !peers::install() {
        return println!("not measured: no Python environment");
    }
    println!("{}", head(&["rows", "flips", "truth", "tool", "CPU s", "times ours", "rules", "ours", "first rules"]));
    for rows in sizes(quick_or(vec![5_000], vec![10_000, 100_000, 1_000_000])) {
        for flips in [0.0, 0.01] {
            for truth in TALL.iter().take(3).filter(|truth| is_determined(truth, rows)) {
                let (path, table) = kept(truth, 20, rows, flips);
                let (answer, time) = mine(&table);
                let ours = if let Answer::Condition(found) = &answer { found.terms.len() } else { 0 };
                for tool in ["ripper", "tree", "imodels", "pysubgroup"] {
                    let found = match peers::run(tool, &path, 20, quick_or(60, 300)) {
                        Ok(found) => found,
                        Err(why) => {
                            println!("{}", row(&[&grouped(rows as f64), &flips, &truth.name, &tool, &why]));
                            continue;
                        }
                    };
                    let times = format!("{:.0}", found.seconds / time.as_secs_f64().max(1e-3));
                    let cells: [&dyn std::fmt::Display; 9] = [
                        &grouped(rows as f64),
                        &flips,
                        &truth.name,
                        &tool,
                        &found.seconds,
                        &times,
                        &found.rules,
                        &ours,
                        &found.text,
                    ];
                    println!("{}", row(&cells));
                }
            }
        }
    }
}

/// The most memory this process had, in MiB.
fn peak() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: it has room for what is filled in, and is plain numbers.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    usage.ru_maxrss as u64 / 1024
}

fn main() {
    let only: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument.chars().all(char::is_alphabetic)).collect();
    let parts: [(&str, fn()); 6] = [
        ("tall", tall_truths),
        ("seeds", seeds),
        ("noise", noise),
        ("inexpressible", inexpressible),
        ("wide", wide_truths),
        ("peers", others),
    ];
    for (name, part) in parts {
        if only.is_empty() || only.iter().any(|only| only == name) {
            part();
            println!("\npeak memory so far, tables included: {} MiB", peak());
        }
    }
}
