//! What cargo-mutants leaves behind: `outcomes.json`, one entry for the code as it is and one for each mutant.

use anyhow::{Context, Result};
use serde::Deserialize;

/// A change to one place of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Relative to the folder of the workspace.
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    /// What is changed, as in `replace + with - in add`.
    pub(crate) change: String,
}

/// How it ended, as far as cargo-mutants knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Summary {
    /// It could be built, and was tested.
    Tested,
    /// It does not compile: it says nothing about tests.
    Unviable,
}

/// One run of the tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scenario {
    /// Nothing where the code was left as it is.
    pub(crate) mutant: Option<Mutant>,
    pub(crate) summary: Summary,
    /// What was printed meanwhile, relative to the folder of `outcomes.json`.
    pub(crate) log: String,
}

/// Reads `outcomes.json`.
pub(crate) fn scenarios(text: &str) -> Result<Vec<Scenario>> {
    #[derive(Deserialize)]
    struct File {
        outcomes: Vec<Outcome>,
    }
    let file: File =
        serde_json::from_str(text).context("cargo-mutants wrote an `outcomes.json` that cannot be read")?;
    Ok(file.outcomes.into_iter().map(Scenario::from).collect())
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Which,
    summary: String,
    log_path: String,
}

#[derive(Deserialize)]
enum Which {
    Baseline,
    Mutant(Told),
}

#[derive(Deserialize)]
struct Told {
    name: String,
    file: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Place,
}

#[derive(Deserialize)]
struct Place {
    line: u64,
    column: u64,
}

impl From<Outcome> for Scenario {
    fn from(outcome: Outcome) -> Self {
        let mutant = match outcome.scenario {
            Which::Baseline => None,
            Which::Mutant(told) => Some(told.into()),
        };
        let summary = if outcome.summary == "Unviable" { Summary::Unviable } else { Summary::Tested };
        Self { mutant, summary, log: outcome.log_path }
    }
}

impl From<Told> for Mutant {
    fn from(Told { name, file, span: Span { start: Place { line, column } } }: Told) -> Self {
        // The name begins with the place.
        let change = name.strip_prefix(&format!("{file}:{line}:{column}: ")).unwrap_or(&name).to_owned();
        Self { file, line, column, change }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_has_a_place_and_a_change_and_the_code_as_it_is_has_none() {
        let text = r#"{"outcomes": [
            {"scenario": "Baseline", "summary": "Success", "log_path": "log/baseline.log", "phase_results": []},
            {"scenario": {"Mutant": {"name": "src/lib.rs:2:10: replace > with == in add", "package": "tiny",
              "file": "src/lib.rs", "span": {"start": {"line": 2, "column": 10}, "end": {"line": 2, "column": 11}},
              "replacement": "==", "genre": "BinaryOperator"}},
             "summary": "Unviable", "log_path": "log/a.log"}], "total_mutants": 1}"#;
        let scenarios = scenarios(text).unwrap();
        assert_eq!((scenarios[0].mutant.as_ref(), scenarios[0].summary), (None, Summary::Tested));
        let change = "replace > with == in add".to_owned();
        let mutant = Mutant { file: "src/lib.rs".into(), line: 2, column: 10, change };
        assert_eq!(
            scenarios[1],
            Scenario { mutant: Some(mutant), summary: Summary::Unviable, log: "log/a.log".into() }
        );
    }

    #[test]
    fn what_is_no_outcome_is_an_error() {
        assert!(scenarios("").is_err() && scenarios("{\"outcomes\": [{}]}").is_err());
    }
}
