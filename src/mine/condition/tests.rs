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
            assert_eq!(
                (found.when, &found.terms[..]),
                (when, &terms.iter().map(|t| t.to_vec()).collect::<Vec<_>>()[..]),
                "{found:?}"
            );
            assert_eq!(found.exact, is_exact);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn truths_are_found_at_every_noise() {
    let values = [3, 2, 2, 5, 4, 2, 3, 2, 2, 6];
    for (seed, flips) in (0..6).zip([0.0, 0.001, 0.01, 0.0, 0.001, 0.01]) {
        let of = |truth: fn(&[u8]) -> bool| table(&values, 6_000, seed, flips, truth);
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
fn undefined_values_are_no_items() {
    let mut table = Table::new(Attributes::new([2, 2]));
    for row in 0..400u32 {
        let defined = row % 4 != 0;
        table.push(&[if defined { (row % 2) as u8 } else { NO_VALUE }, (row / 2 % 2) as u8], defined && row % 2 == 1);
    }
    expect(&table, When::Violated, &[&[1]], true);
}
