//! What somebody says of a cell, held against every row of a log: an expectation of the suite, a tester's decision, the
//! condition that an earlier log had.

use crate::{
    Verdict,
    clean::{Campaign, Cleaned, Counts, Distinct},
    expression::Expression,
    log::Row,
};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// When a cell is said to be violated, and when to hold.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) cell: usize,
    pub(crate) says: Says,
}

/// What is said of a cell.
#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// It is never violated.
    Never,
    /// It is always violated.
    Always,
    /// Violated just when a row meets this.
    ViolatedWhen(Expression),
    /// Held just when a row meets this.
    HeldWhen(Expression),
}

/// How the rows of a log meet a claim, in distinct inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tested {
    /// Violated, as it was said.
    pub(crate) violated_as_said: u64,
    /// Violated, although it was said to hold there.
    pub(crate) violated_elsewhere: u64,
    /// Held, although it was said to be violated there.
    pub(crate) held_elsewhere: u64,
    /// Whether any input holds where it was said to.
    pub(crate) is_held_as_said: bool,
    /// The simplest row that is violated and should not be.
    pub(crate) violated_witness: Option<Row>,
    /// The simplest row that holds and should not.
    pub(crate) held_witness: Option<Row>,
    /// Why the claim says nothing about some row.
    pub(crate) fault: Option<String>,
}

impl Claim {
    /// Whether a row is said to be violated.
    pub(crate) fn is_violated(&self, row: &Row) -> Result<bool, String> {
        match &self.says {
            Says::Never => Ok(false),
            Says::Always => Ok(true),
            Says::ViolatedWhen(condition) => condition.test(row).map_err(|fault| fault.to_string()),
            Says::HeldWhen(condition) => condition.test(row).map(|is_met| !is_met).map_err(|fault| fault.to_string()),
        }
    }
}

/// Holds claims against all rows that were held or violated.
pub(crate) fn test(campaign: &Campaign, cleaned: &Cleaned, claims: &[Claim]) -> Vec<Tested> {
    let tests: Vec<Test> = claims.iter().map(|_| Test::default()).collect();
    let visit = |row: &Row, identity: u64| {
        for (claim, test) in claims.iter().zip(&tests) {
            if let Some(is_violated) = row.is_violated(claim.cell) {
                test.add(row, identity, is_violated, claim.is_violated(row));
            }
        }
    };
    if !claims.is_empty() {
        cleaned.for_each_sound_row(campaign, visit);
    }
    let counts = |claim: &Claim| cleaned.cells.get(claim.cell).map(|cell| cell.distinct.counts).unwrap_or_default();
    tests.into_iter().zip(claims).map(|(test, claim)| test.end(&claim.says, counts(claim))).collect()
}

/// A claim that is being tested, by many threads at once.
#[derive(Default)]
struct Test {
    is_held_as_said: AtomicBool,
    contradicted: Mutex<Contradicted>,
}

/// What speaks against a claim.
#[derive(Default)]
struct Contradicted {
    violated: Exceptions,
    held: Exceptions,
    fault: Option<String>,
}

/// Rows that can be run again come first, and then the easiest to understand.
type Key = (bool, usize, String, Vec<u8>, u64);

/// Rows that contradict a claim.
#[derive(Default)]
struct Exceptions {
    inputs: Distinct,
    /// The simplest, with what it is chosen by: as rows come in any order, equals must not depend on it.
    simplest: Option<(Key, Row)>,
}

impl Exceptions {
    fn add(&mut self, row: &Row, identity: u64) {
        self.inputs.add(identity, row.weight);
        let values = row.fields.iter().chain(&row.parameters).map(ToString::to_string);
        let text = values.collect::<Vec<_>>().join(", ");
        let key = (!row.has_bytes(), text.len(), text, row.bytes.clone(), row.id);
        if self.simplest.as_ref().is_none_or(|(known, _)| key < *known) {
            self.simplest = Some((key, row.clone()));
        }
    }
}

impl Contradicted {
    /// Adds a row of which something else was said, or nothing.
    fn add(&mut self, row: &Row, identity: u64, is_violated: bool, said: Result<bool, String>) {
        match said {
            Ok(_) if is_violated => self.violated.add(row, identity),
            Ok(_) => self.held.add(row, identity),
            Err(fault) => {
                let is_first = self.fault.as_ref().is_none_or(|known| fault < *known);
                self.fault = if is_first { Some(fault) } else { self.fault.take() };
            }
        }
    }
}

impl Test {
    /// Most rows are as said, and wait for no other thread.
    fn add(&self, row: &Row, identity: u64, is_violated: bool, said: Result<bool, String>) {
        if said != Ok(is_violated) {
            let mut contradicted = self.contradicted.lock().unwrap_or_else(PoisonError::into_inner);
            contradicted.add(row, identity, is_violated, said);
        } else if !is_violated {
            self.is_held_as_said.store(true, Ordering::Relaxed);
        }
    }

    /// Many exceptions are estimated, but of what should never be the log's own count is exact.
    fn end(self, says: &Says, counts: Counts) -> Tested {
        let against = self.contradicted.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (violated, held) = (counts.of(Verdict::Violated), counts.of(Verdict::Held));
        let is_known = against.fault.is_none();
        let violated_elsewhere = match says {
            Says::Never if is_known => violated,
            _ => against.violated.inputs.stands_for().min(violated),
        };
        Tested {
            violated_as_said: violated - violated_elsewhere,
            violated_elsewhere,
            held_elsewhere: match says {
                Says::Always if is_known => held,
                _ => against.held.inputs.stands_for().min(held),
            },
            is_held_as_said: self.is_held_as_said.into_inner(),
            violated_witness: against.violated.simplest.map(|(_, row)| row),
            held_witness: against.held.simplest.map(|(_, row)| row),
            fault: against.fault,
        }
    }
}
