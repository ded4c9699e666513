//! Rates with their intervals, and the rows that are shown.

use crate::{calculator, cleaned, fuzz, open};
use bugornot::{
    Suite, Verdict,
    clean::{Cleaned, Options},
    log::{Check, Outcome, Value},
    summary::{CellSummary, Sampling, Why, summarise},
};
use std::collections::BTreeSet;

/// The calculator's verdicts for all pairs of digits.
fn digits() -> (Cleaned, Vec<CellSummary>) {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), calculator);
    fuzz(&mut target, (0..100u8).map(|number| [number / 10, number % 10]));
    drop(target);
    let cleaned = cleaned(directory.path(), &Options::default());
    let cells = summarise(&cleaned, Sampling::default());
    (cleaned, cells)
}

fn fields(cleaned: &Cleaned, row: usize) -> Vec<i128> {
    cleaned.working[row].fields.iter().map(|field| field.integer().unwrap()).collect()
}

#[test]
fn a_rate_comes_with_its_interval() {
    let (_, cells) = digits();
    let rate = cells[3].rate.unwrap();
    assert_eq!(rate.violated_percent, 55.0);
    let (low, high) = rate.interval;
    assert_eq!((format!("{low:.1}"), format!("{high:.1}")), ("44.7".into(), "65.0".into()));
    assert_eq!((cells[3].uniform, cells[0].rate.map(|rate| rate.violated_percent)), (None, Some(0.0)));
}

#[test]
fn random_rows_of_every_verdict_follow_from_the_seed_and_are_shown_whole() {
    let (cleaned, cells) = digits();
    for (number, cell) in cells.iter().enumerate() {
        let verdicts: Vec<Verdict> = cell.samples.random.iter().map(|sample| sample.verdict).collect();
        let counts = cleaned.cells[number].distinct.counts;
        let expected = Verdict::ALL.map(|verdict| vec![verdict; counts.of(verdict).min(3) as usize]).concat();
        assert_eq!(verdicts, expected);
        for sample in &cell.samples.random {
            let row = &cleaned.working[sample.row];
            assert_eq!(row.verdicts[number], Some(sample.verdict));
            let check = Check::new(&cleaned.header, row, number);
            let (Some(Outcome::Output(output)), [follow_up], [Outcome::Output(other)]) =
                (check.output, check.follow_ups, check.outputs)
            else {
                panic!("{check:?}")
            };
            let Value::Struct(pair, _) = follow_up else { panic!("{follow_up}") };
            let sum = |values: &[Value]| match number / 2 {
                0 => values[0].integer().unwrap() + values[1].integer().unwrap(),
                _ => values[0].integer().unwrap() - values[1].integer().unwrap(),
            };
            assert_eq!((output.integer(), other.integer()), (Some(sum(&row.fields)), Some(sum(pair))));
        }
    }
    let again = |seed, count| summarise(&cleaned, Sampling { seed, count })[3].samples.random.clone();
    assert_eq!(again(0, 3), cells[3].samples.random);
    assert_ne!(again(1, 3), again(2, 3));
    assert_eq!(again(1, 50).len(), 95);
}

#[test]
fn atypical_rows_are_rare_extreme_or_nearest_to_the_opposite() {
    let (cleaned, cells) = digits();
    let with = |cell: usize, wanted: fn(&Why) -> bool| {
        let samples = cells[cell].samples.atypical.iter().filter(move |sample| sample.why.iter().any(wanted));
        samples.map(|sample| (fields(&cleaned, sample.row), sample.verdict)).collect::<Vec<_>>()
    };
    // 0 + 0 is the only sum that does not grow when it is doubled.
    assert_eq!(with(1, |why| *why == Why::Rare), [(vec![0, 0], Verdict::Violated)]);
    assert_eq!(with(3, |why| *why == Why::Rare), []);
    let pair = with(3, |why| matches!(why, Why::Nearest(_)));
    let [(held, Verdict::Held), (violated, Verdict::Violated)] = &pair[..] else { panic!("{pair:?}") };
    assert_eq!((held[0] - violated[0]).abs() + (held[1] - violated[1]).abs(), 1, "{pair:?}");
    assert!(with(0, |why| matches!(why, Why::Nearest(_))).is_empty());
    let largest = with(3, |why| *why == Why::Largest("a".into()));
    assert_eq!((largest.len(), largest[0].0[0]), (1, 9));
    let zero = with(3, |why| *why == Why::Boundary("b".into(), "zero"));
    assert!(zero.len() == 2 && zero.iter().all(|(fields, _)| fields[1] == 0), "{zero:?}");
    let rows: Vec<usize> = cells[3].samples.atypical.iter().map(|sample| sample.row).collect();
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "each row once");
}

#[test]
fn the_nearest_pair_of_many_rows_is_found_without_looking_at_all_pairs() {
    let directory = tempfile::tempdir().unwrap();
    let suite = |suite: &mut Suite<(u16, u16), bool>| {
        suite.function("less", |&(a, b)| a < b);
        suite.relation("is", |&input| input, |source: &bool, _: &bool| *source);
    };
    let mut target = open(directory.path(), suite);
    // Far apart, but for one pair at the border.
    let spread = (0..2_000u32).map(|number| number.wrapping_mul(0x9E37_79B9));
    let far = spread.map(|bits| ((bits >> 16) as u16, bits as u16)).filter(|&(a, b)| a.abs_diff(b) > 4_000);
    let inputs = far.chain([(30_000, 30_000), (30_000, 30_001)]);
    fuzz(&mut target, inputs.map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()].concat()));
    drop(target);
    let cleaned = cleaned(directory.path(), &Options::default());
    let counts = cleaned.cells[0].distinct.counts;
    assert!(counts.of(Verdict::Held) * counts.of(Verdict::Violated) > 500_000, "{counts:?}");
    let cells = summarise(&cleaned, Sampling::default());
    let is_nearest = |why: &Why| matches!(why, Why::Nearest(_));
    let nearest = cells[0].samples.atypical.iter().filter(|sample| sample.why.iter().any(is_nearest));
    let pair: Vec<_> = nearest.map(|sample| fields(&cleaned, sample.row)).collect();
    assert_eq!(pair, [[30_000, 30_001], [30_000, 30_000]]);
}
