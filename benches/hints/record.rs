//! One cell of one version: what is true, and what the analyser says.

use super::subject::{Kind, Subject, Version, text};
use serde_json::{Value, json};

/// A cell of a version's log.
pub struct Record {
    pub subject: String,
    pub version: Version,
    pub function: String,
    pub relation: String,
    /// `always`, `never` or `conditional`.
    pub holds: String,
    /// Rows of the cell, and of the whole log; see the package's `truth.rs`.
    truth: Value,
    rows: u64,
    in_region: Option<u64>,
    /// The cell in the report.
    pub report: Value,
    /// The cell in the report that knows the original's log.
    pub anchored: Option<Value>,
    /// Whether the line of the bug is among the first that `locate` names, if it was asked.
    pub located: Option<bool>,
}

/// What an answer amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Bug,
    NotABug,
    /// It abstains.
    Open,
}

impl Record {
    pub fn new(
        subject: &Subject,
        version: &Version,
        truth: &Value,
        cell: &Value,
        report: &Value,
        anchored: Option<&Value>,
    ) -> Self {
        let (function, relation) = (text(&cell["function"]), text(&cell["relation"]));
        let named = |report: &Value| {
            let cells = report["cells"].as_array().expect("a report has cells");
            let is_it = |cell: &&Value| cell["function"] == function[..] && cell["relation"] == relation[..];
            cells.iter().find(is_it).expect("the report has the cells of the log").clone()
        };
        Self {
            subject: subject.name.clone(),
            version: version.clone(),
            holds: text(&cell["holds"]),
            truth: cell.clone(),
            rows: truth["rows"].as_u64().unwrap_or(0),
            in_region: truth["in_region"].as_u64(),
            report: named(report),
            anchored: anchored.map(named),
            located: None,
            function,
            relation,
        }
    }

    fn count(&self, name: &str) -> u64 {
        self.truth[name].as_u64().unwrap_or(0)
    }

    /// Whether there is anything to decide: a violation or a panic.
    pub fn is_open(&self) -> bool {
        self.count("violated") + self.count("panicked") > 0
    }

    /// Whether the function has a bug that this cell shows.
    pub fn is_bug(&self) -> bool {
        self.truth["bug"] == true
    }

    /// The paper's rule: an exact rule, or a violation of every input, is no bug; all else is.
    pub fn by_the_paper(&self) -> Answer {
        let is_exact = self.report["explained"] == "condition" && self.report["condition"]["exact"] == true;
        if is_exact || self.report["explained"] == "always" { Answer::NotABug } else { Answer::Bug }
    }

    /// How precise and how complete the named region is, if there is one: of what the condition names, what is violated,
    /// and the other way round.
    pub fn region(&self) -> Option<(f64, f64)> {
        let condition = self.report["condition"].as_object()?;
        let count = |name: &str| condition.get(name).and_then(Value::as_u64).unwrap_or(0);
        let violated = self.report["verdicts"]["violated"].as_u64()?;
        let right = violated.checked_sub(count("unexplained"))?;
        let named = right + count("false_alarms");
        (violated > 0 && named > 0).then(|| (right as f64 / named as f64, right as f64 / violated as f64))
    }

    /// Whether its region can be read off this cell: a cell of a regional bug that never fails otherwise.
    pub fn shows_region(&self) -> bool {
        self.version.kind == Kind::Regional && self.holds == "always" && self.count("wrong") > 0
    }

    pub fn to_json(&self) -> Value {
        let said = |cell: &Value| {
            json!({
                "hint": cell["hint"],
                "confidence": cell["confidence"],
                "evidence": cell["evidence"],
            })
        };
        let mut record = json!({
            "subject": self.subject,
            "version": self.version.number,
            "kind": self.version.kind.word(),
            "what": self.version.what,
            "share": self.version.share,
            "rows": self.rows,
            "in_region": self.in_region,
            "function": self.function,
            "relation": self.relation,
            "truth": self.truth,
            "verdicts": self.report["verdicts"],
            "explained": self.report["explained"],
            "condition": self.report["condition"],
            "said": said(&self.report),
            "anchored": self.anchored.as_ref().map(said),
            "located": self.located,
        });
        if let Some(condition) = record["condition"].as_object_mut() {
            condition.remove("exceptions");
        }
        record
    }
}

/// What a cell of a report amounts to, and how sure it is of a bug: 1 is a bug, 0 is none.
pub fn answer(cell: &Value) -> (Answer, f64) {
    let confidence = cell["confidence"].as_f64().unwrap_or(1.0);
    match cell["hint"].as_str().unwrap_or_default() {
        "bug" | "regression" | "harness" | "nondeterministic" => (Answer::Bug, confidence),
        "not-a-bug" | "does-not-apply" | "fits" => (Answer::NotABug, 1.0 - confidence),
        _ => (Answer::Open, 0.5),
    }
}
