//! Rules: features that imply a verdict, with the paper's measures.

use super::{AllExplained, Rows, Written, literal, weights};
use crate::{
    clean::Cleaned,
    feature::{Bits, Frame, Predicate},
    mine::{
        apriori::{Counts, Thresholds, verdict_rules},
        condition::When,
        table::Table,
    },
};

/// How hard a feature may be to read for the exhaustive miner: its rules are many enough.
const MAX_COST: u32 = 2;

/// Features that imply a verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(crate) when: Vec<String>,
    pub(crate) is_violated: bool,
    pub(crate) counts: Counts,
}

/// The rules of every cell: the terms of its condition, or all that reach the thresholds.
pub(crate) fn rules(cleaned: &Cleaned, explained: &AllExplained, thresholds: Option<&Thresholds>) -> Vec<Vec<Rule>> {
    match thresholds {
        None => explained.cells.iter().map(|cell| cell.written.as_ref().map_or_else(Vec::new, terms)).collect(),
        Some(thresholds) => {
            let (working, weights) = (super::usable(cleaned), whole(&weights(cleaned)));
            let cells = 0..explained.cells.len();
            cells.map(|cell| all(&explained.frame, &Rows::of(&working, cell), &weights, thresholds)).collect()
        }
    }
}

/// The terms of a condition as rules.
fn terms(written: &Written) -> Vec<Rule> {
    let found = &written.condition;
    let rule = |(term, &counts): (&Vec<super::Literal>, &Counts)| Rule {
        when: term.iter().map(|literal| literal.write(&written.frame, &[])).collect(),
        is_violated: found.when == When::Violated,
        counts,
    };
    found.terms.iter().zip(&found.counts).map(rule).collect()
}

/// Weights as whole numbers, whose sums over the first rows are as near as whole numbers come. No log has more inputs than
/// can be counted, whatever it says.
fn whole(weights: &[f64]) -> Vec<u64> {
    const MOST: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    let mut sum = 0.0f64;
    let whole = |weight: &f64| {
        let before = sum.round();
        sum = (sum + weight).min(MOST);
        (sum.round() - before) as u64
    };
    weights.iter().map(whole).collect()
}

/// All rules over features that do not depend on verdicts; each row counts as often as its weight says.
fn all(frame: &Frame, rows: &Rows, weights: &[u64], thresholds: &Thresholds) -> Vec<Rule> {
    let simple = |(predicate, _): &&(Predicate, Bits)| predicate.cost() <= MAX_COST;
    let predicates: Vec<&(Predicate, Bits)> = frame.base.iter().filter(simple).collect();
    let columns: Vec<&[u64]> = predicates.iter().map(|(_, bits)| bits.words()).collect();
    let table = Table::from_weighted_truths(&columns, rows.violated.words(), rows.held.words(), weights);
    let rules = verdict_rules(&table, thresholds).into_iter();
    rules
        .map(|rule| Rule {
            when: rule.when.iter().map(|&item| literal(&predicates, item).write(frame, &[])).collect(),
            is_violated: rule.is_violated,
            counts: rule.counts,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn weights_that_no_count_can_have_are_counted_as_far_as_counts_go() {
        assert_eq!(whole(&[0.5, 0.5, 2.2, 0.9]), [1, 0, 2, 1]);
        let all = whole(&[f64::MAX, f64::INFINITY, 1.0]);
        assert_eq!(all.iter().copied().fold(0, u64::saturating_add), 1 << f64::MANTISSA_DIGITS);
    }
}
