//! The queue of cells to decide, and what a key does.

use super::{condition, is_explained, proposal};
use crate::{
    decision::{Answer, Choice, Numbers},
    hint::Hint,
    report::Report,
};

/// A cell to decide.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) cell: usize,
    /// What its hint comes to.
    pub(crate) proposal: Option<Choice>,
    hint: Hint,
    /// The condition it can be decided under: mined, or edited.
    pub(crate) condition: Option<String>,
    pub(crate) is_edited: bool,
    /// Whether a capital includes it.
    pub(crate) is_explained: bool,
    /// Whether something in it is violated or panics.
    is_bad: bool,
    is_settled: bool,
}

/// What has to be done after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Show the cell.
    Show,
    /// Make these decisions, and tell the flow how it went.
    Decide(Vec<Choice>),
    /// Let the tester edit this condition.
    Edit(String),
    /// Show other samples.
    Samples,
    /// Nothing is left, or the tester has had enough.
    End,
}

/// Which cell is decided now, and what is left.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    items: Vec<Item>,
    at: usize,
    /// What the last key came to, if it did not come to a decision.
    pub(crate) message: Option<String>,
}

impl Flow {
    /// The cells that nobody has decided about or whose decision no longer fits; with `all`, the others too.
    pub(crate) fn new(report: &Report, all: bool) -> Self {
        let mut cells: Vec<usize> = (0..report.cells.len()).filter(|&cell| all || is_pending(report, cell)).collect();
        cells.sort_by_key(|&cell| urgency(report, cell));
        let item = |cell: usize| Item {
            cell,
            proposal: proposal(report, cell),
            hint: report.cells[cell].hinted.hint,
            condition: condition(&report.cells[cell]),
            is_edited: false,
            is_explained: is_explained(report, cell),
            is_bad: Numbers::of(&report.cleaned, cell).is_bad(),
            is_settled: false,
        };
        Self { items: cells.into_iter().map(item).collect(), at: 0, message: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The cell to decide now.
    pub(crate) fn current(&self) -> Option<&Item> {
        self.items.get(self.at)
    }

    /// Its number, from 1.
    pub(crate) fn number(&self) -> usize {
        self.at + 1
    }

    /// What a key does.
    pub(crate) fn press(&mut self, key: char) -> Step {
        self.message = None;
        let Some(item) = self.current() else { return Step::End };
        match key {
            'a' | 'b' | 'n' | 'd' => match choice(item, key) {
                Ok(choice) => return Step::Decide(vec![choice]),
                Err(why) => self.message = Some(why.into()),
            },
            'A' | 'B' | 'N' | 'D' => {
                let choices = self.rest(key.to_ascii_lowercase());
                if choices.is_empty() {
                    self.message =
                        Some("no remaining cell is fully explained, so that this could be its answer".into());
                } else {
                    return Step::Decide(choices);
                }
            }
            'e' => return Step::Edit(item.condition.clone().unwrap_or_default()),
            'm' => return Step::Samples,
            's' => self.leave(),
            'S' | 'q' => return Step::End,
            _ => self.message = Some("that key does nothing here".into()),
        }
        if self.current().is_some() { Step::Show } else { Step::End }
    }

    /// The same answer for this cell and every remaining one that is fully explained.
    fn rest(&self, key: char) -> Vec<Choice> {
        let left = self.items[self.at..].iter().filter(|item| item.is_explained && !item.is_settled);
        left.filter_map(|item| choice(item, key).ok()).collect()
    }

    /// A decision has been made.
    pub(crate) fn decided(&mut self, cell: usize) {
        if let Some(item) = self.items.iter_mut().find(|item| item.cell == cell) {
            item.is_settled = true;
        }
        if self.current().is_some_and(|item| item.is_settled) {
            self.leave();
        }
    }

    /// A decision has been refused: its cell stays.
    pub(crate) fn refused(&mut self, why: String) {
        self.message = Some(why);
    }

    /// The condition has been edited.
    pub(crate) fn edited(&mut self, text: &str) {
        if let Some(item) = self.items.get_mut(self.at) {
            item.condition = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            item.is_edited = true;
        }
    }

    /// The condition that the cell can be decided under now.
    pub(crate) fn condition(&self) -> Option<&str> {
        self.current()?.condition.as_deref()
    }

    /// Goes to the next cell that is not settled.
    fn leave(&mut self) {
        self.at += 1;
        while self.current().is_some_and(|item| item.is_settled) {
            self.at += 1;
        }
    }
}

/// The answer that a key gives about a cell.
fn choice(item: &Item, key: char) -> Result<Choice, &'static str> {
    let bad = |answer| {
        let choice = Choice::new(item.cell, answer, None);
        if item.is_bad { Ok(choice) } else { Err("nothing is violated here: `a` accepts that it fits") }
    };
    match key {
        'a' => item.proposal.clone().ok_or(match item.hint {
            Hint::NotABug => "this hint has no exact condition to decide by: write one with `e`, then `n`",
            Hint::Nondeterministic | Hint::Harness => "no answer mends this: make the suite sound, and fuzz again",
            Hint::Regression => "this is no answer: `b` keeps it red until it is gone, `n` and `e` accept it",
            _ => "there is no hint to accept: choose `b`, `n`, `d`, or `e`",
        }),
        'b' => bad(Answer::Bug),
        'd' => bad(Answer::DoesNotApply),
        _ => match &item.condition {
            Some(when) => Ok(Choice::new(item.cell, Answer::NotABug, Some(when.clone()))),
            None => Err("there is no condition: `e` lets you write one"),
        },
    }
}

/// Whether a cell is to be decided.
pub(super) fn is_pending(report: &Report, index: usize) -> bool {
    let numbers = Numbers::of(&report.cleaned, index);
    let cell = &report.cells[index];
    if cell.decided.is_some() { cell.is_reopened() } else { numbers.judged > 0 || numbers.is_bad() }
}

/// Whether there are violations that nobody has decided about.
pub(crate) fn has_undecided(report: &Report) -> bool {
    (0..report.cells.len()).any(|cell| is_pending(report, cell) && Numbers::of(&report.cleaned, cell).is_bad())
}

/// What comes first: what contradicts a decision, then what is violated, then what is not.
fn urgency(report: &Report, index: usize) -> u8 {
    let cell = &report.cells[index];
    match &cell.decided {
        Some(decided) if decided.is_red() => 0,
        _ if cell.is_reopened() => 1,
        _ if Numbers::of(&report.cleaned, index).is_bad() => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells of these proposals and conditions; those with both are fully explained.
    fn flow(cells: &[(Option<Answer>, Option<&str>)]) -> Flow {
        let item = |(cell, (answer, when)): (usize, &(Option<Answer>, Option<&str>))| {
            let when = when.map(str::to_owned);
            let of_answer = |answer| Choice::new(cell, answer, when.clone().filter(|_| answer == Answer::NotABug));
            Item {
                cell,
                proposal: answer.map(of_answer),
                hint: Hint::NotABug,
                condition: when.clone(),
                is_edited: false,
                is_explained: answer.is_some(),
                is_bad: *answer != Some(Answer::Fits),
                is_settled: false,
            }
        };
        Flow { items: cells.iter().enumerate().map(item).collect(), at: 0, message: None }
    }

    fn cells(step: &Step) -> Vec<(usize, Answer)> {
        let Step::Decide(choices) = step else { panic!("{step:?}") };
        choices.iter().map(|choice| (choice.cell, choice.answer)).collect()
    }

    const NOT_A_BUG: (Option<Answer>, Option<&str>) = (Some(Answer::NotABug), Some("a < b"));
    const OPEN: (Option<Answer>, Option<&str>) = (None, None);
    const FITS: (Option<Answer>, Option<&str>) = (Some(Answer::Fits), None);

    #[test]
    fn small_keys_decide_the_cell_that_is_shown_and_go_on() {
        let mut flow = flow(&[NOT_A_BUG, OPEN, NOT_A_BUG]);
        assert_eq!(cells(&flow.press('a')), [(0, Answer::NotABug)]);
        assert_eq!(flow.number(), 1, "nothing is left before it is saved");
        flow.decided(0);
        assert_eq!(cells(&flow.press('b')), [(1, Answer::Bug)]);
        flow.refused("no".into());
        assert_eq!((flow.number(), flow.message.as_deref()), (2, Some("no")));
        assert_eq!(flow.press('s'), Step::Show);
        assert_eq!(flow.message, None);
        assert_eq!(cells(&flow.press('d')), [(2, Answer::DoesNotApply)]);
        flow.decided(2);
        assert!(flow.current().is_none());
        assert_eq!(flow.press('a'), Step::End);
    }

    #[test]
    fn capitals_decide_all_the_rest_that_is_fully_explained_and_leave_what_is_not() {
        let mut flow = flow(&[NOT_A_BUG, OPEN, NOT_A_BUG, FITS]);
        flow.press('s');
        let step = flow.press('A');
        assert_eq!(cells(&step), [(2, Answer::NotABug), (3, Answer::Fits)]);
        [2, 3].into_iter().for_each(|cell| flow.decided(cell));
        assert_eq!(flow.current().map(|item| item.cell), Some(1));
        assert_eq!(flow.press('A'), Step::Show);
        assert!(flow.message.is_some());
        assert_eq!(flow.press('S'), Step::End);
    }

    #[test]
    fn a_capital_gives_no_cell_an_answer_that_makes_no_sense_there() {
        let mut flow = flow(&[FITS, NOT_A_BUG, OPEN]);
        assert_eq!(cells(&flow.press('B')), [(1, Answer::Bug)]);
        assert_eq!(cells(&flow.press('N')), [(1, Answer::NotABug)]);
        assert_eq!(cells(&flow.press('D')), [(1, Answer::DoesNotApply)]);
    }

    #[test]
    fn without_a_hint_or_a_condition_the_keys_say_so_until_one_is_written() {
        let mut flow = flow(&[OPEN]);
        for (key, told) in [('a', "no exact condition"), ('n', "`e` lets you"), ('x', "does nothing")] {
            assert_eq!(flow.press(key), Step::Show);
            assert!(flow.message.as_ref().is_some_and(|message| message.contains(told)), "{key}");
        }
        assert_eq!(flow.press('e'), Step::Edit(String::new()));
        flow.edited(" a == 3 ");
        let Step::Decide(choices) = flow.press('n') else { panic!() };
        assert_eq!(choices[0].when.as_deref(), Some("a == 3"));
        assert_eq!(flow.press('m'), Step::Samples);
    }

    #[test]
    fn the_last_skip_ends_it() {
        let mut flow = flow(&[OPEN]);
        assert_eq!(flow.press('s'), Step::End);
    }
}
