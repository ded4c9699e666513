//! Holds an answer against the log before it becomes a decision: what the rows contradict is refused.

use super::{Answer, Numbers, Test};
use crate::{
    Verdict,
    claim::{self, Claim, Says, Tested},
    clean::{Campaign, Cleaned},
    expression::Expression,
    log::Row,
    terminal::{escape, grouped, plural, shorten},
};
use std::fmt;

/// How much of an input is shown.
const INPUT: usize = 80;

/// An answer that is about to become a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) cell: usize,
    pub(crate) answer: Answer,
    pub(crate) when: Option<String>,
    pub(crate) test: Test,
}

impl Choice {
    /// An answer with its usual test.
    pub(crate) fn new(cell: usize, answer: Answer, when: Option<String>) -> Self {
        Self { cell, answer, when, test: answer.tests()[0] }
    }

    /// Why it makes no sense, whatever the log says.
    pub(crate) fn fault(&self) -> Option<String> {
        let word = self.answer.word();
        if !self.answer.tests().contains(&self.test) {
            return Some(format!("no `{}` test follows from `{word}`", self.test.word()));
        }
        (self.when.is_some() && self.answer != Answer::NotABug)
            .then(|| format!("a condition goes with `not-a-bug`, not `{word}`"))
    }
}

/// Why an answer is refused, in lines fit for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// Refuses an answer that makes no sense or that the rows contradict; `known` is what the log itself says. How many inputs
/// hold where they may be violated.
pub(crate) fn check(campaign: &Campaign, cleaned: &Cleaned, choice: &Choice, known: &str) -> Result<u64, Refusal> {
    let check = Check { cleaned, choice, known, numbers: Numbers::of(cleaned, choice.cell) };
    check.makes_sense()?;
    let says = match (choice.answer, &choice.when) {
        (Answer::NotABug, Some(when)) => Says::ViolatedWhen(check.expression(when)?),
        (Answer::Fits, _) => Says::Never,
        (Answer::DoesNotApply, _) if choice.test.has_negative() => Says::Always,
        _ => return Ok(0),
    };
    let claim = Claim { cell: choice.cell, says };
    let tested = claim::test(campaign, cleaned, &[claim]).pop().unwrap_or_default();
    check.agrees(&tested).map(|()| tested.held_elsewhere)
}

struct Check<'log> {
    cleaned: &'log Cleaned,
    choice: &'log Choice,
    known: &'log str,
    numbers: Numbers,
}

impl Check<'_> {
    fn refuse(&self, why: impl fmt::Display) -> Refusal {
        let cell = self.cleaned.header.cell_name(self.choice.cell);
        Refusal(format!("{} cannot be decided so: {why}", escape(&cell)))
    }

    fn makes_sense(&self) -> Result<(), Refusal> {
        let Choice { answer, when, .. } = self.choice;
        if let Some(fault) = self.choice.fault() {
            return Err(self.refuse(fault));
        }
        if *answer == Answer::NotABug && when.is_none() {
            let known = escape(self.known);
            return Err(
                self.refuse(format_args!("name a condition over the inputs with `--when \"..\"`\n  log    {known}"))
            );
        }
        let counts = self.cleaned.cells.get(self.choice.cell).map(|cell| cell.distinct.counts).unwrap_or_default();
        let is_odd = self.numbers.is_bad() || counts.of(Verdict::Incomparable) > 0;
        match answer {
            Answer::Bug if !is_odd => {
                let judged = plural(self.numbers.judged, "input");
                Err(self.refuse(format_args!("nothing is wrong with the {judged} that were judged")))
            }
            Answer::Fits if self.numbers.judged == 0 => Err(self.refuse("no input was judged")),
            _ => Ok(()),
        }
    }

    fn expression(&self, when: &str) -> Result<Expression, Refusal> {
        Expression::parse(when, &self.cleaned.header).map_err(|fault| self.unusable(when, &fault.to_string()))
    }

    /// Both conditions, for whoever has to choose.
    fn both(&self) -> String {
        let yours = match (&self.choice.when, self.choice.answer) {
            (Some(when), _) => format!("violated when {}", escape(when)),
            (None, Answer::Fits) => "never violated".into(),
            (None, _) => "always violated".into(),
        };
        format!("\n  yours  {yours}\n  log    {}", escape(self.known))
    }

    fn unusable(&self, when: &str, fault: &str) -> Refusal {
        self.refuse(format_args!("`{}` cannot be used: {}{}", escape(when), escape(fault), self.both()))
    }

    fn agrees(&self, tested: &Tested) -> Result<(), Refusal> {
        if let (Some(fault), Some(when)) = (&tested.fault, &self.choice.when) {
            return Err(self.unusable(when, fault));
        }
        let is_held_wrongly = tested.held_elsewhere > 0 && self.choice.test.has_negative();
        if tested.violated_elsewhere == 0 && !is_held_wrongly {
            return self.tests_something(tested);
        }
        let (violated, held) = (grouped(tested.violated_elsewhere), grouped(tested.held_elsewhere));
        let wrong = match self.choice.answer {
            Answer::NotABug => format!("{violated} violated outside the condition and {held} held inside"),
            Answer::Fits => format!("{violated} violated"),
            _ => format!("{held} held"),
        };
        let mut text = format!("of {} judged, {wrong}{}", plural(self.numbers.judged, "input"), self.both());
        let rows = [(Verdict::Violated, &tested.violated_witness), (Verdict::Held, &tested.held_witness)];
        for (verdict, row) in rows {
            text.extend(row.iter().map(|row| format!("\n  {:8}  {}", verdict.word(), self.input(row))));
        }
        if tested.violated_elsewhere == 0 && self.choice.answer == Answer::NotABug {
            text.push_str("\n  help   `bugornot decide .. --test positive` tests nothing inside the condition");
        }
        Err(self.refuse(text))
    }

    /// Refuses a condition that leaves nothing for a positive test, where no negative test is wanted.
    fn tests_something(&self, tested: &Tested) -> Result<(), Refusal> {
        let Choice { answer, test, .. } = self.choice;
        if *answer != Answer::NotABug || test.has_negative() || tested.is_held_as_said {
            return Ok(());
        }
        let why = "no input holds outside the condition, so that a positive test would test nothing";
        Err(self.refuse(format_args!("{why}{}", self.both())))
    }

    fn input(&self, row: &Row) -> String {
        shorten(&escape(&row.input_text(&self.cleaned.header)), INPUT)
    }
}
