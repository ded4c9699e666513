//! How many distinct inputs something is true of, in memory that does not grow with the log.

use super::among_smallest;
use std::collections::BTreeMap;

/// So many are counted one by one; of more, the number is estimated, to half a percent.
const COUNTED: usize = 1 << 16;

/// How many distinct identities there are, from the smallest of them: they are hashes, so these tell how close together
/// all lie.
#[derive(Default)]
pub(crate) struct Distinct {
    /// With how many inputs each stands for, past a log's budget.
    smallest: BTreeMap<u64, u64>,
}

impl Distinct {
    pub(crate) fn add(&mut self, identity: u64, weight: u64) {
        if let Some(known) = among_smallest(&mut self.smallest, COUNTED, identity, || weight) {
            *known = weight.min(*known);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        match self.smallest.last_key_value() {
            Some((&last, _)) if self.smallest.len() == COUNTED => {
                let share = (last as f64 + 1.0) / (u64::MAX as f64 + 1.0);
                ((COUNTED as f64 - 1.0) / share).round() as u64
            }
            _ => self.smallest.len() as u64,
        }
    }

    /// How many inputs they stand for.
    pub(crate) fn stands_for(&self) -> u64 {
        let known: u128 = self.smallest.values().map(|&weight| u128::from(weight)).sum();
        let counted = self.smallest.len().max(1) as u128;
        u64::try_from(known * u128::from(self.count()) / counted).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

    fn counted(inputs: impl Iterator<Item = u64>) -> u64 {
        let mut distinct = Distinct::default();
        inputs.for_each(|input| distinct.add(hash::of_bytes(&input.to_le_bytes(), 1), 4));
        assert!(distinct.smallest.len() <= COUNTED);
        assert_eq!(distinct.stands_for(), 4 * distinct.count());
        distinct.count()
    }

    #[test]
    fn few_are_counted_and_of_many_the_number_is_near() {
        let few = COUNTED as u64 - 1;
        assert_eq!(counted((0..few).chain(0..few)), few);
        for many in [COUNTED as u64, 100_000, 1_000_000] {
            let found = counted((0..many).chain(0..100));
            assert!(found.abs_diff(many) < many / 100, "{found} for {many}");
        }
    }
}
