//! A rule as JSON and CSV show it.

use crate::explain::Rule;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Line<'rule> {
    pub(super) when: &'rule [String],
    pub(super) verdict: &'static str,
    pub(super) support: f64,
    pub(super) confidence: f64,
    pub(super) lift: f64,
    /// `None` if the rule is never wrong.
    pub(super) conviction: Option<f64>,
    pub(super) rows: u64,
}

impl<'rule> Line<'rule> {
    pub(super) fn of(rule: &'rule Rule) -> Self {
        let Rule { when, is_violated, counts } = rule;
        Self {
            when,
            verdict: if *is_violated { "violated" } else { "held" },
            support: counts.support(),
            confidence: counts.confidence(),
            lift: counts.lift(),
            conviction: counts.conviction(),
            rows: counts.both,
        }
    }
}
