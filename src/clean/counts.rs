//! Counts of verdicts, per cell.

use super::vector::{Said, said};
use crate::Verdict;

/// The counts of one cell, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; Verdict::COUNT]);

impl Counts {
    /// How often it was this verdict.
    pub fn of(self, verdict: Verdict) -> u64 {
        self.0[verdict as usize]
    }

    /// How often the outputs could be compared.
    pub fn judged(self) -> u64 {
        self.of(Verdict::Held).saturating_add(self.of(Verdict::Violated))
    }

    /// Violated in percent of what was judged: neither a panic nor an input the relation leaves out says anything about
    /// how often the relation holds.
    pub fn violated_percent(self) -> Option<f64> {
        let judged = self.judged();
        (judged > 0).then(|| 100.0 * self.of(Verdict::Violated) as f64 / judged as f64)
    }

    /// Whether it was held and violated.
    pub fn is_seen_both_ways(self) -> bool {
        self.of(Verdict::Held) > 0 && self.of(Verdict::Violated) > 0
    }
}

/// What a log says about one cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellCounts {
    /// Over distinct inputs.
    pub distinct: Tally,
    /// Over the distinct inputs that were drawn uniformly: only these rates say how common a case is.
    pub uniform: Tally,
    /// Over executions. Deaths are in none of the totals, and so not here.
    pub executions: Counts,
}

/// Distinct inputs, by what all their rows say. Past a log's budget a row stands for several inputs, and this is an
/// estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Inputs whose rows agree.
    pub counts: Counts,
    /// Those of them that have rows: not an estimate.
    pub kept: Counts,
    /// Inputs with two different verdicts.
    pub conflicting: u64,
    /// Inputs that ended the process once, and had one verdict all other times.
    pub died_once: u64,
    /// Inputs without a verdict.
    pub missing: u64,
    /// The sum of the squared weights of what was judged.
    squares: u128,
}

impl Tally {
    pub(super) fn add(&mut self, code: u8, weight: Weight) {
        let more = u64::try_from(weight.sum).unwrap_or(u64::MAX);
        let sum = match said(code) {
            Said::Verdict(verdict) => {
                self.kept.0[verdict as usize] += weight.inputs;
                if matches!(verdict, Verdict::Held | Verdict::Violated) {
                    self.squares = self.squares.saturating_add(weight.squares);
                }
                &mut self.counts.0[verdict as usize]
            }
            Said::Conflict => &mut self.conflicting,
            Said::DiedOnce => &mut self.died_once,
            Said::Missing => &mut self.missing,
        };
        *sum = sum.saturating_add(more);
    }

    /// How many equally weighted inputs would tell as much as those that were judged: all of them, unless the log is a
    /// sample.
    pub fn effective(&self) -> f64 {
        let judged = self.counts.judged() as f64;
        if judged == 0.0 { 0.0 } else { judged * judged / self.squares as f64 }
    }
}

/// The inputs with one vector of verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    pub(super) inputs: u64,
    pub(super) sum: u128,
    squares: u128,
}

impl Weight {
    /// Adds an input that stands for 2 to the power of `exponent`.
    pub(super) fn add(&mut self, exponent: u8) {
        let weight = 1u128 << exponent.min(63);
        self.inputs += 1;
        self.sum = self.sum.saturating_add(weight);
        self.squares = self.squares.saturating_add(weight * weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentage_leaves_out_what_was_not_judged() {
        let mut counts = [0; Verdict::COUNT];
        assert_eq!(Counts(counts).violated_percent(), None);
        counts[Verdict::Held as usize] = 45;
        counts[Verdict::Violated as usize] = 55;
        counts[Verdict::NotApplicable as usize] = 1000;
        counts[Verdict::SourcePanicked as usize] = 7;
        assert_eq!(Counts(counts).violated_percent(), Some(55.0));
        assert!(Counts(counts).is_seen_both_ways());
    }

    #[test]
    fn rows_that_stand_for_many_inputs_tell_less_than_as_many_rows() {
        let (mut few, mut many) = (Weight::default(), Weight::default());
        few.add(4);
        (0..16).for_each(|_| many.add(0));
        let tally = |held, violated| {
            let mut tally = Tally::default();
            tally.add(Verdict::Held as u8, held);
            tally.add(Verdict::Violated as u8, violated);
            tally
        };
        assert_eq!(tally(few, many).counts.violated_percent(), Some(50.0));
        assert_eq!(tally(few, many).kept.judged(), 17);
        assert_eq!(tally(many, many).effective(), 32.0);
        assert!(tally(few, many).effective() < 4.0);
    }
}
