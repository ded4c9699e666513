//! How far outputs are off: rounding and more, NaN and infinities on one side.

use super::{Check, checks, evidence, hint, judged, report, report_of};
use bugornot::{Equal, Suite};
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Write};

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
