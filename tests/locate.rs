//! `bugornot locate` from outside: the lines of a planted bug come first, and where nothing tells, nothing is claimed.

#[path = "support/mod.rs"]
mod support;
#[path = "support/corpus.rs"]
mod user;

use serde_json::Value;
use user::{Crate, told};

/// A log of a crate with this body of `add`.
fn fuzzed(name: &str, add: &str) -> Crate {
    let user = Crate::new(name);
    user.source(add, "i8");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    user
}

fn locate(user: &Crate, arguments: &[&str]) -> (i32, String, String) {
    told(&mut user.bugornot(&[&["locate"], arguments].concat()))
}

fn located(user: &Crate, cell: &str, expected: i32) -> Value {
    let (code, stdout, stderr) = locate(user, &[cell, "--format", "json"]);
    assert_eq!(code, expected, "{stdout}{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

/// The texts of lines, in order.
fn texts<'json>(located: &'json Value, list: &str) -> Vec<&'json str> {
    located[list].as_array().unwrap().iter().map(|place| place["text"].as_str().unwrap()).collect()
}

#[test]
fn the_line_of_a_regional_bug_comes_first_beside_the_branch_that_leads_to_it() {
    let wrong = "let sum = a + b;\n    if a > 4 && b == 3 {\n        return sum + 1;\n    }\n    sum";
    let user = fuzzed("locate-region", wrong);
    let found = located(&user, "add:swap", 0);
    assert_eq!(texts(&found, "places")[..2], ["if a > 4 && b == 3 {", "return sum + 1;"]);
    let bug = &found["places"][1];
    assert_eq!((&bug["score"], &bug["held"], &bug["in"]), (&1.0.into(), &0.into(), &"either".into()));
    assert_eq!((&bug["file"], &bug["of"]), (&"fuzz/src/lib.rs".into(), &"own".into()));
    assert!(bug["function"].as_str().unwrap().ends_with("::add"), "{bug}");
    assert_eq!((&found["conclusive"], &found["checks"]["changed"]), (&true.into(), &0.into()));
    // The suite's closures run in every check, and the harness is not looked at.
    assert!(found["places"].as_array().unwrap().iter().all(|place| place["of"] == "own"), "{found}");

    let (code, stdout, _) = locate(&user, &["add x swap", "--suite", "money", "--most", "1"]);
    assert_eq!(code, 0);
    let line = bug["line"].as_u64().unwrap() - 1;
    let first = format!("   1  1.000  fuzz/src/lib.rs:{line}  if a > 4 && b == 3 {{\n");
    assert!(stdout.starts_with("money: add x swap: ") && stdout.contains(&first), "{stdout}");

    let (_, report, stderr) = told(&mut user.bugornot(&["report", "--locate", "--no-shrink", "--format", "json"]));
    let report: Value = serde_json::from_str(&report).unwrap_or_else(|_| panic!("{stderr}"));
    let of_code = |cell: &Value| {
        let evidence = cell["evidence"].as_array().unwrap().iter().find(|evidence| evidence["kind"] == "code").cloned();
        (cell["relation"].as_str().unwrap().to_owned(), evidence)
    };
    let cells: Vec<_> = report["cells"].as_array().unwrap().iter().map(of_code).collect();
    let (_, swap) = cells.iter().find(|(relation, _)| relation == "swap").unwrap();
    let swap = swap.as_ref().unwrap_or_else(|| panic!("{report:#}"));
    assert!(
        swap["only_failed"].as_f64().unwrap() >= 1.0 && swap["text"].as_str().unwrap().contains("lib.rs:"),
        "{swap}"
    );

    // What has been repaired since is not taken for evidence.
    user.source("a + b", "i8");
    let (code, stdout, stderr) = locate(&user, &["add:swap"]);
    assert_eq!((code, stdout.as_str()), (3, ""));
    let gone = format!("error: none of {} violated checks of `add:swap` is so any more", found["checks"]["violated"]);
    assert!(stderr.contains(&gone), "{stderr}");
}

#[test]
fn a_wrong_condition_is_found_where_held_checks_take_both_of_its_branches() {
    let wrong = "let near = b - a;\n    if near <= 2 {\n        return a - b;\n    }\n    near";
    let found = located(&fuzzed("locate-condition", wrong), "add:swap", 0);
    assert!(texts(&found, "places")[..2].contains(&"if near <= 2 {"), "{found}");
}

#[test]
fn code_of_the_standard_library_is_told_by_the_line_that_calls_it() {
    let wrong = "let least = a.min(b);\n    let most = a.clamp(least, 5).max(b);\n    least + most";
    let found = located(&fuzzed("locate-std", wrong), "add:swap", 0);
    assert!(found["places"].as_array().unwrap().iter().all(|place| place["file"] == "fuzz/src/lib.rs"), "{found}");
    assert!(texts(&found, "places").contains(&"let most = a.clamp(least, 5).max(b);"), "{found}");
}

#[test]
fn what_leads_to_a_panic_is_told_beside_where_it_is() {
    let wrong = "let sum = a + b;\n    if a > 4 && b == 3 {\n        panic!(\"unlucky\");\n    }\n    sum";
    let user = fuzzed("locate-panic", wrong);
    let found = located(&user, "add:swap", 0);
    assert_eq!(texts(&found, "panic_places")[..2], ["if a > 4 && b == 3 {", "panic!(\"unlucky\");"]);
    assert_eq!((&found["places"], &found["checks"]["violated"]), (&Value::Array(Vec::new()), &0.into()));
    let (first, second) = (&found["panic_places"][0], &found["panic_places"][1]);
    assert_eq!((&first["panicked"], &first["held"]), (&found["checks"]["panicked"], &0.into()));
    assert_eq!((&found["panics"][0]["line"], &found["panics"][0]["message"]), (&second["line"], &"unlucky".into()));

    let (_, stdout, _) = locate(&user, &["add:swap", "money", "--most", "1"]);
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("money: add x swap: 0 violated checks, ") && lines[0].contains(" panicked and "));
    assert!(lines[1].starts_with("panics at ") && lines[1].ends_with(": unlucky"), "{stdout}");
    assert_eq!(lines[2], "lines that tell panicked from held checks, the most suspicious first");
    assert!(lines[4].ends_with("  if a > 4 && b == 3 {") && !stdout.contains("inconclusive"), "{stdout}");

    user.source("a + b", "i8");
    let (code, stdout, stderr) = locate(&user, &["add:swap"]);
    assert_eq!((code, stdout.as_str()), (3, ""));
    let gone = format!("error: none of {} panicked checks of `add:swap` is so any more", found["checks"]["panicked"]);
    assert!(stderr.contains(&gone), "{stderr}");
}

#[test]
fn where_all_checks_run_the_same_code_nothing_is_claimed() {
    let user = fuzzed("locate-nothing", "a * 3 + b");
    let found = located(&user, "add:swap", 2);
    assert_eq!((&found["conclusive"], texts(&found, "places")), (&false.into(), Vec::new()));
    assert!(texts(&found, "common").contains(&"a * 3 + b"), "{found}");
    let (_, stdout, _) = locate(&user, &["add:swap"]);
    assert!(stdout.contains("\ninconclusive: held and violated checks run the same code"), "{stdout}");
}

#[test]
fn what_cannot_be_located_is_said_before_anything_is_built() {
    let user = Crate::new("locate-wrong");
    let (code, stdout, stderr) = locate(&user, &["add:swap"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(stderr, "error: there is no log to locate anything by: fuzz with `bugornot run SUITE` first\n");
    user.fuzz("fuzz/verdicts/money", 1, 2_000);
    let (code, _, stderr) = locate(&user, &["add:swop"]);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: unknown cell `add:swop`: the log has `add:grow`, `add:swap`, "), "{stderr}");
    let (code, stdout, stderr) = locate(&user, &["add:swap"]);
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert!(stderr.starts_with("error: the log has no violated check of `add:swap` to run again"), "{stderr}");
}
