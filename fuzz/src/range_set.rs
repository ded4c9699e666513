//! Sets of ranges of `rangemap`: some spans are inserted, and one may be cut out again.
//!
//! | holds when | covered | gaps | starts |
//! |---|---|---|---|
//! | rotate | always | always | always |
//! | forget | always | the last span adds nothing to the others | |
//! | uncut | always | the cut removes nothing | the cut does not end within a range |
//! | slide | always | always | always |
//! | stay | nothing is covered | nothing is covered | nothing is covered |
//! | again | always | never | always |
//!
//! `forget` needs a span, `uncut` a cut.

use arbitrary::Arbitrary;
use bugornot::{Equal, SameLength, Subset, Suite, Superset, any, observe};
use rangemap::RangeInclusiveSet;
use serde::Serialize;
use std::{collections::BTreeSet, ops::RangeInclusive};

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Plan {
    pub spans: Vec<Span>,
    pub cut: Option<Span>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug)]
pub struct Span {
    pub first: u8,
    pub last: u8,
}

/// What gaps are looked for in: wider than the domain, so that a slide stays inside.
const OUTER: RangeInclusive<u8> = 0..=31;
const DOMAIN: u8 = 24;
const MOST_SPANS: usize = 4;

impl Span {
    /// The span in the domain: `rangemap` panics at one that is the wrong way round.
    fn tidy(self) -> Self {
        let (one, other) = (self.first % DOMAIN, self.last % DOMAIN);
        Self { first: one.min(other), last: one.max(other) }
    }

    fn slide(self, by: u8) -> Self {
        Self { first: self.first + by, last: self.last + by }
    }
}

impl Plan {
    fn inserted(&self) -> RangeInclusiveSet<u8> {
        self.spans.iter().map(|span| span.first..=span.last).collect()
    }

    fn set(&self) -> RangeInclusiveSet<u8> {
        let mut set = self.inserted();
        if let Some(cut) = self.cut {
            set.remove(cut.first..=cut.last);
        }
        set
    }

    fn cut_ends_within_a_range(&self) -> bool {
        self.cut.is_some_and(|cut| [cut.last, cut.last + 1].iter().all(|end| self.inserted().contains(end)))
    }
}

pub fn range_set(suite: &mut Suite<Plan, BTreeSet<u8>>) {
    let k = suite.constant("k", 1..=8u8);
    let turn = suite.parameter("turn", any::<u8>());
    suite.normalise(|plan| Plan {
        spans: plan.spans.into_iter().take(MOST_SPANS).map(Span::tidy).collect(),
        cut: plan.cut.map(Span::tidy),
    });
    suite.examples([
        Plan { spans: Vec::new(), cut: None },
        Plan { spans: vec![Span { first: 0, last: 9 }], cut: Some(Span { first: 4, last: 5 }) },
        Plan { spans: vec![Span { first: 0, last: 4 }, Span { first: 5, last: 9 }], cut: None },
    ]);

    suite.function("covered", |plan| plan.set().into_iter().flatten().collect());
    suite.function("gaps", |plan| plan.set().gaps(&OUTER).flatten().collect());
    suite.function("starts", |plan| plan.set().iter().map(|range| *range.start()).collect());

    suite
        .relation(
            "rotate",
            move |plan| {
                let mut plan = plan.clone();
                let turn = usize::from(turn.get()) % plan.spans.len().max(1);
                plan.spans.rotate_left(turn);
                plan
            },
            Equal,
        )
        .describe("insert the spans in another order");
    suite
        .relation(
            "forget",
            |plan| {
                let (_, spans) = plan.spans.split_last()?;
                Some(Plan { spans: spans.to_vec(), cut: plan.cut })
            },
            Subset,
        )
        .only(["covered", "gaps"])
        .describe("leave out the last span: nothing new comes up");
    suite
        .relation("uncut", |plan| Plan { spans: plan.spans.clone(), cut: None }, Superset)
        .when(|plan| plan.cut.is_some())
        .describe("cut nothing out: nothing is lost");

    let slide = move |plan: &Plan| Plan {
        spans: plan.spans.iter().map(|span| span.slide(k)).collect(),
        cut: plan.cut.map(|cut| cut.slide(k)),
    };
    suite.relation("slide", slide, SameLength).describe("move everything by k: as many as before");
    suite.relation("stay", slide, Equal).describe("move everything by k: the same as before");
    suite
        .judge(
            "again",
            |_, output| Plan { spans: output.iter().map(|&at| Span { first: at, last: at }).collect(), cut: None },
            |check| check.follow_up_outputs[0] == *check.output,
        )
        .describe("insert what came out, one by one: the same comes out");

    observe!(suite, |plan| plan.cut_ends_within_a_range());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};
    use bugornot::Verdict;

    /// The members of spans as bits: the same sets without `rangemap`.
    fn bits<'span>(spans: impl IntoIterator<Item = &'span Span>) -> u64 {
        spans.into_iter().flat_map(|span| span.first..=span.last).fold(0, |bits, at| bits | 1 << at)
    }

    #[test]
    fn the_table_is_true() {
        let conditional =
            ["covered x stay", "gaps x forget", "gaps x uncut", "gaps x stay", "starts x uncut", "starts x stay"];
        check(range_set, &conditional, |case| {
            let Plan { spans, cut } = case.input;
            let (inserted, removed) = (bits(spans), bits(cut));
            let covered = inserted & !removed;
            let (function, relation) = case.cell.split_once(" x ").unwrap();
            held_if(match (function, relation) {
                (_, "forget") if spans.is_empty() => return Verdict::NotApplicable,
                (_, "uncut") if cut.is_none() => return Verdict::NotApplicable,
                ("gaps", "forget") => bits(&spans[..spans.len() - 1]) & !removed == covered,
                ("gaps", "uncut") => inserted & removed == 0,
                ("starts", "uncut") => cut.is_none_or(|cut| inserted >> cut.last & 0b11 != 0b11),
                (_, "stay") => covered == 0,
                ("gaps", "again") => false,
                (_, "rotate" | "forget" | "uncut" | "slide" | "again") => true,
                _ => unreachable!("{}", case.cell),
            })
        });
    }
}
