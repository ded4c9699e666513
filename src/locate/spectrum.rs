//! What each check runs, as items, and how many failed and held checks have each.

use crate::{
    Verdict,
    engine::calls::{Distance, Run},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Held,
    Violated,
    /// The function panicked.
    Panicked,
}

impl End {
    /// The end of a check with this verdict, if its calls can tell anything.
    pub(crate) fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Held => Some(Self::Held),
            Verdict::Violated => Some(Self::Violated),
            Verdict::SourcePanicked | Verdict::FollowUpPanicked => Some(Self::Panicked),
            _ => None,
        }
    }
}

/// A check that was run again: the source's run first, then the follow-ups'.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) end: End,
    pub(crate) runs: Vec<Run>,
}

/// Something that can happen in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Event {
    /// A block runs.
    Block(u32),
    /// A block is left for another one, of several that may follow.
    Step(u32, u32),
    /// A block of other code runs, called from an address of ours.
    Called(u32, u64),
    /// Integers this far apart are compared at an address.
    Compared(u64, Distance),
}

/// What happens at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum What {
    /// It runs.
    Runs,
    /// It decides what runs next.
    Decides,
    /// It calls other code, which runs something.
    Calls,
    /// It compares integers that are equal, or neighbours.
    Compares,
}

impl Event {
    pub(super) fn what(self) -> What {
        match self {
            Self::Block(_) => What::Runs,
            Self::Step(..) => What::Decides,
            Self::Called(..) => What::Calls,
            Self::Compared(..) => What::Compares,
        }
    }
}

/// In which runs of a check something happens; of parts that tell as much, the first is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    Either,
    Both,
    Source,
    FollowUp,
    /// In some runs and not in all.
    JustOne,
    /// Not as often in all runs.
    Unequal,
}

/// How many failed and held checks there are.
pub(super) type Counts = (u64, u64);

/// How many failed and held checks show each event in each part.
pub(super) struct Spectrum {
    pub(super) all: Counts,
    pub(super) counts: BTreeMap<(Event, Part), Counts>,
}

impl Spectrum {
    pub(super) fn of(checks: &[&Check]) -> Self {
        let branches = branches(checks);
        let mut spectrum = Self { all: (0, 0), counts: BTreeMap::new() };
        for check in checks {
            add(&mut spectrum.all, check.end);
            for item in items(check, &branches) {
                add(spectrum.counts.entry(item).or_default(), check.end);
            }
        }
        spectrum
    }
}

fn add(counts: &mut Counts, end: End) {
    match end {
        End::Held => counts.1 += 1,
        End::Violated | End::Panicked => counts.0 += 1,
    }
}

/// The blocks that more than one other was seen to follow.
fn branches(checks: &[&Check]) -> BTreeSet<u32> {
    let steps = || checks.iter().flat_map(|check| &check.runs).flat_map(|run| &run.steps);
    let mut followed: HashMap<u32, u32> = HashMap::new();
    steps().filter(|&&(from, to)| *followed.entry(from).or_insert(to) != to).map(|&(from, _)| from).collect()
}

fn items(check: &Check, branches: &BTreeSet<u32>) -> BTreeSet<(Event, Part)> {
    // How often each event happens in each run.
    let mut seen: BTreeMap<Event, Vec<u32>> = BTreeMap::new();
    for (run, what) in check.runs.iter().enumerate() {
        for (event, count) in events(what, branches) {
            seen.entry(event).or_insert_with(|| vec![0; check.runs.len()])[run] = count;
        }
    }
    seen.into_iter().flat_map(|(event, counts)| parts(&counts).into_iter().map(move |part| (event, part))).collect()
}

fn events<'run>(run: &'run Run, branches: &'run BTreeSet<u32>) -> impl Iterator<Item = (Event, u32)> + 'run {
    let blocks = run.blocks.iter().map(|&(block, count)| (Event::Block(block), count));
    let steps = run.steps.iter().filter(|(from, _)| branches.contains(from));
    let steps = steps.map(|&(from, to)| (Event::Step(from, to), 1));
    let called = run.called.iter().map(|&(block, address)| (Event::Called(block, address), 1));
    // Only near a boundary do values tell more than the branch that is taken.
    let compared = run.compared.iter().filter(|(_, distance)| distance.abs() <= 1);
    let compared = compared.map(|&(address, distance)| (Event::Compared(address, distance), 1));
    blocks.chain(steps).chain(called).chain(compared)
}

/// The parts of a check that an event happens in, by how often it does in each run.
fn parts(counts: &[u32]) -> Vec<Part> {
    let Some((&source, follow_ups)) = counts.split_first() else { return Vec::new() };
    let is_in_all = counts.iter().all(|&count| count > 0);
    let parts = [
        (Part::Either, true),
        (Part::Both, is_in_all),
        (Part::Source, source > 0),
        (Part::FollowUp, follow_ups.iter().any(|&count| count > 0)),
        (Part::JustOne, !is_in_all),
        (Part::Unequal, follow_ups.iter().any(|&count| count != source)),
    ];
    parts.into_iter().filter(|(_, is_so)| *is_so).map(|(part, _)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_told_apart_by_the_runs_it_happens_in() {
        assert_eq!(parts(&[2, 0]), [Part::Either, Part::Source, Part::JustOne, Part::Unequal]);
        assert_eq!(parts(&[0, 1]), [Part::Either, Part::FollowUp, Part::JustOne, Part::Unequal]);
        assert_eq!(parts(&[1, 1, 1]), [Part::Either, Part::Both, Part::Source, Part::FollowUp]);
        assert_eq!(parts(&[1, 3]), [Part::Either, Part::Both, Part::Source, Part::FollowUp, Part::Unequal]);
        assert_eq!(parts(&[]), []);
    }

    #[test]
    fn a_step_counts_only_where_there_is_a_choice() {
        let run = |steps: &[(u32, u32)]| Run { steps: steps.to_vec(), ..Run::default() };
        let check = |end, steps: &[(u32, u32)]| Check { end, runs: vec![run(steps), run(steps)] };
        let (violated, held) = (check(End::Violated, &[(0, 1), (1, 2)]), check(End::Held, &[(0, 3), (1, 2)]));
        let spectrum = Spectrum::of(&[&violated, &held]);
        assert_eq!(spectrum.all, (1, 1));
        assert_eq!(spectrum.counts[&(Event::Step(0, 1), Part::Both)], (1, 0));
        assert_eq!(spectrum.counts[&(Event::Step(0, 3), Part::Both)], (0, 1));
        assert!(!spectrum.counts.contains_key(&(Event::Step(1, 2), Part::Both)));
    }
}
