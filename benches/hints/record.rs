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
    /// The region that the report names, held against the true one.
    pub named: Option<NamedRegion>,
    /// Whether the region can be said in a short condition at all.
    pub can_be_said: bool,
    /// Whether the line of the bug is among the first that `locate` names, if it was asked.
    pub located: Option<bool>,
}

/// A region that a report names.
pub struct NamedRegion {
    pub text: String,
    /// Of what it names, the share that is in the region of the bug; and the other way round.
    pub precision: f64,
    pub recall: f64,
}

impl NamedRegion {
    /// From how many rows are in the region of the bug, in the named one, and in both.
    pub fn new(text: String, [bugs, named, both]: [u64; 3]) -> Self {
        let share = |whole: u64| if whole == 0 { 0.0 } else { both as f64 / whole as f64 };
        Self { text, precision: share(named), recall: share(bugs) }
    }

    pub fn is_exact(&self) -> bool {
        (self.precision, self.recall) == (1.0, 1.0)
    }
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
            named: None,
            can_be_said: false,
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

    /// What the report names as the inputs that the function goes wrong on: a region in whatever role, or the condition
    /// that violations of this cell have over its source.
    pub fn region_text(&self) -> Option<String> {
        let region = self.report["region"]["when"].as_str();
        let is_over_inputs = self.report["condition"]["over"] == "inputs";
        let condition = self.report["condition"]["violated_when"].as_str().filter(|_| is_over_inputs);
        region.or(condition).map(str::to_owned)
    }

    /// Whether the condition of the cell is right for all of its rows.
    pub fn is_exactly_explained(&self) -> bool {
        self.count("violated") > 0 && self.report["condition"]["exact"] == true
    }

    /// Whether its region can be read off this cell: a cell of a regional bug that never fails otherwise.
    pub fn shows_region(&self) -> bool {
        self.version.kind == Kind::Regional && self.holds == "always" && self.count("wrong") > 0
    }

    pub fn to_json(&self) -> Value {
        let said = |cell: &Value| {
            json!({
                "hint": cell["hint"],
                "reason": cell["reason"],
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
            "named": self.named.as_ref().map(|named| {
                json!({"region": named.text, "precision": named.precision, "recall": named.recall})
            }),
            "can_be_said": self.can_be_said,
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
