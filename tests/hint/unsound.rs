//! Faults: of the harness, of a judgement, and functions that are not deterministic; with the rows that prove them.

use super::{bugornot, checks, evidence, hint, judged, report, report_of};
use bugornot::{Equal, Suite};
use serde_json::json;
use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
};

#[test]
fn an_input_with_two_outputs_is_a_fault_of_the_harness_and_both_rows_are_shown() {
    let swap = |a, b| [b, a];
    // As a follow-up, the function gives one more for the one pair (3, 4).
    let output = |a: i64, b: i64| a + 2 * b;
    let (cell, code) = report(&checks(swap, |a, b| {
        let follow_up = output(b, a) + i64::from((b, a) == (3, 4));
        (output(a, b).to_string(), follow_up.to_string(), true)
    }));
    assert_eq!((hint(&cell), code), (("harness", "harness"), 2));
    let found = evidence(&cell, "contradiction").unwrap();
    let rows = json!([
        {"role": "source", "text": "a = 3, b = 4 -> 11"},
        {"role": "follow-up", "text": "a = 3, b = 4 -> 12, of a = 4, b = 3"},
    ]);
    assert_eq!((&found["count"], &found["rows"]), (&1.0.into(), &rows));
}

#[test]
fn a_relation_that_changes_nothing_and_is_violated_is_a_fault_of_the_harness() {
    let (cell, _) = report(&checks(|a, b| [a, b], |a, b| ("1".into(), "1".into(), a > b)));
    assert_eq!(hint(&cell), ("harness", "harness"));
    let shown = json!([{"role": "violated", "text": "a = 0, b = 0 -> 1; a = 0, b = 0 -> 1"}]);
    assert_eq!(evidence(&cell, "identity").unwrap()["rows"], shown);
}

#[test]
fn what_is_violated_one_way_and_held_the_other_is_told() {
    let (cell, _) = report(&checks(|a, b| [b, a], |a, b| ("1".into(), "1".into(), (a, b) != (3, 4) && a != 5)));
    let found = evidence(&cell, "inverse").unwrap();
    // Of the pairs that differ, those with one five, and one more.
    assert_eq!((&found["pairs"], &found["opposite"]), (&276.0.into(), &24.0.into()), "{found}");
    let (cell, _) = report(&checks(|a, b| [b, a], |a, b| ("1".into(), "1".into(), a != b)));
    assert!(evidence(&cell, "inverse").is_none());
}

#[test]
fn two_outcomes_of_one_input_stand_side_by_side() {
    let calls = Cell::new(0);
    let (cell, code) = judged(move |suite: &mut Suite<u8, i32>| {
        suite.names(["a"]);
        suite.function("f", move |_| calls.replace(calls.get() + 1));
        suite.relation("r", |a| a / 2, Equal);
    });
    assert_eq!((hint(&cell).0, code), ("nondeterministic", 2));
    let rows = &evidence(&cell, "nondeterministic").unwrap()["rows"];
    assert_eq!((&rows[0]["role"], &rows[1]["role"]), (&"first".into(), &"again".into()), "{rows}");
    let text = |row: usize| rows[row]["text"].as_str().unwrap().split_once(" -> ").unwrap();
    assert!(text(0).0 == text(1).0 && text(0).1 != text(1).1 && text(0).0.starts_with("a = "), "{rows}");
    // The same from a table: one input, two verdicts.
    let folder = tempfile::tempdir().unwrap();
    let table = "a,b,r\n1,2,held\n3,4,held\n1,2,violated\n";
    let mapping = "suite = \"s\"\nfunction = \"f\"\nverdict = \"r\"\n[inputs]\na = \"a\"\nb = \"b\"\n[relations.r]\n";
    let report = report_of(folder.path(), table, mapping);
    let rows = json!([{"role": "held", "text": "a = 1, b = 2"}, {"role": "violated", "text": "a = 1, b = 2"}]);
    assert_eq!(evidence(&report["cells"][0], "conflicting").unwrap()["rows"], rows);
    let text = bugornot(&["report", "log"], folder.path()).stdout;
    let text = String::from_utf8(text).unwrap();
    let both = "    1 input with two different verdicts\n      held      a = 1, b = 2\n      violated  a = 1, b = 2\n";
    assert!(text.contains(both), "{text}");
}

/// What the function of a test is hinted at, in its only relation.
fn hinted<Out: bugornot::Output + PartialEq>(function: impl Fn(u8) -> Out + 'static) -> String {
    let (cell, _) = judged(|suite: &mut Suite<u8, Out>| {
        suite.function("f", move |a| function(*a));
        suite.relation("r", |a| a / 2, Equal);
    });
    hint(&cell).1.to_owned()
}

#[test]
fn what_has_no_order_is_the_same_in_any_and_panics_are_whatever_they_say() {
    let digits = |a: u8| (0..a % 8).map(move |digit| digit.wrapping_mul(a));
    for reason in [
        hinted(move |a| digits(a).collect::<HashSet<u8>>()),
        hinted(move |a| digits(a).map(|digit| (digit, Some(a))).collect::<HashMap<_, _>>()),
        hinted(move |a| (a, vec![digits(a).map(|digit| (digit, a)).collect::<HashMap<_, _>>()])),
    ] {
        assert!(!["nondeterministic", "harness"].contains(&&reason[..]), "{reason}");
    }
    let said = Cell::new(0);
    let panics = move |a: u8| {
        said.set(said.get() + 1);
        assert!(a < 100, "the call {}", said.get());
        a
    };
    assert_eq!(hinted(panics), "panic");
    // A list that is in another order each time is no set.
    let listed = move |a: u8| digits(a).collect::<HashSet<u8>>().into_iter().collect::<Vec<u8>>();
    assert_eq!(hinted(listed), "nondeterministic");
}

/// From 90 on the function gives what the judgement cannot subtract, or from 90 on no follow-up can be made.
#[test]
fn a_transformation_that_panics_is_a_fault_of_the_harness_and_a_judgement_that_does_is_open() {
    for (judgement, expected) in [(true, ("inconclusive", "unjudged")), (false, ("harness", "harness"))] {
        let declare = |suite: &mut Suite<u8, u8>| {
            suite.names(["a"]);
            suite.normalise(|a| a % 100);
            suite.function("f", move |&a| if judgement && a >= 90 { 200 } else { 1 });
            let follow_up = move |&a: &u8| if judgement { a } else { (89 - a) + 1 };
            suite.relation("r", follow_up, |s: &u8, f: &u8| 100 - s == 100 - f);
        };
        // Somebody has to look at both.
        let (cell, code) = judged(declare);
        assert_eq!((hint(&cell), code), (expected, 2));
        let shown = evidence(&cell, "harness-panic").map(|found| found["rows"][0]["text"].as_str().unwrap().to_owned());
        assert_eq!(shown.is_none(), judgement);
        shown.inspect(|text| assert!(text.starts_with("a = 90 -> ") && text.contains("overflow"), "{text}"));
    }
}

/// From 90 on the function panics, which it does as a source, and when the transformation asks it for a follow-up.
#[test]
fn a_transformation_that_calls_the_function_and_panics_there_is_a_bug_of_the_function() {
    fn f(a: u8) -> u8 {
        if a < 90 { a / 2 } else { panic!("too large") }
    }
    let declare = |suite: &mut Suite<u8, u8>| {
        suite.names(["a"]);
        suite.normalise(|a| a % 100);
        suite.function("f", |&a| f(a));
        suite.relation("again", |&a| f(a + 20), |_: &u8, _: &u8| true);
    };
    let (cell, code) = judged(declare);
    // From 70 on there is no follow-up, and from 90 on there is nothing to follow.
    assert_eq!(
        (&cell["verdicts"]["transform-panicked"], &cell["verdicts"]["source-panicked"]),
        (&20.into(), &10.into())
    );
    assert_eq!((hint(&cell), code), (("bug", "panic"), 2));
    assert!(
        evidence(&cell, "own-panic").unwrap()["text"].as_str().unwrap().contains("tests/hint/unsound.rs:"),
        "{cell}"
    );
}
