//! The report as JSON; its schema is in the README.

use super::{Cell, Report, rule::Line, text::why_text};
use crate::{
    Verdict,
    anchor::Decided,
    clean::Counts,
    decision::Decision,
    explain::{CellExplained, Explained},
    feature::Scope,
    hint::{Evidence, Wanted},
    log::{Check, Outcome, Row, Value},
    summary::{Sample, Samples},
    witness::Witness,
};
use serde_json::{Map, Value as Json, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// A report as JSON.
pub(crate) fn json(report: &Report) -> String {
    let header = &report.cleaned.header;
    let constants: Map<String, Json> =
        header.constants.iter().map(|(name, value)| (name.clone(), of_value(value))).collect();
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
        "notes": report.notes.iter().map(String::as_str).chain(estimated(report)).collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

/// Says that the numbers of rules are estimates, if they are and there are any: the text has no rules.
fn estimated(report: &Report) -> Option<&'static str> {
    let has_rules = report.cells.iter().any(|cell| !cell.rules.is_empty());
    (has_rules && report.cleaned.is_sample()).then_some(
        "the log has more distinct inputs than the working set: support, confidence, lift, conviction and rows of rules are \
         estimates",
    )
}

/// A value as JSON holds it; as text where it does not.
fn of_value(value: &Value) -> Json {
    if let Some(truth) = value.truth() {
        return truth.into();
    }
    if let Value::Text(text) = value {
        return text.as_str().into();
    }

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
        "interval": cell.summary.rate.map(|rate| [rate.interval.0, rate.interval.1]),
        "uniform_percent": cell.summary.uniform.map(|rate| rate.violated_percent),
        "explained": word(&cell.explained.explained),
        "condition": condition(report, index, cell),
        "rules": cell.rules.iter().map(|rule| json!(Line::of(rule))).collect::<Vec<_>>(),
        "hint": cell.hinted.hint.word(),
        "reason": cell.hinted.reason,
        "confidence": cell.hinted.confidence,
        "would_decide": cell.hinted.would_decide.map(Wanted::text),
        "region": cell.hinted.region.as_ref().map(|region| {
            json!({"when": region.when, "of": region.of, "exact": region.is_exact})
        }),
        "evidence": cell.hinted.evidence.iter().map(of_evidence).collect::<Vec<_>>(),
        "witnesses": cell.witnesses.iter().map(Witness::json).collect::<Vec<_>>(),
        "samples": samples(report, index, &cell.summary.samples),
        "decision": cell.decided.as_ref().map(|decided| decision(report, index, decided)),
    })
}

/// A decision, and what has become of it.
fn decision(report: &Report, index: usize, decided: &Decided) -> Json {
    let Decision { answer, when, test, note, date, numbers, held_inside: _, build } = &decided.decision;
    let facts = &build.facts;
    json!({
        "answer": answer.word(),
        "when": when,
        "test": test.word(),
        "note": note,
        "date": date,
        "judged": numbers.judged,
        "violated": numbers.violated,
        "panicked": numbers.panicked,
        "build": {
            "revision": facts.revision,
            "overflow_checks": facts.overflow_checks,
            "debug_assertions": facts.debug_assertions,
            "sanitizer": facts.sanitizer,
        },
        "constants": build.constants,
        "state": decided.state.word(),
        "open": report.cells[index].is_reopened(),
        "text": decided.text(),
        "now": {
            "judged": decided.now.judged,
            "violated": decided.now.violated,
            "panicked": decided.now.panicked,
            "violated_outside": decided.violated_outside,
            "held_inside": decided.held_inside,
        },
        "witness": decided.witness.as_ref().map(|(verdict, row)| of_row(report, index, *verdict, row)),
    })
}

fn of_evidence(evidence: &Evidence) -> Json {
    let mut shown = json!({"kind": evidence.kind, "text": evidence.text});
    evidence.numbers.iter().for_each(|&(name, number)| shown[name] = json!(number));
    if !evidence.rows.is_empty() {
        shown["rows"] =
            evidence.rows.iter().map(|row| json!({"role": row.role, "text": row.text(usize::MAX)})).collect();
    }
    shown
}

/// Rows worth a look, with what their checks saw.
fn samples(report: &Report, cell: usize, samples: &Samples) -> Json {
    let shown = |wanted: &[Sample]| -> Vec<Json> {
        wanted.iter().filter_map(|sample| of_sample(report, cell, sample)).collect()
    };
    let with = |verdict| -> Vec<Sample> {
        samples.random.iter().filter(|sample| sample.verdict == verdict).cloned().collect()
    };
    json!({
        "random": shown(&samples.random),
        "atypical": shown(&samples.atypical),
        "violated": shown(&with(Verdict::Violated)),
        "held": shown(&with(Verdict::Held)),
    })
}

fn of_sample(report: &Report, cell: usize, sample: &Sample) -> Option<Json> {
    let mut shown = of_row(report, cell, sample.verdict, report.cleaned.working.get(sample.row)?);
    shown["why"] = sample.why.iter().map(|why| why_text(report, why)).collect();
    Some(shown)
}

/// A row, with what its check saw.
fn of_row(report: &Report, cell: usize, verdict: Verdict, row: &Row) -> Json {
    let check = Check::new(&report.cleaned.header, row, cell);
    let parameters = report.cleaned.header.parameters.iter().zip(&row.parameters);
    let input: Map<String, Json> = row
        .names
        .iter()
        .zip(&row.fields)
        .chain(parameters)
        .map(|(name, value)| (name.clone(), of_value(value)))
        .collect();
    json!({
        "input": input,
        "verdict": verdict.word(),
        "follow_ups": check.follow_ups.iter().map(of_value).collect::<Vec<_>>(),
        "output": check.output.map(of_outcome),
        "follow_up_outputs": check.outputs.iter().map(of_outcome).collect::<Vec<_>>(),
    })
}

fn of_outcome(outcome: &Outcome) -> Json {
    match outcome {
        Outcome::Output(value) => of_value(value),
        Outcome::Panicked(panic) => json!({"panicked": panic.message, "at": panic.location}),
        Outcome::Unknown => Json::Null,
    }
}

/// The counts of the verdicts there are; held and violated always.
pub(super) fn verdicts(counts: Counts) -> Json {
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

fn condition(report: &Report, index: usize, cell: &Cell) -> Json {
    let CellExplained { explained, written } = &cell.explained;
    let whole = |text: &str, held: &str| json!({"violated_when": text, "held_when": held, "exact": true, "literals": 0, "unexplained": 0, "survived": 0});
    match (explained, written) {
        (Explained::Always, _) => whole("true", "false"),
        (Explained::Never, _) => whole("false", "true"),
        (_, Some(written)) => {
            let found = &written.condition;
            let exceptions = written.exceptions.iter().map(|(verdict, row)| of_row(report, index, *verdict, row));
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
                "exceptions": exceptions.collect::<Vec<_>>(),
                "limit_hit": found.limit_hit,
                "survived": written.survived(report.cleaned.working.len()),
            })
        }
        _ => Json::Null,
    }
}
