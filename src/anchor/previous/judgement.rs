//! Whether it is the judgement that has changed: checks that both logs show in full, held then and violated now, although
//! all inputs and outputs are the same.

use super::Known;
use crate::{
    Verdict,
    log::{Check, Outcome, Row, Value, identity_of},
};
use std::collections::HashMap;

/// The inputs that both logs show in full.
#[derive(Default)]
pub(super) struct InFull<'log>(Vec<(&'log Row, &'log Row)>);

impl<'log> InFull<'log> {
    pub(super) fn new(old: Known<'log>, new: Known<'log>) -> Self {
        let in_full = |log: Known<'log>| log.cleaned.working.iter().filter(|row| row.detail.is_some());
        let known: HashMap<u64, &Row> = in_full(old).map(|row| (identity_of(row), row)).collect();
        Self(in_full(new).filter_map(|row| Some((*known.get(&identity_of(row))?, row))).collect())
    }

    /// How many checks of a cell, given by its position in the old log and in the new one, are judged otherwise although
    /// nothing else has changed; nothing if something has in one of them.
    pub(super) fn judged_otherwise(&self, [(old, then), (new, now)]: [(Known<'_>, usize); 2]) -> Option<u64> {
        let is_worse = |(before, after): &&(&Row, &Row)| {
            before.verdict(then) == Some(Verdict::Held) && after.verdict(now) == Some(Verdict::Violated)
        };
        let mut count = 0;
        for (before, after) in self.0.iter().filter(is_worse) {
            let before = Check::new(&old.cleaned.header, before, then);
            if !is_same(&before, &Check::new(&new.cleaned.header, after, now)) {
                return None;
            }
            count += 1;
        }
        (count > 0).then_some(count)
    }
}

/// Whether two checks are known to have seen the same.
fn is_same(old: &Check<'_>, new: &Check<'_>) -> bool {
    // What could not be logged is a unit in its place.
    let is_known = |outcome: &Outcome| !matches!(outcome, Outcome::Unknown | Outcome::Output(Value::Unit));
    let is_whole = |check: &Check<'_>| {
        let mut outcomes = check.output.into_iter().chain(check.outputs);
        let has_all = check.output.is_some() && !check.outputs.is_empty() && outcomes.all(is_known);
        has_all && !check.follow_ups.contains(&Value::Unit)
    };
    let is_equal = (old.output, old.follow_ups, old.outputs) == (new.output, new.follow_ups, new.outputs);
    is_whole(old) && is_whole(new) && is_equal
}
