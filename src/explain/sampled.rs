//! How often the terms of a condition are met in a whole log, where the working set is a sample that has more of what is
//! rare.

use super::{Condition, Exceptions, Written};
use crate::{
    Verdict, clean,
    feature::{Look, Scope},
    log::Row,
    mine::{apriori::Counts, condition::When},
};

/// What is known of one cell of such a log.
pub(super) struct Sampled<'log> {
    pub(super) working: &'log [&'log Row],
    /// How many distinct inputs each of these rows stands for.
    pub(super) weights: &'log [f64],
    pub(super) cell: usize,
    /// Over all distinct inputs.
    pub(super) counts: clean::Counts,
    /// What the condition is wrong about in the whole log, if anything.
    pub(super) wrong: Option<&'log Exceptions>,
}

impl Sampled<'_> {
    /// How often each term is met. How many inputs all terms cover follows from what the condition is wrong about; how
    /// these spread over the terms is estimated.
    pub(super) fn counts_of(&self, written: &Written) -> Vec<Counts> {
        let (own, other) = match written.condition.when {
            When::Violated => (Verdict::Violated, Verdict::Held),
            When::Held => (Verdict::Held, Verdict::Violated),
        };
        let (strays, left_out) = self.strays_and_left_out(&written.condition);
        let (rows, then) = (self.counts.judged(), self.counts.of(own));
        let both = self.spread(written, own, then.saturating_sub(left_out));
        let strays = self.spread(written, other, strays);
        // It was learned from some row that meets it.
        let both = both.map(|both| both.max(1));
        both.zip(strays).map(|(both, strays)| Counts { rows, when: both.saturating_add(strays), then, both }).collect()
    }

    /// How many inputs meet some term and do not belong there, and how many belong there and meet none.
    fn strays_and_left_out(&self, condition: &Condition) -> (u64, u64) {
        let (false_alarms, missed) = condition.wrong_inputs(self.wrong);
        if condition.when == When::Violated { (false_alarms, missed) } else { (missed, false_alarms) }
    }

    /// How many of so many inputs of a verdict that meet some term meet each.
    fn spread(&self, written: &Written, verdict: Verdict, inputs: u64) -> impl Iterator<Item = u64> {
        let has_it = |row: &Row| row.verdict(self.cell) == Some(verdict);
        let working = self.working.iter().copied().zip(self.weights.iter().copied());
        let kept = self.wrong.iter().flat_map(|wrong| wrong.rows.values()).map(|row| (row, row.weight as f64));
        // Rare strays may be in no row of the working set.
        let shares = shares(written, working.filter(|(row, _)| has_it(row)))
            .or_else(|| shares(written, kept.filter(|(row, _)| has_it(row))))
            .unwrap_or_else(|| vec![1.0; written.condition.terms.len()]);
        shares.into_iter().map(move |share| (inputs as f64 * share).round() as u64)
    }
}

/// Of the rows that meet some term of a condition, the share that meets each; nothing if there are none.
fn shares<'log>(written: &Written, rows: impl Iterator<Item = (&'log Row, f64)>) -> Option<Vec<f64>> {
    let terms = &written.condition.terms;
    let (mut some, mut each) = (0.0, vec![0.0; terms.len()]);
    for (row, weight) in rows.filter(|(row, _)| written.condition.scope == Scope::Input || row.detail.is_some()) {
        let look = Look::new(&written.frame, row);
        let is_met: Vec<bool> = terms.iter().map(|term| term.iter().all(|literal| literal.test(&look))).collect();
        some += if is_met.contains(&true) { weight } else { 0.0 };
        each.iter_mut().zip(is_met).filter(|(_, is_met)| *is_met).for_each(|(sum, _)| *sum += weight);
    }
    (some > 0.0).then(|| each.into_iter().map(|sum| sum / some).collect())
}
