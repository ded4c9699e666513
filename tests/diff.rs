//! `bugornot diff` and `report --against`: two logs of one suite, made from tables.

use bugornot::{
    Equal, Suite,
    engine::{Execute, Facts, Settings, Target},
    log::Phase,
};
use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Output},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

/// A folder for logs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn bugornot(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        command.args(arguments).current_dir(self.0.path()).env_remove("BUGORNOT_LOG").env("NO_COLOR", "1");
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    /// Makes a log of relation `MR` on `f` over pairs.
    fn log(&self, name: &str, rows: impl IntoIterator<Item = (i64, i64, &'static str)>) {
        self.log_with(name, "MR", &[], rows);
    }

    fn log_with(
        &self,
        name: &str,
        relation: &str,
        more: &[&str],
        rows: impl IntoIterator<Item = (i64, i64, &'static str)>,
    ) {
        let mut table = format!("a,b,{relation}\n");
        rows.into_iter().for_each(|(a, b, verdict)| writeln!(table, "{a},{b},{verdict}").unwrap());
        let csv = format!("{name}.csv");
        fs::write(self.0.path().join(&csv), table).unwrap();
        let suite = if more.contains(&"--suite") { &[][..] } else { &["--suite", "s"] };
        let import = ["import", "--csv", &csv, "--function", "f", "--inputs", "a:int,b:int", "--verdicts", relation];
        let (code, _, stderr) = self.bugornot(&[&import[..], suite, &["--into", name], more].concat());
        assert_eq!(code, 0, "{stderr}");
    }

    /// The exit code, and the comparison of `old` and `new` as JSON.
    fn diff(&self) -> (i32, Value) {
        let (code, stdout, stderr) = self.bugornot(&["diff", "old", "new", "--format", "json"]);
        (code, serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}")))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn word(is_violated: bool) -> &'static str {
    if is_violated { "violated" } else { "held" }
}

/// All pairs of digits.
fn digits(is_violated: impl Fn(i64, i64) -> bool) -> Vec<(i64, i64, &'static str)> {
    (0..100).map(|row| (row % 10, row / 10, word(is_violated(row % 10, row / 10)))).collect()
}

/// So many pairs that another seed does not repeat.
fn pairs(seed: u64, count: u64, is_violated: impl Fn(i64, i64) -> bool) -> Vec<(i64, i64, &'static str)> {
    let number = |row: u64, salt: u64| {
        let mixed = (row + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 44) as i64 % 100_000
    };
    let pair = |row: u64| {
        let a = number(row, seed << 32) * 2 + (number(row, seed << 33) & 1);
        // Equal ones are worth a look, so they are not rare.
        let b = if row.is_multiple_of(8) { a } else { number(row, (seed << 32) + (1 << 20)) };
        (a, b, word(is_violated(a, b)))
    };
    (0..count).map(pair).collect()
}

#[test]
fn the_same_input_held_then_and_violated_now_is_a_regression_with_its_smallest_input() {
    let place = Place::new();
    place.log("old", digits(|a, b| a < b));
    place.log("new", digits(|a, b| a <= b && (a, b) != (0, 0)));
    let (code, diff) = place.diff();
    assert_eq!(code, 2, "{diff:#}");
    let cell = &diff["cells"][0];
    assert_eq!((&cell["outcome"], &cell["shared"]), (&"regression".into(), &100.into()));
    assert_eq!((&cell["old"]["violated_when"], &cell["old"]["exact"]), (&"a < b".into(), &true.into()));
    assert_eq!(cell["moved"][0]["old"], "held");
    assert_eq!((&cell["moved"][0]["new"], &cell["moved"][0]["count"]), (&"violated".into(), &9.into()));
    assert_eq!(cell["moved"][0]["inputs"].as_array().unwrap().len(), 9);
    assert_eq!(cell["witness"]["verdict"], "violated");
    assert_eq!(cell["witness"]["shrunk"], false);
    let (code, text, _) = place.bugornot(&["diff", "old", "new"]);
    assert_eq!(code, 2);
    for wanted in
        ["f x MR  regression", "just when a < b", "held -> violated", "and 6 more inputs", "1 cell: 1 regression"]
    {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn violations_that_are_gone_are_drift_and_not_red() {
    let place = Place::new();
    place.log("old", digits(|a, b| a <= b));
    place.log("new", digits(|a, b| a < b));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (0, &"drift".into()), "{diff:#}");
    assert_eq!(diff["cells"][0]["moved"][0]["new"], "held");
    let (code, text, _) = place.bugornot(&["diff", "old", "new"]);
    assert!(code == 0 && text.contains("f x MR  drift"), "{text}");
}

#[test]
fn a_log_is_unchanged_against_itself_and_against_other_inputs_of_the_same_code() {
    let place = Place::new();
    let code = |a: i64, b: i64| a < b || a > 150_000;
    place.log("old", pairs(1, 6000, code));
    place.log("new", pairs(2, 6000, code));
    let (exit, diff) = place.diff();
    assert_eq!(exit, 0, "{diff:#}");
    assert_ne!(diff["cells"][0]["outcome"], "drift", "{diff:#}");
    let (exit, text, _) = place.bugornot(&["diff", "old", "old"]);
    assert!(exit == 0 && text.contains("\nunchanged: f x MR\n"), "{text}");
}

#[test]
fn violated_outside_the_old_condition_is_a_regression_also_without_a_common_input() {
    let place = Place::new();
    let (old, mut new) = (pairs(1, 6000, |a, b| a < b), pairs(2, 6000, |a, b| a <= b));
    new.retain(|new| !old.iter().any(|old| (old.0, old.1) == (new.0, new.1)));
    place.log("old", old);
    place.log("new", new);
    let (code, diff) = place.diff();
    let cell = &diff["cells"][0];
    assert_eq!((code, &cell["outcome"], &cell["shared"]), (2, &"regression".into(), &0.into()), "{diff:#}");
    let reason = cell["reasons"][0].as_str().unwrap();
    assert!(reason.contains("violated outside `a < b`") && reason.contains("like them held"), "{reason}");
    // The other way round it is an improvement.
    let (code, text, _) = place.bugornot(&["diff", "new", "old"]);
    assert!(code == 0 && text.contains("f x MR  drift"), "{text}");
}

#[test]
fn violations_that_no_condition_explains_are_a_regression_where_the_old_rows_are_all_around_them() {
    let place = Place::new();
    let scattered = |a: i64, b: i64| ((a / 20_000) * 7 + (b / 20_000) * 3) % 5 < 2;
    place.log("old", pairs(1, 6000, |_, _| false));
    place.log("new", pairs(2, 6000, scattered));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (2, &"regression".into()), "{diff:#}");
}

#[test]
fn what_the_old_log_could_easily_have_missed_is_no_regression() {
    let place = Place::new();
    // Few of many.
    place.log("old", pairs(1, 3000, |_, _| false));
    let mut rare = pairs(2, 3000, |_, _| false);
    rare.extend([(7, 7, "violated"), (19, 19, "violated")]);
    place.log("new", rare);
    let (code, diff) = place.diff();
    let cell = &diff["cells"][0];
    assert_eq!((code, &cell["outcome"]), (0, &"changed".into()), "{diff:#}");
    assert!(cell["would_decide"].as_str().unwrap().contains("new verdicts on the old ones"), "{cell:#}");
    assert_eq!(cell["witness"]["input"], "a = 7, b = 7");
    // Many, and all where the old campaign never was.
    let place = Place::new();
    place.log("old", pairs(1, 3000, |_, _| false));
    let far = |(a, b, _)| (a + 1_000_000, b, "violated");
    place.log("new", pairs(2, 3000, |_, _| false).into_iter().chain(pairs(3, 3000, |_, _| true).into_iter().map(far)));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (0, &"changed".into()), "{diff:#}");
}

#[test]
fn new_panics_are_a_regression_where_the_old_rows_did_not_panic() {
    let place = Place::new();
    let with_panics = |rows: Vec<(i64, i64, &'static str)>| {
        rows.into_iter().map(|(a, b, verdict)| (a, b, if a > 100_000 { "source-panicked" } else { verdict }))
    };
    place.log("old", pairs(1, 3000, |a, b| a < b));
    place.log("new", with_panics(pairs(2, 3000, |a, b| a < b)));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (2, &"regression".into()), "{diff:#}");
    assert_eq!(diff["cells"][0]["witness"]["verdict"], "source-panicked");
    // One alone says nothing.
    let place = Place::new();
    place.log("old", pairs(1, 3000, |a, b| a < b));
    place.log("new", pairs(2, 3000, |a, b| a < b).into_iter().chain([(1, 1, "source-panicked")]));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (0, &"changed".into()), "{diff:#}");
}

#[test]
fn inputs_with_two_verdicts_make_no_regression() {
    let place = Place::new();
    let twice = |rows: Vec<(i64, i64, &'static str)>| rows.into_iter().chain([(3, 3, "held"), (3, 3, "violated")]);
    place.log("old", digits(|a, b| a < b));
    place.log("new", twice(digits(|a, b| a < b || (a, b) == (5, 5))));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (0, &"changed".into()), "{diff:#}");
}

#[test]
fn a_relation_that_judges_the_same_outputs_otherwise_is_told_from_a_function_that_gives_others() {
    let place = Place::new();
    let log_with = |name: &str, k: &str, doubled: fn(i64) -> i64, is_violated: fn(i64, i64) -> bool| {
        let mut table = "a,b,out,after,MR\n".to_owned();
        for (a, b, _) in digits(|_, _| true) {
            let (out, after) = (doubled(a), doubled(a + 1));
            writeln!(table, "{a},{b},{out},{after},{}", word(is_violated(after, b))).unwrap();
        }
        let csv = format!("{name}.csv");
        fs::write(place.path().join(&csv), table).unwrap();
        let import = ["import", "--csv", &csv, "--suite", "s", "--function", "f", "--inputs", "a:int,b:int"];
        let outputs = ["--output", "out", "--follow-up-output", "after", "--verdicts", "MR", "--into", name];
        let (code, _, stderr) = place.bugornot(&[&import[..], &outputs, &["--constant", k]].concat());
        assert_eq!(code, 0, "{stderr}");
    };
    let log = |name, doubled, is_violated| log_with(name, "k=6", doubled, is_violated);
    let is_told = || {
        let (code, diff) = place.diff();
        let cell = &diff["cells"][0];
        assert_eq!((code, &cell["outcome"]), (2, &"regression".into()), "{diff:#}");
        cell["reasons"].to_string().contains("all outputs are those of then")
    };
    log("old", |a| 2 * a, |after, b| after < b);
    log("new", |a| 2 * a, |after, b| after <= b);
    assert!(is_told());
    fs::remove_dir_all(place.path().join("new")).unwrap();
    log("new", |a| if a == 5 { 0 } else { 2 * a }, |after, b| after < b);
    assert!(!is_told());
    // Who knows what another constant changes?
    fs::remove_dir_all(place.path().join("new")).unwrap();
    log_with("new", "k=7", |a| 2 * a, |after, b| after <= b);
    let (_, diff) = place.diff();
    assert_eq!(diff["cells"][0]["reasons"], serde_json::json!([]), "{diff:#}");
}

#[test]
fn with_other_constants_nothing_is_compared() {
    let place = Place::new();
    place.log_with("old", "MR", &["--constant", "k=6"], digits(|_, _| false));
    place.log_with("new", "MR", &["--constant", "k=7"], digits(|_, _| true));
    let (code, diff) = place.diff();
    assert_eq!((code, &diff["cells"][0]["outcome"]), (0, &"not compared".into()), "{diff:#}");
    let note = diff["notes"][0].as_str().unwrap();
    assert!(note.contains("k = 6 then, k = 7 now"), "{note}");
}

#[test]
fn new_and_vanished_cells_are_told() {
    let place = Place::new();
    place.log_with("old", "MR1", &[], digits(|a, b| a < b));
    place.log_with("new", "MR2", &[], digits(|a, b| a < b));
    let (code, text, _) = place.bugornot(&["diff", "old", "new"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("new: f x MR2\nvanished: f x MR1\n\n2 cells: 1 new, 1 vanished\n"), "{text}");
}

#[test]
fn logs_of_different_suites_and_what_is_no_log_are_refused() {
    let place = Place::new();
    place.log("old", digits(|a, b| a < b));
    place.log_with("new", "MR", &["--suite", "other"], digits(|a, b| a < b));
    for (arguments, told) in [
        (&["diff", "old", "new"][..], "give two logs of one suite"),
        (&["diff", "old", "nowhere"], "nowhere"),
        (&["diff", "old"], "<NEW>"),
        (&["report", "new", "--against", "old"], "`old` has no log of `other` to compare with"),
    ] {
        let (code, stdout, stderr) = place.bugornot(arguments);
        assert!(code == 1 && stdout.is_empty() && stderr.contains(told), "{stderr}");
    }
}

#[test]
fn a_report_against_an_earlier_log_hints_at_the_regression() {
    let place = Place::new();
    place.log("old", digits(|a, b| a < b));
    place.log("new", digits(|a, b| a <= b));
    let report = |arguments: &[&str]| {
        let (code, stdout, stderr) = place.bugornot(&[arguments, &["--format", "json"]].concat());
        (code, serde_json::from_str::<Value>(&stdout).unwrap_or_else(|_| panic!("{stderr}"))["cells"][0].clone())
    };
    let (code, cell) = report(&["report", "new"]);
    assert_eq!((code, &cell["hint"]), (0, &"not-a-bug".into()), "{cell:#}");
    let (code, cell) = report(&["report", "new", "--against", "old"]);
    assert_eq!((code, &cell["hint"]), (2, &"regression".into()), "{cell:#}");
    let found = &cell["evidence"][0];
    assert_eq!(
        (&found["kind"], &found["then_violated"], &found["now_violated"]),
        (&"regression".into(), &45.0.into(), &55.0.into())
    );
    assert_eq!((&found["shared"], &found["moved"]), (&100.0.into(), &10.0.into()));
    let (code, cell) = report(&["report", "new", "--against", "new"]);
    assert_eq!((code, &cell["hint"]), (0, &"not-a-bug".into()), "{cell:#}");
    let is_no_worse = |evidence: &Value| evidence["kind"] == "no-worse" && evidence["then_violated"] == 55.0;
    assert!(cell["evidence"].as_array().unwrap().iter().any(is_no_worse), "{cell:#}");
    let (code, cell) = report(&["report", "old", "--against", "new"]);
    assert_eq!((code, &cell["hint"]), (0, &"not-a-bug".into()), "{cell:#}");
    assert!(cell["evidence"].as_array().unwrap().iter().any(|evidence| evidence["kind"] == "drift"), "{cell:#}");
}

/// Logs to `log` what suite `s` of this revision says of swapping any two small numbers.
fn campaign(place: &Place, revision: &str, f: impl Fn(u8, u8) -> u8 + 'static) {
    campaign_of("s", place, revision, f);
}

fn campaign_of(suite: &'static str, place: &Place, revision: &str, f: impl Fn(u8, u8) -> u8 + 'static) {
    let home = place.path().join(revision);
    fs::create_dir_all(home.join(".git")).unwrap();
    fs::write(home.join(".git/HEAD"), revision).unwrap();
    let declare = |suite: &mut Suite<(u8, u8), u8>| {
        suite.function("f", move |&(a, b)| f(a, b));
        suite.relation("swap", |&(a, b)| (b, a), Equal);
    };
    let facts = Facts { manifest: home.to_str().unwrap().to_owned().leak(), ..bugornot::__facts!() };
    let settings = Settings::new(Some(place.path().join("log")), 1);
    let mut target = Target::new(suite, declare, settings, &facts).unwrap();
    (0..400u16).for_each(|pair| _ = target.step(&[(pair % 20) as u8, (pair / 20) as u8], Phase::Fuzz));
}

/// Makes all that is in `log` so far older.
fn let_time_pass(place: &Place) {
    let before = SystemTime::now() - Duration::from_secs(60);
    for entry in fs::read_dir(place.path().join("log")).unwrap() {
        fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(before).unwrap();
    }
}

#[test]
fn older_code_in_the_same_folder_is_what_newer_code_is_compared_with() {
    let place = Place::new();
    campaign(&place, "first", u8::max);
    for arguments in [&["diff", "log", "log"][..], &["report", "log", "--against", "./log"]] {
        let (code, stdout, stderr) = place.bugornot(arguments);
        let told = "log` has one version of the code of `s`, and is compared with itself";
        assert!(code == 0 && stdout.contains("400 distinct inputs") && stderr.contains(told), "{stdout}{stderr}");
    }
    let_time_pass(&place);
    campaign(&place, "second", |a, b| if (a, b) == (7, 11) { 0 } else { a.max(b) });
    let (code, stdout, stderr) = place.bugornot(&["diff", "log", "log"]);
    assert!(
        code == 2 && stdout.contains("2 inputs held then and violated now, of 400 that both logs have"),
        "{stdout}"
    );
    assert!(!stderr.contains("--against"), "{stderr}");
    let (code, stdout, _) = place.bugornot(&["report", "log", "--against", "./log"]);
    assert!(code == 2 && stdout.contains("regression"), "{stdout}");
    // Nobody says that what was before is right.
    let (_, stdout, stderr) = place.bugornot(&["report", "log"]);
    assert!(
        !stdout.contains("regression") && stderr.contains("`--against` their folder compares with them"),
        "{stderr}"
    );
}

#[test]
fn each_suite_of_a_folder_is_compared_with_its_own_older_code() {
    let place = Place::new();
    campaign_of("s", &place, "first", u8::max);
    campaign_of("t", &place, "first", u8::max);
    let_time_pass(&place);
    campaign_of("s", &place, "second", |a, b| if (a, b) == (7, 11) { 0 } else { a.max(b) });
    let (code, stdout, stderr) = place.bugornot(&["report", "log", "--against", "log"]);
    assert!(code == 2 && stdout.matches("regression").count() > 0, "{stdout}{stderr}");
    let alone = "has one version of the code of `t`, and is compared with itself";
    assert!(stderr.contains(alone) && !stderr.contains("code of `s`"), "{stderr}");
}

#[test]
fn the_same_logs_give_the_same_comparison_in_a_file_as_well() {
    let place = Place::new();
    place.log("old", digits(|a, b| a < b));
    place.log("new", digits(|a, b| a != b));
    for format in ["text", "json"] {
        let (code, stdout, _) = place.bugornot(&["diff", "old", "new", "--format", format]);
        let (same, nothing, _) = place.bugornot(&["diff", "old", "new", "--format", format, "--out", "diff.out"]);
        assert_eq!((code, same, nothing.as_str()), (2, 2, ""));
        assert_eq!(fs::read_to_string(place.path().join("diff.out")).unwrap(), stdout);
    }
}
