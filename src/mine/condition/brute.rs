//! The search against brute force on small tables: no OR of ANDs that are worth a look by themselves is shorter than the
//! one it finds.

use super::{
    Miner, Options, When, chance,
    data::{Rows, Term},
    model::{Model, Objective},
    search::{ALONE, LEAST_ROWS, Size, search},
};
use crate::mine::{
    condition::Item,
    table::{Attributes, Table},
};
use proptest::prelude::*;

const SIZE: Size = Size { depth: 2, terms: 2, literals: usize::MAX, bits: f64::INFINITY };

/// Every term of at most two items.
fn terms(items: usize) -> Vec<Term> {
    let pairs = (0..items).flat_map(|left| (left + 1..items).map(move |right| vec![left, right]));
    (0..items).map(|item| vec![item]).chain(pairs).collect()
}

/// The shortest OR of at most two terms that flips account for, each worth the part of its length that the search asks for.
fn brute(miner: &Miner<'_>, everything: &Rows, objective: &Objective<'_>) -> Model {
    let data = miner.data(When::Violated);
    let is_good = |term: &Term| {
        let (ones, others) = data.count(everything, term);
        let is_worth_it =
            chance::gain((ones, others), objective.total) > ALONE * objective.literal_bits * term.len() as f64;
        ones >= LEAST_ROWS && chance::is_pure(ones, others) && is_worth_it
    };
    let good: Vec<Term> = terms(miner.vocabulary.items.len()).into_iter().filter(is_good).collect();
    let mut best = objective.model(Vec::new(), (0, 0));
    for (place, left) in good.iter().enumerate() {
        for right in &good[place..] {
            let both = if left == right { vec![left.clone()] } else { vec![left.clone(), right.clone()] };
            let model = objective.counted(&data, everything, both);
            if objective.compare(&model, &best).is_lt() {
                best = model;
            }
        }
    }
    best
}

fn check(rows: &[(Vec<u8>, bool)], truth: &[Vec<(usize, u8)>]) -> Result<(), TestCaseError> {
    let mut table = Table::new(Attributes::new([2, 2, 3, 2]));
    for (row, is_flipped) in rows {
        let is_true = truth.iter().any(|term| term.iter().all(|&(attribute, value)| row[attribute] == value));
        table.push(row, is_true != *is_flipped);
    }
    prop_assume!(table.violated.rows() >= LEAST_ROWS && table.held.rows() >= LEAST_ROWS);
    let miner = Miner::new(&table, &[Item { cost: 1 }; 9], Options::default());
    let data = miner.data(When::Violated);
    let everything = data.all();
    let literal_bits = (9.0 / miner.options.alpha).log2();
    let objective = Objective { total: everything.count(), literal_bits, vocabulary: &miner.vocabulary };
    let found = search(&data, &objective, SIZE);
    let best = brute(&miner, &everything, &objective);
    prop_assert!(found.bits <= best.bits + 1e-6, "{found:?} is longer than {best:?}");
    if best.inside == (objective.total.0, 0) && found.inside == best.inside {
        prop_assert_eq!(found.literals(), best.literals());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_condition_is_shorter(
        rows in prop::collection::vec(((0..2u8, 0..2u8, 0..3u8, 0..2u8), prop::bool::weighted(0.01)), 20..400),
        truth in prop::collection::vec(prop::collection::vec((0..4usize, 0..2u8), 1..3), 1..3),
    ) {
        let rows: Vec<_> = rows.into_iter().map(|((a, b, c, d), is_flipped)| (vec![a, b, c, d], is_flipped)).collect();
        check(&rows, &truth)?;
    }
}
