//! From what both logs show of a cell to what became of it.

use super::{
    Change, Known, Outcome, Side,
    alike::Alike,
    chance::is_beyond,
    claims::{self, Claimed},
    judgement::InFull,
    near::is_among,
    pooled,
    shared::{self, Shared},
};
use crate::{
    Verdict,
    claim::Says,
    clean::{Counts, Options},
    hint::Wanted,
    log::Row,
    replay::names_of,
    terminal::{grouped, plural, shorten},
    witness::{Shown, Still},
};

/// What the verdicts are called that the old log had none of, and which they are.
const KINDS: [(&str, &[Verdict]); 3] = [
    ("panic", &[Verdict::SourcePanicked, Verdict::FollowUpPanicked]),
    ("end the process", &[Verdict::Died]),
    ("cannot be compared", &[Verdict::Incomparable]),
];

/// How much of a condition is repeated.
const CONDITION: usize = 80;

/// Two logs, with all that is needed to decide about their cells.
pub(super) struct Compared<'log> {
    old: Known<'log>,
    new: Known<'log>,
    cells: &'log [(usize, usize)],
    alike: &'log Alike,
    shared: Vec<Shared>,
    in_full: InFull<'log>,
    claims: Vec<Option<Claimed>>,
}

/// What is found out about a cell, one thing after the other.
#[derive(Default)]
struct Finding {
    worse: Vec<String>,
    open: Vec<String>,
    better: Vec<String>,
    witness: Option<Row>,
    /// Whether more is worse than violations.
    is_beyond_violations: bool,
    is_known: bool,
}

impl<'log> Compared<'log> {
    pub(super) fn new(
        old: Known<'log>,
        new: Known<'log>,
        cells: &'log [(usize, usize)],
        alike: &'log Alike,
        options: &Options,
    ) -> Self {
        let nothing = |count| (0..count).map(|_| None).collect::<Vec<Option<Claimed>>>();
        let is_possible = alike.nothing.is_none();
        let shared = if is_possible { shared::of_all(old, new, cells, options) } else { Vec::new() };
        let claims = if is_possible && alike.only_shared.is_none() {
            claims::of_all(old, new, cells)
        } else {
            nothing(cells.len())
        };
        let in_full = if is_possible { InFull::new(old, new) } else { InFull::default() };
        Self { old, new, cells, alike, shared, in_full, claims }
    }

    /// What became of each cell.
    pub(super) fn changes(&self) -> Vec<Change> {
        (0..self.cells.len()).map(|position| self.change(position)).collect()
    }

    fn change(&self, position: usize) -> Change {
        let (then, now) = self.cells[position];
        let (function, relation) = names_of(&self.new.cleaned.header, self.new.cleaned.header.cells[now]);
        let shared = self.shared.get(position).cloned().unwrap_or_default();
        let mut finding = Finding { is_known: shared.inputs > 0, ..Finding::default() };
        finding.add_moved(&shared);
        if let Some(claimed) = &self.claims[position] {
            self.add_claimed(&mut finding, position, claimed);
        }
        if self.alike.nothing.is_none() && self.alike.only_shared.is_none() {
            self.add_kinds(&mut finding, position);
        }
        let doubt = self.doubt(position);
        let (outcome, mut reasons) = finding.outcome(doubt.is_some());
        if matches!(outcome, Outcome::Changed) {
            reasons.extend(doubt.as_ref().map(|(why, _)| why.clone()));
        }
        if let Some(count) = self.in_full.judged_otherwise([(self.old, then), (self.new, now)]) {
            let inputs = plural(count, "input");
            reasons.push(format!(
                "for {inputs} that both logs show in full all outputs are those of then: the relation, or code that it \
                 calls, judges otherwise"
            ));
        }
        let is_comparable = doubt.is_none() && self.alike.nothing.is_none() && self.alike.only_shared.is_none();
        let may_hide = is_comparable && outcome != Outcome::Regression && self.claims[position].is_none();
        let open = if finding.witness.is_some() { Wanted::Replay } else { Wanted::MoreRows };
        let would_decide = (outcome == Outcome::Changed).then(|| doubt.map_or(open, |(_, what)| what));
        Change {
            function: function.into(),
            relation: relation.into(),
            then: Some(then),
            outcome,
            old: Some(Side::of(self.old, then)),
            new: Some(Side::of(self.new, now)),
            shared: shared.inputs,
            moved: shared.moved,
            reasons,
            is_beyond_violations: finding.is_beyond_violations,
            witness: finding.witness.and_then(|row| self.shown(position, row)),
            would_decide,
            may_hide,
        }
    }

    /// A witness, with what makes it one: beside its verdict, that the old log says it should be another.
    fn shown(&self, position: usize, row: Row) -> Option<Shown> {
        let (then, now) = self.cells[position];
        let verdict = row.verdict(now)?;
        let still = match &self.claims[position] {
            Some(claimed) if verdict == Verdict::Violated => Still::Outside(claimed.claim.clone()),
            _ if verdict != Verdict::Violated && self.old.cleaned.cells[then].distinct.counts.of(verdict) == 0 => {
                Still::Anything
            }
            _ => Still::SameInput,
        };
        Some(Shown { row, verdict, still })
    }

    /// Why a change need not come from the code, and what would do about it.
    fn doubt(&self, position: usize) -> Option<(String, Wanted)> {
        let (then, now) = self.cells[position];
        let is_unsteady = |log: Known<'_>, cell: usize| {
            let function = usize::from(log.cleaned.header.cells[cell].0);
            let conflicting = log.cleaned.cells.get(cell).map_or(0, |cell| cell.distinct.conflicting);
            conflicting > 0 || log.cleaned.findings.unsound.contains_key(&(function, true))
        };
        if is_unsteady(self.old, then) || is_unsteady(self.new, now) {
            return Some(("one input has several outcomes, so a change means little".into(), Wanted::Steady));
        }
        self.alike.other_reason.clone().map(|why| (why, Wanted::SameBuild))
    }

    /// What the old log says of the cell, against the new rows.
    fn add_claimed(&self, finding: &mut Finding, position: usize, claimed: &Claimed) {
        let (then, now) = self.cells[position];
        let (old, new) = (&self.old.cleaned.cells[then].distinct, &self.new.cleaned.cells[now].distinct);
        let tested = &claimed.tested;
        if tested.fault.is_some() || old.counts.judged() == 0 {
            return;
        }
        finding.is_known |= new.counts.judged() > 0;
        let (judged, told) = (new.counts.judged(), old.effective());
        let said = |side: &str, verb: &str| said(claimed, old.counts, side, verb);
        if tested.violated_elsewhere > 0 {
            let text = format!("{} violated{}", are(tested.violated_elsewhere), said("outside", "was"));
            let is_much = is_beyond(tested.violated_elsewhere, judged, claimed.literals, told);
            let among = self.violated_among(position, claimed);
            let was_there = || match claimed.contradicting {
                Some(found) => is_beyond(found.count, old.counts.judged(), found.literals, new.effective()),
                None => among.is_among(),
            };
            let contradicting = claimed.contradicting.map(|found| found.count).filter(|&count| count > 0);
            let also = contradicting.map(|count| format!("; {} like them held", plural(count, "input")));
            let missed = if is_much && was_there() { among.one_condition(self) } else { Some(Missed::Unmet) };
            finding.judge(text, also, missed, old.counts.judged());
            finding.offer(tested.violated_witness.as_ref());
        }
        if tested.held_elsewhere > 0 {
            let text = format!("{}{}", hold(tested.held_elsewhere), said("inside", "did"));
            let is_much = is_beyond(tested.held_elsewhere, judged, claimed.literals, told);
            let is_sure = is_much || !finding.better.is_empty();
            if is_sure { &mut finding.better } else { &mut finding.open }.push(text);
        }
    }

    /// The rows of both logs where the old one says that the cell holds.
    fn violated_among(&self, position: usize, claimed: &Claimed) -> Among<'log> {
        let (then, now) = self.cells[position];
        let is_said_to_hold = |row: &&Row| claimed.claim.is_violated(row) == Ok(false);
        let old = rows(self.old).filter(|row| row.is_violated(then) == Some(false)).filter(is_said_to_hold);
        let new = rows(self.new).filter(is_said_to_hold);
        Among::new(old, new.filter_map(|row| Some((row, row.is_violated(now)?))))
    }

    /// Panics, deaths and NaN where the old log had none.
    fn add_kinds(&self, finding: &mut Finding, position: usize) {
        let (then, now) = self.cells[position];
        let counts = |log: Known<'_>, cell: usize| log.cleaned.cells[cell].distinct.counts;
        let (old, new) = (counts(self.old, then), counts(self.new, now));
        for (what, verdicts) in KINDS {
            let of = |counts: Counts| verdicts.iter().map(|&verdict| counts.of(verdict)).sum::<u64>();
            let is_shown =
                finding.witness.as_ref().is_some_and(|row| verdicts.iter().any(|&kind| row.verdict(now) == Some(kind)));
            if of(old) > 0 || of(new) == 0 || ran(old) == 0 || is_shown {
                continue;
            }
            let is_kind = |row: &Row| row.verdict(now).is_some_and(|verdict| verdicts.contains(&verdict));
            let wrong = rows(self.new).filter(|row| is_kind(row));
            let simplest = wrong.min_by_key(|row| row.simplicity());
            let text = format!("{} {what} now, and none did then", plural(of(new), "input"));
            let is_much = is_beyond(of(new), ran(new), 0, ran(old) as f64);
            let has_run = |row: &&Row, cell| row.verdict(cell).is_some_and(|it| it != Verdict::NotApplicable);
            let new = rows(self.new).filter(|row| has_run(row, now)).map(|row| (row, is_kind(row)));
            let among = Among::new(rows(self.old).filter(|row| has_run(row, then)), new);
            let missed = if is_much && among.is_among() { among.one_condition(self) } else { Some(Missed::Unmet) };
            finding.is_beyond_violations |= finding.judge(text, None, missed, ran(old));
            finding.offer(simplest);
        }
    }
}

/// Why what went wrong now need not be new.
enum Missed {
    /// The old log may never have met it.
    Unmet,
    /// This condition is right for the rows of both logs.
    OneCondition(String),
}

/// The old rows, none of which went wrong, and the new ones, each with whether it did.
struct Among<'log> {
    old: Vec<&'log Row>,
    new: Vec<(&'log Row, bool)>,
}

impl<'log> Among<'log> {
    fn new(old: impl Iterator<Item = &'log Row>, new: impl Iterator<Item = (&'log Row, bool)>) -> Self {
        Self { old: old.collect(), new: new.collect() }
    }

    fn is_among(&self) -> bool {
        is_among(&self.old, &self.new)
    }

    fn one_condition(&self, logs: &Compared<'_>) -> Option<Missed> {
        pooled::condition(&self.old, &self.new, (logs.old, logs.new)).map(Missed::OneCondition)
    }
}

impl Finding {
    /// Inputs with other verdicts now.
    fn add_moved(&mut self, shared: &Shared) {
        for moved in &shared.moved {
            let text = format!(
                "{} {} then and {} now, of {} that both logs have",
                plural(moved.count, "input"),
                moved.old,
                moved.new,
                grouped(shared.inputs)
            );
            match direction(moved.old, moved.new) {
                Direction::Worse => {
                    self.worse.push(text);
                    self.offer(moved.row.as_ref());
                }
                Direction::Better => self.better.push(text),
                Direction::Other => self.open.push(text),
            }
        }
    }

    /// Takes in what went wrong: for worse, unless the old log could have missed it. What common inputs show is sure. Says
    /// whether this is for worse by itself.
    fn judge(&mut self, text: String, also: Option<String>, missed: Option<Missed>, old: u64) -> bool {
        let is_worse = missed.is_none();
        match missed {
            Some(missed) if self.worse.is_empty() => self.open.push(match missed {
                Missed::Unmet => {
                    format!("{text}; nothing shows that any of {} then is like them", plural(old, "input"))
                }
                Missed::OneCondition(condition) => format!("{text}; but one condition fits both logs, `{condition}`"),
            }),
            _ => self.worse.push(text + &also.unwrap_or_default()),
        }
        is_worse
    }

    /// The first witness stays: what is surest comes first.
    fn offer(&mut self, witness: Option<&Row>) {
        if self.witness.is_none() {
            self.witness = witness.cloned();
        }
    }

    fn outcome(&self, is_doubted: bool) -> (Outcome, Vec<String>) {
        let outcome = match (&self.worse[..], &self.open[..], &self.better[..]) {
            ([], [], []) if self.is_known => Outcome::Same,
            ([], [], []) => Outcome::Unknown,
            _ if is_doubted => Outcome::Changed,
            ([], [], _) => Outcome::Drift,
            ([], ..) => Outcome::Changed,
            _ => Outcome::Regression,
        };
        (outcome, [&self.worse[..], &self.open, &self.better].concat())
    }
}

/// What another verdict of the same input means.
#[derive(PartialEq)]
enum Direction {
    Worse,
    Better,
    Other,
}

pub(super) fn is_worse(old: Verdict, new: Verdict) -> bool {
    direction(old, new) == Direction::Worse
}

fn direction(old: Verdict, new: Verdict) -> Direction {
    let was_judged = matches!(old, Verdict::Held | Verdict::Violated | Verdict::Incomparable);
    let is_function = |verdict: Verdict| verdict.is_panic() || verdict == Verdict::Died;
    match (old, new) {
        (Verdict::Held, Verdict::Violated | Verdict::Incomparable) => Direction::Worse,
        (_, new) if was_judged && is_function(new) => Direction::Worse,
        (Verdict::Violated | Verdict::Incomparable, Verdict::Held) => Direction::Better,
        (old, Verdict::Held) if is_function(old) => Direction::Better,
        _ => Direction::Other,
    }
}

/// The rows of the working set that have an input.
fn rows(log: Known<'_>) -> impl Iterator<Item = &Row> {
    log.cleaned.working.iter().filter(|row| !row.fields.is_empty())
}

/// How many inputs the function was run on.
fn ran(counts: Counts) -> u64 {
    counts.0.iter().sum::<u64>() - counts.of(Verdict::NotApplicable) - counts.of(Verdict::TransformPanicked)
}

/// What the old log says, in words: where new rows are, and what none of the old ones did there.
fn said(claimed: &Claimed, old: Counts, side: &str, verb: &str) -> String {
    let inputs = plural(old.judged(), "input");
    match &claimed.claim.says {
        Says::Never | Says::Always => format!(", and none of {inputs} {verb} then"),
        Says::ViolatedWhen(condition) | Says::HeldWhen(condition) => {
            format!(" {side} `{}`, which was right for {inputs} then", shorten(condition.text(), CONDITION))
        }
    }
}

fn are(count: u64) -> String {
    if count == 1 { "1 input is".into() } else { format!("{} inputs are", grouped(count)) }
}

fn hold(count: u64) -> String {
    if count == 1 { "1 input holds".into() } else { format!("{} inputs hold", grouped(count)) }
}
