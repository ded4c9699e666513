//! The paper's rules: those its authors published, exactly, and the same on the grid that the test makes itself.
//!
//! The published files are outside the project; where they are absent, what needs them is skipped, with a word.

#[path = "support/skip.rs"]
mod skip;

use bugornot::mine::{
    apriori::{Counts, Thresholds, rules},
    table::{Attributes, Side},
};
use skip::skip;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The authors' items: how a pair compares, and the verdict.
const ITEMS: [&str; 8] =
    ["a == b == 0", "a < b (a == 0)", "a > b (b == 0)", "a < b", "a = b", "a > b", "Violated", "No-violated"];

/// The published files hold all rules at these, not at the support of 0.2 that the text names.
const THRESHOLDS: Thresholds = Thresholds { min_support: 0.01, min_confidence: 1.0, max_len: 8 };

/// Left side, right side.
type Sides = (String, String);

fn encode(a: f64, b: f64) -> u8 {
    match (a, b) {
        _ if a == 0.0 && b == 0.0 => 0,
        _ if a < b => {
            if a == 0.0 {
                1
            } else {
                3
            }
        }
        _ if a > b => {
            if b == 0.0 {
                2
            } else {
                5
            }
        }
        _ => 4,
    }
}

/// All rules of pairs with their verdicts.
fn mined(rows: &[(f64, f64, bool)]) -> BTreeMap<Sides, Counts> {
    let attributes = Attributes::new([6, 2]);
    let pairs: Vec<u8> = rows.iter().map(|&(a, b, _)| encode(a, b)).collect();
    let verdicts: Vec<u8> = rows.iter().map(|&(_, _, is_violated)| u8::from(!is_violated)).collect();
    let mut side = Side::default();
    side.extend(&attributes, &[&pairs, &verdicts], rows.len());
    let named = |items: &[usize]| items.iter().map(|&item| ITEMS[item]).collect::<Vec<_>>().join(", ");
    let found = rules(&side, &attributes, &THRESHOLDS);
    found.iter().map(|rule| ((named(&rule.when), named(&rule.then)), rule.counts)).collect()
}

/// The folder of published files, if it is there.
fn golden() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden");
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("the published rules are not in `{}`", folder.display()));
    None
}

/// The rows of a CSV file, by column name.
fn records(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// `('a < b',)` is one item.
fn item(tuple: &str) -> String {
    tuple.trim_start_matches("('").trim_end_matches("',)").to_owned()
}

/// The published rules: confidence, support, lift, conviction.
fn published(path: &Path) -> BTreeMap<Sides, [f64; 4]> {
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().unwrap();
    let numbers = |row: &BTreeMap<String, String>| ["conf", "sup", "lift", "cov"].map(|name| number(row, name));
    records(path).iter().map(|row| ((item(&row["LHS"]), item(&row["RHS"])), numbers(row))).collect()
}

fn compare(table: &Path, function: Option<&str>, expected: &Path, relation: &str) {
    let rows: Vec<(f64, f64, bool)> = records(table)
        .iter()
        .filter(|row| function.is_none_or(|function| row["operand"] == function))
        .map(|row| {
            let number = |name: &str| row[name].parse().unwrap();
            (number("input_a"), number("input_b"), row[&format!("{relation}_checker")] == "Violated")
        })
        .collect();
    assert_eq!(rows.len(), 100, "{}", table.display());
    let numbers = |counts: Counts| [counts.confidence(), counts.support(), counts.lift(), counts.capped_conviction()];
    let found: BTreeMap<Sides, [f64; 4]> =
        mined(&rows).into_iter().map(|(sides, counts)| (sides, numbers(counts))).collect();
    assert_eq!(found, published(expected), "{}", expected.display());
}

#[test]
fn the_published_rules_come_out_exactly() {
    let Some(golden) = golden() else { return };
    for function in ["sum", "sub"] {
        for relation in ["MR1", "MR2", "MR3", "MR4"] {
            let rules = format!("rules_{function}_{relation}.csv");
            let grid = golden.join(format!("grid/verdicts_{function}.csv"));
            compare(&grid, None, &golden.join("rules-grid").join(&rules), relation);
            let random = golden.join("random/verdicts_sum_sub.csv");
            compare(&random, Some(function), &golden.join("rules-random").join(&rules), relation);
        }
    }
}

/// All pairs of digits, with the verdict of a function and a relation (k = 6).
fn grid(is_violated: impl Fn(f64, f64) -> bool) -> Vec<(f64, f64, bool)> {
    let digits = || (0..10).map(f64::from);
    digits().flat_map(|a| digits().map(move |b| (a, b))).map(|(a, b)| (a, b, is_violated(a, b))).collect()
}

fn rules_of(rows: &[(f64, f64, bool)]) -> Vec<(String, String, [f64; 4])> {
    let numbers = |counts: Counts| [counts.support(), counts.confidence(), counts.lift(), counts.capped_conviction()];
    mined(rows).into_iter().map(|((when, then), counts)| (when, then, numbers(counts))).collect()
}

fn rule(when: &str, then: &str, numbers: [f64; 4]) -> (String, String, [f64; 4]) {
    (when.to_owned(), then.to_owned(), numbers)
}

#[test]
fn difference_times_k_on_the_grid() {
    // Multiplied by k, a difference must increase.
    let rows = grid(|a, b| 6.0 * a - 6.0 * b <= a - b);
    let (v, n) = ("Violated", "No-violated");
    let violated = |support: f64, lift: f64| [support, 1.0, lift, 449_999_999.999_999_94];
    let held = |support: f64| [support, 1.0, 2.222_222_222_222_222, 550_000_000.0];
    assert_eq!(
        rules_of(&rows),
        [
            rule("a < b", v, violated(0.36, 1.818_181_818_181_818_1)),
            rule("a < b (a == 0)", v, violated(0.09, 1.818_181_818_181_818_1)),
            rule("a = b", v, violated(0.09, 1.818_181_818_181_818_1)),
            rule("a == b == 0", v, violated(0.01, 1.818_181_818_181_818_3)),
            rule("a > b", n, held(0.36)),
            rule("a > b (b == 0)", n, held(0.09)),
        ]
    );
}

#[test]
fn sum_times_k_on_the_grid_has_a_rule_in_both_directions() {
    let rows = grid(|a, b| 6.0 * a + 6.0 * b <= a + b);
    let found = rules_of(&rows);
    let numbers = [0.01, 1.0, 100.0, 989_999_999.999_999_9];
    assert_eq!(found.len(), 7);
    assert!(found.contains(&rule("a == b == 0", "Violated", numbers)), "{found:?}");
    assert!(found.contains(&rule("Violated", "a == b == 0", numbers)), "{found:?}");
    // What always holds says nothing: its lift is 1, and the library's conviction 0.
    let always = rules_of(&grid(|_, _| false));
    assert_eq!(always.len(), 6);
    assert!(
        always.iter().all(|(_, then, numbers)| then == "No-violated" && numbers[1..] == [1.0, 1.0, 0.0]),
        "{always:?}"
    );
}
