//! From facts to a hint: a fixed order, the first that fits.

use super::{
    Hint, Hinted, NamedRegion, Wanted, calibrated,
    deviation::Deviation,
    evidence,
    facts::{Explanation, Facts, Shape},
};

/// How many literals a condition may have to be called a reason.
const SHORT: usize = 2;
/// A relation that fewer inputs violate, in percent, was believed to hold by whoever wrote it down.
const RARE: f64 = 10.0;
/// From this share of violations on, in percent, a constant that looks arbitrary may as well be the function's own.
const OFTEN: f64 = 25.0;
/// Exceptions are few if there are at least so many times as many violations that the condition explains.
const FEW: u64 = 10;

/// Why a hint was given; each was measured on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Nondeterministic,
    Harness,
    Regression,
    DecidedBug,
    Accepted,
    Panic,
    Death,
    Nan,
    OutsideDeclared,
    Exceptions,
    SharedCause,
    Never,
    Always,
    AsDeclared,
    Unchanged,
    Rounding,
    Exact,
    OthersHold,
    Unjudged,
    Open,
}

/// The hint of a cell.
pub(super) fn hinted(facts: &Facts) -> Hinted {
    let (hint, reason) = decide(facts);
    Hinted {
        hint,
        reason: reason.word(),
        is_alarm: matches!(hint, Hint::Nondeterministic | Hint::Harness | Hint::Regression | Hint::Bug)
            || reason == Reason::Unjudged,
        covers_all: matches!(reason, Reason::Accepted | Reason::AsDeclared | Reason::Unchanged | Reason::Rounding),
        confidence: calibrated::confidence(reason),
        evidence: evidence::of(facts, hint),
        region: region(facts),
        would_decide: (hint == Hint::Inconclusive).then(|| would_decide(facts)),
    }
}

/// The inputs that the function goes wrong on, as far as they can be named.
fn region(facts: &Facts) -> Option<NamedRegion> {
    let of_panics = facts.panics.as_ref().map(|panics| NamedRegion {
        when: panics.region.clone(),
        of: "panics",
        is_exact: panics.wrong == 0,
    });
    of_panics.or_else(|| {
        let cause = facts.cause.as_ref()?;
        Some(NamedRegion { when: cause.region.clone(), of: "violations", is_exact: true })
    })
}

fn decide(facts: &Facts) -> (Hint, Reason) {
    let unsound = &facts.unsound;
    if unsound.conflicting.count + unsound.nondeterministic.count > 0 {
        return (Hint::Nondeterministic, Reason::Nondeterministic);
    }
    let of_harness =
        [&unsound.role_dependent, &unsound.contradictions, &unsound.harness_panics, &unsound.identity_violated];
    if of_harness.iter().any(|proven| proven.count > 0) {
        return (Hint::Harness, Reason::Harness);
    }
    if !facts.anchor.regression.is_empty() {
        return (Hint::Regression, Reason::Regression);
    }
    if let Some(reason) = bug(facts) {
        return (Hint::Bug, reason);
    }
    // The outputs may be wrong, or the judgement may not know all that are right.
    if unsound.judgement_panics > 0 {
        return (Hint::Inconclusive, Reason::Unjudged);
    }
    if facts.anchor.accepted.is_some() {
        return (facts.anchor.accepted_as.unwrap_or(Hint::NotABug), Reason::Accepted);
    }
    match &facts.shape {
        Shape::Never => (Hint::Fits, Reason::Never),
        Shape::Always => (Hint::DoesNotApply, Reason::Always),
        _ => not_a_bug(facts).map_or((Hint::Inconclusive, Reason::Open), |reason| (Hint::NotABug, reason)),
    }
}

fn bug(facts: &Facts) -> Option<Reason> {
    if facts.anchor.bug.is_some() {
        return Some(Reason::DecidedBug);
    }
    if facts.sides.is_panicking() || facts.unsound.own_panics > 0 {
        return Some(Reason::Panic);
    }
    if facts.sides.deaths > 0 {
        return Some(Reason::Death);
    }
    if facts.sides.nan_on_one_side > 0 {
        return Some(Reason::Nan);
    }
    if facts.anchor.accepted.is_some() {
        return None;
    }
    if facts.declared.as_ref().is_some_and(|declared| declared.fault.is_none() && declared.violated > 0) {
        return Some(Reason::OutsideDeclared);
    }
    // What an earlier version did too is no news; whether it was right then, only the tester knows.
    if is_excused(facts).is_some() || facts.anchor.no_worse.is_some() {
        return None;
    }
    // What violations can be excused by goes for these too: many functions are not defined everywhere.
    let is_usual = matches!(&facts.shape, Shape::Condition(found) if is_reason(found) && found.is_natural());
    if facts.sides.nan_violated > 0 && is_rare(facts) && !is_usual {
        return Some(Reason::Nan);
    }
    if has_exceptions(&facts.shape) {
        return Some(Reason::Exceptions);
    }
    // That they are rare, or come with those of another relation, was right too seldom to be a reason by itself.
    let is_shared = facts.cause.as_ref().is_some_and(|cause| cause.cells.len() > 1);
    (is_shared && is_rare(facts) && !facts.others.speak_for_it()).then_some(Reason::SharedCause)
}

/// Whether so few inputs violate it that whoever wrote it down may have believed in it.
fn is_rare(facts: &Facts) -> bool {
    facts.share().is_some_and(|share| share > 0.0 && share < RARE)
}

/// Why the violations are none of the function's, whatever else is known.
fn is_excused(facts: &Facts) -> Option<Reason> {
    if is_as_declared(facts) {
        return Some(Reason::AsDeclared);
    }
    // That it holds just there is none: what always fails otherwise may be the function's fault.
    if facts.unchanged.is_violated_only_there() {
        return Some(Reason::Unchanged);
    }
    facts.deviation.as_ref()?.rounding.map(|_| Reason::Rounding)
}

fn not_a_bug(facts: &Facts) -> Option<Reason> {
    let is_often = facts.share().is_some_and(|share| share > OFTEN);
    // What is rare and needs two literals is a bug as often as not.
    let is_likely = |found: &Explanation| !is_rare(facts) || found.literals == 1;
    is_excused(facts).or(match &facts.shape {
        _ if facts.anchor.changed.is_some() => None,
        // Who says when some relations hold believes that the others always do.
        _ if facts.others_declared > 0 => None,
        // Where most relations fail, bugs have exact conditions as often as not.
        _ if facts.others.speak_against_it() => None,
        Shape::Condition(found) if is_reason(found) && is_likely(found) && (found.is_natural() || is_often) => {
            Some(Reason::Exact)
        }
        _ => is_tried_out(facts).then_some(Reason::OthersHold),
    })
}

/// Whether some violations are rounding, which hides what others are.
fn is_mixed(facts: &Facts) -> bool {
    facts.deviation.as_ref().is_some_and(Deviation::is_mixed)
}

/// Whether a relation that fails often is likely one that does not always apply: what is wrong with a function shows in
/// its other relations too, and these hold. Says nothing where the tester says what to expect, or an older log does.
fn is_tried_out(facts: &Facts) -> bool {
    let is_known = facts.has_precondition || facts.anchor.no_worse.is_some();
    let is_common = facts.share().is_some_and(|share| share >= RARE);
    !is_known && is_common && !is_mixed(facts) && facts.others.mostly_hold()
}

/// Whether the suite says where it is violated, and it is violated just there.
fn is_as_declared(facts: &Facts) -> bool {
    facts.declared.as_ref().is_some_and(|declared| declared.fault.is_none() && declared.violated == 0)
        && facts.violated > 0
}

/// Whether a condition is short and exact enough to be the reason of the violations.
fn is_reason(found: &Explanation) -> bool {
    found.is_exact() && found.is_over_inputs && found.literals <= SHORT
}

/// Whether a few violations stay outside a condition that is right about all else, and not beside its boundary.
fn has_exceptions(shape: &Shape) -> bool {
    let Shape::Condition(found) = shape else { return false };
    let explained = found.violated.saturating_sub(found.missed);
    let is_far = found.border.looked_at > 0 && found.border.beside == 0;
    found.is_over_inputs
        && found.missed > 0
        && found.false_alarms == 0
        && found.literals <= SHORT
        && explained >= FEW * found.missed
        && is_far
}

/// What would decide an open cell.
fn would_decide(facts: &Facts) -> Wanted {
    if facts.unsound.judgement_panics > 0 {
        return Wanted::Outputs;
    }
    if let Some(wanted) = facts.anchor.would_decide {
        return wanted;
    }
    match &facts.shape {
        Shape::Nothing => Wanted::Input,
        Shape::Condition(found) if found.is_exact() && facts.anchor.no_worse.is_some() => Wanted::Tester,
        Shape::Condition(found) if found.is_exact() => Wanted::Anchor,
        Shape::Condition(_) if !is_mixed(facts) => Wanted::Exceptions,
        _ if is_mixed(facts) => Wanted::Tolerance,
        _ => Wanted::Feature,
    }
}

impl Reason {
    /// As the JSON report and the reliability table call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Nondeterministic => "nondeterministic",
            Self::Harness => "harness",
            Self::Regression => "regression",
            Self::DecidedBug => "decided-bug",
            Self::Accepted => "accepted",
            Self::Panic => "panic",
            Self::Death => "death",
            Self::Nan => "nan",
            Self::OutsideDeclared => "outside-declared",
            Self::Exceptions => "exceptions",
            Self::SharedCause => "shared-cause",
            Self::Never => "never-violated",
            Self::Always => "always-violated",
            Self::AsDeclared => "as-declared",
            Self::Unchanged => "unchanged",
            Self::Rounding => "rounding",
            Self::Exact => "exact",
            Self::OthersHold => "others-hold",
            Self::Unjudged => "unjudged",
            Self::Open => "open",
        }
    }
}
