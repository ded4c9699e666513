//! Reports compared with decisions: accepted, regression, drift, reopened, bug.

use super::{Place, cell, minus};
use serde_json::Value;
use std::fmt::Write;

#[test]
fn an_accepted_cell_is_not_red_and_says_who_accepted_it() {
    let place = Place::new();
    place.log("log", minus).decided(&["--explained"]);
    let (code, text, report) = place.report("log");
    assert_eq!(code, 0);
    assert!(text.contains("\n2 decisions are as the log shows\n"), "{text}");
    let grow = cell(&report, "grow");
    assert_eq!((&grow["hint"], &grow["evidence"][0]["kind"]), (&"not-a-bug".into(), &"accepted".into()));
    let decision = &grow["decision"];
    assert_eq!(
        (&decision["answer"], &decision["when"], &decision["test"], &decision["state"], &decision["open"]),
        (&"not-a-bug".into(), &"a <= b".into(), &"both".into(), &"stands".into(), &false.into())
    );
    assert_eq!((&decision["judged"], &decision["violated"]), (&100.into(), &55.into()));
    assert_eq!((&decision["constants"]["k"], &decision["build"]["revision"]), (&"6".into(), &"log.csv".into()));
}

#[test]
fn a_violation_outside_the_accepted_condition_is_a_regression_with_its_smallest_witness() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug"]);
    place.log_of("new", |a, b| Some((a == b, a > b && ![(9, 2), (7, 3), (8, 1)].contains(&(a, b)))));
    let (code, text, report) = place.report("new");
    assert_eq!(code, 2);
    let grow = cell(&report, "grow");
    assert_eq!((&grow["hint"], &grow["decision"]["state"]), (&"regression".into(), &"regression".into()));
    assert_eq!(grow["decision"]["now"]["violated_outside"], 3);
    let witness = &grow["decision"]["witness"];
    assert_eq!(
        (&witness["verdict"], &witness["input"]["a"], &witness["input"]["b"]),
        (&"violated".into(), &7.into(), &3.into())
    );
    assert!(text.contains("f x grow  regression\n  decided on 20"), "{text}");
    assert!(
        text.contains("now 58 of 100 violated, 3 of\n  them outside the condition\n    violated a = 7, b = 3\n"),
        "{text}"
    );
    assert!(text.ends_with("next: bugornot review new\n      asks you what the violations are\n"), "{text}");
}

#[test]
fn the_smallest_witness_is_the_same_whatever_the_order_of_rows() {
    let place = Place::new();
    place.log("log", |_, _| 1).decided(&["f:swap", "fits"]);
    let is_held = |a: i64, b: i64| a < 3 || b < 2;
    place.log_of("new", |a, b| Some((is_held(a, b), false)));
    let table = std::fs::read_to_string(place.path("new.csv")).unwrap();
    let mut lines: Vec<&str> = table.lines().collect();
    lines[1..].reverse();
    place.import("reversed", "digits", &lines.join("\n"));
    for log in ["new", "reversed"] {
        let (code, _, report) = place.report(log);
        let witness = &cell(&report, "swap")["decision"]["witness"]["input"];
        assert_eq!((code, &witness["a"], &witness["b"]), (2, &3.into(), &2.into()));
    }
}

#[test]
fn a_violation_of_what_fits_is_a_regression() {
    let place = Place::new();
    place.log_of("log", |_, _| Some((true, true))).decided(&["--explained"]);
    place.log_of("new", |a, b| Some(((a, b) != (4, 4), true)));
    let (code, text, report) = place.report("new");
    assert_eq!((code, &cell(&report, "swap")["hint"]), (2, &"regression".into()));
    assert!(text.contains("fits (0 of 100 violated); now 1 of 100 violated\n    violated a = 4, b = 4\n"), "{text}");
    assert_eq!(cell(&report, "grow")["hint"], "fits");
}

#[test]
fn a_panic_that_nobody_knew_is_red_whatever_was_decided_about_violations() {
    let place = Place::new();
    place.log("log", minus).decided(&["--explained"]);
    place.log_of("new", |a, b| (a < 7).then_some((a == b, a > b)));
    let (code, text, report) = place.report("new");
    assert_eq!(code, 2, "{text}");
    for relation in ["swap", "grow"] {
        let cell = cell(&report, relation);
        assert_eq!((&cell["hint"], &cell["reason"]), (&"bug".into(), &"panic".into()), "{cell:#}");
        assert_eq!(cell["decision"]["open"], true);
    }
    assert!(place.told(&["review", "--list", "new"]).1.contains("f:grow"));
    // Also where nothing is left to judge.
    place.log_of("panicking", |_, _| None);
    let (code, _, report) = place.report("panicking");
    assert_eq!((code, &cell(&report, "grow")["decision"]["open"]), (2, &true.into()));
    // What was known when it was decided is no news.
    place.log_of("known", |a, b| (a < 7).then_some((a == b, a > b)));
    let decide = ["decide", "--log", "known", "f:grow", "not-a-bug", "--when", "a <= b", "--replace"];
    assert_eq!(place.told(&decide).0, 0);
    let (_, _, report) = place.report("new");
    assert_eq!(cell(&report, "grow")["decision"]["open"], false);
}

#[test]
fn a_decision_about_violations_hides_no_regression_of_another_kind() {
    let place = Place::new();
    let table = |verdict: &str| {
        let rows = (0..100).map(|row| format!("{},{},{verdict},held\n", row % 10, row / 10));
        format!("a,b,swap,grow\n{}", rows.collect::<String>())
    };
    place.import("log", "digits", &table("held")).decided(&["f:swap", "fits"]);
    place.import("new", "digits", &table("held").replace("3,4,held", "3,4,incomparable"));
    let against = |new: &str| place.told(&["report", new, "--against", "log", "--format", "json"]);
    let (code, json, _) = against("new");
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &cell(&report, "swap")["hint"]), (2, &"regression".into()));
    assert_eq!(cell(&report, "swap")["decision"]["state"], "stands");
    // A violation that was accepted stays accepted.
    place.import("worse", "digits", &table("held").replace("3,4,held", "3,4,violated"));
    let worse = ["decide", "--log", "worse", "f:swap", "not-a-bug", "--when", "a == 3 && b == 4", "--replace"];
    assert_eq!(place.told(&worse).0, 0);
    let report: Value = serde_json::from_str(&against("worse").1).unwrap();
    assert_eq!(cell(&report, "swap")["hint"], "not-a-bug");
    // But it does not hide what else is new among the old inputs, whichever of the two is told first.
    let log = |name: &str, verdict: fn(bool, u64) -> &'static str| {
        let mut table = "a,b,swap,grow\n".to_owned();
        for (a, b) in (0..20u64).flat_map(|a| (0..20).map(move |b| (a, b))) {
            let is_first_half = (a * 20 + b).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 0;
            let verdict = verdict(is_first_half || (a, b) == (4, 4), a);
            match (verdict, (a, b), name) {
                (_, (4, 4), "accepted" | "both") => table.push_str("4,4,violated,held\n"),
                ("", ..) => {}
                _ => writeln!(table, "{a},{b},{verdict},held").unwrap(),
            }
        }
        place.import(name, "digits", &table);
    };
    log("then", |is_half, _| if is_half { "held" } else { "" });
    log("accepted", |_, _| "held");
    // The old log was there, with other inputs.
    log("both", |is_half, a| {
        if a >= 10 {
            "held"
        } else if is_half {
            ""
        } else {
            "incomparable"
        }
    });
    let accept = ["decide", "--log", "accepted", "f:swap", "not-a-bug", "--when", "a == 4 && b == 4", "--replace"];
    assert_eq!(place.told(&accept).0, 0);
    let (_, json, _) = place.told(&["report", "both", "--against", "then", "--format", "json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(cell(&report, "swap")["hint"], "regression", "{report:#}");
}

#[test]
fn an_input_that_contradicts_itself_in_one_cell_still_counts_in_another() {
    let place = Place::new();
    place.log("log", minus);
    let (held, violated) = ("9,1,violated,held\n", "9,1,held,violated\n");
    let table = std::fs::read_to_string(place.path("log.csv")).unwrap();
    assert!(table.contains(held));
    // `swap` has two verdicts for it, and `grow` one, outside the condition.
    let table = table.replace(held, &format!("{violated}9,1,violated,violated\n"));
    place.import("odd", "digits", &table);
    let decide = ["decide", "--log", "odd", "f:grow", "not-a-bug", "--when", "a <= b"];
    let (code, _, stderr) = place.told(&decide);
    assert!(code == 1 && stderr.contains("1 violated outside the condition"), "{code} {stderr}");
}

#[test]
fn violations_that_disappeared_are_drift_which_reopens_the_decision_and_is_not_red() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug"]);
    place.log("new", |a, b| (a - b).abs());
    let (code, text, report) = place.report("new");
    assert_eq!(code, 0);
    let decision = &cell(&report, "grow")["decision"];
    assert_eq!((&decision["state"], &decision["open"]), (&"drift".into(), &true.into()));
    assert_eq!((&decision["now"]["held_inside"], &decision["witness"]["verdict"]), (&45.into(), &"held".into()));
    assert!(text.contains("f x grow  drift: reopened\n"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let numbers = "(55 of 100 violated); now 10 of 100 violated, 45 held inside the condition held a = 0, b = 1";
    assert!(words.contains(numbers), "{text}");
    let (_, list, _) = place.told(&["review", "--list", "new"]);
    assert!(list.contains("f:grow  10 of 100 violated  hint: not-a-bug\n") && list.contains("decided on 20"), "{list}");
}

#[test]
fn a_cell_that_was_decided_not_to_apply_and_now_always_holds_is_drift() {
    let place = Place::new();
    place.log_of("log", |_, _| Some((true, false))).decided(&["f:grow", "does-not-apply"]);
    let (code, _, report) = place.report("log");
    assert_eq!((code, &cell(&report, "grow")["hint"]), (0, &"does-not-apply".into()));
    place.log_of("some", |a, _| Some((true, a == 3)));
    assert_eq!(cell(&place.report("some").2, "grow")["decision"]["state"], "stands", "no test was wanted");
    place.log_of("new", |_, _| Some((true, true)));
    let (code, _, report) = place.report("new");
    let grow = cell(&report, "grow");
    assert_eq!((code, &grow["hint"], &grow["decision"]["state"]), (0, &"fits".into(), &"drift".into()));
}

#[test]
fn a_condition_that_cannot_be_used_any_more_reopens_the_decision() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:grow", "not-a-bug"]);
    let table = std::fs::read_to_string(place.path("log.csv")).unwrap().replacen("a,b,", "a,c,", 1);
    std::fs::write(place.path("renamed.csv"), table).unwrap();
    let import = ["import", "--csv", "renamed.csv", "--suite", "digits", "--function", "f", "--inputs", "a,c"];
    let (code, _, stderr) =
        place.told(&[&import[..], &["--verdicts", "swap,grow", "--constant", "k=6", "--into", "renamed"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let (code, text, report) = place.report("renamed");
    let decision = &cell(&report, "grow")["decision"];
    assert_eq!((code, &decision["state"], &decision["open"]), (0, &"unusable".into(), &true.into()));
    assert!(text.contains("f x grow  reopened\n") && text.contains("there is no field `b`"), "{text}");
}

#[test]
fn a_bug_stays_red_until_its_violations_are_gone() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:swap", "bug", "--note", "should commute"]);
    let (code, text, report) = place.report("log");
    let swap = cell(&report, "swap");
    assert_eq!((code, &swap["hint"], &swap["decision"]["state"]), (2, &"bug".into(), &"bug".into()));
    assert!(text.contains("f x swap  bug\n  decided on 20"), "{text}");
    place.log("better", |a, b| if a == 0 { a - b } else { (a - b).abs() });
    assert_eq!(place.report("better").0, 2);
    place.log("fixed", |a, b| a + b);
    let (code, text, report) = place.report("fixed");
    let swap = cell(&report, "swap");
    assert_eq!((code, &swap["hint"], &swap["decision"]["state"]), (0, &"fits".into(), &"fixed".into()));
    assert!(text.contains("f x swap  the bug is gone: reopened\n"), "{text}");
    let (code, _, stderr) = place.told(&["decide", "--log", "fixed", "f:swap", "fits", "--replace"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(cell(&place.report("fixed").2, "swap")["decision"]["state"], "stands");
    assert_eq!(place.report("log").0, 2, "the old log is a regression now");
}

#[test]
fn a_panic_that_was_called_a_bug_stays_red_until_it_is_gone() {
    let place = Place::new();
    place.log_of("log", |a, _| (a != 3).then_some((true, true))).decided(&["f:swap", "bug"]);
    assert!(place.decisions().contains("violated = 0\npanicked = 10\n"), "{}", place.decisions());
    let (code, _, report) = place.report("log");
    let witness = &cell(&report, "swap")["witnesses"][0];
    assert_eq!((code, &witness["verdict"]), (2, &"source-panicked".into()), "{witness:#}");
    place.log_of("fixed", |_, _| Some((true, true)));
    assert_eq!(place.report("fixed").0, 0);
}

#[test]
fn a_log_that_judges_nothing_proves_nothing() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:swap", "bug"]).decided(&["f:grow", "not-a-bug"]);
    place.import("empty", "digits", "a,b,swap,grow\n1,2,not-applicable,not-applicable\n");
    let (code, text, report) = place.report("empty");
    assert_eq!((code, &cell(&report, "swap")["decision"]["state"]), (2, &"bug".into()), "{text}");
    assert_eq!(cell(&report, "grow")["decision"]["state"], "untested");
    assert!(text.contains("this log judges it nowhere"), "{text}");
}

#[test]
fn a_decision_about_a_cell_that_is_gone_is_told() {
    let place = Place::new();
    place.log("log", minus).decided(&["--explained"]);
    let file = place.path("corpus/digits/decisions.toml");
    let text = place.decisions().replace("f:swap", "f:swop\\u001b[2J");
    std::fs::write(&file, text).unwrap();
    let (code, text, report) = place.report("log");
    assert_eq!((code, &cell(&report, "swap")["decision"]), (0, &Value::Null));
    assert!(text.contains("note: `f:swop\\u{1b}[2J` is decided, and the log has no such cell\n"), "{text}");
}

#[test]
fn what_differs_in_the_build_or_the_constants_is_told_with_a_regression() {
    let place = Place::new();
    place.log_of("log", |_, _| Some((true, true))).decided(&["f:grow", "fits"]);
    let table = std::fs::read_to_string(place.path("log.csv")).unwrap().replacen("held,held", "held,violated", 1);
    std::fs::write(place.path("seven.csv"), table).unwrap();
    let import = ["import", "--csv", "seven.csv", "--suite", "digits", "--function", "f", "--inputs", "a,b"];
    place.told(&[&import[..], &["--verdicts", "swap,grow", "--constant", "k=7", "--into", "seven"]].concat());
    let (code, text, _) = place.report("seven");
    assert_eq!(code, 2);
    assert!(text.contains("now 1 of 100 violated (k 6 then, 7 now)\n"), "{text}");
}

#[test]
fn a_number_that_was_a_constant_by_chance_reopens_the_decision_where_the_constant_has_another_value() {
    let place = Place::new();
    // Violated when a < 6, and k was 6.
    place.log_of("log", |a, _| Some((true, a >= 6))).decided(&["f:grow", "not-a-bug"]);
    assert!(place.decisions().contains("when = \"a < k\""), "{}", place.decisions());
    let again = |name: &str, held: fn(i64) -> bool| {
        let mut table = "a,b,swap,grow\n".to_owned();
        for (a, b) in (0..10).flat_map(|a| (0..10).map(move |b| (a, b))) {
            table.push_str(&format!("{a},{b},held,{}\n", if held(a) { "held" } else { "violated" }));
        }
        std::fs::write(place.path("table.csv"), table).unwrap();
        let import = ["import", "--csv", "table.csv", "--suite", "digits", "--function", "f", "--inputs", "a,b"];
        let (code, _, stderr) =
            place.told(&[&import[..], &["--verdicts", "swap,grow", "--constant", "k=3", "--into", name]].concat());
        assert_eq!(code, 0, "{stderr}");
        place.report(name)
    };
    let (code, text, report) = again("same", |a| a >= 6);
    let decision = &cell(&report, "grow")["decision"];
    assert_eq!((code, &decision["state"], &decision["open"]), (0, &"unusable".into(), &true.into()), "{text}");
    assert!(text.contains("name the number instead of the constant"), "{text}");
    // It does depend on the constant.
    assert_eq!(cell(&again("follows", |a| a >= 3).2, "grow")["decision"]["state"], "stands");
    // It is what it was by neither reading.
    let (code, text, report) = again("worse", |a| a >= 8);
    assert_eq!((code, &cell(&report, "grow")["decision"]["state"]), (2, &"regression".into()), "{text}");
}
