//! What the miner says about tables whose truth is known.

use super::*;
use crate::mine::table::{Attributes, NO_VALUE};

/// Numbers that look random (SplitMix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}

fn mine(table: &Table) -> Answer {
    condition(table, &vec![Item { cost: 1 }; table.attributes.items()], &Options::default())
}

/// A table of attributes with so many values each, uniform, and a truth with flips.
fn table(values: &[u8], rows: usize, seed: u64, flips: f64, truth: impl Fn(&[u8]) -> bool) -> Table {
    let mut draw = Draw(seed);
    let mut table = Table::new(Attributes::new(values.iter().map(|&count| usize::from(count))));
    let mut row = vec![0; values.len()];
    for _ in 0..rows {
        for (value, &count) in row.iter_mut().zip(values) {
            *value = draw.below(u64::from(count)) as u8;
        }
        table.push(&row, truth(&row) != draw.chance(flips));
    }
    table
}

fn expect(table: &Table, when: When, terms: &[&[usize]], is_exact: bool) {
    match mine(table) {
        Answer::Condition(found) => {
            let terms: Vec<_> = terms.iter().map(|term| term.to_vec()).collect();
            assert_eq!((found.when, &found.terms), (when, &terms), "{found:?}");
            assert_eq!(found.exact, is_exact);
            let held_out = found.held_out.expect("there are enough rows");
            assert!(held_out.is_same && 50 * held_out.exceptions <= held_out.rows, "{held_out:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn truths_are_found_at_every_noise() {
    let values = [3, 2, 2, 5, 4, 2, 3, 2];
    for (seed, flips) in (0..).zip([0.0, 0.001, 0.01]) {
        let of = |truth: fn(&[u8]) -> bool| table(&values, 4_000, seed, flips, truth);
        let exact = flips == 0.0;
        expect(&of(|row| row[0] == 1), When::Violated, &[&[1]], exact);
        expect(&of(|row| row[0] == 1 || row[3] == 2), When::Violated, &[&[1], &[9]], exact);
        expect(&of(|row| row[0] == 1 && row[3] == 2), When::Violated, &[&[1, 9]], exact);
        expect(&of(|row| row[0] == 1 && row[1] == 1 && row[3] == 2), When::Violated, &[&[1, 4, 9]], exact);
        expect(&of(|row| row[1] == row[2]), When::Violated, &[&[3, 5], &[4, 6]], exact);
        expect(&of(|row| row[0] != 2), When::Held, &[&[2]], exact);
    }
}

#[test]
fn a_parity_of_three_is_found() {
    let table = table(&[2; 7], 3_000, 1, 0.0, |row| (row[0] + row[1] + row[2]) % 2 == 0);
    expect(&table, When::Violated, &[&[0, 2, 4], &[0, 3, 5], &[1, 2, 5], &[1, 3, 4]], true);
}

#[test]
fn a_rare_region_is_found_among_flips() {
    let truth = |row: &[u8]| row[0] == 7 && row[1] == 7 && row[2] >= 2;
    let table = table(&[16, 16, 3, 2, 2], 60_000, 3, 0.01, truth);
    expect(&table, When::Violated, &[&[7, 23, 34]], false);
}

#[test]
fn undefined_values_are_no_items() {
    let mut table = Table::new(Attributes::new([2, 2]));
    for row in 0..400u32 {
        let defined = row % 4 != 0;
        table.push(&[if defined { (row % 2) as u8 } else { NO_VALUE }, (row / 2 % 2) as u8], defined && row % 2 == 1);
    }
    expect(&table, When::Violated, &[&[1]], true);
}

#[test]
fn one_verdict_needs_no_condition() {
    assert_eq!(mine(&table(&[2, 2], 10, 0, 0.0, |_| true)), Answer::Always);
    assert_eq!(mine(&table(&[2, 2], 10, 0, 0.0, |_| false)), Answer::Never);
}

fn is_inconclusive(table: &Table) -> bool {
    matches!(mine(table), Answer::Inconclusive(none) if none.partial.is_none() && none.short.is_none())
}

#[test]
fn few_rows_are_inconclusive() {
    let mut single = table(&[2, 3, 4, 40], 5_000, 1, 0.0, |_| false);
    single.push(&[1, 2, 3, 39], true);
    assert!(is_inconclusive(&single));
    assert!((0..20).all(|seed| is_inconclusive(&table(&[2, 3, 4, 2, 2, 2], 12, seed, 0.0, |row| row[0] == 1))));
}

#[test]
fn verdicts_that_depend_on_nothing_give_no_rule() {
    let sizes = [(60, 0.5), (300, 0.1), (300, 0.5), (1_000, 0.02)];
    let runs = (0..500).zip(sizes.into_iter().cycle());
    let invented =
        runs.filter(|&(seed, (rows, rate))| !is_inconclusive(&table(&[2, 3, 2, 4, 2, 5], rows, seed, rate, |_| false)));
    assert!(invented.count() <= 5);
}

#[test]
fn a_truth_that_no_item_expresses_is_not_claimed() {
    // The sum of many small values: no OR of a few ANDs comes close.
    let table = table(&[3; 9], 3_000, 5, 0.0, |row| row.iter().sum::<u8>() >= 10);
    assert!(matches!(mine(&table), Answer::Inconclusive(_)), "{:?}", mine(&table));
}

#[test]
fn a_bound_on_work_is_kept_and_told() {
    let table = table(&[3; 12], 3_000, 5, 0.0, |row| row.iter().sum::<u8>() >= 13);
    let items = vec![Item { cost: 1 }; 36];
    let Answer::Inconclusive(none) = condition(&table, &items, &Options { work: 10_000, ..Options::default() }) else {
        panic!("a condition")
    };
    assert!(none.limit_hit);
}

#[test]
fn the_cheapest_synonym_is_named() {
    let mut table = Table::new(Attributes::new([2, 2, 2]));
    let mut draw = Draw(4);
    for _ in 0..300 {
        let (value, other) = (draw.below(2) as u8, draw.below(2) as u8);
        table.push(&[value, 1 - value, other], value == 1);
    }
    let costs = |costs: [u32; 6]| costs.map(|cost| Item { cost });
    for (costs, item) in [(costs([1; 6]), 1), (costs([3, 3, 1, 1, 1, 1]), 2)] {
        let Answer::Condition(found) = condition(&table, &costs, &Options::default()) else { panic!("no condition") };
        assert_eq!(found.terms, [[item]]);
    }
}

#[test]
fn the_order_of_rows_and_shards_does_not_matter() {
    let truth = |row: &[u8]| row[0] == 1 && row[1] == 0 || row[2] == 3;
    let rows = |seed| {
        let mut draw = Draw(seed);
        (0..20_000).map(move |_| [3, 2, 5, 2].map(|count| draw.below(count) as u8)).collect::<Vec<_>>()
    };
    let fill = |rows: &[[u8; 4]]| {
        let mut table = Table::new(Attributes::new([3, 2, 5, 2]));
        rows.iter().enumerate().for_each(|(place, row)| table.push(row, truth(row) != (place % 150 == 7)));
        table
    };
    let first = fill(&rows(1));
    let mut turned = first.clone();
    turned.held.shards.reverse();
    assert_eq!(mine(&first), mine(&first));
    assert_eq!(mine(&first), mine(&turned));
    let (half, other) = (fill(&rows(1)[..9_000]), fill(&rows(1)[9_000..]));
    let mut merged = other;
    merged.held.shards.extend(half.held.shards);
    merged.violated.shards.extend(half.violated.shards);
    let (Answer::Condition(one), Answer::Condition(two)) = (mine(&first), mine(&merged)) else {
        panic!("no condition")
    };
    assert_eq!(one.terms, two.terms);
    assert_eq!(one.terms, [vec![8], vec![1, 3]]);
}

#[test]
fn exceptions_are_listed_by_position() {
    let mut table = Table::new(Attributes::new([2, 2]));
    for row in 0..40_000u32 {
        let value = (row % 2) as u8;
        table.push(&[value, (row / 2 % 2) as u8], (value == 1) != (row % 1_000 == 3 || row % 1_000 == 4));
    }
    let Answer::Condition(found) = mine(&table) else { panic!("no condition") };
    assert_eq!(
        (found.terms.as_slice(), found.exact, found.false_alarms, found.missed),
        (&[vec![1]][..], false, 40, 40)
    );
    let all = exceptions(&table, &found, 1_000);
    assert_eq!((all.false_alarms.len(), all.missed.len()), (40, 40));
    assert_eq!((all.false_alarms[0], all.missed[0]), (2, 1));
    assert_eq!(exceptions(&table, &found, 7).missed.len(), 7);
}
