//! What the other relations of a function say: what is wrong with it mostly shows in more than one.

use super::{identity::Identity, region::cells_of};
use crate::{Verdict, clean::Cleaned};

/// A relation that held for fewer inputs says little.
const LEAST_INPUTS: u64 = 100;
/// One relation that holds may be blind to what is wrong.
const LEAST_RELATIONS: usize = 2;
/// So many relations that fail may have one reason.
const MANY_RELATIONS: usize = 3;

/// How the other relations of a cell's function fare; those that are always violated say nothing about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Others {
    /// Never violated, and without a panic.
    pub(super) sound: usize,
    /// Violated for some inputs, or with a panic.
    pub(super) mixed: usize,
    /// Without any change to the source: these say nothing about the function, and are in neither of the others.
    pub(super) idle: usize,
}

impl Others {
    pub(super) fn of_cell(cleaned: &Cleaned, identity: &Identity, cell: usize) -> Self {
        let mut others = Self::default();
        let Some(&(function, _)) = cleaned.header.cells.get(cell) else { return others };
        let is_failure = |verdict: &Verdict| *verdict == Verdict::Violated || verdict.is_panic();
        for (other, counts) in cells_of(cleaned, function.into()).filter(|&(other, _)| other != cell) {
            let fails =
                Verdict::ALL.iter().filter(|verdict| is_failure(verdict)).any(|&verdict| counts.of(verdict) > 0);
            match counts.of(Verdict::Held) {
                0 => {}
                _ if identity.has(cleaned.header.cells[other].1) => others.idle += 1,
                _ if fails => others.mixed += 1,
                held if held >= LEAST_INPUTS => others.sound += 1,
                _ => {}
            }
        }
        others
    }

    /// Whether at least twice as many are sound as fail, of which there are some: with fewer, what fails was a bug as often
    /// as not.
    pub(super) fn mostly_hold(self) -> bool {
        self.mixed > 0 && self.sound >= LEAST_RELATIONS && self.sound >= 2 * self.mixed
    }

    /// Whether about half of them are sound, or more.
    pub(super) fn often_hold(self) -> bool {
        self.sound >= LEAST_RELATIONS && 3 * self.sound >= 2 * self.mixed
    }

    /// Whether so many of them fail that the function is in doubt.
    pub(super) fn speak_against_it(self) -> bool {
        self.mixed >= MANY_RELATIONS && !self.often_hold()
    }

    /// Whether relations are tried out, and what is wrong would show in those that hold. Where no other relation fails, all
    /// of them were believed in.
    pub(super) fn speak_for_it(self) -> bool {
        self.mixed > 0 && self.often_hold()
    }
}
