//! How good answers are.

use super::record::Answer;

/// Answers about cells whose truth is known.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Bugs that were called so, bugs that were not, and so on.
    pub true_alarms: u64,
    pub missed: u64,
    pub false_alarms: u64,
    pub true_rests: u64,
    /// Abstentions, by truth.
    pub open_bugs: u64,
    pub open_others: u64,
    squares: f64,
}

impl Score {
    /// Adds an answer, how sure it was of a bug, and whether it is one.
    pub fn add(&mut self, (answer, sure): (Answer, f64), is_bug: bool) {
        *match (answer, is_bug) {
            (Answer::Bug, true) => &mut self.true_alarms,
            (Answer::Bug, false) => &mut self.false_alarms,
            (Answer::NotABug, true) => &mut self.missed,
            (Answer::NotABug, false) => &mut self.true_rests,
            (Answer::Open, true) => &mut self.open_bugs,
            (Answer::Open, false) => &mut self.open_others,
        } += 1;
        self.squares += (sure - f64::from(u8::from(is_bug))).powi(2);
    }

    /// The score of many.
    pub fn of(answers: impl IntoIterator<Item = ((Answer, f64), bool)>) -> Self {
        let mut score = Self::default();
        answers.into_iter().for_each(|(answer, is_bug)| score.add(answer, is_bug));
        score
    }

    pub fn answered(&self) -> u64 {
        self.true_alarms + self.missed + self.false_alarms + self.true_rests
    }

    pub fn cells(&self) -> u64 {
        self.answered() + self.open_bugs + self.open_others
    }

    /// Of those answered; nothing where a share is of nothing.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        Some(f64::midpoint(self.recall()?, 1.0 - self.false_alarm_rate()?))
    }

    pub fn precision(&self) -> Option<f64> {
        share(self.true_alarms, self.true_alarms + self.false_alarms)
    }

    /// Of the bugs that were answered.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_alarms, self.true_alarms + self.missed)
    }

    /// Of all bugs, abstentions included.
    pub fn found(&self) -> Option<f64> {
        share(self.true_alarms, self.true_alarms + self.missed + self.open_bugs)
    }

    /// Of those that are no bugs and were answered.
    pub fn false_alarm_rate(&self) -> Option<f64> {
        share(self.false_alarms, self.false_alarms + self.true_rests)
    }

    /// The mean square of how far it was from the truth; an abstention is half sure.
    pub fn brier(&self) -> Option<f64> {
        (self.cells() > 0).then(|| self.squares / self.cells() as f64)
    }
}

/// A share, or nothing of nothing.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
