//! `decisions.toml`: one table for each cell, sorted, so that a change of mind is a small diff. People edit it and merge
//! it, so whatever is wrong with it is said with its line.

use super::{Answer, Build, Decision, Facts, Numbers, Test};
use crate::{
    corpus::{DECISIONS, LONGEST_DECISIONS, Lock, key, limited, quoted, replace},
    terminal::{escape, shown},
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    fs, io,
    path::{Path, PathBuf},
};

/// The version of the file this build writes, and the newest it reads.
const SCHEMA: u32 = 1;

const HEADING: &str = "\
# What the tester has decided about each function and relation. Commit this file: later logs are compared with it.
# Written by `bugornot review` and `bugornot decide`, which keep what is edited here by hand, but no comments.
#
# answer  bug (stays red until the violations are gone), not-a-bug (violated just `when`), does-not-apply, fits
# test    positive (must hold outside the condition), negative (must be violated inside), both, none
";

/// All decisions about a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decisions {
    /// The file.
    pub(crate) path: PathBuf,
    pub(crate) suite: String,
    /// By the names of the cells.
    pub(crate) cells: BTreeMap<String, Decision>,
}

/// Why decisions cannot be read or written: which file, which line, what is wrong, and what to do.
#[derive(Debug)]
pub(crate) struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Decisions {
    /// Reads the decisions in a suite's corpus folder; none if there is no file.
    pub(crate) fn load(folder: &Path, suite: &str) -> Result<Self, Error> {
        let path = folder.join(DECISIONS);
        let failed = |why: String| Error(format!("failed to read the decisions `{}`: {why}", shown(&path)));
        let bytes = match limited(&path, LONGEST_DECISIONS) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(failed("it is too long to be what it claims to be".into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error.to_string())),
        };
        if bytes.is_empty() {
            return Ok(Self { path, suite: suite.to_owned(), cells: BTreeMap::new() });
        }
        let text = String::from_utf8(bytes).map_err(|_| failed("it is no text".into()))?;
        let cells = parse(&text, suite).map_err(|wrong| {
            Error(format!(
                "the decisions `{}` cannot be used: {wrong}; correct it, or restore it from version control",
                shown(&path)
            ))
        })?;
        Ok(Self { path, suite: suite.to_owned(), cells })
    }

    /// The right to change the decisions, waited for; it ends with what is returned. Not the lock of the corpus, which is
    /// held for minutes.
    pub(crate) fn alone(&self) -> Result<Lock, Error> {
        let all = self.path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
        Lock::wait(all)
            .map_err(|error| Error(format!("failed to write the decisions `{}`: {error}", shown(&self.path))))
    }

    /// Writes the file whole or not at all.
    pub(crate) fn save(&self) -> Result<(), Error> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .and_then(|()| replace(folder, &self.path, "decisions", self.to_text().as_bytes()))
            .map_err(|error| Error(format!("failed to write the decisions `{}`: {error}", shown(&self.path))))
    }

    /// As the file holds it.
    fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\nschema = {SCHEMA}\nsuite = {}\n", quoted(&self.suite));
        self.cells.iter().for_each(|(cell, decision)| write_cell(&mut text, cell, decision));
        text
    }
}

fn write_cell(text: &mut String, cell: &str, decision: &Decision) {
    _ = writeln!(text, "\n[cells.{}]\nanswer = {}", key(cell), quoted(decision.answer.word()));
    if let Some(when) = &decision.when {
        _ = writeln!(text, "when = {}", quoted(when));
    }
    _ = writeln!(text, "test = {}", quoted(decision.test.word()));
    if !decision.note.is_empty() {
        _ = writeln!(text, "note = {}", quoted(&decision.note));
    }
    let Numbers { judged, violated, panicked } = decision.numbers;
    _ = writeln!(text, "date = {}", quoted(&decision.date));
    let rare =
        [("panicked", panicked), ("held_inside", decision.held_inside)].into_iter().filter(|(_, count)| *count > 0);
    for (name, count) in [("judged", judged), ("violated", violated)].into_iter().chain(rare) {
        // An estimate from hostile weights can be larger than TOML's integers.
        _ = writeln!(text, "{name} = {}", count.min(i64::MAX as u64));
    }
    let Build { facts, constants } = &decision.build;
    _ = writeln!(
        text,
        "build = {{ revision = {}, overflow_checks = {}, debug_assertions = {}, sanitizer = {} }}",
        quoted(&facts.revision),
        facts.overflow_checks,
        facts.debug_assertions,
        quoted(&facts.sanitizer)
    );
    if !constants.is_empty() {
        let constants: Vec<String> =
            constants.iter().map(|(name, value)| format!("{} = {}", key(name), quoted(value))).collect();
        _ = writeln!(text, "constants = {{ {} }}", constants.join(", "));
    }
}

/// Reads the file's text; what is wrong with it starts with the line.
fn parse(text: &str, suite: &str) -> Result<BTreeMap<String, Decision>, String> {
    #[derive(Deserialize)]
    struct Version {
        schema: u32,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Whole {
        #[serde(rename = "schema")]
        _schema: u32,
        suite: String,
        #[serde(default)]
        cells: BTreeMap<String, Entry>,
    }
    let wrong = |error: toml_edit::de::Error| located(&error, text);
    // Asked first: a newer file may look different altogether.
    let version: Version = toml_edit::de::from_str(text).map_err(wrong)?;
    if version.schema > SCHEMA {
        return Err(format!(
            "it has schema {}, and this bugornot reads up to {SCHEMA}: use the bugornot that wrote it",
            version.schema
        ));
    }
    let whole: Whole = toml_edit::de::from_str(text).map_err(wrong)?;
    if whole.suite != suite {
        return Err(format!("it is about suite `{}`, not `{}`", escape(&whole.suite), escape(suite)));
    }
    Ok(whole.cells.into_iter().map(|(cell, entry)| (cell, entry.0)).collect())
}

fn located(error: &toml_edit::de::Error, text: &str) -> String {
    let line = |start: usize| 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
    let place = error.span().map(|span| format!("line {}: ", line(span.start))).unwrap_or_default();
    let message = error.message().trim().lines().collect::<Vec<_>>().join(", ");
    format!("{place}{}", escape(&message))
}

/// A decision that makes sense.
#[derive(Deserialize)]
#[serde(try_from = "Raw")]
struct Entry(Decision);

/// A decision as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    answer: Answer,
    when: Option<String>,
    test: Test,
    #[serde(default)]
    note: String,
    date: String,
    judged: u64,
    violated: u64,
    #[serde(default)]
    panicked: u64,
    #[serde(default)]
    held_inside: u64,
    build: Facts,
    #[serde(default)]
    constants: BTreeMap<String, String>,
}

impl TryFrom<Raw> for Entry {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let Raw { answer, when, test, note, date, judged, violated, panicked, held_inside, build, constants } = raw;
        match (answer, &when) {
            (Answer::NotABug, None) => return Err("`not-a-bug` needs its condition, `when`".into()),
            (Answer::NotABug, Some(_)) | (_, None) => {}
            (answer, Some(_)) => return Err(format!("`{}` has no condition, and `when` is given", answer.word())),
        }
        if !answer.tests().contains(&test) {
            return Err(format!("no `{}` test follows from `{}`", test.word(), answer.word()));
        }
        let numbers = Numbers { judged, violated, panicked };
        let build = Build { facts: build, constants };
        Ok(Self(Decision { answer, when, test, note, date, numbers, held_inside, build }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decision(answer: Answer, texts: &[String]) -> Decision {
        let text = |at: usize| texts[at % texts.len()].clone();
        Decision {
            answer,
            when: (answer == Answer::NotABug).then(|| text(0)),
            test: answer.tests()[texts.len() % answer.tests().len()],
            note: text(1),
            date: text(2),
            numbers: Numbers { judged: 100, violated: 55, panicked: texts.len() as u64 - 1 },
            held_inside: texts.len() as u64 / 2,
            build: Build {
                facts: Facts { revision: text(3), overflow_checks: true, debug_assertions: false, sanitizer: text(4) },
                constants: BTreeMap::from([(text(5), text(0))]),
            },
        }
    }

    proptest! {
        #[test]
        fn what_is_saved_is_loaded(texts in prop::collection::vec(any::<String>(), 1..8)) {
            let place = tempfile::tempdir().unwrap();
            let mut decisions = Decisions::load(&place.path().join("s"), &texts[0]).unwrap();
            prop_assert!(decisions.cells.is_empty());
            let answers = [Answer::Bug, Answer::NotABug, Answer::DoesNotApply, Answer::Fits];
            for (number, answer) in answers.into_iter().enumerate() {
                decisions.cells.insert(format!("{}:{number}", texts[0]), decision(answer, &texts));
            }
            decisions.save().unwrap();
            prop_assert_eq!(Decisions::load(&place.path().join("s"), &texts[0]).unwrap(), decisions);
            prop_assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "no draft is left behind");
        }

        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            let _ = parse(&text, "s");
        }
    }

    #[test]
    fn a_count_that_no_integer_of_toml_holds_can_be_read_again() {
        let place = tempfile::tempdir().unwrap();
        let mut decisions = Decisions::load(place.path(), "s").unwrap();
        let numbers = Numbers { judged: u64::MAX, violated: 1 << 63, panicked: u64::MAX };
        let hostile = Decision { numbers, held_inside: u64::MAX, ..decision(Answer::Bug, &["x".into()]) };
        decisions.cells.insert("f:r".into(), hostile);
        decisions.save().unwrap();
        assert_eq!(Decisions::load(place.path(), "s").unwrap().cells["f:r"].numbers.judged, i64::MAX as u64);
    }

    const SOUND: &str = "schema = 1\nsuite = \"s\"\n\n[cells.\"f:MR1\"]\nanswer = \"not-a-bug\"\nwhen = \"a < b\"\n\
        test = \"both\"\ndate = \"2026-11-17\"\njudged = 9\nviolated = 4\nbuild = { revision = \"\", \
        overflow_checks = true, debug_assertions = true, sanitizer = \"none\" }\n";

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        assert_eq!(parse(SOUND, "s").unwrap().len(), 1);
        let again = format!("{SOUND}{}", &SOUND[SOUND.find("\n[").unwrap()..]);
        for (text, told) in [
            (SOUND.replace("not-a-bug", "nota-bug"), "line 5: unknown variant `nota-bug`, expected one of"),
            (SOUND.replace("not-a-bug", "\u{1b}[2J"), "line 5: "),
            (SOUND.replace("not-a-bug", "\\u001b[2J"), "line 5: unknown variant `\\u{1b}[2J`"),
            (SOUND.replace("when = \"a < b\"\n", ""), "line 4: `not-a-bug` needs its condition, `when`"),
            (SOUND.replace("not-a-bug", "fits"), "line 4: `fits` has no condition, and `when` is given"),
            (SOUND.replace("\"both\"", "\"none\""), "line 4: no `none` test follows from `not-a-bug`"),
            (SOUND.replace("judged = 9", "judged = -9"), "line 9: "),
            (SOUND.replace("judged = 9", "jugded = 9"), "line 9: unknown field `jugded`"),
            (again, "line 13: duplicate key"),
            (SOUND.replace("schema = 1", "schema = 7"), "it has schema 7, and this bugornot reads up to 1"),
            (SOUND.replace("\"s\"", "\"t\""), "it is about suite `t`, not `s`"),
            (format!("{}{SOUND}", "a = [".repeat(100_000)), "line 1: "),
        ] {
            let error = parse(&text, "s").unwrap_err();
            assert!(error.starts_with(told) && !error.contains('\u{1b}'), "{error}\nwanted {told}");
        }
    }

    #[test]
    fn a_file_that_is_no_text_or_another_suite_s_is_refused_by_name() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join(DECISIONS), [0xff, 0xfe]).unwrap();
        let error = Decisions::load(place.path(), "s").unwrap_err().to_string();
        assert!(error.contains("decisions.toml`: it is no text"), "{error}");
        fs::write(place.path().join(DECISIONS), SOUND).unwrap();
        let error = Decisions::load(place.path(), "t").unwrap_err().to_string();
        assert!(
            error.contains("decisions.toml` cannot be used: it is about suite `s`, not `t`; correct it"),
            "{error}"
        );
    }
}
