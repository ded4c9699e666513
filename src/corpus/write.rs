//! The manifest as text: sorted, one table for each input and one line for each function, so that a change of one
//! verdict is a change of one line.

use super::{DecidedCell, Expected, LogBuild, Manifest, SCHEMA};
use std::{collections::BTreeSet, fmt::Write};

const HEADING: &str = "\
# What each input of the corpus is kept for, and the verdicts it must have.
# Written by `bugornot minimise`: commit it with the inputs, and do not edit it.
";

impl Manifest {
    /// As the file holds it.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\nschema = {SCHEMA}\nsuite = {}\n", quoted(&self.suite));
        if !self.constants.is_empty() {
            text.push_str("\n[constants]\n");
            self.constants.iter().for_each(|(name, value)| _ = writeln!(text, "{} = {}", key(name), quoted(value)));
        }
        _ = writeln!(
            text,
            "\n[replayed]\noverflow_checks = {}\ndebug_assertions = {}",
            self.replayed.overflow_checks, self.replayed.debug_assertions
        );
        self.builds.iter().for_each(|build| write_build(&mut text, build));
        self.write_decisions(&mut text);
        self.inputs.iter().for_each(|(name, expected)| write_input(&mut text, name, expected));
        text
    }

    fn write_decisions(&self, text: &mut String) {
        if self.decisions.digest.is_empty() {
            return;
        }
        _ = writeln!(text, "\n[decisions]\ndigest = {}", quoted(&self.decisions.digest));
        for (function, relations) in &self.decisions.cells {
            _ = writeln!(text, "[decisions.cells.{}]", key(function));
            relations.iter().for_each(|(relation, cell)| _ = writeln!(text, "{} = {}", key(relation), decided(cell)));
        }
    }
}

fn decided(cell: &DecidedCell) -> String {
    let wrong: Vec<String> = cell.wrong.iter().map(|verdict| quoted(verdict.0.word())).collect();
    let fault = if cell.fault.is_empty() { String::new() } else { format!(", fault = {}", quoted(&cell.fault)) };
    let (answer, words) = (quoted(&cell.answer), quoted(&cell.words));
    format!("{{ answer = {answer}, words = {words}, wrong = [{}]{fault} }}", wrong.join(", "))
}

fn write_build(text: &mut String, build: &LogBuild) {
    text.push_str("\n[[builds]]\n");
    _ = writeln!(text, "engine = {}", quoted(&build.engine));
    _ = writeln!(text, "overflow_checks = {}\ndebug_assertions = {}", build.overflow_checks, build.debug_assertions);
    for (name, value) in [
        ("sanitizer", &build.sanitizer),
        ("compiler", &build.compiler),
        ("target", &build.target),
        ("revision", &build.revision),
    ] {
        _ = writeln!(text, "{name} = {}", quoted(value));
    }
}

fn write_input(text: &mut String, name: &str, expected: &Expected) {
    _ = writeln!(text, "\n[inputs.{}]", key(name));
    _ = writeln!(text, "input = {}\nvalue = {}", quoted(&expected.input), quoted(&expected.value));
    if expected.edges > 0 {
        _ = writeln!(text, "edges = {}", expected.edges);
    }
    text.push_str("keeps = [\n");
    expected.keeps.iter().for_each(|obligation| _ = writeln!(text, "    {},", quoted(obligation)));
    text.push_str("]\n");
    if !expected.accepted.is_empty() {
        let of_function = |(function, relations): (&String, &BTreeSet<String>)| {
            let relations: Vec<String> = relations.iter().map(|relation| quoted(relation)).collect();
            format!("{} = [{}]", key(function), relations.join(", "))
        };
        let accepted: Vec<String> = expected.accepted.iter().map(of_function).collect();
        _ = writeln!(text, "accepted = {{ {} }}", accepted.join(", "));
    }
    _ = writeln!(text, "[inputs.{}.verdicts]", key(name));
    for (function, relations) in &expected.verdicts {
        let cells: Vec<String> = relations
            .iter()
            .map(|(relation, verdict)| format!("{} = {}", key(relation), quoted(verdict.0.word())))
            .collect();
        _ = writeln!(text, "{} = {{ {} }}", key(function), cells.join(", "));
    }
}

/// A TOML key: quoted where it has to be.
pub(crate) fn key(name: &str) -> String {
    let is_bare = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-';
    if !name.is_empty() && name.bytes().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A TOML string; what could confuse a terminal is escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter if letter.is_control() => _ = write!(quoted, "\\u{:04X}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Verdict,
        corpus::{Decided, Facts, manifest::Expectation},
    };
    use proptest::prelude::*;
    use std::{collections::BTreeMap, path::Path};

    fn manifest(texts: &[String]) -> Manifest {
        let text = |at: usize| texts[at % texts.len()].clone();
        let verdicts = Verdict::ALL.map(|verdict| (format!("{}{}", text(0), verdict.word()), Expectation(verdict)));
        let expected = Expected {
            input: text(1),
            value: "00ff".into(),
            keeps: texts.to_vec(),
            edges: texts.len() - 1,
            accepted: BTreeMap::from([(text(1), texts.iter().cloned().collect())]),
            verdicts: BTreeMap::from([(text(2), BTreeMap::from(verdicts))]),
        };
        let build = LogBuild {
            engine: text(3),
            overflow_checks: true,
            debug_assertions: false,
            sanitizer: text(4),
            compiler: text(0),
            target: text(1),
            revision: text(2),
        };
        let cell = DecidedCell {
            answer: text(0),
            words: text(1),
            wrong: Verdict::ALL.map(Expectation).into(),
            fault: text(2),
        };
        let decided = BTreeMap::from([(text(5), cell)]);
        Manifest {
            schema: SCHEMA,
            suite: text(5),
            constants: BTreeMap::from([(text(3), text(4))]),
            replayed: Facts { overflow_checks: false, debug_assertions: true },
            builds: vec![build],
            decisions: Decided { digest: "00ff".into(), cells: BTreeMap::from([(text(4), decided)]) },
            inputs: BTreeMap::from([(text(0), expected)]),
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(texts in prop::collection::vec(any::<String>(), 1..8)) {
            let manifest = manifest(&texts);
            let read = Manifest::parse(&manifest.to_text(), Path::new("m"), &manifest.suite).unwrap();
            prop_assert_eq!(read, manifest);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            let _ = Manifest::parse(&text, Path::new("m"), "s");
        }
    }
}
