//! `bugornot decide` and `bugornot review` from outside: answers that the log contradicts are refused, the others are kept,
//! and later reports are compared with them.

#[path = "decide/anchors.rs"]
mod anchors;
#[path = "decide/review.rs"]
mod review;

#[path = "support/skip.rs"]
mod skip;

use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

type Function = fn(i64, i64) -> i64;

/// A folder with logs of one function `f` over pairs of digits, judged by `swap` (equal) and `grow` (larger for six times
/// the inputs).
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Makes a log of a function.
    fn log(&self, name: &str, f: Function) -> &Self {
        self.log_of(name, |a, b| Some((f(a, b) == f(b, a), f(6 * a, 6 * b) > f(a, b))))
    }

    /// Makes a log of what is held; nothing where the function panics.
    fn log_of(&self, name: &str, held: impl Fn(i64, i64) -> Option<(bool, bool)>) -> &Self {
        let word = |held: bool| if held { "held" } else { "violated" };
        let mut table = "a,b,swap,grow\n".to_owned();
        for (a, b) in (0..10).flat_map(|a| (0..10).map(move |b| (a, b))) {
            let words = held(a, b).map_or(["source-panicked"; 2], |(swap, grow)| [word(swap), word(grow)]);
            writeln!(table, "{a},{b},{}", words.join(",")).unwrap();
        }
        self.import(name, "digits", &table)
    }

    fn import(&self, name: &str, suite: &str, table: &str) -> &Self {
        let file = format!("{name}.csv");
        fs::write(self.path(&file), table).unwrap();
        let import = ["import", "--csv", &file, "--suite", suite, "--function", "f", "--inputs", "a,b"];
        let verdicts = ["--verdicts", "swap,grow", "--constant", "k=6", "--into", name];
        let (code, _, stderr) = self.told(&[&import[..], &verdicts].concat());
        assert_eq!(code, 0, "{stderr}");
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        command.args(arguments).current_dir(self.0.path()).env_remove("BUGORNOT_LOG").env("NO_COLOR", "1");
        command
    }

    /// Exit code, stdout and stderr.
    fn told(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// Decides about the log `log`.
    fn decide(&self, arguments: &[&str]) -> (i32, String, String) {
        self.told(&[&["decide", "--log", "log"], arguments].concat())
    }

    /// Decides, which has to succeed.
    fn decided(&self, arguments: &[&str]) -> &Self {
        let (code, _, stderr) = self.decide(arguments);
        assert_eq!((code, stderr.as_str()), (0, ""));
        self
    }

    fn decisions(&self) -> String {
        fs::read_to_string(self.path("corpus/digits/decisions.toml")).unwrap()
    }

    /// Exit code, text and JSON of a report.
    fn report(&self, log: &str) -> (i32, String, Value) {
        let (code, text, stderr) = self.told(&["report", log]);
        assert_eq!(stderr, "");
        let (again, json, _) = self.told(&["report", log, "--format", "json"]);
        assert_eq!(code, again);
        (code, text, serde_json::from_str(&json).unwrap())
    }
}

/// A cell of a report.
fn cell<'report>(report: &'report Value, relation: &str) -> &'report Value {
    report["cells"].as_array().unwrap().iter().find(|cell| cell["relation"] == relation).unwrap()
}

fn minus(a: i64, b: i64) -> i64 {
    a - b
}

#[test]
fn a_decision_is_a_readable_entry_that_says_what_to_commit() {
    let place = Place::new();
    place.log("log", minus);
    let (code, stdout, stderr) = place.decide(&["f:grow", "not-a-bug", "--when", "a <= b", "--note", "keeps the sign"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let told = "f x grow: not a bug when `a <= b` (55 of 100 violated): positive test outside, negative inside\n\
                written to `corpus/digits/decisions.toml`: commit it\n";
    assert_eq!(stdout, told);
    let text = place.decisions();
    let (heading, entry) = text.split_once("\n\nschema = 1\nsuite = \"digits\"\n\n").expect(&text);
    assert!(heading.lines().all(|line| line.starts_with('#')) && heading.contains("Commit this file"), "{text}");
    let mut lines: Vec<&str> = entry.lines().collect();
    let date = lines.remove(5);
    assert!(date.starts_with("date = \"20") && date.len() == "date = \"2026-11-17\"".len(), "{date}");
    let expected = [
        "[cells.\"f:grow\"]",
        "answer = \"not-a-bug\"",
        "when = \"a <= b\"",
        "test = \"both\"",
        "note = \"keeps the sign\"",
        "judged = 100",
        "violated = 55",
        "build = { revision = \"log.csv\", overflow_checks = false, debug_assertions = false, sanitizer = \"none\" }",
        "constants = { k = \"6\" }",
    ];
    assert_eq!(lines, expected);
    let names: Vec<_> = fs::read_dir(place.path("corpus")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["digits"], "no draft is left behind");
}

#[test]
fn without_a_condition_the_mined_one_is_taken_and_constants_keep_their_names() {
    let place = Place::new();
    place.log_of("log", |a, b| Some((true, a + b == 6)));
    place.decided(&["f:grow", "not-a-bug"]);
    assert!(place.decisions().contains("when = \"a + b != k\"\n"), "{}", place.decisions());
}

#[test]
fn an_answer_that_the_log_contradicts_is_refused_with_both_conditions() {
    let place = Place::new();
    place.log("log", minus);
    let both = |yours: &str| format!("\n  yours  {yours}\n  log    violated when a <= b");
    for (arguments, wrong, shown) in [
        (
            &["not-a-bug", "--when", "a < b"][..],
            "of 100 inputs judged, 10 violated outside the condition and 0 held inside",
            both("violated when a < b") + "\n  violated  a = 0, b = 0\n",
        ),
        (
            &["not-a-bug", "--when", "a <= b + 1"],
            "of 100 inputs judged, 0 violated outside the condition and 9 held inside",
            both("violated when a <= b + 1") + "\n  held      a = 1, b = 0\n  help   `bugornot decide",
        ),
        (&["fits"], "of 100 inputs judged, 55 violated", both("never violated") + "\n  violated  a = 0, b = 0\n"),
        (
            &["does-not-apply", "--test", "negative"],
            "of 100 inputs judged, 45 held",
            both("always violated") + "\n  held      a = 1, b = 0\n",
        ),
        (&["not-a-bug", "--when", "a <="], "`a <=` cannot be used: it is no Rust", both("violated when a <=") + "\n"),
        (
            &["not-a-bug", "--when", "a <= c"],
            "`a <= c` cannot be used: there is no field",
            both("violated when a <= c"),
        ),
        (&["not-a-bug", "--when", "a + b"], "`a + b` cannot be used: it comes to", both("violated when a + b")),
        (
            &["not-a-bug", "--when", "true", "--test", "positive"],
            "no input holds outside the condition",
            both("violated when true"),
        ),
        (&["bug", "--when", "a < b"], "a condition goes with `not-a-bug`, not `bug`", "\n".into()),
        (&["fits", "--test", "both"], "no `both` test follows from `fits`", "\n".into()),
    ] {
        let (code, stdout, stderr) = place.decide(&[&["f:grow"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.starts_with(&format!("error: f x grow cannot be decided so: {wrong}")), "{stderr}");
        assert!(stderr.contains(&shown), "{stderr}\nwanted {shown}");
    }
    assert!(!place.path("corpus").exists());
}

#[test]
fn a_condition_wider_than_the_violations_can_be_had_without_a_negative_test() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug", "--when", "a <= b + 1", "--test", "positive"]);
    let (code, _, report) = place.report("log");
    assert_eq!((code, &cell(&report, "grow")["decision"]["state"]), (0, &"stands".into()));
    assert_eq!(cell(&report, "grow")["decision"]["now"]["held_inside"], 9);
}

#[test]
fn a_change_of_mind_is_refused_with_both_shown_unless_it_is_wanted() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug", "--note", "mine"]);
    let before = place.decisions();
    let (code, _, stderr) = place.decide(&["f:grow", "bug"]);
    assert_eq!(code, 1);
    let error = "error: f x grow is decided already\n  before  not a bug when `a <= b`, on 20";
    assert!(stderr.starts_with(error) && stderr.contains("\n  now     a bug: no test\n"), "{stderr}");
    assert_eq!(place.decisions(), before);
    place.decided(&["f:grow", "not-a-bug", "--when", "a <= b"]);
    assert_eq!(place.decisions(), before, "the same answer changes nothing, and keeps its note");
    place.decided(&["f:grow", "bug", "--replace"]);
    assert!(place.decisions().contains("answer = \"bug\"\n") && !place.decisions().contains("when ="));
}

#[test]
fn what_cannot_be_decided_is_told_with_what_can() {
    let place = Place::new();
    place.log("log", minus).log_of("fine", |_, _| Some((true, true)));
    let (code, _, stderr) = place.decide(&["f:MR9", "bug"]);
    let error = "error: there is no cell `f:MR9`: suite `digits` has `f:swap`, `f:grow`\n";
    assert_eq!((code, stderr.as_str()), (1, error));
    let (code, _, stderr) = place.told(&["decide", "--log", "fine", "f:grow", "bug"]);
    let error = "error: f x grow cannot be decided so: nothing is wrong with the 100 inputs that were judged\n";
    assert_eq!((code, stderr.as_str()), (1, error));
    let (code, _, stderr) = place.decide(&["f:grow", "perhaps"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("bug, not-a-bug, does-not-apply, fits"), "{stderr}");
    assert_eq!(place.decide(&["f:grow"]).0, 1);
    assert_eq!(place.decide(&["--explained", "f:grow", "bug"]).0, 1);
}

#[test]
fn nothing_is_decided_in_passing_about_a_function_that_may_have_a_bug() {
    let place = Place::new();
    let table = (0..100).map(|row| {
        let grow = if row == 37 { "follow-up-panicked" } else { "held" };
        format!("{},{},held,{grow}\n", row / 10, row % 10)
    });
    place.import("log", "digits", &format!("a,b,swap,grow\n{}", table.collect::<String>()));
    let (code, stdout, _) = place.decide(&["--explained"]);
    let told = "f x swap: left open, as f x grow is hinted at as `bug`: settle that first\n\
                digits: no undecided cell is fully explained\n";
    assert_eq!((code, stdout.as_str()), (0, told));
}

#[test]
fn all_that_is_fully_explained_is_decided_as_hinted_and_nothing_else() {
    let place = Place::new();
    // Nothing short tells where `grow` is violated.
    place.log_of("log", |a, b| Some((true, (a * 7 + b * 13 + a * b * 5) % 11 < 5)));
    let (code, stdout, _) = place.decide(&["--explained"]);
    assert_eq!(code, 0);
    let told = "f x swap: fits (0 of 100 violated): positive test\n\
                1 decision written to `corpus/digits/decisions.toml`: commit it\n";
    assert_eq!(stdout, told);
    assert_eq!(place.decide(&["--explained"]).1, "digits: no undecided cell is fully explained\n");
    assert_eq!(place.report("log").0, 2, "what is not explained is still open");
    place.decided(&["f:grow", "does-not-apply"]);
    assert_eq!(place.report("log").0, 0, "what is decided is not");
}

#[test]
fn what_is_refused_does_not_stop_the_decisions_about_other_cells() {
    let place = Place::new();
    // No condition can name such a field.
    let decided = |name: &str, verdicts: &str, words: &dyn Fn(bool) -> String| {
        let rows: String = (0..40).map(|a| format!("{a},{}\n", words(a > 19))).collect();
        fs::write(place.path("table.csv"), format!("the a,{verdicts}\n{rows}")).unwrap();
        let import = ["import", "--csv", "table.csv", "--suite", name, "--function", "f", "--inputs", "the a"];
        let (code, _, stderr) = place.told(&[&import[..], &["--verdicts", verdicts, "--into", name]].concat());
        assert_eq!(code, 0, "{stderr}");
        place.told(&["decide", "--explained", "--log", name])
    };
    let word = |is_violated: bool| if is_violated { "violated" } else { "held" };

    let (code, stdout, stderr) = decided("some", "grow,swap", &|is_violated| format!("{},held", word(is_violated)));
    let told = "f x swap: fits (0 of 40 violated): positive test\n\
                1 decision written to `corpus/some/decisions.toml`: commit it\n";
    assert_eq!((code, stdout.as_str()), (0, told));
    assert!(
        stderr.starts_with("warning: f x grow cannot be decided so: `input.the a >= 20` cannot be used: "),
        "{stderr}"
    );

    let (code, stdout, stderr) = decided("none", "grow", &|is_violated| word(is_violated).to_owned());
    assert_eq!((code, stdout.as_str()), (1, "none: nothing was decided\n"));
    assert!(stderr.starts_with("warning: f x grow cannot be decided so: "), "{stderr}");
    assert!(!place.path("corpus/none").exists());
}

#[test]
fn the_decisions_of_another_folder_or_suite_and_damaged_ones_are_not_taken() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug"]);
    fs::rename(place.path("corpus"), place.path("away")).unwrap();
    let (_, _, report) = place.report("log");
    assert_eq!(cell(&report, "grow")["decision"], Value::Null);
    let (_, stdout, _) = place.told(&["report", "log", "--corpus", "away/digits"]);
    assert!(stdout.contains("\n1 decision is as the log shows\n"), "{stdout}");

    place.import("other", "others", "a,b,swap,grow\n1,2,held,held\n");
    let (code, _, stderr) = place.told(&["report", "other", "--corpus", "away/digits"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("`away/digits/decisions.toml` cannot be used: it is about suite `digits`"), "{stderr}");
    fs::write(place.path("away/digits/decisions.toml"), "schema = 1\nsuite = \"digits\"\ncells = 3\n").unwrap();
    for arguments in [&["report", "log"][..], &["review", "log", "--list"], &["decide", "--explained", "--log", "log"]]
    {
        let (code, stdout, stderr) = place.told(&[arguments, &["--corpus", "away/digits"]].concat());
        assert_eq!((code, stdout.as_str()), (1, ""));
        assert!(
            stderr.starts_with("error: the decisions `away/digits/decisions.toml` cannot be used: line 3: "),
            "{stderr}"
        );
    }
}

#[test]
fn the_name_of_a_suite_never_leads_out_of_the_corpus() {
    let place = Place::new();
    let table = "a,b,swap,grow\n1,2,held,held\n";
    for (number, suite) in ["../out", "..", "a/b", "."].into_iter().enumerate() {
        let log = format!("log{number}");
        place.import(&log, suite, table);
        let (code, _, stderr) = place.told(&["decide", "--explained", "--log", &log]);
        assert_eq!(code, 1);
        assert!(stderr.contains("no name for a folder of decisions: name one with `--corpus`"), "{stderr}");
        assert_eq!(place.told(&["report", &log]).0, 0, "a report does without decisions");
    }
    assert!(!place.path("corpus").exists());
}

/// The file is there, and only there.
#[test]
fn decisions_stand_beside_the_fuzz_crate_that_is_nearest() {
    let place = Place::new();
    place.log("log", minus);
    fs::create_dir_all(place.path("fuzz/deep")).unwrap();
    fs::write(place.path("fuzz/Cargo.toml"), "[package]\nname = \"x\"\nmetadata = { cargo-fuzz = true }\n").unwrap();
    let mut command = place.command(&["decide", "--log", "../../log", "f:grow", "not-a-bug"]);
    let output = command.current_dir(place.path("fuzz/deep")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(Path::new(&place.path("corpus/digits/decisions.toml")).exists());
}

#[test]
fn what_is_typed_wrong_is_told_and_a_cell_may_be_named_as_reports_show_it() {
    let place = Place::new();
    place.log("log", minus);
    for (arguments, told) in [
        (&["f:grew", "bug"][..], "there is no cell `f:grew`: suite `digits` has `f:swap`, `f:grow`"),
        (&["f:grow", "fits", "--test", "negative"], "no `negative` test follows from `fits`"),
        (&["f:grow", "bug", "--when", "a < b"], "a condition goes with `not-a-bug`, not `bug`"),
    ] {
        let (code, _, stderr) = place.decide(arguments);
        assert!(code == 1 && stderr.contains(told), "{stderr}");
    }
    place.decided(&["f x grow", "not-a-bug"]);
    assert!(place.decisions().contains("[cells.\"f:grow\"]"), "{}", place.decisions());
}

#[test]
fn a_decision_about_violations_warns_of_what_is_wrong_beyond_them() {
    let place = Place::new();
    place.log_of("log", |a, b| (a != 3).then_some((a == b, true)));
    let (code, _, stderr) = place.decide(&["f:grow", "fits"]);
    let warning =
        "warning: the log hints at a bug whatever is decided about violations: the function panics for 10 inputs";
    assert!(code == 0 && stderr.starts_with(warning), "{stderr}");
    let (code, _, stderr) = place.decide(&["f:swap", "bug"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn a_refusal_says_what_the_log_says() {
    let place = Place::new();
    place.log_of("log", |_, _| Some((true, false)));
    let (code, _, stderr) = place.decide(&["f:grow", "fits"]);
    assert!(code == 1 && stderr.contains("100 violated\n") && stderr.contains("log    always violated"), "{stderr}");
}

#[test]
fn decisions_that_are_made_at_once_are_all_kept() {
    let place = Place::new();
    place.log_of("log", |a, b| Some((true, a > b)));
    let processes = ["f:swap", "f:grow"].map(|cell| {
        let answer: &[&str] = if cell == "f:swap" { &["fits"] } else { &["not-a-bug"] };
        let mut decide = place.command(&[&["decide", "--log", "log", cell], answer].concat());
        decide.stdout(Stdio::null()).spawn().unwrap()
    });
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let decisions = place.decisions();
    assert!(decisions.contains("[cells.\"f:swap\"]") && decisions.contains("[cells.\"f:grow\"]"), "{decisions}");
}

#[test]
fn a_note_belongs_to_its_answer() {
    let place = Place::new();
    place.log_of("log", |a, b| Some((true, a > b)));
    place.decided(&["f:grow", "not-a-bug", "--note", "as it should"]);
    place.decided(&["f:grow", "not-a-bug", "--when", "b >= a", "--replace"]);
    assert!(place.decisions().contains("note = \"as it should\""));
    place.decided(&["f:grow", "bug", "--replace"]);
    assert!(!place.decisions().contains("note"), "{}", place.decisions());
}
