//! Against a miner that tries everything.

use super::*;
use crate::mine::table::{NO_VALUE, SHARD_ROWS};
use proptest::prelude::*;

/// The values of each attribute.
const VALUES: [usize; 4] = [2, 3, 1, 4];

type Row = ([u8; 4], bool);

fn row() -> impl Strategy<Value = Row> {
    let value = |count: usize| prop_oneof![8 => 0..count as u8, 1 => Just(NO_VALUE)];
    let [a, b, c, d] = VALUES;
    ([value(a).boxed(), value(b).boxed(), value(c).boxed(), value(d).boxed()], any::<bool>())
}

fn thresholds() -> impl Strategy<Value = Thresholds> {
    let share = || prop_oneof![Just(0.01), Just(0.1), Just(0.25), Just(1.0 / 3.0), Just(0.5), Just(1.0), 0.0..1.0];
    (share(), share(), 1..7usize).prop_map(|(min_support, min_confidence, max_len)| Thresholds {
        min_support,
        min_confidence,
        max_len,
    })
}

/// The items of a row; the verdicts are the last two.
fn items(attributes: &Attributes, (values, is_violated): &Row) -> Vec<usize> {
    let of = |(attribute, &value): (usize, &u8)| {
        let items = attributes.items_of(attribute);
        Some(items.start + usize::from(value)).filter(|item| items.contains(item))
    };
    let verdict = attributes.items() + usize::from(!is_violated);
    values.iter().enumerate().filter_map(of).chain([verdict]).collect()
}

/// All rules, by trying every set and every way to divide it.
fn brute_force(rows: &[Vec<usize>], items: usize, thresholds: &Thresholds) -> Vec<Rule> {
    let set = |bits: u32| -> Vec<usize> { (0..items).filter(|item| bits >> item & 1 == 1).collect() };
    let as_bits: Vec<u32> = rows.iter().map(|row| row.iter().fold(0, |bits, item| bits | 1 << item)).collect();
    let counts: Vec<u64> =
        (0..1 << items).map(|set| as_bits.iter().filter(|row| *row & set == set).count() as u64).collect();
    let total = rows.len() as u64;
    let mut rules = Vec::new();
    for (all, &both) in counts.iter().enumerate() {
        let is_frequent = both > 0 && both as f64 / total as f64 >= thresholds.min_support;
        if !is_frequent || all.count_ones() as usize > thresholds.max_len {
            continue;
        }
        for then in (1..all).filter(|then| then & all == *then) {
            let when = all & !then;
            if both as f64 / counts[when] as f64 >= thresholds.min_confidence {
                let counts = Counts { rows: total, when: counts[when], then: counts[then], both };
                rules.push(Rule { when: set(when as u32), then: set(then as u32), counts });
            }
        }
    }
    sort(&mut rules);
    rules
}

/// The same rows as a table, and as one side with the verdict as the last attribute.
fn tables(rows: &[Row]) -> (Table, Attributes, Side) {
    let attributes = Attributes::new(VALUES);
    let with_verdict = Attributes::new(VALUES.into_iter().chain([2]));
    let (mut table, mut all) = (Table::new(attributes), Table::new(with_verdict.clone()));
    for (values, is_violated) in rows {
        let [a, b, c, d] = *values;
        table.push(values, *is_violated);
        all.push(&[a, b, c, d, u8::from(!is_violated)], true);
    }
    (table, with_verdict, all.violated)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn all_rules_are_those_of_a_miner_that_tries_everything(
        rows in prop::collection::vec(row(), 1..60),
        thresholds in thresholds(),
    ) {
        let (table, attributes, side) = tables(&rows);
        let verdicts = attributes.items_of(4);
        let sets: Vec<_> = rows.iter().map(|row| items(&table.attributes, row)).collect();
        let expected = brute_force(&sets, attributes.items(), &thresholds);
        prop_assert_eq!(&rules(&side, &attributes, &thresholds), &expected);

        let is_verdict = |rule: &&Rule| rule.then.len() == 1 && verdicts.contains(&rule.then[0]);
        let expected: Vec<Rule> = expected.iter().filter(is_verdict).cloned().collect();
        prop_assert_eq!(&rules_for(verdicts.clone(), &side, &attributes, &thresholds), &expected);

        let as_rule = |rule: VerdictRule| {
            let then = vec![verdicts.start + usize::from(!rule.is_violated)];
            Rule { when: rule.when, then, counts: rule.counts }
        };
        let found: Vec<Rule> = verdict_rules(&table, &thresholds).into_iter().map(as_rule).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn rules_over_several_shards_do_not_depend_on_the_order_of_rows() {
    let rows: Vec<Row> = (0..2 * SHARD_ROWS + 1000)
        .map(|row| ([(row % 2) as u8, (row % 3) as u8, 0, (row % 7 / 2) as u8], row % 6 == 1 || row % 1000 == 0))
        .collect();
    let reversed: Vec<Row> = rows.iter().rev().copied().collect();
    let thresholds = Thresholds { min_support: 0.05, min_confidence: 0.9, max_len: 4 };
    let found = verdict_rules(&tables(&rows).0, &thresholds);
    assert_eq!(found, verdict_rules(&tables(&reversed).0, &thresholds));
    let sets: Vec<_> = rows.iter().map(|row| items(&Attributes::new(VALUES), row)).collect();
    let is_verdict = |rule: &&Rule| rule.then == [10] || rule.then == [11];
    let expected = brute_force(&sets, 12, &thresholds);
    let expected: Vec<_> = expected.iter().filter(is_verdict).map(|rule| (rule.when.clone(), rule.counts)).collect();
    assert!(!expected.is_empty());
    assert_eq!(found.into_iter().map(|rule| (rule.when, rule.counts)).collect::<Vec<_>>(), expected);
}

#[test]
fn a_table_without_rows_has_no_rules() {
    let (table, attributes, side) = tables(&[]);
    let thresholds = Thresholds { min_support: 0.0, min_confidence: 0.0, max_len: 8 };
    assert_eq!(verdict_rules(&table, &thresholds), []);
    assert_eq!(rules(&side, &attributes, &thresholds), []);
    assert_eq!(rules_for(attributes.items_of(4), &side, &attributes, &thresholds), []);
}

#[test]
fn the_least_count_is_asked_of_the_quotient() {
    for rows in [1u64, 3, 7, 10, 49, 100, 1000, 12_345] {
        for part in 1..=rows {
            let min_support = part as f64 / rows as f64;
            let thresholds = Thresholds { min_support, min_confidence: 0.0, max_len: 1 };
            assert_eq!(thresholds.least(rows), part, "{part} of {rows}");
        }
    }
}
