//! The inputs that a log holds: the shortest bytes of each, where they are known.

use super::obligation::Obligation;
use crate::{
    Verdict,
    clean::{Campaign, Cleaned, for_each_row},
    log::{Header, Row, identity_of},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
};

/// How many inputs of one death are tried.
const DEATHS_ALIKE: usize = 2;
/// How many different deaths are told apart.
const DEATHS: usize = 64;

/// Whether conditions over the rows of one build mean the same for the rows of another.
pub(crate) fn is_about(log: &Header, target: &Header) -> bool {
    (&log.suite, &log.constants, &log.parameters, &log.features)
        == (&target.suite, &target.constants, &target.parameters, &target.features)
        && log.build.type_fingerprint == target.build.type_fingerprint
}

/// The bytes of the working set's inputs: the shortest that decode to each, in an order that only they decide. Of inputs
/// that ended their process, which take long to judge again, only a few that differ.
pub(crate) fn candidates(campaign: &Campaign, cleaned: &Cleaned) -> Vec<Vec<u8>> {
    let is_wanted = |identity: &u64| !cleaned.is_inconsistent(*identity);
    let wanted = cleaned.working.iter().map(identity_of).filter(is_wanted);
    let found = Found { best: wanted.map(|identity| (identity, None)).collect(), deaths: BTreeMap::new() };
    let found = Mutex::new(found);
    for_each_row(campaign, |row, identity| {
        if row.has_bytes() {
            found.lock().unwrap_or_else(PoisonError::into_inner).add(row, identity);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_inputs()
}

/// Where a process was, and the verdicts it had reached.
type DeathKind = (u32, Vec<Option<Verdict>>);

/// The inputs found so far.
struct Found {
    /// The shortest bytes of each wanted input.
    best: HashMap<u64, Option<Vec<u8>>>,
    /// The smallest inputs of every death.
    deaths: BTreeMap<DeathKind, BTreeSet<(usize, Vec<u8>)>>,
}

impl Found {
    fn add(&mut self, row: &Row, identity: u64) {
        if let Some(death) = &row.death {
            let alike = self.deaths.entry((death.stage.number(), row.verdicts.to_vec())).or_default();
            alike.insert((row.bytes.len(), row.bytes.clone()));
            if alike.len() > DEATHS_ALIKE {
                alike.pop_last();
            }
            if self.deaths.len() > DEATHS {
                self.deaths.pop_last();
            }
        } else if let Some(best) = self.best.get_mut(&identity)
            && best.as_ref().is_none_or(|best| size(&row.bytes) < size(best))
        {
            *best = Some(row.bytes.clone());
        }
    }

    fn into_inputs(self) -> Vec<Vec<u8>> {
        let deaths = self.deaths.into_values().flatten().map(|(_, bytes)| bytes);
        let mut inputs: Vec<Vec<u8>> = self.best.into_values().flatten().chain(deaths).collect();
        inputs.sort_by(|one, other| size(one).cmp(&size(other)));
        inputs.dedup();
        inputs
    }
}

/// Which of two inputs is smaller: the shorter one, then the one with smaller bytes.
pub(super) fn size(bytes: &[u8]) -> (usize, &[u8]) {
    (bytes.len(), bytes)
}

/// The verdicts that the log has seen and that nothing in the corpus shows.
pub(crate) fn not_reproduced(cleaned: &Cleaned, met: &BTreeSet<Obligation>) -> Vec<String> {
    let mut missing = Vec::new();
    for (index, counts) in cleaned.cells.iter().enumerate() {
        let cell = cleaned.header.cell_name(index);
        for verdict in Verdict::ALL.into_iter().filter(|&verdict| counts.distinct.counts.of(verdict) > 0) {
            let obligation = Obligation::Verdict { cell: cell.clone(), verdict };
            if !met.contains(&obligation) {
                missing.push(obligation.to_string());
            }
        }
    }
    missing
}
