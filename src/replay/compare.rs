//! Holds what an input showed against what its manifest expects, and against what the tester has decided.

use super::{Against, Changed, Finding};
use crate::{
    Verdict,
    corpus::{Corpus, DECISIONS, Decided, Expected},
    escape::shown,
    log::{Check, Header, Outcome, PanicInfo, Row, identity_of},
};

/// What became of an input.
pub(crate) enum Answer {
    /// It was judged, or its process died of it.
    Judged(Box<Row>),
    /// It does not decode, or is outside the domain.
    Rejected,
}

/// What an input shows, beside what is expected of it.
pub(crate) struct Compared {
    /// As it decodes now, or as it did once where it does not any more.
    pub(crate) input: String,
    /// How many verdicts are as expected.
    pub(crate) kept: usize,
    /// How many contradicted a decision when the manifest was written, and do so no more.
    pub(crate) settled: usize,
    /// What is not as expected.
    pub(crate) findings: Vec<Finding>,
}

impl Compared {
    fn stale(input: String, why: String) -> Self {
        Self { input, kept: 0, settled: 0, findings: vec![Finding::Stale(why)] }
    }

    /// Of an input that is not run, because it is known to end the process: what contradicts a decision still does.
    pub(crate) fn known(expected: &Expected, decisions: &Decided) -> Self {
        let mut compared = Self { input: expected.input.clone(), kept: 0, settled: 0, findings: Vec::new() };
        for (function, relation, verdict) in expected.cells() {
            if expected.is_wrong(decisions, function, relation, verdict) {
                let seen = Seen { output: None, follow_ups: Vec::new(), panic: None };
                let changed = changed(decisions, (function, relation), Verdict::Held, Some(verdict), seen);
                compared.findings.push(Finding::Changed(Box::new(changed)));
            }
        }
        compared
    }
}

/// Holds an answer against what is expected and decided.
pub(crate) fn compare(expected: &Expected, decisions: &Decided, answer: &Answer, header: &Header) -> Compared {
    let row = match answer {
        Answer::Judged(row) => row,
        Answer::Rejected => {
            let why = "it does not decode any more, or is outside the domain";
            return Compared::stale(expected.input.clone(), why.into());
        }
    };
    // A process that died tells no values.
    if row.death.is_some() {
        return changes(expected.input.clone(), expected, decisions, row, header);
    }
    let input = row.input_text(header);
    if !expected.value.is_empty() && expected.value != value_of(row) {
        let why = format!("it decodes differently: the input type has changed since it was `{}`", expected.input);
        return Compared::stale(input, why);
    }
    changes(input, expected, decisions, row, header)
}

/// The identity of a decoded input, as a manifest holds it; nothing if the process died of it.
pub(crate) fn value_of(row: &Row) -> String {
    if row.death.is_some() { String::new() } else { format!("{:016x}", identity_of(row)) }
}

/// Why no verdict means anything: the manifest is from other constants or decisions.
pub(crate) fn why_stale(corpus: &Corpus, header: &Header) -> Option<String> {
    let manifest = &corpus.manifest;
    if corpus.digest != manifest.decisions.digest {
        let path = shown(&corpus.folder.join(DECISIONS));
        return Some(format!("the decisions `{path}` are not those that it was made under"));
    }
    let ours: Vec<(&str, String)> =
        header.constants.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    if let Some((name, _)) = ours.iter().find(|(name, _)| !manifest.constants.contains_key(*name)) {
        return Some(format!("the suite has a constant `{name}` that the manifest does not know"));
    }
    let gone = manifest.constants.keys().find(|name| !ours.iter().any(|(ours, _)| ours == name));
    gone.map(|name| format!("the suite has no constant `{name}` any more"))
}

fn changes(input: String, expected: &Expected, decisions: &Decided, row: &Row, header: &Header) -> Compared {
    let mut compared = Compared { input, kept: 0, settled: 0, findings: Vec::new() };
    // Where a process died of one cell, those that it did not come to are no news.
    let is_dead = row.death.is_some() && row.verdicts.contains(&Some(Verdict::Died));
    for (function, relation, verdict) in expected.cells() {
        let Some(cell) = cell_of(header, function, relation) else {
            let why = format!("the suite has no cell `{function} x {relation}` any more");
            compared.findings.push(Finding::Stale(why));
            continue;
        };
        let is_wrong = |verdict| expected.is_wrong(decisions, function, relation, verdict);
        let actual = row.verdict(cell);
        let wanted = match actual {
            // What was decided counts, whatever the manifest has seen.
            Some(actual) if is_wrong(actual) && is_wrong(verdict) => Verdict::Held,
            Some(actual) if is_wrong(actual) => verdict,
            Some(actual) if actual == verdict => {
                compared.kept += 1;
                continue;
            }
            None if is_dead => continue,
            Some(Verdict::Held | Verdict::NotApplicable) if is_wrong(verdict) => {
                compared.settled += 1;
                continue;
            }
            _ => verdict,
        };
        let mut changed = changed(decisions, (function, relation), wanted, actual, seen(header, row, cell));
        changed.against = changed.against.filter(|_| actual.is_some_and(is_wrong));
        compared.findings.push(Finding::Changed(Box::new(changed)));
    }
    compared
}

/// The position of a cell, by its names.
fn cell_of(header: &Header, function: &str, relation: &str) -> Option<usize> {
    header.cells.iter().position(|&cell| names_of(header, cell) == (function, relation))
}

/// The names of a cell.
pub(crate) fn names_of(header: &Header, (function, relation): (u16, u16)) -> (&str, &str) {
    let relation = header.relations.get(usize::from(relation)).map_or("?", |relation| relation.name.as_str());
    (header.functions.get(usize::from(function)).map_or("?", String::as_str), relation)
}

/// A verdict that is not the expected one, of a cell with these names; as one that contradicts the decision, if there is
/// any.
pub(crate) fn changed(
    decisions: &Decided,
    (function, relation): (&str, &str),
    expected: Verdict,
    actual: Option<Verdict>,
    Seen { output, follow_ups, panic }: Seen,
) -> Changed {
    let decided = decisions.of(function, relation);
    Changed {
        function: function.into(),
        relation: relation.into(),
        expected,
        actual,
        output,
        follow_ups,
        panic,
        decision: decided.map(|decided| decided.words.clone()),
        against: decided.map(|decided| if decided.is_bug() { Against::Bug } else { Against::Regression }),
    }
}

/// What one check saw, in words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// What the function gave for the source input.
    pub(crate) output: Option<String>,
    /// The follow-up inputs, and what the function gave for them.
    pub(crate) follow_ups: Vec<(String, String)>,
    /// The panic, if that is what happened.
    pub(crate) panic: Option<String>,
}

/// What the check of a cell saw, as far as the row has it.
pub(crate) fn seen(header: &Header, row: &Row, cell: usize) -> Seen {
    let check = Check::new(header, row, cell);
    let outcomes = check.outputs.iter().map(ToString::to_string).chain(std::iter::repeat("(not reached)".into()));
    Seen {
        output: check.output.map(ToString::to_string),
        follow_ups: check.follow_ups.iter().map(ToString::to_string).zip(outcomes).collect(),
        panic: panic_of(header, row, cell).map(panic_text),
    }
}

fn panic_text(panic: &PanicInfo) -> String {
    let place = if panic.location.is_empty() { "an unknown place".into() } else { panic.place() };
    format!("`{}` at {place}", panic.message)
}

/// The panic that a cell ended with.
pub(crate) fn panic_of<'row>(header: &Header, row: &'row Row, cell: usize) -> Option<&'row PanicInfo> {
    let of_outcome = |outcome: &'row Outcome| match outcome {
        Outcome::Panicked(panic) => Some(panic),
        Outcome::Output(_) | Outcome::Unknown => None,
    };
    let check = Check::new(header, row, cell);
    match row.verdicts.get(cell).copied().flatten()? {
        Verdict::SourcePanicked => check.output.and_then(of_outcome),
        Verdict::FollowUpPanicked => check.outputs.iter().find_map(of_outcome),
        Verdict::TransformPanicked => row.detail.as_ref()?.cells.get(cell)?.harness.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn an_input_that_is_not_run_still_contradicts_what_was_decided() {
        let toml = |text: &str| text.replace('\'', "\"");
        let decided = "digest = 'x'\n[cells.f]\nr = { answer = 'bug', words = 'a bug (today)', wrong = ['died'] }";
        let decided: Decided = toml_edit::de::from_str(&toml(decided)).unwrap();
        let expected = "input = 'a = 1'\nvalue = ''\nkeeps = []\nverdicts = { f = { r = 'died', s = 'died' } }";
        let mut expected: Expected = toml_edit::de::from_str(&toml(expected)).unwrap();
        let findings = Compared::known(&expected, &decided).findings;
        let [Finding::Changed(changed)] = &findings[..] else { panic!("{}", findings.len()) };
        assert_eq!((changed.word(), changed.cell().as_str(), changed.actual_word()), ("bug", "f x r", "died"));
        expected.accepted = BTreeMap::from([("f".into(), ["r".into()].into())]);
        assert!(Compared::known(&expected, &decided).findings.is_empty());
    }
}
