//! What the tests of one mutant noticed: lines of JSON, one for each part, so that a process that is killed in one part
//! has told of those before.

use super::Noticed;
use serde::{Deserialize, Serialize};

/// One part of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    /// What the set of inputs at this position notices.
    Inputs(usize, Noticed),
    /// These tests begin: if nothing is told of their end, they did not come to it.
    Begin(Tests),
    /// These tests ended, and so many there were.
    End(Tests, Ended, usize),
}

/// Tests that cargo runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Tests {
    /// Those that `bugornot generate` has written.
    Generated,
    /// Those of the crate itself.
    Own,
}

/// How tests ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ended {
    Passed,
    Failed,
    /// They took too long, or were killed.
    TimedOut,
}

/// All that was noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// By the positions of the sets; nothing where the process did not come to one.
    pub(crate) inputs: Vec<Option<Noticed>>,
    generated: Option<(Ended, usize)>,
    own: Option<(Ended, usize)>,
}

impl Part {
    /// A line of the record.
    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl Record {
    /// Reads a record of so many sets; a line that was cut short is no part.
    pub(crate) fn parse(text: &str, sets: usize) -> Self {
        let mut record = Self { inputs: vec![None; sets], ..Self::default() };
        for part in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            match part {
                Part::Inputs(set, noticed) => record.inputs.get_mut(set).iter_mut().for_each(|place| {
                    **place = Some(noticed.clone());
                }),
                Part::Begin(tests) => *record.place(tests) = Some((Ended::TimedOut, 0)),
                Part::End(tests, ended, count) => *record.place(tests) = Some((ended, count)),
            }
        }
        record
    }

    fn place(&mut self, tests: Tests) -> &mut Option<(Ended, usize)> {
        match tests {
            Tests::Generated => &mut self.generated,
            Tests::Own => &mut self.own,
        }
    }

    /// How these tests ended, and how many they are; nothing if they were not run.
    pub(crate) fn tests(&self, tests: Tests) -> Option<(Ended, usize)> {
        match tests {
            Tests::Generated => self.generated,
            Tests::Own => self.own,
        }
    }

    /// Whether these tests notice the mutant; nothing if they were not run.
    pub(crate) fn is_killed_by(&self, tests: Tests) -> Option<bool> {
        self.tests(tests).map(|(ended, _)| ended != Ended::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_tests_that_did_not_end_were_killed() {
        let noticed = Noticed { cells: [2].into(), crash: true, beside: None };
        let parts = [
            Part::Inputs(1, noticed.clone()),
            Part::Inputs(7, Noticed::default()),
            Part::Begin(Tests::Generated),
            Part::End(Tests::Generated, Ended::Passed, 3),
            Part::Begin(Tests::Own),
        ];
        let text: String = parts.iter().map(Part::line).collect();
        let record = Record::parse(&(text + "{\"Inputs\":[0,{\"ce"), 2);
        assert_eq!(record.inputs, [None, Some(noticed)]);
        assert_eq!(record.is_killed_by(Tests::Generated), Some(false));
        assert_eq!(record.tests(Tests::Own), Some((Ended::TimedOut, 0)));
        assert_eq!(Record::parse("", 0).is_killed_by(Tests::Own), None);
    }
}
