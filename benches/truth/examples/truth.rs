//! `truth` lists the subjects and their versions; `truth SUBJECT VERSION LOG` says what is true of a log of that version.
//! Both as JSON, for `benches/truth.rs`.

use bugornot::log::Log;
use bugornot_truth::{CellTruth, Known, SUBJECTS, half};
use serde_json::{Value, json};
use std::path::Path;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let answer = match &arguments[..] {
        [] => SUBJECTS.iter().enumerate().map(|(position, subject)| described(position, *subject)).collect(),
        [name, version, log] => {
            let subject = SUBJECTS.iter().find(|subject| subject.name() == name);
            let subject = subject.ok_or_else(|| format!("unknown subject `{name}`: `truth` lists those there are"))?;
            let version = version.parse().map_err(|_| format!("`{version}` is no number of a version"))?;
            truth(*subject, version, Path::new(log))?
        }
        _ => return Err("usage: truth [SUBJECT VERSION LOG]".into()),
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

fn truth(subject: &dyn Known, version: u32, log: &Path) -> Result<Value, String> {
    let log = Log::open(log).map_err(|error| error.to_string())?;
    let truth = subject.truth(version, &log)?;
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
