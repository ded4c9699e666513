//! What a log says about every cell: the rate with its interval, and rows worth a look.

mod distance;
mod interval;
mod measure;
mod nearest;
mod samples;

pub use distance::of_rows as distance;
pub use interval::interval;
pub(crate) use samples::nearest_pairs;
pub use samples::{Sample, Samples, Sampling, Why};

use crate::{
    Verdict,
    clean::{Cleaned, Tally},
};

/// What a log says about one cell; its counts are in [`Cleaned::cells`], in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSummary {
    /// How often it was violated, over distinct inputs.
    pub rate: Option<Rate>,
    /// The same over the inputs that were drawn uniformly: only this says how common a violation is.
    pub uniform: Option<Rate>,
    /// Rows worth a look.
    pub samples: Samples,
}

/// A share of distinct inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Violated in percent of what was judged.
    pub violated_percent: f64,
    /// The 95 % interval, in percent.
    pub interval: (f64, f64),
}

impl Rate {
    /// The rate of a tally; none if nothing was judged. Where the log is a sample, its interval is that of as many inputs
    /// as tell as much.
    pub fn of(tally: &Tally) -> Option<Self> {
        let violated_percent = tally.counts.violated_percent()?;
        let share = tally.counts.of(Verdict::Violated) as f64 / tally.counts.judged() as f64;
        let effective = tally.effective();
        let interval = interval((share * effective).min(effective), effective)?;
        Some(Self { violated_percent, interval })
    }
}

/// Sums up every cell.
pub fn summarise(cleaned: &Cleaned, sampling: Sampling) -> Vec<CellSummary> {
    let samples = samples::pick(cleaned, sampling);
    let cells = cleaned.cells.iter().zip(samples);
    cells
        .map(|(cell, samples)| CellSummary {
            rate: Rate::of(&cell.distinct),
            uniform: Rate::of(&cell.uniform),
            samples,
        })
        .collect()
}
