//! Hints: what a log suggests about each cell, and why. Logs are tables with follow-ups and outputs, so that each
//! shows one thing.

#[path = "hint/outputs.rs"]
mod outputs;
#[path = "hint/region.rs"]
mod region;
#[path = "hint/unsound.rs"]
mod unsound;

use bugornot::{
    Equal, Increase, Suite,
    engine::{Execute, Settings, Target},
    log::Phase,
};
use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Output},
};

const MAPPING: &str = "suite = \"s\"\nfunction = \"f\"\nverdict = \"r\"\noutput = \"out\"\nfollow-up-outputs = [\"out2\"]\n\
    follow-ups = [{ a = \"a2\", b = \"b2\" }]\n[inputs]\na = \"a\"\nb = \"b\"\n[relations.r]\n";

fn bugornot(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bugornot")).args(arguments).current_dir(folder).output().unwrap()
}

/// A check: source, follow-up, output, follow-up output, verdict.
type Check = ([i64; 2], [i64; 2], String, String, &'static str);

/// The checks of a relation over a grid of inputs.
fn checks(transform: impl Fn(i64, i64) -> [i64; 2], judge: impl Fn(i64, i64) -> (String, String, bool)) -> Vec<Check> {
    let inputs = (-12..12).flat_map(|a| (-12..12).map(move |b| (a, b)));
    inputs
        .map(|(a, b)| {
            let (source, follow_up, is_held) = judge(a, b);
            ([a, b], transform(a, b), source, follow_up, if is_held { "held" } else { "violated" })
        })
        .collect()
}

/// The report's only cell, and the exit code.
fn report(checks: &[Check]) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "a,b,a2,b2,out,out2,r\n".to_owned();
    for ([a, b], [a2, b2], out, out2, verdict) in checks {
        writeln!(table, "{a},{b},{a2},{b2},{out},{out2},{verdict}").unwrap();
    }
    let mut report = report_of(folder.path(), &table, MAPPING);
    let code = bugornot(&["report", "log"], folder.path()).status.code().unwrap();
    (report["cells"][0].take(), code)
}

/// The report of a table.
fn report_of(folder: &Path, table: &str, mapping: &str) -> Value {
    fs::write(folder.join("t.csv"), table).unwrap();
    fs::write(folder.join("m.toml"), mapping).unwrap();
    let output = bugornot(&["import", "--csv", "t.csv", "--mapping", "m.toml", "--into", "log"], folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&bugornot(&["report", "log", "--format", "json"], folder).stdout).unwrap()
}

fn hint(cell: &Value) -> (&str, &str) {
    (cell["hint"].as_str().unwrap(), cell["reason"].as_str().unwrap())
}

fn evidence<'cell>(cell: &'cell Value, kind: &str) -> Option<&'cell Value> {
    cell["evidence"].as_array().unwrap().iter().find(|evidence| evidence["kind"] == kind)
}

#[test]
fn violated_just_where_the_transformation_changes_nothing_is_no_bug_however_rare() {
    // Scaling both: the sum grows unless both are zero.
    let (cell, code) = report(&checks(
        |a, b| [a * a, b * b],
        |a, b| ((a * a + b * b).to_string(), (a.pow(4) + b.pow(4)).to_string(), [a * a, b * b] != [a, b]),
    ));
    assert_eq!((hint(&cell), code), (("not-a-bug", "unchanged"), 0));
    assert!(evidence(&cell, "unchanged").is_some());
}

#[test]
fn a_confidence_is_a_share_that_was_measured_and_what_was_not_measured_says_so() {
    let of = |declared: Option<&'static str>| {
        let folder = tempfile::tempdir().unwrap();
        let (cell, _) = judged_in(folder.path(), |suite: &mut Suite<u8, bool>| {
            suite.names(["a"]);
            suite.function("f", |&a| a < 128);
            let relation = suite.relation("r", |_| 0, Equal);
            declared.map(|condition| relation.expect_condition(condition));
        });
        (cell, String::from_utf8(bugornot(&["report", "log"], folder.path()).stdout).unwrap())
    };
    let (cell, text) = of(None);
    let confidence = cell["confidence"].as_f64().unwrap();
    assert!(hint(&cell) == ("not-a-bug", "exact") && (0.5..1.0).contains(&confidence), "{cell:#}");
    assert!(text.contains(&format!("(right in {:.0} % on mutants)", 100.0 * confidence)), "{text}");
    let (cell, text) = of(Some("a < 128"));
    assert_eq!((hint(&cell), &cell["confidence"]), (("not-a-bug", "as-declared"), &Value::Null));
    assert!(text.contains("(how often that is right was not measured)"), "{text}");
}

/// The only cell of a suite that has judged every byte, and the exit code of the report.
fn judged<Out: bugornot::Output>(declare: impl FnOnce(&mut Suite<u8, Out>)) -> (Value, i32) {
    judged_in(tempfile::tempdir().unwrap().path(), declare)
}

fn judged_in<Out: bugornot::Output>(folder: &Path, declare: impl FnOnce(&mut Suite<u8, Out>)) -> (Value, i32) {
    let settings = Settings::new(Some(folder.join("log")), 1);
    let mut target = Target::new("s", declare, settings, &bugornot::__facts!()).unwrap();
    (0..=255u8).for_each(|byte| _ = target.step(&[byte], Phase::Fuzz));
    drop(target);
    let output = bugornot(&["report", "log", "--format", "json"], folder);
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    (report["cells"][0].take(), output.status.code().unwrap())
}

/// Relations of one function over the same inputs: whether each holds.
fn relations_of(names: &[&str], holds: impl Fn(&str, i64, i64) -> bool) -> Value {
    let inputs = (-12..=12).flat_map(|a| (-12..=12).map(move |b| (a, b)));
    let mut table = format!("a,b,{}\n", names.join(","));
    for (a, b) in inputs {
        let verdicts = names.iter().map(|name| if holds(name, a, b) { "held" } else { "violated" });
        writeln!(table, "{a},{b},{}", verdicts.collect::<Vec<_>>().join(",")).unwrap();
    }
    let mut mapping = "suite = \"s\"\nfunction = \"f\"\n[inputs]\na = \"a\"\nb = \"b\"\n".to_owned();
    names.iter().for_each(|name| writeln!(mapping, "[relations.{name}]\nverdict = \"{name}\"").unwrap());
    let folder = tempfile::tempdir().unwrap();
    report_of(folder.path(), &table, &mapping)["cells"].take()
}

/// Violated where a < b, and in one corner that has nothing to do with it.
#[test]
fn violations_far_outside_a_condition_that_is_right_else_are_a_bug_and_one_of_them_is_shown() {
    let cells = relations_of(&["r"], |_, a, b| a >= b && (a, b) != (11, -9));
    assert_eq!((hint(&cells[0]), &cells[0]["condition"]["violated_when"]), (("bug", "exceptions"), &"a < b".into()));
    assert_eq!(cells[0]["witnesses"][0]["input"], "a = 11, b = -9", "{:#}", cells[0]["witnesses"]);
}

#[test]
fn violations_beside_the_boundary_of_a_condition_are_no_bug_and_it_says_what_would_decide() {
    let cells = relations_of(&["r"], |_, a, b| a >= b && (a, b) != (4, 4) && (a, b) != (9, 9));
    let found = evidence(&cells[0], "exceptions").unwrap();
    assert_eq!((&found["missed"], &found["looked_at"], &found["beside"]), (&2.0.into(), &2.0.into(), &2.0.into()));
    assert_eq!(hint(&cells[0]), ("inconclusive", "open"));
    assert_eq!(cells[0]["would_decide"], "a look at the exceptions, or more rows near them");
}

#[test]
fn a_rare_condition_is_no_reason_with_a_constant_that_looks_arbitrary() {
    let cell = |constant| relations_of(&["r"], move |_, a, _| a != constant)[0].clone();
    let odd = cell(7);
    assert_eq!(
        (hint(&odd), &evidence(&odd, "arbitrary-constant").unwrap()["constant"]),
        (("inconclusive", "open"), &7.0.into())
    );
    assert!(odd["would_decide"].as_str().unwrap().starts_with("an earlier version's log"), "{odd}");
    let zero = cell(0);
    assert_eq!(
        (hint(&zero), &evidence(&zero, "natural-constant").unwrap()["constant"]),
        (("not-a-bug", "exact"), &0.0.into())
    );
}

/// True for so many inputs in a hundred, and for no reason.
fn noise(percent: i64, a: i64, b: i64) -> bool {
    (a * 7919 + b * 104_729).wrapping_mul(2_654_435_761).rem_euclid(997) % 100 < percent
}

/// `odd` fails for so many inputs in a hundred, `one` for some, and the others never.
fn with_others(odd: i64, one: i64) -> Value {
    relations_of(&["odd", "one", "two", "three"], |name, a, b| match name {
        "odd" => !noise(odd, a, b),
        "one" => !noise(one, b, a + 40),
        _ => true,
    })
}

#[test]
fn what_other_relations_say_decides_where_nothing_explains_violations() {
    let cells = with_others(30, 30);
    assert_eq!(hint(&cells[0]), ("not-a-bug", "others-hold"));
    let others = evidence(&cells[0], "others-hold").unwrap();
    assert_eq!((others["sound"].as_f64(), others["mixed"].as_f64()), (Some(2.0), Some(1.0)));
    assert_eq!(hint(&with_others(2, 30)[0]), ("inconclusive", "open"));
    // Where no other relation fails, this one was believed in as well.
    assert_eq!(hint(&with_others(30, 0)[0]), ("inconclusive", "open"));
    assert_eq!(hint(&with_others(2, 0)[0]), ("inconclusive", "open"));
    let half_fail = relations_of(&["odd", "one", "two", "three", "four", "five"], |name, a, b| match name {
        "odd" => !noise(30, a, b),
        "one" => !noise(30, b, a + 40),
        "two" => !noise(30, a - b, b + 80),
        _ => true,
    });
    let others = evidence(&half_fail[0], "others-hold").unwrap();
    assert_eq!((others["sound"].as_f64(), others["mixed"].as_f64()), (Some(3.0), Some(2.0)));
    assert_eq!(hint(&half_fail[0]), ("inconclusive", "open"));
    let most_fail = relations_of(&["odd", "one", "two"], |name, a, b| match name {
        "odd" => !noise(30, a, b),
        "one" => !noise(30, b, a + 40),
        _ => !noise(30, a - b, b + 80),
    });
    assert_eq!(hint(&most_fail[0]), ("inconclusive", "open"));
}

/// `f` is too small around 80, which two relations show; those that give the source itself could not show it.
#[test]
fn relations_that_change_nothing_do_not_speak_for_the_function() {
    let declare = |suite: &mut Suite<u8, u16>| {
        suite.names(["a"]);
        suite.normalise(|a| a % 200);
        suite.function("f", |&a| if (80..84).contains(&a) { 3 } else { 10 + u16::from(a) });
        suite.relation("one more", |a| a + 1, Increase);
        suite.relation("three more", |a| a + 3, Increase);
        suite.relation("itself", |&a| a, Equal);
        suite.relation("back again", |a| 255 - (255 - a), Equal);
    };
    let (cell, _) = judged(declare);
    let others = evidence(&cell, "others-hold");
    assert_eq!((hint(&cell), others), (("bug", "shared-cause"), None), "{cell:#}");
}

#[test]
fn an_exact_condition_is_no_excuse_where_most_relations_fail() {
    let cells = |failing: i64| {
        relations_of(&["odd", "one", "two", "three"], move |name, a, b| match name {
            "odd" => a <= b,
            "one" => !noise(failing, a, b),
            "two" => !noise(failing, b, a + 40),
            _ => !noise(failing, a - b, b + 80),
        })
    };
    assert_eq!(hint(&cells(0)[0]), ("not-a-bug", "exact"));
    assert_eq!(hint(&cells(30)[0]), ("inconclusive", "open"));
}

#[test]
fn violations_that_come_with_those_of_another_relation_are_evidence_and_no_verdict() {
    let cells = relations_of(&["one", "two", "three"], |name, a, b| match name {
        "one" => !noise(6, a, b),
        "two" => !noise(5, a, b) || noise(40, b, a + 7),
        _ => !noise(15, b, a + 40),
    });
    assert_eq!(hint(&cells[0]), ("inconclusive", "open"));
    assert!(evidence(&cells[0], "overlap").unwrap()["lift"].as_f64().unwrap() > 3.0);
}

#[test]
fn what_is_rare_and_takes_two_literals_is_left_open_however_many_relations_hold() {
    let cells = |failing: i64| {
        relations_of(&["odd", "one", "two", "three"], move |name, a, b| match name {
            "odd" => a != 0 || b <= 0,
            "one" => !noise(failing, b, a + 40),
            _ => true,
        })
    };
    assert_eq!(hint(&cells(0)[0]), ("inconclusive", "open"));
    assert_eq!(hint(&cells(30)[0]), ("inconclusive", "open"));
}

/// `f` is wrong from `wrong` on, where one relation is violated; another one never is.
fn declaring(wrong: u8, one: Option<&str>, other: Option<&str>) -> (Value, i32) {
    judged(|suite| {
        suite.names(["a"]);
        suite.function("f", move |&a| u8::from(a >= wrong));
        let relation = suite.relation("one", |_| 0, Equal);
        one.map(|condition| relation.expect_condition(condition));
        let relation = suite.relation("other", |&a| a, Equal);
        other.map(|condition| relation.expect_condition(condition));
    })
}

#[test]
fn what_is_violated_where_the_suite_says_that_it_holds_is_a_bug_and_elsewhere_it_is_none() {
    let (cell, code) = declaring(90, Some("a < 100"), None);
    assert_eq!((hint(&cell), code), (("bug", "outside-declared"), 2));
    assert_eq!(evidence(&cell, "expectation").unwrap()["violated"], 10.0);
    let (cell, code) = declaring(100, Some("a < 100"), None);
    assert_eq!((hint(&cell), code), (("not-a-bug", "as-declared"), 0));
}

#[test]
fn an_exact_condition_is_no_excuse_in_a_suite_that_says_when_other_relations_hold() {
    let (cell, code) = declaring(128, None, None);
    assert_eq!((hint(&cell), code), (("not-a-bug", "exact"), 0));
    assert!(evidence(&cell, "belief").is_none());
    let (cell, code) = declaring(128, None, Some("a >= 0"));
    assert_eq!((hint(&cell), code), (("inconclusive", "open"), 2));
    assert_eq!(evidence(&cell, "belief").unwrap()["others_declared"], 1.0);
}
