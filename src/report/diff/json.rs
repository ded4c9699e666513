//! Two logs compared, as JSON; the schema is in the README.

use super::{Diff, Log};
use crate::{
    anchor::previous::{Change, Moved, Outcome, Side},
    hint::Wanted,
    report::json::verdicts,
    witness::Witness,
};
use serde_json::{Value as Json, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// Two logs compared, as JSON.
pub(crate) fn json(diff: &Diff) -> String {
    let header = &diff.new.header;
    let whole = json!({
        "schema": SCHEMA,
        "suite": header.suite,
        "old": of_log(&diff.old),
        "new": of_log(&diff.new),
        "regressions": diff.count(Outcome::Regression),
        "notes": diff.notes().collect::<Vec<_>>(),
        "cells": diff.cells().map(|(cell, witness)| of_cell(cell, witness)).collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

fn of_log(log: &Log) -> Json {
    let build = &log.header.build;
    json!({"inputs": log.inputs, "engine": build.engine, "revision": build.revision, "compiler": build.compiler})
}

fn of_cell(cell: &Change, witness: Option<&Witness>) -> Json {
    json!({
        "function": cell.function,
        "relation": cell.relation,
        "outcome": cell.outcome.word(),
        "reasons": cell.reasons,
        "old": cell.old.as_ref().map(of_side),
        "new": cell.new.as_ref().map(of_side),
        "shared": cell.shared,
        "moved": cell.moved.iter().map(of_moved).collect::<Vec<_>>(),
        "witness": witness.map(Witness::json),
        "would_decide": cell.would_decide.map(Wanted::text),
    })
}

fn of_side(side: &Side) -> Json {
    json!({
        "verdicts": verdicts(side.counts),
        "violated_percent": side.counts.violated_percent(),
        "violated_when": side.violated_when,
        "exact": side.is_exact,
    })
}

fn of_moved(moved: &Moved) -> Json {
    json!({
        "old": moved.old.word(),
        "new": moved.new.word(),
        "count": moved.count,
        "run_again": moved.is_again,
        "inputs": moved.inputs,
    })
}
