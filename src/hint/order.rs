//! From facts to a hint: a fixed order, the first that fits.

use super::{
    Hint, Hinted, calibrated, evidence,
    facts::{Explanation, Facts, Shape},
};

/// How many literals a condition may have to be called a reason.
const SHORT: usize = 2;

/// Why a hint was given; each was measured on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Nondeterministic,
    Harness,
    Regression,
    DecidedBug,
    Accepted,
    Panic,
    OutsideDeclared,
    SharedCause,
    Never,
    Always,
    AsDeclared,
    Rounding,
    Exact,
    Open,
}

/// The hint of a cell.
pub(super) fn hinted(facts: &Facts) -> Hinted {
    let (hint, reason) = decide(facts);
    Hinted {
        hint,
        confidence: calibrated::confidence(reason),
        evidence: evidence::of(facts, hint),
        would_decide: (hint == Hint::Inconclusive).then(|| would_decide(facts)),
    }
}

fn decide(facts: &Facts) -> (Hint, Reason) {
    let unsound = &facts.unsound;
    if unsound.conflicting + unsound.nondeterministic > 0 {
        return (Hint::Nondeterministic, Reason::Nondeterministic);
    }
    if unsound.role_dependent + unsound.harness_panics + unsound.identity_violated > 0
        || unsound.contradiction.is_some()
    {
        return (Hint::Harness, Reason::Harness);
    }
    if facts.anchor.regression.is_some() {
        return (Hint::Regression, Reason::Regression);
    }
    if let Some(reason) = bug(facts) {
        return (Hint::Bug, reason);
    }
    if facts.anchor.accepted.is_some() {
        return (Hint::NotABug, Reason::Accepted);
    }
    match &facts.shape {
        Shape::Never => (Hint::Fits, Reason::Never),
        Shape::Always => (Hint::DoesNotApply, Reason::Always),
        _ if is_as_declared(facts) => (Hint::NotABug, Reason::AsDeclared),
        _ if facts.rounding.is_some() => (Hint::NotABug, Reason::Rounding),
        Shape::Condition(found) if is_reason(found) => (Hint::NotABug, Reason::Exact),
        _ => (Hint::Inconclusive, Reason::Open),
    }
}

fn bug(facts: &Facts) -> Option<Reason> {
    if facts.anchor.bug.is_some() {
        return Some(Reason::DecidedBug);
    }
    let sides = &facts.sides;
    if sides.source_panics + sides.follow_up_panics + sides.deaths + sides.nan_on_one_side > 0 {
        return Some(Reason::Panic);
    }
    if facts.anchor.accepted.is_some() {
        return None;
    }
    if facts.declared.as_ref().is_some_and(|declared| declared.fault.is_none() && declared.violated > 0) {
        return Some(Reason::OutsideDeclared);
    }
    if is_as_declared(facts) {
        return None;
    }
    if facts.cause.is_some() {
        return Some(Reason::SharedCause);
    }
    None
}

/// Whether the suite says where it is violated, and it is violated just there.
fn is_as_declared(facts: &Facts) -> bool {
    facts.declared.as_ref().is_some_and(|declared| declared.fault.is_none() && declared.violated == 0)
        && facts.violated > 0
}

/// Whether a condition is short and exact enough to be the reason of the violations.
fn is_reason(found: &Explanation) -> bool {
    found.is_exact() && found.literals <= SHORT
}

/// What would decide an open cell.
fn would_decide(facts: &Facts) -> &'static str {
    match &facts.shape {
        Shape::Nothing => "an input that the relation applies to",
        Shape::Condition(found) if found.is_exact() => {
            "an earlier version's log (`bugornot diff`), or a declared `.expect_condition(..)`"
        }
        Shape::Condition(_) => "a look at the exceptions, or more rows near them",
        _ => "a feature that tells the nearest pair apart (`observe!`), or an earlier version's log (`bugornot diff`)",
    }
}
