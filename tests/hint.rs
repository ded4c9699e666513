//! Hints: what a log suggests about each cell, and why. Logs are tables with follow-ups and outputs, so that each
//! shows one thing.

use bugornot::{
    Equal, Increase, Suite,
    engine::{Execute, Settings, Target},
    log::Phase,
};
use serde_json::{Value, json};
use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
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
fn outputs_that_are_off_by_rounding_are_named_with_the_tolerance() {
    let exact = |a: i64, b: i64| 0.1 + (a * 24 + b) as f64;
    let (cell, _) = report(&checks(
        |a, b| [a + 100, b],
        |a, b| {
            let is_off = (a + 5 * b).rem_euclid(7) == 3;
            let follow_up = exact(a, b) * if is_off { 1.0 + 1e-14 } else { 1.0 };
            (format!("{:?}", exact(a, b)), format!("{follow_up:?}"), follow_up == exact(a, b))
        },
    ));
    assert_eq!(hint(&cell), ("not-a-bug", "rounding"));
    let tolerance = evidence(&cell, "rounding").unwrap()["tolerance"].as_f64().unwrap();
    assert!((1e-15..1e-12).contains(&tolerance), "{tolerance}");
}

/// A sum that is taken the other way round.
#[test]
fn what_is_left_of_numbers_that_cancel_out_is_rounding_also_in_a_part_of_an_output() {
    let sums = |a: u8, b: u8| {
        let (a, b) = (f64::from(a % 16) / 10.0, f64::from(b % 16) / 10.0);
        [(a + b) - 1.0 + 0.1, 0.1 - 1.0 + b + a]
    };
    let off: u64 = (0..=255).map(|a| u64::from(sums(a, a / 3)[0] != sums(a, a / 3)[1])).sum();
    for is_wrong in [false, true] {
        let (cell, _) = judged(move |suite: &mut Suite<u8, (String, Vec<f64>)>| {
            suite.names(["a"]);
            suite.function("f", move |&a| {
                let second = sums(a & 127, (a & 127) / 3)[usize::from(a > 127)] + f64::from(is_wrong && a == 130);
                ("sum".to_owned(), vec![1.0, second])
            });
            suite.relation("other way", |a| a ^ 128, Equal);
        });
        assert!(off > 20 && cell["verdicts"]["violated"].as_u64().unwrap() > 20, "{cell:#}");
        let found =
            evidence(&cell, "rounding").map(|found| (found["is_absolute"].clone(), found["tolerance"].as_f64()));
        assert_eq!(found.is_none(), is_wrong, "{cell:#}");
        found.inspect(|(is_absolute, tolerance)| {
            assert!(*is_absolute == 1.0 && (1e-17..1e-15).contains(&tolerance.unwrap()), "{tolerance:?}");
        });
    }
}

#[test]
fn what_is_off_by_more_than_rounding_is_told_from_what_is_not() {
    let (cell, _) = judged(|suite: &mut Suite<u8, f64>| {
        suite.names(["a"]);
        suite.function("f", |&a| match a {
            0..128 => f64::from(a) * 0.3,
            250.. => 1000.0,
            _ => f64::from(a - 128) * 0.1 + f64::from(a - 128) * 0.2,
        });
        suite.relation("other half", |a| a ^ 128, Equal);
    });
    let found = evidence(&cell, "deviation").unwrap();
    let (checks, rounded) = (found["checks"].as_f64().unwrap(), found["rounded"].as_f64().unwrap());
    assert!(checks - rounded == 12.0 && rounded > 20.0, "{found}");
    let told = format!("{rounded} of them by rounding and 12 by more");
    assert!(found["text"].as_str().unwrap().ends_with(&told), "{found}");
    assert_eq!(hint(&cell), ("inconclusive", "open"));
    assert!(cell["would_decide"].as_str().unwrap().starts_with("a tolerance that absorbs rounding"), "{cell:#}");
}

#[test]
fn a_panic_that_no_condition_tells_has_no_region() {
    let (cell, _) = judged(|suite: &mut Suite<u8, u8>| {
        suite.names(["a"]);
        suite.function("f", |&a| if noise(40, a.into(), 3) { panic!("by chance") } else { a });
        suite.relation("r", |&a| a, Equal);
    });
    assert_eq!((hint(&cell), &cell["region"]), (("bug", "panic"), &Value::Null), "{cell:#}");
    assert!(evidence(&cell, "panic-region").is_none());
}

/// Small numbers that are wrong are no rounding, however large others are: those of other checks, of another place in the
/// output, or of another follow-up.
#[test]
fn what_is_wrong_among_large_numbers_is_no_rounding() {
    type Outputs = fn(u8) -> [f64; 2];
    let of: [Outputs; 5] = [
        |a| [if a < 100 { f64::INFINITY } else { f64::from(a) }, 0.0],
        |a| [if a < 100 { 1e20 } else { f64::from(a) }, 0.0],
        |a| [1.7e18, f64::from(a) / 10.0],
        |a| [f64::from(a).exp2().exp2(), 1.0],
        |a| [if a < 100 { 1e20 * f64::from(a) } else { 1e-3 }, 0.0],
    ];
    for (number, outputs) in of.into_iter().enumerate() {
        let (cell, code) = judged(move |suite: &mut Suite<u8, [f64; 2]>| {
            suite.names(["a"]);
            suite.function("f", move |&a| {
                let by = if a > 250 { 0.3 } else { 0.0 };
                outputs(a % 128).map(|output| output + by)
            });
            suite.relation("other half", |a| a ^ 128, Equal);
        });
        assert!(cell["verdicts"]["violated"].as_u64().unwrap() > 0, "{number}");
        assert!(evidence(&cell, "rounding").is_none() && code == 2, "{number}: {cell:#}");
    }
    // The second follow-up counts as well; what holds for an empty list says nothing.
    for is_wrong in [false, true] {
        let (cell, _) = judged(move |suite: &mut Suite<u8, Vec<f64>>| {
            suite.names(["a"]);
            // That one is a follow-up alone.
            suite.normalise(|a| if a % 128 == 127 { 1 } else { a });
            suite.function("f", move |&a| match a {
                0 | 128 => Vec::new(),
                127 => vec![0.3 + if is_wrong { 50.0 } else { 0.0 }],
                1..128 => vec![0.3],
                _ => vec![0.1 + 0.2],
            });
            suite.relation("both", |&a| [a ^ 128, if a == 5 { 127 } else { a }], Equal);
        });
        assert!(cell["verdicts"]["violated"].as_u64().unwrap() > 0);
        assert_eq!(evidence(&cell, "rounding").is_none(), is_wrong, "{cell:#}");
    }
}

#[test]
fn a_deviation_that_is_no_rounding_is_not_called_so() {
    let (cell, _) = report(&checks(
        |a, b| [a + 100, b],
        |a, b| {
            let is_off = (a * 31 + b * 17).rem_euclid(40) == 3;
            ("1.5".into(), if is_off { "1.6" } else { "1.5" }.into(), !is_off)
        },
    ));
    assert!(evidence(&cell, "rounding").is_none());
    assert_eq!(cell["hint"], "inconclusive");
}

/// Large integers are never off by rounding, however small the share is.
#[test]
fn the_size_of_a_deviation_is_told_where_held_checks_show_what_outputs_should_be() {
    let f = |a: i64| 3_000_000_000 + a + i64::from(a == 7);
    let shifted = |by: i64| {
        checks(move |a, b| [a + by, b], move |a, _| (f(a).to_string(), f(a + by).to_string(), f(a + by) == f(a) + by))
    };
    let (cell, _) = report(&shifted(1));
    let found = evidence(&cell, "deviation").unwrap();
    assert_eq!((&found["least"], &found["most"]), (&json!(1.0), &json!(1.0)));
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("the source's plus 1; off by 1: 48 violated checks with outputs"), "{text}");
    assert!(evidence(&cell, "rounding").is_none());
    // Nothing is known of what outputs should be where they only have to grow.
    let (cell, _) = report(&checks(|a, b| [a + 1, b], |a, _| (a.to_string(), (a * a).to_string(), a * a > a)));
    assert!(evidence(&cell, "deviation").is_none());
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

/// `f` is a sum that is one too much where `a` is 7; swapping and negating both show it, each from both of its sides.
#[test]
fn one_region_behind_two_relations_is_named_with_the_roles_in_which_it_shows() {
    let f = |[a, b]: [i64; 2]| a + b + i64::from(a == 7);
    let mut table = "a,b,out,sa,sb,s,swap,na,nb,n,negate\n".to_owned();
    for (a, b) in (-12..=12).flat_map(|a| (-12..=12).map(move |b| (a, b))) {
        let (source, swapped, negated) = ([a, b], [b, a], [-a, -b]);
        let word = |is_held| if is_held { "held" } else { "violated" };
        let (swap, negate) = (word(f(swapped) == f(source)), word(f(negated) == -f(source)));
        let cells = [f(source), b, a, f(swapped)].map(|number| number.to_string()).join(",");
        writeln!(table, "{a},{b},{cells},{swap},{},{},{},{negate}", -a, -b, f(negated)).unwrap();
    }
    let mapping = "suite = \"s\"\nfunction = \"f\"\noutput = \"out\"\n[inputs]\na = \"a\"\nb = \"b\"\n\
        [relations.swap]\nverdict = \"swap\"\nfollow-ups = [{ a = \"sa\", b = \"sb\" }]\nfollow-up-outputs = [\"s\"]\n\
        [relations.negate]\nverdict = \"negate\"\nfollow-ups = [{ a = \"na\", b = \"nb\" }]\nfollow-up-outputs = [\"n\"]\n";
    let folder = tempfile::tempdir().unwrap();
    let report = report_of(folder.path(), &table, mapping);
    for cell in report["cells"].as_array().unwrap() {
        let text = evidence(cell, "shared-cause").unwrap()["text"].as_str().unwrap();
        assert!(text.contains("`a == 7`") && text.matches("just one of source and follow-up").count() == 2, "{text}");
    }
}

/// Where `a` is from 3 to 7, `f` is one too much; a step of `a` shows it at the two borders alone, where the function's
/// inputs are on different sides.
#[test]
fn a_region_that_shows_at_its_borders_alone_is_named_as_a_whole() {
    let f = |a: i64| a + i64::from((3..=7).contains(&a));
    let (cell, _) =
        report(&checks(|a, b| [a + 1, b], |a, _| (f(a).to_string(), f(a + 1).to_string(), f(a + 1) == f(a) + 1)));
    assert_eq!(cell["region"]["of"], "violations");
    let inside = cell["region"]["when"].as_str().unwrap();
    assert!(inside.contains("7") && (inside.contains("> 2") || inside.contains(">= 3")), "{inside}");
    let text = evidence(&cell, "cause").unwrap()["text"].as_str().unwrap();
    assert!(text.contains("just one of source and follow-up"), "{text}");
}

#[test]
fn no_region_is_named_where_verdicts_depend_on_nothing() {
    let noise = |a: i64, b: i64| (a * 7919 + b * 104_729).wrapping_mul(2_654_435_761).rem_euclid(97) < 9;
    let (cell, _) = report(&checks(|a, b| [a + 1, b], |a, b| ("1".into(), "2".into(), !noise(a, b))));
    assert!(cell["region"].is_null(), "{}", cell["region"]);
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

/// The function never sees `n`, so it cannot go wrong where `n` is small.
#[test]
fn a_condition_on_a_parameter_is_no_region_of_the_function() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::new(Some(folder.path().join("log")), 1);
    let declare = |suite: &mut Suite<u16, u32>| {
        let n = suite.parameter("n", 0..=50u16);
        let again = n;
        suite.names(["a"]);
        suite.normalise(|a| 1 + a % 20);
        suite.function("f", |&a| u32::from(a));
        suite.relation("times", move |a| a * n.get(), Increase);
        suite.relation("squared times", move |a| a * again.get() * again.get(), Increase);
    };
    let mut target = Target::new("s", declare, settings, &bugornot::__facts!()).unwrap();
    (0..=50).flat_map(|n| (0..20).map(move |a| [n, a, 0])).for_each(|bytes| _ = target.step(&bytes, Phase::Fuzz));
    drop(target);
    let report = bugornot(&["report", "log", "--format", "json"], folder.path());
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    for cell in report["cells"].as_array().unwrap() {
        assert_eq!(cell["condition"]["violated_when"], "n <= 1", "{cell:#}");
        assert_eq!((hint(cell), &cell["region"]), (("not-a-bug", "exact"), &Value::Null), "{cell:#}");
    }
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

/// `f` panics from 90 on. Sources get there where the domain does, and else only a relation leads there.
#[test]
fn where_a_function_panics_is_named_whether_sources_get_there_or_follow_ups_alone() {
    for (domain, verdict) in [(100, "source-panicked"), (80, "follow-up-panicked")] {
        let declare = |suite: &mut Suite<u8, u8>| {
            suite.names(["a"]);
            suite.normalise(move |a| a % domain);
            suite.function("f", |&a| if a < 90 { 1 } else { panic!("too large") });
            suite.relation("more", |a| a + 50, Equal);
        };
        let (cell, _) = judged(declare);
        assert!(cell["verdicts"][verdict].as_u64().unwrap() > 0);
        assert_eq!(cell["region"], json!({"when": "a >= 90", "of": "panics", "exact": true}));
        assert_eq!(evidence(&cell, "panic-region").unwrap()["wrong"], 0.0);
    }
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
    assert!(evidence(&cell, "own-panic").unwrap()["text"].as_str().unwrap().contains("tests/hint.rs:"), "{cell}");
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

/// What `f` gives from 200 on is no number: with one more, just 199 gets there from outside.
fn beyond(output: f64) -> (Value, i32) {
    judged(|suite| {
        suite.names(["a"]);
        suite.normalise(|a| a.min(254));
        suite.function("f", move |&a| if a < 200 { 1.0 } else { output });
        suite.relation("one more", |a| a + 1, Equal);
    })
}

#[test]
fn nan_on_one_side_is_a_bug_and_an_infinity_there_is_told_as_overflow() {
    let (cell, code) = beyond(f64::NAN);
    assert_eq!((hint(&cell), code), (("bug", "nan"), 2));
    let found = evidence(&cell, "nan").unwrap();
    assert_eq!((&found["one_side"], &found["violated"]), (&1.0.into(), &0.0.into()));
    assert_eq!(cell["witnesses"][0]["input"], "a = 199");
    assert!(evidence(&cell, "overflow").is_none());
    let (cell, code) = beyond(f64::INFINITY);
    assert_eq!((&cell["verdicts"]["violated"], code), (&json!(1), 2));
    assert_eq!(evidence(&cell, "overflow").unwrap()["one_side"], 1.0);
    assert!(evidence(&cell, "nan").is_none());
}

#[test]
fn nan_in_a_list_or_map_is_a_bug_too_where_the_judgement_calls_it_violated_unless_that_was_declared() {
    let judged = |expected: &'static str| {
        judged(move |suite: &mut Suite<u8, HashMap<u8, Vec<f64>>>| {
            suite.names(["a"]);
            suite.normalise(|a| a.min(254));
            suite.function("f", |&a| [(0, vec![if a < 200 { 1.0 } else { f64::NAN }])].into());
            let relation = suite.relation(
                "r",
                |a| a + 1,
                |s: &HashMap<_, Vec<f64>>, f: &HashMap<_, Vec<f64>>| s[&0][0] <= f[&0][0] || s[&0][0].is_nan(),
            );
            if !expected.is_empty() {
                relation.expect_condition(expected);
            }
        })
    };
    let (cell, code) = judged("");
    assert_eq!((hint(&cell), code), (("bug", "nan"), 2));
    assert_eq!(
        (&evidence(&cell, "nan").unwrap()["violated"], &cell["witnesses"][0]["input"]),
        (&1.0.into(), &"a = 199".into())
    );
    assert_eq!(hint(&judged("a != 199").0), ("not-a-bug", "as-declared"));
}

/// A function that is not defined everywhere is no bug because a relation leads out of where it is.
#[test]
fn nan_wherever_a_relation_leads_is_evidence_and_no_bug_by_itself() {
    let of = |first: i64| {
        let inputs = (first..40).map(|a| {
            let a = a as f64;
            (
                [a as i64, 0],
                [-a as i64, 0],
                a.sqrt().to_string(),
                (-a).sqrt().to_string(),
                if a == 0.0 { "held" } else { "violated" },
            )
        });
        report(&inputs.collect::<Vec<Check>>()).0
    };
    let always = of(1);
    assert_eq!((hint(&always).0, &evidence(&always, "nan").unwrap()["violated"]), ("does-not-apply", &39.0.into()));
    assert_ne!(hint(&of(0)).1, "nan");
    // Where there is nothing to compare with, nothing is said of a side.
    let mut table = "a,b,out,r\n".to_owned();
    (0..40).for_each(|a| {
        writeln!(table, "{a},0,{},{}", if a < 3 { "NaN" } else { "1.5" }, if a < 3 { "violated" } else { "held" })
            .unwrap()
    });
    let mapping = "suite = \"s\"\nfunction = \"f\"\nverdict = \"r\"\noutput = \"out\"\n[inputs]\na = \"a\"\nb = \"b\"\n[relations.r]\n";
    let folder = tempfile::tempdir().unwrap();
    assert!(evidence(&report_of(folder.path(), &table, mapping)["cells"][0], "nan").is_none());
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
