//! Witnesses from outside: what a report shows is as small as it can be, keeps its verdict, and its command shows it again.

#[path = "support/mod.rs"]
mod support;
#[path = "support/corpus.rs"]
mod user;

use serde_json::Value;
use std::fs;
use user::{Crate, RIGHT, told};

/// A suite over inputs of any length: the total of a basket, which panics for some.
const BASKETS: &str = r#"
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Basket {
    pub items: Vec<u8>,
    pub note: String,
}

fn total(basket: &Basket) -> u32 {
    if basket.items.len() > 2 && basket.items[0] > 100 {
        panic!("too much");
    }
    basket.items.iter().map(|&item| u32::from(item)).sum()
}

pub fn money(suite: &mut Suite<Basket, u32>) {
    suite.function("total", total);
    suite.relation("reverse", |b| Basket { items: b.items.iter().rev().copied().collect(), note: b.note.clone() }, Equal);
}
"#;

/// A suite whose violations come without any condition that could be said: those of a bug where `BUG` is true, and others
/// where `OFTEN` is.
const SCATTERED: &str = r#"
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    pub a: u64,
    pub b: u64,
}

fn total(pair: &Pair) -> u64 {
    let mixed = (pair.a ^ pair.b.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let is_off = (BUG && pair.a.min(pair.b) >> 40 > 0 && mixed >> 58 == 5) || (OFTEN && mixed >> 62 == 1);
    pair.a.wrapping_add(pair.b).wrapping_add(u64::from(is_off))
}

pub fn money(suite: &mut Suite<Pair, u64>) {
    suite.function("total", total);
    suite.relation("swap", |pair| Pair { a: pair.b, b: pair.a }, Equal);
}
"#;

fn report(user: &Crate, arguments: &[&str]) -> (Value, String) {
    let (_, stdout, stderr) = told(&mut user.bugornot(&[&["report", "--format", "json"], arguments].concat()));
    (serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}")), stderr)
}

fn cell<'report>(report: &'report Value, function: &str, relation: &str) -> &'report Value {
    let cells = report["cells"].as_array().unwrap();
    cells.iter().find(|cell| cell["function"] == function && cell["relation"] == relation).unwrap()
}

/// Runs the command of a witness: it has to show the verdict in this cell.
fn reproduces(user: &Crate, witness: &Value, cell: &str) {
    let (code, stdout, stderr) = told(&mut user.shell(witness["reproduce"].as_str().unwrap()));
    let line = format!("  {:18} {cell}\n", witness["verdict"].as_str().unwrap());
    assert!(code == 0 && stdout.contains(&line), "{line}\n{stdout}{stderr}");
}

#[test]
fn a_panic_is_shown_by_its_smallest_input_and_the_command_repeats_it() {
    let user = Crate::new("witness-panic");
    user.write("fuzz/src/lib.rs", BASKETS);
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    let (whole, stderr) = report(&user, &["money"]);
    assert!(stderr.contains("building `money` to judge inputs again"), "{stderr}");
    let cell = cell(&whole, "total", "reverse");
    assert_eq!(cell["hint"], "bug", "{cell:#}");
    let witness = &cell["witnesses"][0];
    assert_eq!(witness["shrunk"], true, "{witness:#}");
    assert!(witness["panic"].as_str().unwrap().starts_with("`too much` at "), "{witness:#}");
    let input = witness["input"].as_str().unwrap();
    assert!(input.ends_with(", note = \"\"") && input.matches(',').count() == 3 && input.contains("101"), "{input}");
    let bytes = witness["bytes"].as_str().unwrap();
    assert!(bytes.len() < 24, "{bytes}");
    reproduces(&user, witness, "total x reverse");
    assert_eq!(fs::read_dir(user.path("fuzz/witnesses/money")).unwrap().count(), 1);

    // As it is in the log, where that is asked for.
    let (whole, stderr) = report(&user, &["money", "--no-shrink"]);
    assert_eq!(whole["cells"][0]["witnesses"][0]["shrunk"], false);
    assert!(!stderr.contains("building"), "{stderr}");
    let (_, text, _) = told(&mut user.bugornot(&["report", "money"]));
    for wanted in ["  hint           bug?", "  smallest input:\n", "    reproduce  "] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    // What cannot be built is said, and nothing is lost.
    user.write("fuzz/src/lib.rs", "this is no Rust");
    let (whole, stderr) = report(&user, &["money"]);
    assert!(stderr.contains("warning: failed to build"), "{stderr}");
    assert_eq!(whole["cells"][0]["witnesses"][0]["shrunk"], false);
    assert!(whole["notes"][0].as_str().unwrap().contains("are not shrunk"), "{:#}", whole["notes"]);
}

#[test]
fn a_regression_is_shrunk_to_what_the_old_log_says_should_hold() {
    let user = Crate::new("witness-regression");
    user.fuzz("old", 1, 20_000);
    // Violated where `a` is 3, as 18 is its follow-up; and, as before, where the sum is not positive.
    user.source("if a == 18 { 0 } else { a + b }", "i8");
    user.fuzz("fuzz/verdicts/money", 2, 20_000);
    let (whole, _) = report(&user, &["money", "--against", "old"]);
    let grow = cell(&whole, "add", "grow");
    assert_eq!(grow["hint"], "regression", "{grow:#}");
    let witness = &grow["witnesses"][0];
    assert_eq!((&witness["shrunk"], &witness["input"]), (&true.into(), &"a = 3, b = 0".into()), "{witness:#}");
    assert_eq!((&witness["output"], &witness["verdict"]), (&"3".into(), &"violated".into()));
    assert_eq!(witness["follow_ups"][0]["output"], "0");
    reproduces(&user, witness, "add x grow");

    let (code, text, _) = told(&mut user.bugornot(&["diff", "old", "money"]));
    assert_eq!(code, 2);
    assert!(
        text.contains("add x grow  regression\n")
            && text.contains("  smallest:\n    violated           a = 3, b = 0\n"),
        "{text}"
    );
    // The code is right again, so nothing shows what the log says.
    user.source(RIGHT, "i8");
    let (code, text, _) = told(&mut user.bugornot(&["diff", "old", "money"]));
    assert!(code == 2 && text.contains("the target does not show now what the log says"), "{text}");
}

#[test]
fn an_inconclusive_cell_is_shown_by_two_inputs_that_differ_as_little_as_they_can() {
    let user = Crate::new("witness-pair");
    user.source("a + b + (a * a * 7 + b * 3 + a * b * 11).rem_euclid(13) / 6", "i8");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    let (whole, _) = report(&user, &["money"]);
    let swap = cell(&whole, "add", "swap");
    assert_eq!(swap["hint"], "inconclusive", "{swap:#}");
    let pair = swap["witnesses"].as_array().unwrap();
    let verdicts: Vec<&str> = pair.iter().map(|witness| witness["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["violated", "held"]);
    let bytes: Vec<&str> = pair.iter().map(|witness| witness["bytes"].as_str().unwrap()).collect();
    assert!(bytes.iter().all(|bytes| bytes.len() <= 4), "{bytes:?}");
    for witness in pair {
        reproduces(&user, witness, "add x swap");
    }
    let evidence = swap["evidence"].as_array().unwrap().iter().find(|evidence| evidence["kind"] == "nearest-pair");
    assert!(evidence.unwrap()["text"].as_str().unwrap().starts_with("the two differ in `"), "{swap:#}");
    // One byte more or less makes the difference.
    let fields =
        |witness: &Value| witness["input"].as_str().unwrap().split(", ").map(str::to_owned).collect::<Vec<_>>();
    let [violated, held] = [&pair[0], &pair[1]].map(fields);
    assert_eq!(violated.iter().zip(&held).filter(|(one, other)| one != other).count(), 1, "{pair:#?}");
    let (_, text, _) = told(&mut user.bugornot(&["report", "money"]));
    assert!(text.contains("smallest inputs with opposite verdicts:") && text.contains("the two differ in `"), "{text}");
}

/// What `diff` says of the logs of two versions of the scattered suite: the exit code, and the cell.
struct Scattered {
    user: Crate,
    often: &'static str,
}

impl Scattered {
    fn new(name: &str, often: &'static str) -> Self {
        let scattered = Self { user: Crate::new(name), often };
        scattered.source("false");
        scattered.user.fuzz("old", 1, 5_000);
        scattered.source("true");
        scattered.user.fuzz("new", 2, 5_000);
        scattered
    }

    fn source(&self, bug: &str) {
        let source = SCATTERED.replace("BUG", bug).replace("OFTEN", self.often);
        self.user.write("fuzz/src/lib.rs", &source);
    }

    fn diff(&self, more: &[&str]) -> (i32, Value) {
        let (code, stdout, stderr) =
            told(&mut self.user.bugornot(&[&["diff", "old", "new", "--format", "json"], more].concat()));
        let whole: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
        (code, whole["cells"][0].clone())
    }
}

#[test]
fn what_has_no_condition_then_and_now_hides_no_regression_from_the_code_at_hand() {
    let scattered = Scattered::new("witness-hidden", "true");
    let (code, cell) = scattered.diff(&["--no-shrink"]);
    assert_eq!((code, &cell["outcome"]), (0, &"unchanged".into()), "{cell:#}");
    let (code, cell) = scattered.diff(&[]);
    assert_eq!((code, &cell["outcome"]), (2, &"regression".into()), "{cell:#}");
    reproduces(&scattered.user, &cell["witness"], "total x swap");
    // The same code has nothing to hide.
    scattered.source("false");
    scattered.user.fuzz("new-again", 3, 5_000);
    let (code, stdout, _) = told(&mut scattered.user.bugornot(&["diff", "old", "new-again"]));
    assert!(code == 0 && stdout.contains("unchanged: total x swap"), "{stdout}");
}

#[test]
fn what_two_logs_leave_open_is_decided_by_the_code_at_hand() {
    let scattered = Scattered::new("witness-again", "false");
    let Scattered { user, .. } = &scattered;
    // The logs alone do not tell: they have next to no input in common.
    let (code, cell) = scattered.diff(&["--no-shrink"]);
    assert_eq!((code, &cell["outcome"]), (0, &"changed".into()), "{cell:#}");
    let (code, cell) = scattered.diff(&[]);
    assert_eq!((code, &cell["outcome"], &cell["would_decide"]), (2, &"regression".into(), &Value::Null), "{cell:#}");
    let reason = cell["reasons"][0].as_str().unwrap();
    assert!(
        reason.contains("of the old log held then and violated now, of ") && reason.contains("run again"),
        "{reason}"
    );
    reproduces(user, &cell["witness"], "total x swap");
    let (whole, _) = report(user, &["new", "--against", "old"]);
    assert_eq!(whole["cells"][0]["hint"], "regression", "{:#}", whole["cells"][0]);
    // Code that is not the new version says nothing about it.
    scattered.source("false");
    let (code, cell) = scattered.diff(&[]);
    assert_eq!((code, &cell["outcome"]), (0, &"changed".into()), "{cell:#}");
}
