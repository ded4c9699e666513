//! The report as JSON; its schema is in the README.

use super::{Cell, Report, rule::Line};
use crate::{
    Verdict,
    clean::Counts,
    explain::{Explained, Written},
    feature::Scope,
    log::Value,
};
use serde_json::{Map, Value as Json, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// A report as JSON.
pub(crate) fn json(report: &Report) -> String {
    let header = &report.cleaned.header;
    let constants: Map<String, Json> =
        header.constants.iter().map(|(name, value)| (name.clone(), number(value))).collect();
    let rows = &report.cleaned.rows;
    let cells: Vec<Json> = report.cells.iter().enumerate().map(|(index, cell)| of_cell(report, index, cell)).collect();
    let whole = json!({
        "schema": SCHEMA,
        "suite": header.suite,
        "constants": constants,
        "fields": header.fields,
        "rows": {
            "read": rows.read,
            "kept": rows.kept,
            "duplicate": rows.duplicate,
            "damaged": rows.damaged,
            "damaged_blocks": rows.damaged_blocks,
            "missing": rows.missing,
            "inconsistent": rows.inconsistent,
            "died": rows.died,
            "executions": rows.executions,
            "distinct": rows.distinct,
        },
        "cells": cells,
        "notes": report.notes,
    });
    format!("{whole:#}\n")
}

/// A number as JSON holds it; text where it does not.
fn number(value: &Value) -> Json {
    let whole = value.integer().and_then(|integer| i64::try_from(integer).ok()).map(Json::from);
    whole
        .or_else(|| value.float().and_then(serde_json::Number::from_f64).map(Json::Number))
        .unwrap_or_else(|| value.to_string().into())
}

fn of_cell(report: &Report, index: usize, cell: &Cell) -> Json {
    let counts = &report.cleaned.cells[index];
    let distinct = counts.distinct.counts;
    json!({
        "function": cell.function,
        "relation": cell.relation,
        "verdicts": verdicts(distinct),
        "executions": verdicts(counts.executions),
        "conflicting": counts.distinct.conflicting,
        "violated_percent": distinct.violated_percent(),
        "explained": word(&cell.explained.explained),
        "condition": condition(&cell.explained.explained, cell.explained.written.as_ref()),
        "rules": cell.rules.iter().map(|rule| json!(Line::of(rule))).collect::<Vec<_>>(),
        "hint": null,
        "evidence": [],
        "decision": null,
    })
}

/// The counts of the verdicts there are; held and violated always.
fn verdicts(counts: Counts) -> Json {
    let shown = Verdict::ALL
        .into_iter()
        .filter(|&verdict| matches!(verdict, Verdict::Held | Verdict::Violated) || counts.of(verdict) > 0);
    let entries: Map<String, Json> = shown.map(|verdict| (verdict.to_string(), counts.of(verdict).into())).collect();
    Json::Object(entries)
}

fn word(explained: &Explained) -> &'static str {
    match explained {
        Explained::Nothing => "nothing",
        Explained::Always => "always",
        Explained::Never => "never",
        Explained::Condition(_) => "condition",
        Explained::Inconclusive { .. } => "inconclusive",
    }
}

fn condition(explained: &Explained, written: Option<&Written>) -> Json {
    let whole = |text: &str, held: &str| json!({"violated_when": text, "held_when": held, "exact": true, "literals": 0, "unexplained": 0, "survived": 0});
    match (explained, written) {
        (Explained::Always, _) => whole("true", "false"),
        (Explained::Never, _) => whole("false", "true"),
        (_, Some(written)) => {
            let found = &written.condition;
            json!({
                "violated_when": written.violated_when,
                "held_when": written.held_when,
                "named": written.named,
                "over": match found.scope {
                    Scope::Input => "inputs",
                    Scope::Change(_) => "follow-ups",
                    Scope::Output(_) => "outputs",
                },
                "exact": found.is_exact(),
                "partial": matches!(explained, Explained::Inconclusive { .. }),
                "literals": found.literals(),
                "unexplained": found.missed,
                "false_alarms": found.false_alarms,
                "checked": written.checked,
                "limit_hit": found.limit_hit,
                "survived": 0,
            })
        }
        _ => Json::Null,
    }
}
