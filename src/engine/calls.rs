//! What each call of a function runs: the blocks of code, how they were come to, from where, and what they compared.
//!
//! `bugornot locate` asks for it, in a build of its own: without an engine, without optimisation, and with
//! `--cfg bugornot_calls`. In all other builds nothing of the recorder exists.

#[cfg(bugornot_calls)]
mod recorder;

#[cfg(bugornot_calls)]
pub(crate) use recorder::{open, watch};

use serde::{Deserialize, Serialize};

/// What the asker says first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// The cell whose calls are wanted.
    pub(crate) cell: u32,
    /// Where code is whose lines are wanted, in the order of addresses. What other code does is told of its caller there.
    pub(crate) ours: Vec<Range>,
}

/// A function's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    /// Its first address in the executable, and the one behind its last.
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Whether it is the user's own, and not that of a dependency.
    pub(crate) is_own: bool,
}

/// A block of code, numbered by its position among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// Its address in the executable.
    pub(crate) address: u64,
    /// Whether a function begins with it.
    pub(crate) is_entry: bool,
}

/// What one call has run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The blocks in the order in which they were first run, and how often each was.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// One block after the other in the same function; this and the other lists are sorted.
    pub(crate) steps: Vec<(u32, u32)>,
    /// Blocks of other code, and the addresses of ours that called it.
    pub(crate) called: Vec<(u32, u64)>,
    /// What was compared, at which address of ours.
    pub(crate) compared: Vec<(u64, Distance)>,
}

/// How far apart two integers were that were compared: 0, or the sign and the number of binary digits.
pub(crate) type Distance = i8;

/// The [`Distance`] of a difference.
#[cfg(any(bugornot_calls, test))]
fn distance(difference: i64) -> Distance {
    let digits = (u64::BITS - difference.unsigned_abs().leading_zeros()) as i8;
    if difference < 0 { -digits } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_exact_where_it_is_small() {
        assert_eq!([-4, -3, -1, 0, 1, 2, 3, 255, 256].map(distance), [-3, -2, -1, 0, 1, 2, 2, 8, 9]);
        assert_eq!([i64::MIN, i64::MAX].map(distance), [-64, 63]);
    }
}
