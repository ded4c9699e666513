//! What differs between two logs before any row is looked at, and what then can be compared at all.

use crate::{
    clean::Campaign,
    log::{Header, IMPORT},
};

/// How far two logs can be compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Alike {
    /// Why nothing can be compared.
    pub(super) nothing: Option<String>,
    /// Why only inputs that both logs have can be compared.
    pub(super) only_shared: Option<String>,
    /// Why a change need not come from the code.
    pub(super) other_reason: Option<String>,
    /// All of these, and what else has to be known.
    pub(super) notes: Vec<String>,
}

/// Which of several old campaigns is most like a new one, and the last to be written of those that are equally so; none
/// if all are of other suites.
pub(crate) fn most_alike(olds: &[Campaign], new: &Header) -> Option<usize> {
    let of_suite = (0..olds.len()).filter(|&old| olds[old].header.suite == new.suite);
    of_suite.max_by_key(|&old| {
        let Campaign { header, written, .. } = &olds[old];
        let is_same_engine = header.build.engine == new.build.engine;
        let (constants, inputs, build) = (constants(header, new), inputs(header, new), build(header, new));
        (constants.is_none(), inputs.is_none(), build.is_none(), is_same_engine, *written)
    })
}

impl Alike {
    pub(super) fn of(old: &Header, new: &Header) -> Self {
        let nothing = constants(old, new).map(|differing| {
            format!("the constants differ ({differing}), and nobody knows what depends on them: no verdict is compared")
        });
        let only_shared = inputs(old, new);
        let other_reason = build(old, new);
        let mut notes: Vec<String> = [&nothing, &only_shared, &other_reason].into_iter().flatten().cloned().collect();
        let (then, now) = (&old.build.compiler, &new.build.compiler);
        if then != now && is_built(old) && is_built(new) {
            notes.push(format!("the compiler was {then}, and is {now}"));
        }
        Self { nothing, only_shared, other_reason, notes }
    }
}

/// Whether a build of bugornot made the verdicts.
fn is_built(header: &Header) -> bool {
    header.build.engine != IMPORT
}

fn constants(old: &Header, new: &Header) -> Option<String> {
    let text = |header: &Header| {
        let constants = header.constants.iter().map(|(name, value)| format!("{name} = {value}"));
        let text = constants.collect::<Vec<_>>().join(", ");
        if text.is_empty() { "none".into() } else { text }
    };
    let sorted = |header: &Header| {
        let mut constants = header.constants.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
        constants.sort();
        constants
    };
    (sorted(old) != sorted(new)).then(|| format!("{} then, {} now", text(old), text(new)))
}

fn inputs(old: &Header, new: &Header) -> Option<String> {
    let what = if old.parameters != new.parameters {
        "the parameters differ"
    } else if old.build.type_fingerprint != new.build.type_fingerprint {
        "the type of the inputs or of the outputs differs"
    } else {
        return None;
    };
    Some(format!("{what}: only inputs that both logs have are compared"))
}

/// The facts about a build that change verdicts by themselves.
fn build(old: &Header, new: &Header) -> Option<String> {
    if !is_built(old) || !is_built(new) {
        return None;
    }
    let (then, now) = (&old.build, &new.build);
    let word = |is_on: bool| if is_on { "on" } else { "off" };
    let mut differing = Vec::new();
    for (what, then, now) in [
        ("overflow checks", then.overflow_checks, now.overflow_checks),
        ("debug assertions", then.debug_assertions, now.debug_assertions),
        ("`cfg(fuzzing)`", then.cfg_fuzzing, now.cfg_fuzzing),
    ] {
        if then != now {
            differing.push(format!("{what} {} then, {} now", word(then), word(now)));
        }
    }
    for (what, then, now) in [("sanitizer", &then.sanitizer, &now.sanitizer), ("target", &then.target, &now.target)] {
        if then != now {
            differing.push(format!("{what} {then} then, {now} now"));
        }
    }
    (!differing.is_empty())
        .then(|| format!("the builds differ, which can change verdicts by itself: {}", differing.join("; ")))
}
