//! An earlier log as anchor: two campaigns of one suite, cell by cell.
//!
//! What both have judged is the surest: the same input, held then and violated now, is a regression. Beyond that, what
//! the old rows say of a cell (never violated, or violated just under a condition) is a claim about the new ones. As the
//! old campaign may simply never have met such an input, a contradiction is a regression only where the old log had
//! rows among those that are violated now.
//!
//! | file | does |
//! |---|---|
//! | `alike` | what differs between the logs before any row is looked at |
//! | `shared` | the inputs that both have |
//! | `judgement` | whether it is their judgement that has changed |
//! | `claims` | what one log says, held against the rows of the other |
//! | `near` | the same without a condition: each old row beside the new row that is most like it |
//! | `pooled` | whether one condition explains both logs |
//! | `chance` | how many contradictions mean nothing |
//! | `decide` | all of these -> regression, drift, changed or the same |
//! | `again` | what is still open, asked of the code at hand |

mod again;
mod alike;
mod chance;
mod claims;
mod decide;
mod judgement;
mod near;
mod pooled;
mod shared;

pub(crate) use again::Again;
pub(crate) use alike::most_alike;

use crate::{
    Verdict,
    clean::{Campaign, Cleaned, Counts, Options},
    explain::{AllExplained, CellExplained, Explained},
    hint::{Anchor, Said, Wanted},
    log::{Header, Row},
    replay::names_of,
    terminal::{grouped, plural},
    witness::Shown,
};

/// A log, read.
#[derive(Clone, Copy)]
pub(crate) struct Known<'log> {
    pub(crate) campaign: &'log Campaign,
    pub(crate) cleaned: &'log Cleaned,
    pub(crate) explained: &'log AllExplained,
}

/// Two logs, compared.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    /// What differs between the logs as such, in words.
    pub(crate) notes: Vec<String>,
    /// One per cell of the new log, in its order.
    pub(crate) cells: Vec<Change>,
    /// Cells that only the old log has.
    pub(crate) vanished: Vec<Change>,
}

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Violated, panicked or died where it was known to hold.
    Regression,
    /// Unlike before, but the old log could have missed it, or something else can be the reason.
    Changed,
    /// Violations that are gone.
    Drift,
    Same,
    /// Nothing says how it was before.
    Unknown,
    /// Only the new log has it.
    New,
    /// Only the old log has it.
    Vanished,
}

impl Outcome {
    /// As it is written everywhere.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Changed => "changed",
            Self::Drift => "drift",
            Self::Same => "unchanged",
            Self::Unknown => "not compared",
            Self::New => "new",
            Self::Vanished => "vanished",
        }
    }
}

/// One cell in both logs.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) function: String,
    pub(crate) relation: String,
    /// Which cell of the old log it is.
    then: Option<usize>,
    pub(crate) outcome: Outcome,
    pub(crate) old: Option<Side>,
    pub(crate) new: Option<Side>,
    /// How many inputs both logs have judged.
    pub(crate) shared: u64,
    /// How many of these have other verdicts now.
    pub(crate) moved: Vec<Moved>,
    /// Why the outcome is what it is, what matters most first.
    pub(crate) reasons: Vec<String>,
    /// Whether the new rows show more than violations that is new, in inputs that the old log does not have.
    is_beyond_violations: bool,
    /// The simplest new row that shows it.
    pub(crate) witness: Option<Shown>,
    /// What would decide a cell that has changed.
    pub(crate) would_decide: Option<Wanted>,
    /// Whether the logs can hide what is worse: the old one does not say exactly when the cell is violated.
    may_hide: bool,
}

/// One cell in one log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Side {
    /// Over distinct inputs.
    pub(crate) counts: Counts,
    /// When it is violated, as far as the rows tell.
    pub(crate) violated_when: Option<String>,
    pub(crate) is_exact: bool,
}

/// Inputs with one verdict then and another now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moved {
    pub(crate) old: Verdict,
    pub(crate) new: Verdict,
    pub(crate) count: u64,
    /// The simplest of them, in words.
    pub(crate) inputs: Vec<String>,
    /// The first of these, as the new version judged it.
    pub(crate) row: Option<Row>,
    /// Whether only the old log has them, and they were run again.
    pub(crate) is_again: bool,
}

/// Compares two campaigns of one suite.
pub(crate) fn compare(old: Known<'_>, new: Known<'_>, options: &Options) -> Comparison {
    let (old_header, new_header) = (&old.cleaned.header, &new.cleaned.header);
    let names = |header: &Header, cell: usize| {
        let (function, relation) = names_of(header, header.cells[cell]);
        (function.to_owned(), relation.to_owned())
    };
    let pairs: Vec<(Option<usize>, usize)> = (0..new_header.cells.len())
        .map(|cell| {
            let wanted = names(new_header, cell);
            ((0..old_header.cells.len()).find(|&old| names(old_header, old) == wanted), cell)
        })
        .collect();
    let alike = alike::Alike::of(old_header, new_header);
    let both: Vec<(usize, usize)> = pairs.iter().filter_map(|&(old, new)| Some((old?, new))).collect();
    let compared = decide::Compared::new(old, new, &both, &alike, options);
    let mut both = compared.changes().into_iter();
    let cells = pairs.iter().map(|&(known, cell)| match known {
        Some(_) => both.next().unwrap_or_else(|| only(new, cell, names(new_header, cell), Outcome::New)),
        None => only(new, cell, names(new_header, cell), Outcome::New),
    });
    let cells: Vec<Change> = cells.collect();
    let is_gone = |cell: &usize| !pairs.iter().any(|(known, _)| known == &Some(*cell));
    let vanished = (0..old_header.cells.len()).filter(is_gone);
    let vanished = vanished.map(|cell| only(old, cell, names(old_header, cell), Outcome::Vanished)).collect();
    Comparison { notes: alike.notes, cells, vanished }
}

/// A cell that one log alone has.
fn only(log: Known<'_>, cell: usize, (function, relation): (String, String), outcome: Outcome) -> Change {
    let side = Some(Side::of(log, cell));
    let (then, old, new) = if outcome == Outcome::New { (None, None, side) } else { (Some(cell), side, None) };
    Change {
        function,
        relation,
        then,
        outcome,
        old,
        new,
        shared: 0,
        moved: Vec::new(),
        reasons: Vec::new(),
        is_beyond_violations: false,
        witness: None,
        would_decide: None,
        may_hide: false,
    }
}

impl Side {
    fn of(log: Known<'_>, cell: usize) -> Self {
        let counts = log.cleaned.cells.get(cell).map(|cell| cell.distinct.counts).unwrap_or_default();
        let explained = log.explained.cells.get(cell);
        Self {
            counts,
            violated_when: explained.and_then(condition_text),
            is_exact: explained.is_some_and(|cell| {
                matches!(cell.explained, Explained::Never | Explained::Always) || cell.explained.is_exact()
            }),
        }
    }
}

/// When a cell is violated, as far as it is known.
fn condition_text(cell: &CellExplained) -> Option<String> {
    match &cell.explained {
        Explained::Never => Some("false".into()),
        Explained::Always => Some("true".into()),
        Explained::Condition(_) => cell.written.as_ref().map(|written| written.violated_when.clone()),
        Explained::Nothing | Explained::Inconclusive { .. } => None,
    }
}

impl Comparison {
    /// Whether some cell is violated where it was known to hold.
    pub(crate) fn is_regression(&self) -> bool {
        self.cells.iter().any(|cell| cell.outcome == Outcome::Regression)
    }

    /// For each cell of the new log, the input that shows how it has changed.
    pub(crate) fn witnesses(&self) -> Vec<Option<Shown>> {
        self.cells.iter().map(|cell| cell.witness.clone()).collect()
    }

    /// What it means for each cell of the new log.
    pub(crate) fn anchors(&self) -> Vec<Anchor> {
        self.cells.iter().map(Change::anchor).collect()
    }
}

impl Change {
    fn anchor(&self) -> Anchor {
        let said = |text| Some(Said::new(text, self.counts()));
        let reasons = || said(self.reasons.join("; "));
        let no_worse = || self.no_worse().and_then(said);
        match self.outcome {
            Outcome::Regression => Anchor {
                regression: reasons().into_iter().collect(),
                is_beyond_violations: self.is_beyond_violations(),
                ..Anchor::default()
            },
            // Without a witness, nothing has changed for the worse.
            Outcome::Changed if self.witness.is_some() => {
                Anchor { changed: reasons(), would_decide: self.would_decide, ..Anchor::default() }
            }
            Outcome::Changed | Outcome::Drift => Anchor { drift: reasons(), no_worse: no_worse(), ..Anchor::default() },
            Outcome::Same => Anchor { no_worse: no_worse(), ..Anchor::default() },
            _ => Anchor::default(),
        }
    }

    /// Whether inputs panic, die or have no order that did not.
    fn is_beyond_violations(&self) -> bool {
        let is_it = |verdict: Verdict| verdict != Verdict::Violated;
        let is_worse = |moved: &Moved| decide::is_worse(moved.old, moved.new) && is_it(moved.new);
        self.is_beyond_violations
            || self.witness.as_ref().is_some_and(|shown| is_it(shown.verdict))
            || self.moved.iter().any(is_worse)
    }

    fn counts(&self) -> [(&'static str, u64); 6] {
        let counts = |side: &Option<Side>| side.as_ref().map(|side| side.counts).unwrap_or_default();
        let (then, now) = (counts(&self.old), counts(&self.new));
        [
            ("then_judged", then.judged()),
            ("then_violated", then.of(Verdict::Violated)),
            ("now_judged", now.judged()),
            ("now_violated", now.of(Verdict::Violated)),
            ("shared", self.shared),
            ("moved", self.moved.iter().filter(|moved| !moved.is_again).map(|moved| moved.count).sum()),
        ]
    }

    /// What says that violations are no news.
    fn no_worse(&self) -> Option<String> {
        let counts = self.old.as_ref()?.counts;
        let (violated, judged) = (counts.of(Verdict::Violated), counts.judged());
        (violated > 0).then(|| {
            format!(
                "as far as the earlier log tells no worse than there, where {} of {} violated it",
                grouped(violated),
                plural(judged, "input")
            )
        })
    }
}
