//! `truth` lists the subjects and their versions; `truth SUBJECT VERSION LOG` says what is true of a log of that version;
//! `truth SUBJECT VERSION LOG REGION..` holds regions that were named against the true one. All as JSON, for
//! `benches/truth.rs`.

use bugornot::{expression::Expression, log::Log};
use bugornot_truth::{CellTruth, Known, SUBJECTS, half};
use serde_json::{Value, json};
use std::path::Path;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let answer = match &arguments[..] {
        [] => SUBJECTS.iter().enumerate().map(|(position, subject)| described(position, *subject)).collect(),
        [name, version, log, regions @ ..] => {
            let subject = SUBJECTS.iter().find(|subject| subject.name() == name);
            let subject = subject.ok_or_else(|| format!("unknown subject `{name}`: `truth` lists those there are"))?;
            let version = version.parse().map_err(|_| format!("`{version}` is no number of a version"))?;
            let log = Log::open(Path::new(log)).map_err(|error| error.to_string())?;
            if regions.is_empty() { truth(*subject, version, &log)? } else { named(*subject, version, &log, regions)? }
        }
        _ => return Err("usage: truth [SUBJECT VERSION LOG [REGION..]]".into()),
    };
    println!("{answer}");
    Ok(())
}

fn described(position: usize, subject: &dyn Known) -> Value {
    let versions = subject.versions().into_iter().map(|version| {
        json!({
            "number": version.number,
            "kind": version.kind.word(),
            "what": version.what,
            "line": version.line,
            "share": version.share,
        })
    });
    json!({
        "name": subject.name(),
        "half": half(position),
        "file": subject.file(),
        "versions": versions.collect::<Vec<_>>(),
    })
}

/// How many rows of the log are in the true region, in each that was named, and in both.
fn named(subject: &dyn Known, version: u32, log: &Log, regions: &[String]) -> Result<Value, String> {
    let header = log.segments.first().ok_or("the log is empty")?.header();
    let parse = |text: &String| Expression::parse(text, header).map_err(|fault| format!("`{text}`: {fault}"));
    let regions = regions.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let mut counts = vec![(0u64, 0u64); regions.len()];
    let mut all = 0u64;
    subject.visit_region(version, log, &mut |row, is_inside| {
        all += u64::from(is_inside);
        for (region, (named, both)) in regions.iter().zip(&mut counts) {
            let is_named = region.test(row).unwrap_or(false);
            *named += u64::from(is_named);
            *both += u64::from(is_named && is_inside);
        }
    })?;
    Ok(counts.iter().map(|(named, both)| json!({"true": all, "named": named, "both": both})).collect())
}

fn truth(subject: &dyn Known, version: u32, log: &Log) -> Result<Value, String> {
    let truth = subject.truth(version, log)?;
    let cells: Vec<Value> = truth.cells.iter().map(of_cell).collect();
    Ok(json!({"rows": truth.rows, "in_region": truth.in_region, "cells": cells}))
}

fn of_cell(cell: &CellTruth) -> Value {
    json!({
        "function": cell.function,
        "relation": cell.relation,
        "holds": cell.holds,
        "held": cell.held,
        "violated": cell.violated,
        "wrong": cell.wrong,
        "masked": cell.masked,
        "panicked": cell.panicked,
        "harness_panicked": cell.harness_panicked,
        "bug": cell.is_bug(),
    })
}
