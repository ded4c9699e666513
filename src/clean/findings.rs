//! What single rows tell beside their verdicts: deaths, panics, failed soundness checks.

use super::among_smallest;
use crate::{
    Verdict,
    log::{Detail, Header, Outcome, PanicInfo, Row, Soundness, SoundnessKind, Stage},
    terminal::shorten,
};
use std::collections::BTreeMap;

/// How many different deaths are told apart; more would only fill the memory.
const MAX_DEATHS: usize = 1000;
/// How many places of panics are told apart.
pub(crate) const MAX_PLACES: usize = 64;

/// How much of an input or an outcome is kept.
const MAX_TEXT: usize = 400;

/// What the rows of a campaign showed.
#[derive(Debug, Default)]
pub struct Findings {
    /// Rows of executions that ended their process.
    pub deaths: u64,
    /// How often each different death was seen, and the fields; the first in their order where there are too many.
    pub different_deaths: BTreeMap<DeathKey, (u64, String)>,
    /// One panic of each cell, with the identity of its input: the smallest.
    pub panics: BTreeMap<usize, (u64, PanicInfo)>,
    /// Where each function panics, and how often.
    pub places: BTreeMap<usize, BTreeMap<String, u64>>,
    /// Panics of the harness by cell, as far as rows tell what panicked.
    pub harness: BTreeMap<usize, HarnessPanics>,
    /// Failed soundness checks by function; true if the function is nondeterministic.
    pub unsound: BTreeMap<(usize, bool), FailedChecks>,
}

/// Soundness checks of one function that failed for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedChecks {
    /// How many.
    pub count: u64,
    /// One of them: the identity of its input, which is the smallest, the input, and its two outcomes.
    pub example: Option<(u64, String, [String; 2])>,
}

/// How often the harness of a cell panicked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HarnessPanics {
    /// A transformation or a precondition: before the function was given a follow-up.
    pub before: u64,
    /// Where these were, and how often.
    pub places: BTreeMap<String, u64>,
    /// A judgement, of outputs that the function gave.
    pub judgement: u64,
}

/// What makes two deaths the same: where the process was, and the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeathKey {
    /// The cells that were being checked.
    pub cells: Vec<usize>,
    /// In words, where the check was.
    pub stage: &'static str,
    /// The raw bytes, as many as are known.
    pub bytes: Vec<u8>,
    /// How many bytes the input had.
    pub length: u64,
}

impl Findings {
    pub(super) fn row(&mut self, row: &Row, identity: u64, header: &Header) {
        if let Some(death) = &row.death {
            self.death(row, death.stage, death.length);
        }
        if let Some(detail) = &row.detail {
            self.panics(row, detail, identity, header);
            let is_known = |unsound: &&Soundness| usize::from(unsound.function) < header.functions.len();
            for unsound in detail.unsound.iter().filter(is_known) {
                let key = (usize::from(unsound.function), unsound.kind == SoundnessKind::Nondeterministic);
                self.unsound.entry(key).or_default().add(1, identity, || {
                    let text = |outcome: &Outcome| shorten(&outcome.to_string(), MAX_TEXT);
                    (shorten(&row.input_text(header), MAX_TEXT), [text(&unsound.first), text(&unsound.second)])
                });
            }
        }
    }

    fn death(&mut self, row: &Row, stage: Stage, length: u64) {
        self.deaths += 1;
        let is_dead = |(cell, verdict): (usize, &Option<Verdict>)| (*verdict == Some(Verdict::Died)).then_some(cell);
        let cells = row.verdicts.iter().enumerate().filter_map(is_dead).collect();
        let key = DeathKey { cells, stage: words(stage), bytes: row.bytes.clone(), length };
        let fields: Vec<String> =
            row.names.iter().zip(&row.fields).map(|(name, value)| format!("{name} = {value}")).collect();
        self.add_death(key, 1, fields.join(", "));
    }

    fn add_death(&mut self, key: DeathKey, count: u64, fields: String) {
        let Some(told) = among_smallest(&mut self.different_deaths, MAX_DEATHS, key, Default::default) else { return };
        told.0 += count;
        // One process may have decoded the input again, and another may not.
        if told.1.is_empty() || (!fields.is_empty() && fields < told.1) {
            told.1 = fields;
        }
    }

    fn panics(&mut self, row: &Row, detail: &Detail, identity: u64, header: &Header) {
        for (cell, verdict) in row.verdicts.iter().enumerate() {
            let function = header.cells.get(cell).map_or(usize::MAX, |cell| usize::from(cell.0));
            let of_cell = || detail.cells.get(cell);
            let told = match verdict {
                Some(Verdict::SourcePanicked) => detail.sources.get(function).and_then(panic_of),
                Some(Verdict::FollowUpPanicked) => of_cell().and_then(|cell| cell.outcomes.iter().find_map(panic_of)),
                Some(Verdict::TransformPanicked) => of_cell().and_then(|cell| cell.harness.as_ref()),
                _ => None,
            };
            let Some(told) = told else { continue };
            self.add_panic(cell, identity, told);
            if *verdict != Some(Verdict::TransformPanicked) {
                add_place(self.places.entry(function).or_default(), told.location.clone(), 1);
                continue;
            }
            let known = self.harness.entry(cell).or_default();
            let outcomes = of_cell().map_or(&[][..], |cell| &cell.outcomes);
            if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Output(_))) {
                known.judgement += 1;
            } else {
                known.before += 1;
                add_place(&mut known.places, told.location.clone(), 1);
            }
        }
    }

    fn add_panic(&mut self, cell: usize, identity: u64, told: &PanicInfo) {
        let key = |identity: u64, told: &PanicInfo| (identity, told.location.clone(), told.message.clone());
        let known = self.panics.get(&cell);
        if known.is_none_or(|(known, panic)| key(identity, told) < key(*known, panic)) {
            self.panics.insert(cell, (identity, told.clone()));
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.deaths += other.deaths;
        for (key, (count, fields)) in other.different_deaths {
            self.add_death(key, count, fields);
        }
        for (cell, (identity, panic)) in &other.panics {
            self.add_panic(*cell, *identity, panic);
        }
        for (cell, panics) in other.harness {
            let known = self.harness.entry(cell).or_default();
            known.before += panics.before;
            known.judgement += panics.judgement;
            panics.places.into_iter().for_each(|(place, count)| add_place(&mut known.places, place, count));
        }
        for (function, places) in other.places {
            let known = self.places.entry(function).or_default();
            places.into_iter().for_each(|(place, count)| add_place(known, place, count));
        }
        for (key, FailedChecks { count, example }) in other.unsound {
            let known = self.unsound.entry(key).or_default();
            match example {
                Some((identity, input, outcomes)) => known.add(count, identity, || (input, outcomes)),
                None => known.count += count,
            }
        }
    }
}

impl FailedChecks {
    /// More of them, and one of these; its words are asked for where they are wanted.
    fn add(&mut self, count: u64, identity: u64, words: impl FnOnce() -> (String, [String; 2])) {
        self.count += count;
        if self.example.as_ref().is_some_and(|(known, ..)| *known < identity) {
            return;
        }
        let (input, outcomes) = words();
        let found = (identity, input, outcomes);
        if self.example.as_ref().is_none_or(|known| found < *known) {
            self.example = Some(found);
        }
    }
}

fn add_place(places: &mut BTreeMap<String, u64>, place: String, count: u64) {
    if let Some(known) = among_smallest(places, MAX_PLACES, place, || 0) {
        *known += count;
    }
}

fn panic_of(outcome: &Outcome) -> Option<&PanicInfo> {
    match outcome {
        Outcome::Panicked(info) => Some(info),
        Outcome::Output(_) | Outcome::Unknown => None,
    }
}

/// Where a check was, in words.
pub(crate) fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Decode => "while the input was decoded",
        Stage::Source(_) => "while the source input ran",
        Stage::Transform(_) => "in the transformation",
        Stage::FollowUp(_) => "while a follow-up input ran",
        Stage::Judge(_) => "while the outputs were judged",
        Stage::Soundness(_) => "in a soundness check",
        Stage::Commit => "after all verdicts were reached",
    }
}
