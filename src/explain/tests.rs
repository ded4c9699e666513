//! Cells with known truth, from rows made by a seeded generator.

use super::*;
use crate::{
    clean::{Campaign, Options, campaigns, clean},
    expression::Expression,
    hash,
    log::{Header, Log, Phase, Value, Writer, encode::Encoder},
    mine::apriori::Thresholds,
};
use std::sync::Arc;

fn header(constants: &[(&str, i128)]) -> Header {
    let constants = constants.iter().map(|&(name, value)| (name.to_owned(), Value::of_integer(value))).collect();
    Header { constants, ..Header::of(&["f"], &["r"]) }
}

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 += 1;
        hash::of_bytes(&self.0.to_le_bytes(), 77)
    }

    /// A whole number such as a fuzzer makes: of any magnitude, often small.
    fn integer(&mut self, bits: u32) -> i128 {
        let width = self.next() % u64::from(bits);
        let size = i128::from(self.next() & ((1 << width) | ((1 << width) - 1)));
        if self.next().is_multiple_of(2) { size } else { -size }
    }
}

/// What is printed is read again, and says the same of every row.
fn means_what_it_says(found: &Condition, frame: &Frame, rows: &[&Row], constants: &[(&str, i128)]) {
    let (violated_when, held_when) = found.write(frame, &[]);
    let named = found.write(frame, &frame.constants).0;
    for (text, wanted) in [(violated_when, true), (held_when, false), (named, true)] {
        let read = Expression::parse(&text, &header(constants)).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        for row in rows {
            let says = found.is_violated(&Look::new(frame, row)) == wanted;
            assert_eq!(read.test(row), Ok(says), "{text}: {:?}", row.fields);
        }
    }
}

/// Rows of fields, and which are violated.
fn explain_rows(names: &[&str], rows: Vec<(Vec<Value>, bool)>, constants: &[(&str, i128)]) -> String {
    let names: Arc<[String]> = names.iter().map(|&name| name.to_owned()).collect();
    let rows: Vec<Row> = rows
        .into_iter()
        .enumerate()
        .map(|(id, (fields, is_violated))| Row {
            id: id as u64,
            phase: Phase::Fuzz,
            bytes: Vec::new(),
            names: names.clone(),
            fields,
            parameters: Vec::new(),
            features: Vec::new(),
            verdicts: Arc::from([Some(if is_violated { Verdict::Violated } else { Verdict::Held })]),
            weight: 1,
            detail: None,
            death: None,
        })
        .collect();
    let rows: Vec<&Row> = rows.iter().collect();
    let frame = Frame::new(&rows, &header(constants), Scope::Input);
    let explained = explain(&frame, &rows, 0);
    if let Some(found) = explained.condition() {
        means_what_it_says(found, &frame, &rows, constants);
    }
    match explained {
        Explained::Condition(found) if found.is_exact() => found.write(&frame, &[]).0,
        Explained::Condition(found) => {
            format!("{} ({} + {} wrong)", found.write(&frame, &[]).0, found.false_alarms, found.missed)
        }
        Explained::Inconclusive { why, partial } => {
            format!("{why:?} {:?}", partial.map(|partial| partial.write(&frame, &[]).0))
        }
        other => format!("{other:?}"),
    }
}

fn pairs(bits: u32, truth: impl Fn(i128, i128) -> bool) -> String {
    let mut random = Random(1);
    let rows = (0..8000).map(|_| {
        let (a, b) = match random.next() % 4 {
            0 => {
                let a = random.integer(bits);
                (a, a + random.integer(4))
            }
            1 => {
                let a = random.integer(bits);
                (a, -a + random.integer(5))
            }
            _ => (random.integer(bits), random.integer(bits)),
        };
        (vec![Value::of_integer(a), Value::of_integer(b)], truth(a, b))
    });
    explain_rows(&["a", "b"], rows.collect(), &[("k", 6)])
}

#[test]
fn conditions_over_two_integers() {
    assert_eq!(pairs(31, |a, b| a + b <= 0), "a + b <= 0");
    assert_eq!(pairs(31, |a, b| a <= b), "a <= b");
    assert_eq!(pairs(31, |a, b| a * b <= 0), "a * b <= 0");
    assert_eq!(pairs(31, |a, b| a != b), "a != b");
    assert_eq!(pairs(31, |a, b| a + b != -6), "a + b != -6");
    assert_eq!(pairs(31, |a, b| a + b != 6), "a + b != 6");
    assert_eq!(pairs(8, |a, _| a > 127), "a > 127");
    assert_eq!(pairs(8, |a, b| a - b > 3), "a - b > 3");
    assert_eq!(pairs(8, |a, b| a == 2 * b), "a == 2 * b");
    assert_eq!(pairs(8, |a, b| a.abs() > b.abs()), "a.abs() > b.abs()");
    assert_eq!(pairs(8, |a, _| a % 3 == 0), "a.rem_euclid(3) == 0");
    assert_eq!(pairs(8, |a, b| (a + b) % 2 == 0), "(a + b).rem_euclid(2) == 0");
    assert_eq!(pairs(8, |a, b| a == 0 || b == 0), "a * b == 0");
    assert_eq!(pairs(8, |a, b| a < b && a > 10), "a < b && a > 10");
    assert_eq!(pairs(8, |a, b| b < a && b > 10 && a < 100), "a > b && a < 100 && b > 10");
}

fn texts(truth: impl Fn(&str, &str) -> bool) -> String {
    let mut random = Random(5);
    let text = |random: &mut Random| {
        let length = random.next() % 8;
        let letters = ['a', 'b', 'A', '0', ' ', '.', 'é', 'z'];
        (0..length).map(|_| letters[(random.next() % 8) as usize]).collect::<String>()
    };
    let rows = (0..8000).map(|_| {
        let s = text(&mut random);
        let t = if random.next().is_multiple_of(4) { s.clone() } else { text(&mut random) };
        let is_violated = truth(&s, &t);
        (vec![Value::Text(s), Value::Text(t)], is_violated)
    });
    explain_rows(&["s", "t"], rows.collect(), &[])
}

#[test]
fn conditions_over_texts() {
    assert_eq!(texts(|s, _| s.is_empty()), "s.is_empty()");
    assert_eq!(texts(|s, t| s == t), "s == t");
    assert_eq!(texts(|s, t| s.len() > t.len()), "s.len() > t.len()");
    assert_eq!(texts(|s, _| !s.is_ascii()), "!s.is_ascii()");
    assert_eq!(texts(|s, _| s.len() > 5), "s.len() > 5");
    assert_eq!(texts(|s, t| s.is_empty() && !t.is_empty()), "s.is_empty() && !t.is_empty()");
    assert_eq!(texts(|s, _| s.contains(char::is_uppercase)), "s.contains(|c: char| c.is_uppercase())");
    assert_eq!(texts(|s, _| s != s.trim()), "s.trim() != s");
    assert_eq!(texts(|s, _| s.split_whitespace().count() > 2), "s.split_whitespace().count() > 2");
    assert_eq!(texts(|_, t| t.matches('.').count() == 2), "t.matches('.').count() == 2");
}

fn lists(truth: impl Fn(&[i64], i64) -> bool) -> String {
    let mut random = Random(9);
    let rows = (0..8000).map(|_| {
        let length = random.next() % 6;
        let list: Vec<i64> = (0..length).map(|_| random.integer(5) as i64).collect();
        let x = random.integer(5) as i64;
        let is_violated = truth(&list, x);
        let values = list.iter().map(|&item| Value::of_integer(item.into())).collect();
        (vec![Value::List(values), Value::of_integer(x.into())], is_violated)
    });
    explain_rows(&["list", "x"], rows.collect(), &[])
}

#[test]
fn conditions_over_lists() {
    assert_eq!(lists(|list, _| list.is_empty()), "list.is_empty()");
    assert_eq!(lists(|list, _| list.is_sorted()), "list.is_sorted()");
    assert_eq!(lists(|list, _| list.len() > 3), "list.len() > 3");
    assert_eq!(lists(|list, x| list.contains(&x)), "list.contains(&x)");
    assert_eq!(lists(|list, _| list.iter().sum::<i64>() > 7), "list.iter().map(|&x| x as i128).sum::<i128>() > 7");
    assert_eq!(lists(|list, _| list.iter().any(|&x| x < 0)), "list.iter().min().is_some_and(|&list_min| list_min < 0)");
}

fn floats(truth: impl Fn(f64, f64) -> bool) -> String {
    let mut random = Random(3);
    let float = |random: &mut Random| match random.next() % 8 {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 0.0,
        3 => random.integer(10) as f64,
        _ => random.integer(20) as f64 / 64.0,
    };
    let rows = (0..8000).map(|_| {
        let a = float(&mut random);
        let b = if random.next().is_multiple_of(5) { a } else { float(&mut random) };
        (vec![Value::F64(a.to_le_bytes()), Value::F64(b.to_le_bytes())], truth(a, b))
    });
    explain_rows(&["a", "b"], rows.collect(), &[])
}

#[test]
fn conditions_over_floats() {
    assert_eq!(floats(|a, _| a.is_nan()), "a.is_nan()");
    assert_eq!(floats(|a, b| a < b), "a < b");
    assert_eq!(floats(|a, _| a > 0.5), "a > 0.5");
    assert_eq!(floats(|a, _| a.is_nan() || a <= 0.0), "!(a > 0.0)");
    assert_eq!(floats(|a, _| a.is_infinite()), "a.is_infinite()");
}

#[test]
fn a_condition_survives_one_percent_of_flipped_verdicts() {
    let random = std::cell::RefCell::new(Random(1 << 20));
    let is_flipped = || random.borrow_mut().next().is_multiple_of(100);
    let found = pairs(8, |a, b| (a < b) != is_flipped());
    assert!(found.starts_with("a < b ("), "{found}");
}

#[test]
fn where_no_condition_explains_enough_the_best_part_is_told() {
    let random = std::cell::RefCell::new(Random(1 << 20));
    let is_flipped = || random.borrow_mut().next().is_multiple_of(10);
    let found = pairs(8, |a, b| (a < b) != is_flipped());
    assert!(found.ends_with("Some(\"a < b\")"), "{found}");
}

#[test]
fn chance_is_no_condition() {
    let mut random = Random(4);
    for seed in 0..8 {
        let rows = (0..500).map(|_| {
            let fields = (0..3).map(|_| Value::of_integer(random.integer(8))).collect();
            (fields, random.next().is_multiple_of(2 + seed))
        });
        let found = explain_rows(&["a", "b", "c"], rows.collect(), &[]);
        assert!(found.starts_with("Chance") || found.starts_with("TooFew"), "{found}");
    }
}

/// A log of pairs, and which are violated; the folder goes with it.
fn log_of(rows: impl Iterator<Item = (i128, i128, bool)>) -> (tempfile::TempDir, Campaign) {
    thinned_log_of(rows, 0)
}

/// The same past its budget: a held row stands for 2 to the power of `exponent` inputs.
fn thinned_log_of(rows: impl Iterator<Item = (i128, i128, bool)>, exponent: u8) -> (tempfile::TempDir, Campaign) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut writer, _) = Writer::open(folder.path(), &header(&[]), 1 << 30).expect("a segment");
    let mut encoder = Encoder::default();
    for (a, b, is_violated) in rows {
        let (verdict, weight) = if is_violated { (Verdict::Violated, 0) } else { (Verdict::Held, exponent) };
        writer.made_row(&mut encoder, (&(a, b), &["a", "b"]), &[verdict as u8], weight);
    }
    drop(writer);
    let campaign = campaigns(Log::open(folder.path()).expect("a log")).remove(0);
    (folder, campaign)
}

/// Cleaned to a working set of so many rows.
fn cleaned_to(campaign: &Campaign, working_rows: usize) -> Cleaned {
    clean(campaign, &Options { working_rows, ..Options::default() })
}

/// Pairs with a 7 in front, of which so many are violated, and nothing else tells which.
fn inside(count: i128, violated: usize) -> impl Iterator<Item = (i128, i128, bool)> {
    let mut random = Random(21);
    let mut order: Vec<(u64, i128)> = (0..count).map(|b| (random.next(), b)).collect();
    order.sort_unstable();
    order.into_iter().enumerate().map(move |(place, (_, b))| (7, b, place < violated))
}

/// Held pairs without a 7 in front.
fn elsewhere(count: i128) -> impl Iterator<Item = (i128, i128, bool)> {
    (0..count).map(|b| (8 + b % 50, b, false))
}

#[test]
fn a_condition_that_only_the_working_set_makes_pure_is_none() {
    let (_folder, campaign) = log_of(inside(1100, 400).chain(elsewhere(30_000)));
    let cleaned = cleaned_to(&campaign, 800);
    assert!(!cleaned.is_complete);
    let found = explain_all(&campaign, &cleaned).cells.remove(0);
    assert!(matches!(found.explained, Explained::Inconclusive { partial: None, .. }), "{:?}", found.explained);
    assert!(found.written.is_none());
}

#[test]
fn a_condition_that_is_not_pure_in_the_whole_log_is_told_as_a_part_if_it_is_wrong_about_little() {
    let (_folder, campaign) = log_of(inside(440, 410).chain(elsewhere(30_000)));
    let found = explain_all(&campaign, &cleaned_to(&campaign, 800)).cells.remove(0);
    let Explained::Inconclusive { partial: Some(partial), .. } = found.explained else {
        panic!("{:?}", found.explained)
    };
    assert_eq!((partial.false_alarms, partial.missed), (30, 0));
    assert_eq!(found.written.map(|written| written.violated_when).as_deref(), Some("a <= 7"));
}

/// The counts of all terms of the condition of a log of which the working set is a sample.
fn counts_of_terms(rows: impl Iterator<Item = (i128, i128, bool)>) -> Vec<Counts> {
    let (_folder, campaign) = log_of(rows);
    let cleaned = cleaned_to(&campaign, 800);
    let found = explain_all(&campaign, &cleaned);
    let rules = rules(&cleaned, &found, None).remove(0);
    rules.into_iter().map(|rule| rule.counts).collect()
}

#[test]
fn a_term_is_counted_in_the_whole_log() {
    let counts = counts_of_terms(inside(404, 400).chain(elsewhere(30_000)));
    assert_eq!(counts, [Counts { rows: 30_404, when: 404, then: 400, both: 400 }]);
}

#[test]
fn inputs_are_spread_over_the_terms_that_they_meet() {
    let below = (0..100).map(|a| (8 + a, -3, true));
    let mut counts = counts_of_terms(inside(300, 300).chain(below).chain(elsewhere(30_000)));
    counts.sort();
    let term = |both| Counts { rows: 30_400, when: both, then: 400, both };
    assert_eq!(counts, [term(100), term(300)]);
}

/// The rules that `a` is negative and that it is violated, among all that reach some thresholds, where just half of the
/// negative ones are violated.
fn rules_of_a_half(working_rows: usize, min_support: f64) -> Vec<Rule> {
    let negative = (0..800).map(|b| (-1 - b % 7, b, b % 2 == 0));
    let (_folder, campaign) = log_of(negative.chain(elsewhere(30_000)));
    let cleaned = cleaned_to(&campaign, working_rows);
    let explained = AllExplained {
        cells: vec![CellExplained::NOTHING],
        frame: Arc::new(Frame::new(&usable(&cleaned), &cleaned.header, Scope::Input)),
        is_cut: false,
    };
    let thresholds = Thresholds { min_support, min_confidence: 0.0, max_len: 2 };
    let rules = rules(&cleaned, &explained, Some(&thresholds)).remove(0);
    rules.into_iter().filter(|rule| rule.is_violated && rule.when == ["a < 0"]).collect()
}

#[test]
fn exhaustive_rules_are_over_distinct_inputs_where_the_working_set_is_a_sample() {
    let exact = Counts { rows: 30_800, when: 800, then: 400, both: 400 };
    assert_eq!(rules_of_a_half(1 << 15, 0.01)[0].counts, exact);
    let estimate = rules_of_a_half(2000, 0.01)[0].counts;
    assert_eq!((estimate.then, estimate.both), (400, 400));
    assert!(estimate.rows.abs_diff(exact.rows) < 3000 && estimate.when.abs_diff(exact.when) < 300, "{estimate:?}");
    assert!(rules_of_a_half(2000, 0.1).is_empty());
}

#[test]
fn exceptions_past_a_budget_weigh_what_they_stand_for() {
    let (_folder, campaign) = thinned_log_of(inside(404, 400).chain(elsewhere(3000)), 4);
    let found = explain_all(&campaign, &cleaned_to(&campaign, 1 << 15)).cells.remove(0);
    assert!(matches!(found.explained, Explained::Inconclusive { partial: None, .. }), "{:?}", found.explained);
}

#[test]
fn past_a_budget_rows_are_checked_and_rules_are_over_inputs() {
    let (_folder, campaign) = thinned_log_of(inside(400, 400).chain(elsewhere(3000)), 4);
    let found = explain_all(&campaign, &cleaned_to(&campaign, 1 << 15)).cells.remove(0);
    let written = found.written.expect("a condition");
    assert_eq!((written.condition.is_exact(), written.checked, written.survived(3000)), (true, 3400, 400));
    assert_eq!(written.condition.counts, [Counts { rows: 48_400, when: 400, then: 400, both: 400 }]);
}
