//! An anchor: what is known of a cell from outside the log at hand. Held against the log, it says what is a regression and
//! what is not.
//!
//! | file | does |
//! |---|---|
//! | `decided` | the tester's decisions |
//! | `previous` | the log of an earlier version |

mod decided;
pub(crate) mod previous;

pub(crate) use decided::{Compared, Decided, State, compare};

use crate::hint::{Anchor, Said};

/// What a decision and an earlier log say of a cell, together: violations that the tester has accepted are no regression,
/// whatever was before.
pub(crate) fn joined(decided: Anchor, previous: Anchor) -> Anchor {
    let is_settled = decided.accepted.is_some() && !previous.is_beyond_violations;
    let regression = previous.regression.into_iter().filter(|_| !is_settled);
    let unless_settled = |said: Option<Said>| said.filter(|_| !is_settled);
    Anchor {
        regression: decided.regression.into_iter().chain(regression).collect(),
        is_beyond_violations: previous.is_beyond_violations,
        changed: unless_settled(previous.changed),
        would_decide: previous.would_decide.filter(|_| !is_settled),
        drift: decided.drift.or(previous.drift),
        no_worse: previous.no_worse,
        accepted: decided.accepted,
        accepted_as: decided.accepted_as,
        bug: decided.bug,
    }
}
