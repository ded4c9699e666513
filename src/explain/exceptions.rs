//! The inputs of a whole log that something said of them is wrong about: counted, and a few kept, in memory that does not
//! grow with the log.

use crate::{
    clean::{Distinct, among_smallest},
    log::Row,
};
use std::collections::BTreeMap;

/// How many rows are kept.
const KEPT: usize = 256;

/// Inputs that something is wrong about; what is known of them does not depend on the order they come in.
#[derive(Default)]
pub(crate) struct Exceptions {
    /// Those that are, where it says they are not.
    pub(crate) missed: Distinct,
    /// Those that are not, where it says they are.
    pub(crate) false_alarms: Distinct,
    /// Some of both, by their identities.
    pub(crate) rows: BTreeMap<u64, Row>,
}

impl Exceptions {
    /// Adds an input that is what was asked, or is not.
    pub(crate) fn add(&mut self, row: &Row, identity: u64, is_so: bool) {
        (if is_so { &mut self.missed } else { &mut self.false_alarms }).add(identity, row.weight);
        among_smallest(&mut self.rows, KEPT, identity, || row.clone());
    }

    /// How many distinct inputs with rows there are.
    pub(crate) fn count(&self) -> u64 {
        self.missed.count() + self.false_alarms.count()
    }
}
