//! Decisions held against a log: accepted, a regression, drift, or a bug that is still there.

use crate::{
    Verdict,
    claim::{self, Claim, Tested},
    clean::{Campaign, Cleaned},
    decision::{Answer, Decision, Decisions, Numbers, cells_named},
    hint::{Anchor, Hint, Said},
    log::{Header, Row},
    terminal::grouped,
    witness::{Shown, Still},
};

/// All decisions about a suite, held against a log of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compared {
    /// One for each cell of the log.
    pub(crate) cells: Vec<Option<Decided>>,
    /// Decisions about cells that the log does not have.
    pub(crate) unknown: Vec<String>,
}

/// A decision, held against a log.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    pub(crate) decision: Decision,
    pub(crate) now: Numbers,
    pub(crate) violated_outside: u64,
    pub(crate) held_inside: u64,
    pub(crate) state: State,
    /// Whether inputs panic or die, and none did then in a build that checks as much.
    pub(crate) has_new_panics: bool,
    /// The simplest input that shows what has changed, and its verdict.
    pub(crate) witness: Option<(Verdict, Row)>,
    /// How the build differs from that of the decision.
    differences: Vec<String>,
}

/// What has become of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The log agrees.
    Stands,
    /// Violated outside what was accepted.
    Regression,
    /// Violations have disappeared.
    Drift,
    /// Called a bug, and not gone.
    Bug,
    /// Called a bug, and gone.
    Fixed,
    /// The log says nothing about the cell.
    Untested,
    /// The condition cannot be used on this log, and why.
    Unusable(String),
}

impl State {
    /// As JSON shows it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Stands => "stands",
            Self::Regression => "regression",
            Self::Drift => "drift",
            Self::Bug => "bug",
            Self::Fixed => "fixed",
            Self::Untested => "untested",
            Self::Unusable(_) => "unusable",
        }
    }
}

/// Holds decisions against a log.
pub(crate) fn compare(campaign: &Campaign, cleaned: &Cleaned, decisions: &Decisions) -> Compared {
    let header = &cleaned.header;
    let mut compared = Compared { cells: vec![None; header.cells.len()], unknown: Vec::new() };
    let mut claims = Vec::new();
    for (name, decision) in &decisions.cells {
        let &[cell] = &cells_named(header, name)[..] else {
            compared.unknown.push(name.clone());
            continue;
        };
        let mut decided = Decided::new(decision, cleaned, cell);
        match decision.claim(header, cell) {
            Ok(claim) => claims.push(claim),
            Err(fault) => decided.state = State::Unusable(fault),
        }
        compared.cells[cell] = Some(decided);
    }
    for (claim, tested) in claims.iter().zip(claim::test(campaign, cleaned, &claims)) {
        if let Some(decided) = &mut compared.cells[claim.cell] {
            decided.meet(tested, cleaned, claim.cell);
        }
    }
    compared.read_again(campaign, cleaned);
    compared
}

impl Compared {
    /// Reopens decisions that the log contradicts only because a constant has another value now.
    fn read_again(&mut self, campaign: &Campaign, cleaned: &Cleaned) {
        let as_then = |decided: &Decided, cell: usize| {
            let is_contradicted = matches!(decided.state, State::Regression | State::Drift);
            is_contradicted.then(|| decided.decision.claim_as_then(&cleaned.header, cell)).flatten()
        };
        let cells = self.cells.iter().enumerate();
        let claims: Vec<Claim> = cells.filter_map(|(cell, decided)| as_then(decided.as_ref()?, cell)).collect();
        for (claim, tested) in claims.iter().zip(claim::test(campaign, cleaned, &claims)) {
            let fits = |decided: &&mut Decided| {
                let may_hold_inside = !decided.decision.test.has_negative();
                let is_contradicted = tested.violated_elsewhere > 0 || (tested.held_elsewhere > 0 && !may_hold_inside);
                tested.fault.is_none() && !is_contradicted
            };
            if let Some(decided) = self.cells[claim.cell].as_mut().filter(fits) {
                let differences = decided.differences.join(", ");
                decided.state = State::Unusable(format!(
                    "the log agrees with the numbers of then, and not with the constants of now ({differences}): name \
                     the number instead of the constant"
                ));
                decided.witness = None;
            }
        }
    }
}

impl Decided {
    /// The input that shows a regression: whatever it is made of must stay outside what was accepted.
    pub(crate) fn shown(&self, header: &Header, cell: usize) -> Option<Shown> {
        let (verdict, row) = self.witness.clone().filter(|_| self.state == State::Regression)?;
        Some(Shown { row, verdict, still: Still::Outside(self.decision.claim(header, cell).ok()?) })
    }

    fn new(decision: &Decision, cleaned: &Cleaned, cell: usize) -> Self {
        let now = Numbers::of(cleaned, cell);
        let (then, build) = (&decision.build.facts, &cleaned.header.build);
        let checks_more = (build.overflow_checks && !then.overflow_checks)
            || (build.debug_assertions && !then.debug_assertions)
            || (build.sanitizer != "none" && then.sanitizer == "none");
        Self {
            decision: decision.clone(),
            has_new_panics: now.panicked > 0 && decision.numbers.panicked == 0 && !checks_more,
            now,
            violated_outside: 0,
            held_inside: 0,
            state: State::Stands,
            witness: None,
            differences: decision.build.differences(&cleaned.header),
        }
    }

    fn meet(&mut self, tested: Tested, cleaned: &Cleaned, cell: usize) {
        self.violated_outside = tested.violated_elsewhere;
        self.held_inside = tested.held_elsewhere;
        let violated = tested.violated_witness.map(|row| (Verdict::Violated, row));
        let held = tested.held_witness.map(|row| (Verdict::Held, row));
        self.state = match tested.fault {
            Some(fault) => State::Unusable(fault),
            None if self.decision.answer == Answer::Bug => self.bug(cleaned, cell),
            None if self.now.judged == 0 => State::Untested,
            None if self.violated_outside > 0 => State::Regression,
            None if self.is_drift(tested.violated_as_said) => State::Drift,
            None => State::Stands,
        };
        self.witness = match self.state {
            State::Regression | State::Bug => violated,
            State::Drift => held,
            _ => None,
        };
    }

    /// A bug is gone if what was wrong is not seen any more, and inputs were judged.
    fn bug(&self, cleaned: &Cleaned, cell: usize) -> State {
        let counts = cleaned.cells.get(cell).map(|cell| cell.distinct.counts).unwrap_or_default();
        let is_bad = self.decision.wrong().into_iter().any(|verdict| counts.of(verdict) > 0);
        if is_bad || self.now.judged == 0 { State::Bug } else { State::Fixed }
    }

    /// Whether violations have disappeared: some, where all were to stay; or all that there were.
    fn is_drift(&self, violated_inside: u64) -> bool {
        let are_all_gone = violated_inside == 0 && self.decision.numbers.violated > 0;
        self.held_inside > 0 && (self.decision.test.has_negative() || are_all_gone)
    }

    /// Whether the report is red because of it.
    pub(crate) fn is_red(&self) -> bool {
        matches!(self.state, State::Regression | State::Bug)
    }

    /// Whether it covers every violation of the log.
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.state, State::Stands | State::Drift)
    }

    /// Whether the tester has to look again.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.state, State::Stands | State::Bug | State::Untested)
    }

    /// What was decided and what has become of it, with old and new numbers.
    pub(crate) fn text(&self) -> String {
        let Decision { date, numbers, .. } = &self.decision;
        let then = format!("decided on {date}: {} ({})", self.decision.words(), numbers.text());
        let now = self.now.text();
        let differences = match &self.differences[..] {
            [] => String::new(),
            all => format!(" ({})", all.join(", ")),
        };
        let has_condition = self.decision.when.is_some();
        let news = match &self.state {
            State::Stands => return then,
            State::Regression if has_condition => {
                format!("now {now}, {} of them outside the condition{differences}", grouped(self.violated_outside))
            }
            State::Drift if has_condition => {
                format!("now {now}, {} held inside the condition{differences}", grouped(self.held_inside))
            }
            State::Regression | State::Drift | State::Bug => format!("now {now}{differences}"),
            State::Fixed => format!("now {now}{differences}: decide what it is"),
            State::Untested => "this log judges it nowhere".into(),
            State::Unusable(fault) => format!("now {now}, and the condition cannot be used: {fault}"),
        };
        format!("{then}; {news}")
    }

    fn counts(&self) -> [(&'static str, u64); 6] {
        let (then, now) = (self.decision.numbers, self.now);
        [
            ("then_judged", then.judged),
            ("then_violated", then.violated),
            ("now_judged", now.judged),
            ("now_violated", now.violated),
            ("violated_outside", self.violated_outside),
            ("held_inside", self.held_inside),
        ]
    }

    /// What follows for the hint.
    pub(crate) fn anchor(&self) -> Anchor {
        let said = |text| Some(Said::new(text, self.counts()));
        let text = said(self.text());
        let mut anchor = Anchor::default();
        match self.state {
            State::Regression => anchor.regression.extend(text),
            State::Bug => anchor.bug = text,
            State::Stands => anchor.accepted = text,
            State::Drift if self.now.violated > 0 => {
                (anchor.accepted, anchor.drift) = (said(self.decision.words()), text);
            }
            State::Drift | State::Fixed | State::Unusable(_) => anchor.drift = text,
            State::Untested => {}
        }
        anchor.accepted_as = anchor.accepted.as_ref().map(|_| match self.decision.answer {
            Answer::Fits => Hint::Fits,
            Answer::DoesNotApply => Hint::DoesNotApply,
            Answer::Bug | Answer::NotABug => Hint::NotABug,
        });
        anchor
    }
}
