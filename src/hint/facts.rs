//! All that is known of one cell, before anything is concluded.

use super::{
    Hint, Wanted,
    border::{self, Border},
    constant::{self, Constant},
    deviation::{self, Deviation},
    expectation::{self, Declared},
    identity::Identity,
    inverse::{self, Inverse},
    others::Others,
    region::{self, Cause, Overlap, Panics},
    sides::{self, Sides},
    sound::{self, Unsound},
    unchanged::{self, Unchanged},
};
use crate::{
    Verdict,
    clean::{Campaign, Cleaned},
    explain::{AllExplained, CellExplained, Explained},
    feature::Scope,
    summary::Rate,
};

/// So many inputs, drawn uniformly, are enough for a rate.
const ENOUGH: u64 = 1000;

/// What is said of a cell, in words and in the numbers behind them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) numbers: Vec<(&'static str, f64)>,
}

impl Said {
    pub(crate) fn new(text: String, counts: [(&'static str, u64); 6]) -> Self {
        Self { text, numbers: counts.map(|(name, count)| (name, count as f64)).to_vec() }
    }
}

/// What is known of a cell from outside this log.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Anchor {
    /// What makes it a regression: a decision, an earlier log, or both.
    pub(crate) regression: Vec<Said>,
    /// Whether that is more than violations, which are all that the tester can accept.
    pub(crate) is_beyond_violations: bool,
    /// The tester's answer covers every violation.
    pub(crate) accepted: Option<Said>,
    /// As what: not a bug, unless this says something else.
    pub(crate) accepted_as: Option<Hint>,
    /// The tester called it a bug, and there are violations.
    pub(crate) bug: Option<Said>,
    /// What an earlier log could have missed, or what else can be the reason.
    pub(crate) changed: Option<Said>,
    /// What would tell whether that is a regression.
    pub(crate) would_decide: Option<Wanted>,
    /// What has changed and is no regression: violations that are gone.
    pub(crate) drift: Option<Said>,
    /// That an earlier log had the violations too.
    pub(crate) no_worse: Option<Said>,
}

/// What is known of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) anchor: Anchor,
    pub(super) unsound: Unsound,
    pub(super) inverse: Inverse,
    pub(super) sides: Sides,
    /// Distinct inputs.
    pub(super) judged: u64,
    pub(super) violated: u64,
    pub(super) rate: Option<Rate>,
    /// The rate among inputs that were drawn uniformly.
    pub(super) uniform: Option<Rate>,
    pub(super) shape: Shape,
    pub(super) cause: Option<Cause>,
    /// When its function panics, if it does so in this cell.
    pub(super) panics: Option<Panics>,
    pub(super) overlap: Option<Overlap>,
    pub(super) others: Others,
    /// How many other relations the suite says of when they hold.
    pub(super) others_declared: usize,
    pub(super) deviation: Option<Deviation>,
    pub(super) unchanged: Unchanged,
    pub(super) declared: Option<Declared>,
    pub(super) has_precondition: bool,
    /// The names of all cells, for what is said about others.
    pub(super) names: std::sync::Arc<[String]>,
}

impl Facts {
    /// Violated in percent of what was judged: of inputs that were drawn uniformly where there are enough, as an engine
    /// chooses rare inputs more often.
    pub(super) fn share(&self) -> Option<f64> {
        self.uniform.or(self.rate).map(|rate| rate.violated_percent)
    }
}

/// How far a condition explains a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Nothing,
    Never,
    Always,
    Condition(Explanation),
    /// No condition explains enough, or one explains a part.
    Unexplained(Option<Explanation>),
}

/// A condition, as far as a hint is concerned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Explanation {
    pub(super) text: String,
    pub(super) literals: usize,
    /// How hard it is to read.
    pub(super) cost: u32,
    pub(super) is_over_inputs: bool,
    pub(super) missed: u64,
    pub(super) false_alarms: u64,
    /// Distinct inputs that are violated, explained or not.
    pub(super) violated: u64,
    pub(super) border: Border,
    pub(super) checked: u64,
    /// Inputs that it was not learned from and is right about.
    pub(super) survived: u64,
    /// The constant in it that looks least as if it followed from anything.
    pub(super) least_natural: Option<Constant>,
}

impl Explanation {
    pub(super) fn is_exact(&self) -> bool {
        self.missed == 0 && self.false_alarms == 0
    }

    /// Whether no constant in it looks as if somebody had written it down.
    pub(super) fn is_natural(&self) -> bool {
        self.least_natural.is_none_or(|constant| constant.is_natural)
    }
}

/// The facts of every cell.
pub(super) fn of_all(
    campaign: &Campaign,
    cleaned: &Cleaned,
    explained: &AllExplained,
    anchors: &[Anchor],
) -> Vec<Facts> {
    let names: std::sync::Arc<[String]> =
        (0..cleaned.header.cells.len()).map(|cell| cleaned.header.cell_name(cell)).collect();
    let causes = region::causes(cleaned, explained);
    let panics = region::of_panics(campaign, cleaned, explained);
    let identity = Identity::of_all(cleaned);
    let unsound = sound::of_all(cleaned, &identity);
    let all_declared = expectation::relations(&cleaned.header);
    let declared = expectation::of_all(campaign, cleaned);
    let inverse = inverse::of_all(cleaned);
    let parts = unsound.into_iter().zip(causes).zip(declared).zip(&explained.cells).enumerate();
    parts
        .map(|(cell, (((unsound, cause), declared), explained))| {
            let tally = cleaned.cells.get(cell).map(|counts| counts.distinct).unwrap_or_default();
            let uniform = cleaned.cells.get(cell).map(|counts| counts.uniform).unwrap_or_default();
            let (function, relation) = cleaned.header.cells[cell];
            let relation = cleaned.header.relations.get(usize::from(relation));
            let sides = sides::of_cell(cleaned, cell);
            Facts {
                anchor: anchors.get(cell).cloned().unwrap_or_default(),
                unsound,
                inverse: inverse[cell],
                panics: panics.get(usize::from(function)).cloned().flatten().filter(|_| sides.panics() > 0),
                sides,
                judged: tally.counts.judged(),
                violated: tally.counts.of(Verdict::Violated),
                rate: Rate::of(&tally),
                uniform: Rate::of(&uniform).filter(|_| uniform.counts.judged() >= ENOUGH),
                shape: shape(explained, cleaned, tally.kept.of(Verdict::Violated)),
                cause,
                overlap: region::overlap(cleaned, cell),
                others: Others::of_cell(cleaned, &identity, cell),
                others_declared: all_declared - usize::from(declared.is_some()),
                deviation: deviation::of_cell(cleaned, cell),
                unchanged: unchanged::of_cell(cleaned, cell),
                declared,
                has_precondition: relation.is_some_and(|relation| relation.has_precondition),
                names: names.clone(),
            }
        })
        .collect()
}

fn shape(explained: &CellExplained, cleaned: &Cleaned, violated: u64) -> Shape {
    let explanation = || explanation(explained, cleaned, violated);
    match &explained.explained {
        Explained::Nothing => Shape::Nothing,
        Explained::Never => Shape::Never,
        Explained::Always => Shape::Always,
        Explained::Condition(_) => explanation().map_or(Shape::Unexplained(None), Shape::Condition),
        Explained::Inconclusive { .. } => Shape::Unexplained(explanation()),
    }
}

fn explanation(explained: &CellExplained, cleaned: &Cleaned, violated: u64) -> Option<Explanation> {
    let written = explained.written.as_ref()?;
    let found = &written.condition;
    Some(Explanation {
        text: written.violated_when.clone(),
        literals: found.literals(),
        cost: found.terms.iter().flatten().map(|literal| literal.predicate.cost()).sum(),
        is_over_inputs: found.scope == Scope::Input,
        missed: found.missed,
        false_alarms: found.false_alarms,
        violated,
        border: border::of_exceptions(written),
        checked: written.checked,
        survived: written.survived(cleaned.working.len()),
        least_natural: constant::least_natural(
            found.terms.iter().flatten().flat_map(|literal| literal.predicate.constants(&written.frame.constants)),
            &cleaned.header,
        ),
    })
}
