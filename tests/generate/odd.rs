//! Suites as users may have them: whatever the types are, the tests compile, and test what was decided.

use super::{Crate, tested, told};
use std::fs;

/// All suites in one library, so that it is built once.
const SUITES: &str = r##"
use arbitrary::Arbitrary;
use bugornot::{Suite, observe};
use serde::Serialize;

type Holds<In> = fn(&In) -> bool;

/// One function, and a relation that holds when something is true of the input.
fn relate<In: Clone + 'static>(suite: &mut Suite<In, bool>, name: &'static str, holds: Holds<In>) {
    suite.judge(name, |input, _| input.clone(), move |check| holds(check.input));
}

pub fn tuples(suite: &mut Suite<(i32, u8), bool>) {
    suite.names(["a", "b"]);
    suite.function("f", |_| true);
    relate(suite, "sum", |&(a, b)| i64::from(a) + i64::from(b) > 0);
    relate(suite, "order", |&(a, b)| i64::from(a) >= i64::from(b));
    relate(suite, "apart", |&(a, b)| i64::from(a).abs_diff(i64::from(b)) <= 6);
}

pub mod kinds {
    #[derive(arbitrary::Arbitrary, serde::Serialize, Clone, Debug)]
    pub enum Step {
        Days(i16),
        Named { name: String },
        Nothing,
    }
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Inner {
    pub x: i8,
    pub r#type: bool,
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Request {
    pub step: kinds::Step,
    pub limit: Option<u16>,
    pub inner: Inner,
    pub ratio: f32,
    pub list: Vec<i32>,
    pub text: String,
}

pub fn requests(suite: &mut Suite<Request, bool>) {
    suite.function("f", |_| true);
    relate(suite, "days", |r| !matches!(r.step, kinds::Step::Days(n) if n > 100));
    relate(suite, "variant", |r| !matches!(r.step, kinds::Step::Nothing));
    relate(suite, "limit", |r| !r.limit.is_some_and(|limit| limit > 300));
    relate(suite, "inner", |r| r.inner.x >= 0 || r.inner.r#type);
    relate(suite, "ratio", |r| !(f64::from(r.ratio) * 2.0 > 1.0));
    relate(suite, "list", |r| r.list.iter().map(|&x| i128::from(x)).sum::<i128>() <= 100);
    relate(suite, "text", |r| r.text.len() + 2 <= r.list.len());
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Span {
    pub start: u8,
    pub end: u8,
    pub step: kinds::Step,
    pub open: bool,
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Side {
    pub level: Option<i8>,
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Lists {
    pub spans: Vec<Span>,
    pub texts: Vec<String>,
    pub truths: Vec<bool>,
    pub left: Side,
    pub right: Side,
}

pub fn lists(suite: &mut Suite<Lists, bool>) {
    suite.function("f", |_| true);
    relate(suite, "smallest", |l| !l.spans.iter().any(|x| x.start <= 3));
    relate(suite, "sum", |l| l.spans.iter().map(|x| u32::from(x.end)).sum::<u32>() <= 100);
    relate(suite, "first", |l| !l.spans.first().is_some_and(|x| u16::from(x.start) + u16::from(x.end) > 200));
    relate(suite, "last", |l| !l.spans.last().is_some_and(|x| x.start == x.end));
    relate(suite, "sorted", |l| !l.spans.is_sorted_by_key(|x| x.start));
    relate(suite, "alike", |l| !(1..l.spans.len()).any(|i| l.spans[..i].iter().any(|x| x.end == l.spans[i].end)));
    relate(suite, "closed", |l| l.spans.iter().all(|x| x.open));
    relate(suite, "nothing", |l| !l.spans.iter().any(|x| matches!(x.step, kinds::Step::Nothing)));
    relate(suite, "empty", |l| !l.texts.iter().any(|x| x.is_empty()));
    relate(suite, "long", |l| !l.texts.first().is_some_and(|x| x.len() > 3));
    relate(suite, "true", |l| !l.truths.contains(&true));
    relate(suite, "longer", |l| l.texts.len().abs_diff(l.truths.len()) <= l.spans.len());
    relate(suite, "end", |l| !l.truths.last().is_some_and(|x| *x));
    relate(suite, "level", |l| l.left.level.is_none() || l.right.level.is_none() || l.left.level <= l.right.level);
}

mod closed {
    #[derive(arbitrary::Arbitrary, serde::Serialize, Clone, Debug)]
    pub enum Kind {
        Odd(i8),
        Even,
    }
}
use closed::Kind;

/// Whose fields nobody outside sees, and whose kinds nobody outside can name.
#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Hidden {
    a: i8,
    b: i64,
    kind: Kind,
}

pub fn hidden(suite: &mut Suite<Hidden, bool>) {
    suite.function("he said \"no\": yes", |_| true);
    relate(suite, "*/ a\nb", |h| i64::from(h.a) > h.b);
    relate(suite, "kind", |h| !matches!(h.kind, Kind::Odd(_)));
    relate(suite, "inside", |h| !matches!(h.kind, Kind::Odd(n) if n > 3));
}

pub fn whole(suite: &mut Suite<String, bool>) {
    suite.function("f", |_| true);
    relate(suite, "long", |text| text.len() <= 3);
    relate(suite, "empty", |text| text != "");
}

pub fn numbers(suite: &mut Suite<u64, bool>) {
    suite.function("f", |_| true);
    suite.names(["n"]);
    relate(suite, "even", |n| n % 2 == 0);
}

pub fn drawn(suite: &mut Suite<(i8, i8), bool>) {
    let k = suite.constant("k", 2..=9i8);
    let n = suite.parameter("n", 0..=7i8);
    suite.function("f", |_| true);
    suite.judge("constant", |input, _| *input, move |check| check.input.0 <= k);
    suite.judge("parameter", |input, _| *input, move |check| check.input.1 <= n.get());
    relate(suite, "own", |p| p.0 % 2 == p.1 % 2);
    observe!(suite, |p| p.0 % 2 == p.1 % 2);
}
"##;

/// A suite in the file of its target, as `bugornot init` makes it, with private fields.
const OWN: &str = r#"#![no_main]
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    a: u8,
    b: u8,
}

pub fn own(suite: &mut Suite<Pair, u8>) {
    suite.function("less", |pair| pair.a.saturating_sub(pair.b));
    suite.relation("swap", |pair| Pair { a: pair.b, b: pair.a }, Equal);
}

bugornot::fuzz!(own);
"#;

/// A suite, its function, and its relations, with when they are violated.
type Cells = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const CELLS: [Cells; 8] = [
    ("tuples", "f", &[("sum", "a + b <= 0"), ("order", "a < b"), ("apart", "(a as i128).abs_diff(b as i128) > 6")]),
    (
        "requests",
        "f",
        &[
            ("days", "matches!(step, Step::Days(n) if n > 100)"),
            ("variant", "matches!(step, Step::Nothing { .. })"),
            ("limit", "limit.is_some_and(|limit| limit > 300)"),
            ("inner", "!(inner.x >= 0 || inner.r#type)"),
            ("ratio", "ratio * 2.0 > 1.0"),
            ("list", "list.iter().map(|&x| x as i128).sum::<i128>() > 100"),
            ("text", "text.len() + 2 > list.len()"),
        ],
    ),
    (
        "lists",
        "f",
        &[
            ("smallest", "spans.iter().map(|x| x.start).min().is_some_and(|spans_start_min| spans_start_min <= 3)"),
            ("sum", "spans.iter().map(|x| x.end as i128).sum::<i128>() > 100"),
            ("first", "spans.first().is_some_and(|spans_first| spans_first.start + spans_first.end > 200)"),
            ("last", "spans.last().is_some_and(|spans_last| spans_last.start == spans_last.end)"),
            ("sorted", "spans.is_sorted_by_key(|x| x.start)"),
            ("alike", "(1..spans.len()).any(|i| spans[..i].iter().any(|x| x.end == spans[i].end))"),
            ("closed", "spans.iter().any(|x| !x.open)"),
            ("nothing", "spans.iter().any(|x| matches!(x.step, Step::Nothing { .. }))"),
            ("empty", "texts.iter().any(|x| x.is_empty())"),
            ("long", "texts.first().is_some_and(|texts_first| texts_first.len() > 3)"),
            ("true", "truths.iter().any(|x| *x)"),
            ("longer", "texts.len().abs_diff(truths.len()) > spans.len()"),
            ("end", "truths.last().is_some_and(|&truths_last| truths_last)"),
            (
                "level",
                "left.level.is_some_and(|left_level| right.level.is_some_and(|right_level| left_level > right_level))",
            ),
        ],
    ),
    (
        "hidden",
        "he said \"no\": yes",
        &[
            ("*/ a\nb", "a <= b"),
            ("kind", "matches!(kind, Kind::Odd { .. })"),
            ("inside", "matches!(kind, Kind::Odd(odd) if odd > 3)"),
        ],
    ),
    ("whole", "f", &[("long", "input.len() > 3"), ("empty", "input == \"\"")]),
    ("numbers", "f", &[("even", "n.rem_euclid(2) == 1")]),
    ("drawn", "f", &[("constant", "input.0 > k"), ("parameter", "input.1 > n"), ("own", "!(p.0 % 2 == p.1 % 2)")]),
    ("own", "less", &[("swap", "a != b")]),
];

fn decisions(suite: &str, function: &str, cells: &[(&str, &str)]) -> String {
    let mut text = format!("schema = 1\nsuite = {suite:?}\n");
    let constants = if suite == "drawn" { "constants = { k = \"6\" }\n" } else { "" };
    for (relation, when) in cells {
        let key = format!("{function}:{relation}").replace('"', "\\\"").replace('\n', "\\n");
        text.push_str(&format!(
            "\n[cells.\"{key}\"]\nanswer = \"not-a-bug\"\nwhen = {when:?}\ntest = \"both\"\ndate = \"2026-11-17\"\n\
             judged = 100\nviolated = 55\nbuild = {{ revision = \"\", overflow_checks = true, debug_assertions = true, \
             sanitizer = \"none\" }}\n{constants}"
        ));
    }
    text
}

fn odd_crate() -> Crate {
    let user = Crate::new("generate-odd");
    user.write("fuzz/src/lib.rs", SUITES);
    fs::remove_file(user.path("fuzz/tests/replay.rs")).unwrap();
    let manifest = fs::read_to_string(user.path("fuzz/Cargo.toml")).unwrap();
    let mut manifest = manifest.split("[[bin]]").next().unwrap().to_owned();
    for (suite, function, cells) in CELLS {
        manifest.push_str(&format!("[[bin]]\nname = \"{suite}\"\npath = \"{suite}.rs\"\ntest = false\n"));
        let line = format!("#![no_main]\nbugornot::fuzz!(suites::{suite});\n");
        user.write(&format!("fuzz/{suite}.rs"), if suite == "own" { OWN } else { &line });
        user.write(&format!("corpus/{suite}/decisions.toml"), &decisions(suite, function, cells));
    }
    user.write("fuzz/Cargo.toml", &manifest);
    user
}

#[test]
fn no_suite_is_too_odd() {
    let user = odd_crate();
    let (code, stdout, stderr) = told(&mut user.bugornot(&["generate"]));
    assert_eq!(code, 0, "{stderr}");
    let text = |suite: &str| fs::read_to_string(user.path(&format!("fuzz/tests/mr_{suite}.rs"))).unwrap();
    for (suite, part) in [
        ("tuples", "|input, _| wide(input.0) + wide(input.1) <= 0)"),
        ("tuples", "|input, _| wide(input.0) < wide(input.1))"),
        ("tuples", "|input, _| wide(wide(input.0).abs_diff(wide(input.1))) > 6)"),
        ("requests", "use suites::kinds::Step;\n"),
        ("requests", "matches!(input.step, Step::Days(n) if n > 100)"),
        ("requests", "!(input.inner.x >= 0 || input.inner.r#type)"),
        ("requests", "wide(input.ratio) * 2.0 > 1.0"),
        ("requests", "input.list.iter().map(|&x| wide(x)).sum::<i128>() > 100"),
        ("requests", "input.text.len() + 2 > input.list.len()"),
        ("lists", ".is_some_and(|spans_start_min| spans_start_min <= 3)"),
        ("lists", "wide(spans_first.start) + wide(spans_first.end) > 200"),
        ("hidden", "let a: i128 = seen.get(\"a\");"),
        ("hidden", "cell!(hidden, \"he said \\\"no\\\": yes\", \"*/ a\\nb\", CONSTANTS)"),
        ("hidden", "seen.is_variant(\"kind\", \"Odd\")"),
        ("whole", "|input, _| *input == \"\""),
        ("numbers", "|input, _| wide(*input).rem_euclid(2) == 1"),
        ("drawn", "let k = 6;"),
        ("drawn", "wide(input.1) > n"),
        ("drawn", "!seen.observed(\"p.0 % 2 == p.1 % 2\")"),
        ("own", "#[path = \"../own.rs\"]\nmod target;"),
    ] {
        assert!(text(suite).contains(part), "{part} is not in\n{}\n{stderr}", text(suite));
    }
    let without =
        "//! - what the enum `kind` holds cannot be asked for from outside, and the corpus has no input for it: `he ";
    assert!(text("hidden").contains(without), "{}", text("hidden"));
    assert!(stdout.contains("hidden: 2 tests of 2 cells; 1 cell without"), "{stdout}");
    let (code, said) = tested(&user, &["--tests"]);
    assert!(code == 0 && !said.contains("warning"), "{said}");
    let count = CELLS.iter().map(|(_, _, cells)| cells.len()).sum::<usize>();
    assert_eq!(said.matches("::fresh_inputs ... ok").count(), count - 1, "{said}");
    // A type that nobody outside sees is no input of a test.
    user.write("fuzz/own.rs", &OWN.replace("pub struct", "struct"));
    let (code, _, stderr) = told(&mut user.bugornot(&["generate", "own", "--force"]));
    assert!(
        code == 1 && stderr.contains("type `Pair` is private") && stderr.contains("make its types `pub`"),
        "{stderr}"
    );
    user.write("fuzz/own.rs", OWN);
    // A condition that is wrong shows, whatever it is written over.
    for (suite, right, wrong) in [("hidden", "a <= b", "a < b"), ("requests", "> 300", "> 3000")] {
        let path = format!("fuzz/tests/mr_{suite}.rs");
        user.write(&path, &text(suite).replace(right, wrong));
    }
    let (code, said) = tested(&user, &["--no-fail-fast", "--test", "mr_hidden", "--test", "mr_requests"]);
    assert_eq!((code, said.matches("is not as decided: ").count()), (101, 2), "{said}");
}
