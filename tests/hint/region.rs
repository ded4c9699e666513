//! Regions of inputs that a function goes wrong on.

use super::{bugornot, checks, evidence, hint, judged, noise, report, report_of};
use bugornot::{
    Equal, Increase, Suite,
    engine::{Execute, Settings, Target},
    log::Phase,
};
use serde_json::{Value, json};
use std::fmt::Write;

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
