//! What was measured, as markdown.

use super::{
    record::{Answer, NamedRegion, Record, answer},
    score::{Score, share},
    subject::Kind,
};
use crate::measure::{head, median, row};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A share as it is printed.
fn shown(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{share:.3}"))
}

/// A part of a whole, as it is printed.
fn part_of(part: usize, whole: usize) -> String {
    let percent = share(part as u64, whole as u64).map_or("-".into(), |share| format!("{:.0} %", 100.0 * share));
    format!("{part} of {whole} ({percent})")
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The cells with something to decide, of versions whose functions and relations can be judged.
fn scored(records: &[Record]) -> impl Iterator<Item = &Record> {
    records.iter().filter(|record| record.is_open() && !record.version.kind.is_fault())
}

/// All ways to answer, side by side.
pub fn answers(records: &[Record]) -> String {
    let names =
        ["answer", "cells", "answered", "balanced accuracy", "precision", "recall", "bugs found of all", "Brier"];
    let mut text = head(&names) + "\n";
    let mut line = |name: &str, score: &Score| {
        let answered = shown(share(score.answered(), score.cells()));
        let numbers = [score.balanced_accuracy(), score.precision(), score.recall(), score.found(), score.brier()];
        let [balanced, precision, recall, found, brier] = numbers.map(shown);
        text += &row(&[&name, &score.cells(), &answered, &balanced, &precision, &recall, &found, &brier]);
        text.push('\n');
    };
    line("every violation is a bug", &Score::of(scored(records).map(|record| ((Answer::Bug, 1.0), record.is_bug()))));
    let by_the_paper = |record: &Record| match record.by_the_paper() {
        Answer::Bug => (Answer::Bug, 1.0),
        rest => (rest, 0.0),
    };
    line("the paper's rule", &Score::of(scored(records).map(|record| (by_the_paper(record), record.is_bug()))));
    line(
        "the hint, without anchor",
        &Score::of(scored(records).map(|record| (answer(&record.report), record.is_bug()))),
    );
    let anchored = scored(records).filter_map(|record| Some((answer(record.anchored.as_ref()?), record.is_bug())));
    line("the hint, with the original as anchor", &Score::of(anchored));
    text
}

/// Each hint against the truth, by kind of version.
pub fn hints(records: &[Record], anchored: bool) -> String {
    let mut counts: BTreeMap<(String, Kind), (u64, u64)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.is_open()) {
        let cell = if anchored { record.anchored.as_ref() } else { Some(&record.report) };
        let Some(hint) = cell.and_then(|cell| cell["hint"].as_str()) else { continue };
        let (bugs, others) = counts.entry((hint.to_owned(), record.version.kind)).or_default();
        *if record.is_bug() { bugs } else { others } += 1;
    }
    let lines = counts.iter().map(|((hint, kind), (bugs, others))| row(&[hint, &kind.word(), bugs, others]));
    head(&["hint", "version", "bugs", "no bugs"]) + "\n" + &lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// How often a hint for each reason is right: what `src/hint/calibrated.rs` is made from. Regressions are those with the
/// original as anchor.
pub fn reasons(records: &[Record]) -> String {
    const OF_FAULTS: [&str; 2] = ["nondeterministic", "harness"];
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.is_open()) {
        let is_fault = record.version.kind.is_fault();
        let usual = Some(&record.report).filter(|cell| OF_FAULTS.contains(&reason(cell)) || !is_fault);
        let anchored = record.anchored.iter().filter(|cell| reason(cell) == "regression" && !is_fault);
        for cell in usual.into_iter().chain(anchored) {
            let is_right = match answer(cell).0 {
                Answer::Open => continue,
                Answer::Bug => record.is_bug() || is_fault,
                Answer::NotABug => !record.is_bug(),
            };
            let (right, all) = counts.entry(reason(cell)).or_default();
            *right += u64::from(is_right);
            *all += 1;
        }
    }
    let lines = counts.iter().map(|(reason, (right, all))| row(&[reason, right, all]));
    head(&["reason", "right", "hints"]) + "\n" + &lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Why a hint was given, in a word.
fn reason(cell: &Value) -> &str {
    cell["reason"].as_str().unwrap_or_default()
}

/// What regressions are called where nothing regressed.
pub fn rewrites(records: &[Record]) -> String {
    let cells = |kind: Kind| records.iter().filter(move |record| record.version.kind == kind);
    let is_alarm = |record: &&Record| record.anchored.as_ref().is_some_and(|cell| answer(cell).0 == Answer::Bug);
    let rewritten: Vec<&Record> = cells(Kind::Rewrite).filter(|record| record.anchored.is_some()).collect();
    let alarms = rewritten.iter().copied().filter(|record| is_alarm(record)).count();
    format!("cells of rewrites that raise an alarm with the original as anchor: {}\n", part_of(alarms, rewritten.len()))
}

/// Faults of the harness and nondeterminism: found, and false.
pub fn faults(records: &[Record]) -> String {
    let hinted =
        |record: &Record| ["nondeterministic", "harness"].into_iter().find(|hint| record.report["hint"] == *hint);
    let version = |record: &Record| (record.subject.clone(), record.version.number);
    let mut text = String::new();
    for kind in [Kind::Nondeterministic, Kind::Harness] {
        let all: BTreeSet<_> = records.iter().filter(|record| record.version.kind == kind).map(version).collect();
        let is_found = |record: &&Record| record.version.kind == kind && hinted(record).is_some();
        let found: BTreeSet<_> = records.iter().filter(is_found).map(version).collect();
        let missed: Vec<String> = all.difference(&found).map(|(name, number)| format!("{name} {number}")).collect();
        text += &format!("{} versions found: {}", kind.word(), part_of(found.len(), all.len()));
        text += &if missed.is_empty() { "\n".into() } else { format!("; missed {}\n", missed.join(", ")) };
    }
    let sound: Vec<&Record> = records.iter().filter(|record| !record.version.kind.is_fault()).collect();
    let is_false = |record: &&&Record| hinted(record).is_some();
    let false_ones: Vec<String> = sound.iter().filter(is_false).map(|record| name(record)).collect();
    text += &format!("cells of sound versions with such a hint: {}", part_of(false_ones.len(), sound.len()));
    text + &if false_ones.is_empty() { "\n".into() } else { format!(": {}\n", false_ones.join(", ")) }
}

fn name(record: &Record) -> String {
    format!("{} {} ({} x {})", record.subject, record.version.number, record.function, record.relation)
}

/// How well the regions of regional bugs are named, and their lines located.
pub fn regions(records: &[Record]) -> String {
    let mut versions: BTreeMap<(&str, u64), Vec<&Record>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.version.kind == Kind::Regional) {
        versions.entry((&record.subject, record.version.number)).or_default().push(record);
    }
    let names = [
        "regional bug",
        "share of random inputs",
        "cells that show it",
        "can be said",
        "precision",
        "recall",
        "exact",
        "violations explained",
        "line in top 5",
    ];
    let mut text = head(&names) + "\n";
    let (mut exact, mut explained, mut shown_ones, mut located, mut asked) = (0, 0, 0, 0, 0);
    let (mut sayable, mut said) = (0, 0);
    let (mut precisions, mut recalls) = (Vec::new(), Vec::new());
    let mark = |is_so: bool| if is_so { "yes" } else { "" };
    for ((subject, number), cells) in &versions {
        let showing: Vec<&&Record> = cells.iter().filter(|record| record.shows_region()).collect();
        let named = showing.iter().filter_map(|record| record.named.as_ref());
        let best = named.max_by(|a, b| (a.precision * a.recall).total_cmp(&(b.precision * b.recall)));
        let is_exact = best.is_some_and(NamedRegion::is_exact);
        let is_explained = showing.iter().any(|record| record.is_exactly_explained());
        let can_be_said = showing.iter().any(|record| record.can_be_said);
        let lines: Vec<bool> = cells.iter().filter_map(|record| record.located).collect();
        let is_located = lines.contains(&true);
        shown_ones += usize::from(!showing.is_empty());
        exact += usize::from(is_exact);
        sayable += usize::from(can_be_said);
        said += usize::from(can_be_said && is_exact);
        explained += usize::from(is_exact || is_explained);
        asked += usize::from(!lines.is_empty());
        located += usize::from(is_located);
        precisions.extend(best.map(|named| named.precision));
        recalls.extend(best.map(|named| named.recall));
        let version = &cells[0].version;
        text += &row(&[
            &format!("{subject} {number}: {}", version.what),
            &version.share.map_or("-".into(), |share| format!("{share:.5}")),
            &showing.len(),
            &mark(can_be_said),
            &shown(best.map(|named| named.precision)),
            &shown(best.map(|named| named.recall)),
            &mark(is_exact),
            &mark(is_explained),
            &(if lines.is_empty() { "-" } else { mark(is_located) }),
        ]);
        text.push('\n');
    }
    let seen = "that some relation that always holds sees";
    text += &format!("\nregion exact: {} {seen}\n", part_of(exact, shown_ones));
    text += &format!("of those that can be said: {}\n", part_of(said, sayable));
    text += &format!("a region named at all: {} {seen}", part_of(precisions.len(), shown_ones));
    if !precisions.is_empty() {
        let [precision, recall] = [precisions, recalls].map(|shares| shown(Some(mean(&shares))));
        text += &format!("; on average precision {precision}, recall {recall}");
    }
    text.push('\n');
    text += &format!("region or all violations exact: {} {seen}\n", part_of(explained, shown_ones));
    let cells: Vec<bool> = records.iter().filter_map(|record| record.located).collect();
    let of_cells = part_of(cells.iter().filter(|is_located| **is_located).count(), cells.len());
    text + &format!("changed line in the top 5 of some cell: {}; of cells {of_cells}\n", part_of(located, asked))
}

/// Confidence claimed against how often it was right.
pub fn reliability(records: &[Record]) -> String {
    const BINS: usize = 10;
    let mut bins = vec![Vec::new(); BINS];
    for record in scored(records) {
        let Some(confidence) = record.report["confidence"].as_f64() else { continue };
        let (answer, _) = answer(&record.report);
        if answer != Answer::Open {
            let is_right = (answer == Answer::Bug) == record.is_bug();
            bins[((confidence * BINS as f64) as usize).min(BINS - 1)].push((confidence, is_right));
        }
    }
    if bins.iter().all(Vec::is_empty) {
        return "no hint claims a confidence\n".into();
    }
    let mut text = head(&["confidence", "hints", "claimed (median)", "right"]) + "\n";
    for (bin, hints) in bins.iter().enumerate().filter(|(_, hints)| !hints.is_empty()) {
        let mut claimed: Vec<f64> = hints.iter().map(|(confidence, _)| *confidence).collect();
        let right = hints.iter().filter(|(_, is_right)| *is_right).count() as u64;
        let range = format!("{:.1} to {:.1}", bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
        let right = shown(share(right, hints.len() as u64));
        text += &row(&[&range, &hints.len(), &shown(Some(median(&mut claimed))), &right]);
        text.push('\n');
    }
    text
}
