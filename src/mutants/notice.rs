//! One set of inputs, judged by a mutant: which cells have other verdicts than without it.

use crate::{Verdict, log::Row, replay::Answer, replay::value_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An input, and what it shows without a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Expected {
    pub(crate) bytes: Vec<u8>,
    /// The identity of the decoded input.
    value: String,
    /// The number of each cell's verdict; none where it is not the same every time.
    verdicts: Vec<Option<u8>>,
}

/// What a set of inputs notices of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noticed {
    /// The cells with another verdict than without the mutant, on any input.
    pub(crate) cells: BTreeSet<usize>,
    /// Whether an input without a violation has one now: all that a target sees which panics at violations.
    pub(crate) crash: bool,
    /// What else shows it: inputs that decode differently, or a target that does not run.
    pub(crate) beside: Option<String>,
}

/// Whether a target that panics at violations panics.
fn is_bad(verdict: Verdict) -> bool {
    verdict == Verdict::Violated || verdict == Verdict::Died || verdict.is_panic()
}

impl Expected {
    /// What an input shows, asked twice; nothing if it is rejected or ends its process.
    pub(crate) fn new(bytes: &[u8], first: &Answer, second: &Answer) -> Option<Self> {
        let (Answer::Judged(first), Answer::Judged(second)) = (first, second) else { return None };
        if first.death.is_some() || second.death.is_some() || value_of(first) != value_of(second) {
            return None;
        }
        let pairs = first.verdicts.iter().zip(second.verdicts.iter());
        let steady = |(first, second): (&Option<Verdict>, &Option<Verdict>)| {
            first.filter(|_| first == second).map(|verdict| verdict as u8)
        };
        Some(Self { bytes: bytes.to_vec(), value: value_of(first), verdicts: pairs.map(steady).collect() })
    }

    fn verdict(&self, cell: usize) -> Option<Verdict> {
        self.verdicts.get(cell).copied().flatten().and_then(Verdict::from_number)
    }

    fn is_clean(&self) -> bool {
        !(0..self.verdicts.len()).filter_map(|cell| self.verdict(cell)).any(is_bad)
    }
}

impl Noticed {
    /// Holds one answer against what is expected. `cells` has the position in the row of each cell, if it is there.
    pub(crate) fn add(&mut self, expected: &Expected, answer: &Answer, cells: &[Option<usize>]) {
        let row = match answer {
            Answer::Judged(row) => row,
            Answer::Rejected => return self.say("an input is rejected"),
        };
        // A process that died tells no values.
        if row.death.is_none() && value_of(row) != expected.value {
            self.say("an input decodes differently");
        }
        self.crash |= expected.is_clean() && row.verdicts.iter().flatten().any(|&verdict| is_bad(verdict));
        let changed = (0..cells.len()).filter(|&cell| is_changed(expected, row, cell, cells[cell]));
        self.cells.extend(changed);
    }

    /// Notes what is not about a cell.
    pub(crate) fn say(&mut self, what: &str) {
        self.beside.get_or_insert_with(|| what.to_owned());
    }

    /// Whether anything shows the mutant.
    pub(crate) fn is_killed(&self) -> bool {
        !self.cells.is_empty() || self.beside.is_some()
    }
}

fn is_changed(expected: &Expected, row: &Row, cell: usize, position: Option<usize>) -> bool {
    let now = position.and_then(|position| row.verdicts.get(position).copied().flatten());
    match (expected.verdict(cell), now) {
        (Some(before), Some(now)) => before != now,
        // Cells that a dying process did not come to are no news.
        (Some(_), None) => row.death.is_none(),
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Death, Phase, Stage, Value};
    use Verdict::{Died, Held, SourcePanicked, Violated};

    fn row(verdicts: &[Option<Verdict>], is_dead: bool) -> Row {
        Row {
            id: 0,
            phase: Phase::Replay,
            bytes: vec![1],
            names: ["a".into()].into(),
            fields: vec![Value::of_integer(5)],
            parameters: Vec::new(),
            features: Vec::new(),
            verdicts: verdicts.into(),
            weight: 1,
            detail: None,
            death: is_dead.then_some(Death { stage: Stage::Source(0), length: 1 }),
        }
    }

    fn answer(verdicts: &[Option<Verdict>]) -> Answer {
        Answer::Judged(Box::new(row(verdicts, false)))
    }

    fn expected(verdicts: &[Option<Verdict>]) -> Expected {
        Expected::new(&[1], &answer(verdicts), &answer(verdicts)).unwrap()
    }

    fn noticed(expected: &Expected, answer: &Answer, cells: &[Option<usize>]) -> Noticed {
        let mut noticed = Noticed::default();
        noticed.add(expected, answer, cells);
        noticed
    }

    #[test]
    fn a_cell_with_another_verdict_kills_and_one_without_does_not() {
        let before = expected(&[Some(Held), Some(Violated), Some(Held)]);
        let cells = [Some(0), Some(1), Some(2)];
        assert!(!noticed(&before, &answer(&[Some(Held), Some(Violated), Some(Held)]), &cells).is_killed());
        let killed = noticed(&before, &answer(&[Some(Violated), Some(Held), Some(Held)]), &cells);
        assert_eq!(killed.cells, [0, 1].into());
        // It had a violation before, so a target that panics at violations panicked before too.
        assert!(!killed.crash);
        let clean = expected(&[Some(Held), None]);
        assert!(noticed(&clean, &answer(&[Some(SourcePanicked), Some(Held)]), &[Some(0), Some(1)]).crash);
    }

    #[test]
    fn a_death_kills_by_the_cells_that_it_ends_and_not_by_those_it_kept_from_being_reached() {
        let dead = Answer::Judged(Box::new(row(&[Some(Died), None], true)));
        let before = expected(&[Some(Held), Some(Held)]);
        assert_eq!(noticed(&before, &dead, &[Some(0), Some(1)]).cells, [0].into());
    }

    #[test]
    fn a_cell_that_is_gone_or_not_steady_is_told_from_one_that_changed() {
        let unsteady = Expected::new(&[1], &answer(&[Some(Held)]), &answer(&[Some(Violated)])).unwrap();
        assert!(!noticed(&unsteady, &answer(&[Some(Violated)]), &[Some(0)]).is_killed());
        assert_eq!(noticed(&expected(&[Some(Held)]), &answer(&[]), &[None]).cells, [0].into());
        assert!(noticed(&expected(&[Some(Held)]), &Answer::Rejected, &[Some(0)]).beside.is_some());
        assert_eq!(Expected::new(&[1], &answer(&[Some(Held)]), &Answer::Rejected), None);
    }
}
