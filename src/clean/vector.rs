//! The verdicts of all cells for one input, merged over all its rows, as one byte per cell.

use crate::Verdict;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Below this a code is a verdict; from here up to twice this, the input has died once and had that verdict another
/// time.
const DIED_TOO: u8 = Verdict::COUNT as u8;
/// Two verdicts that exclude each other.
const CONFLICT: u8 = 254;
/// No verdict.
const MISSING: u8 = 255;
/// What a vector costs beside its bytes: its number, its two references, and its count.
const OVERHEAD: usize = 160;

/// What all rows of an input say about one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Verdict(Verdict),
    /// The process died of it once, and had a verdict another time: the death may have come from outside.
    DiedOnce,
    Conflict,
    Missing,
}

/// What a code stands for.
pub(super) fn said(code: u8) -> Said {
    match Verdict::from_number(code) {
        Some(verdict) => Said::Verdict(verdict),
        None if code == MISSING => Said::Missing,
        None if code == CONFLICT => Said::Conflict,
        None => Said::DiedOnce,
    }
}

/// The codes of a row's verdicts.
pub(super) fn codes(verdicts: &[Option<Verdict>]) -> Vec<u8> {
    verdicts.iter().map(|verdict| verdict.map_or(MISSING, |verdict| verdict as u8)).collect()
}

/// The verdicts that all rows agree on.
pub(super) fn agreed(codes: &[u8]) -> Arc<[Option<Verdict>]> {
    codes.iter().map(|&code| Verdict::from_number(code)).collect()
}

/// Whether rows contradict each other in some cell.
pub(super) fn is_inconsistent(codes: &[u8]) -> bool {
    codes.iter().any(|&code| matches!(said(code), Said::DiedOnce | Said::Conflict))
}

/// What two rows say together. In whatever order rows come, the result is the same.
fn join(one: u8, other: u8) -> u8 {
    const DIED: u8 = Verdict::Died as u8;
    let (low, high) = if one <= other { (one, other) } else { (other, one) };
    match (low, high) {
        _ if low == high => low,
        (_, MISSING) => low,
        (_, CONFLICT) => CONFLICT,
        (verdict, DIED) => DIED_TOO + verdict,
        (DIED, _) => high,
        (verdict, pair) if pair >= DIED_TOO && verdict == pair - DIED_TOO => pair,
        _ => CONFLICT,
    }
}

/// The different vectors, numbered: there are few of them, and many inputs.
#[derive(Default)]
pub(super) struct Pool {
    known: Mutex<Known>,
}

#[derive(Default)]
pub(super) struct Known {
    numbers: HashMap<Arc<[u8]>, u32>,
    vectors: Vec<Arc<[u8]>>,
    joins: HashMap<(u32, u32), u32>,
    bytes: usize,
}

impl Pool {
    pub(super) fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get_mut(&mut self) -> &mut Known {
        self.known.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// The number of a vector.
    pub(super) fn number(&mut self, vector: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(vector) {
            return number;
        }
        let number = self.vectors.len() as u32;
        let vector: Arc<[u8]> = vector.into();
        self.bytes += vector.len() + OVERHEAD;
        self.vectors.push(vector.clone());
        self.numbers.insert(vector, number);
        number
    }

    /// The number of what two vectors say together.
    pub(super) fn join(&mut self, one: u32, other: u32) -> u32 {
        if one == other {
            return one;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&number) = self.joins.get(&key) {
            return number;
        }
        let (one, other) = (&self.vectors[one as usize], &self.vectors[other as usize]);
        let joined: Vec<u8> = one.iter().zip(other.iter()).map(|(&one, &other)| join(one, other)).collect();
        let number = self.number(&joined);
        self.bytes += OVERHEAD;
        self.joins.insert(key, number);
        number
    }

    /// The vectors by their numbers.
    pub(super) fn vectors(&self) -> &[Arc<[u8]>] {
        &self.vectors
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_in_which_rows_come_does_not_matter() {
        let codes: Vec<u8> = (0..2 * DIED_TOO - 1).chain([CONFLICT, MISSING]).collect();
        for &a in &codes {
            assert_eq!(join(a, a), a);
            for &b in &codes {
                assert_eq!(join(a, b), join(b, a));
                for &c in &codes {
                    assert_eq!(join(join(a, b), c), join(a, join(b, c)), "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn two_verdicts_are_a_conflict_and_a_death_beside_one_is_told_apart() {
        let [held, violated, died] = [Verdict::Held, Verdict::Violated, Verdict::Died].map(|verdict| verdict as u8);
        assert_eq!(said(join(held, violated)), Said::Conflict);
        assert_eq!(said(join(held, MISSING)), Said::Verdict(Verdict::Held));
        assert_eq!(said(join(died, violated)), Said::DiedOnce);
        assert_eq!(said(join(join(died, violated), held)), Said::Conflict);
        assert_eq!(said(join(died, died)), Said::Verdict(Verdict::Died));
    }
}
