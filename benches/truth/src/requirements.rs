//! Whether a version satisfies a requirement as Cargo reads them: `^1.2`, `~0.3`, `=1` or `>=1.0.0-2`.

use crate::{
    releases::Release,
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;
use std::cmp::Ordering;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Query {
    pub release: Release,
    pub operator: Operator,
    pub major: u8,
    /// What is left out may be anything.
    pub minor: Option<u8>,
    pub patch: Option<u8>,
    pub pre: Option<u8>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    Exact,
    Greater,
    AtLeast,
    Less,
    AtMost,
    Tilde,
    Caret,
}
use Operator::*;

fn matches(query: &Query) -> bool {
    if version::is(10) {
        return by_columns(query);
    }
    let Query { operator, major, minor, patch, pre, release } =
        pick!(2, *query, if query.operator == AtMost { filled(query) } else { *query });
    let is_patch = pick!(4, patch == Some(release.patch), patch.is_some());
    let is_asked_for = pre.is_some() && major == release.major && minor == Some(release.minor) && is_patch;
    if release.pre.is_some() && !is_asked_for && pick!(7, true, operator != Less) {
        return false;
    }
    let rank = |pre: Option<u8>| pick!(6, pre.unwrap_or(u8::MAX), pre.map_or(0, |pre| pre + 1));
    let (ranked, rank) = (rank(release.pre), rank(pre));
    let compared = |number: u8, given: Option<u8>| given.map_or(Ordering::Equal, |given| number.cmp(&given));
    let then = compared(release.minor, minor)
        .then(compared(release.patch, patch))
        .then(compared(ranked, patch.and(Some(rank))));
    let given = (minor.and(Some(release.minor)), patch.and(Some((release.patch, ranked))));
    let order = release.major.cmp(&major).then(pick!(11, then, given.cmp(&(minor, patch.map(|patch| (patch, rank))))));
    let order = pick!(9, order, order.reverse());
    let is_match = match (operator, major, minor, patch) {
        (Exact, ..) => order.is_eq(),
        (Greater, ..) => order.is_gt(),
        (AtLeast, ..) => order.is_ge(),
        (Less, ..) => order.is_lt(),
        (AtMost, ..) => order.is_le(),
        (Caret, u8::MAX, ..) if pick!(5, false, true) => panic!("no version after {major}"),
        _ if order.is_lt() || release.major != major => false,
        (Tilde, ..) => minor.unwrap_or(pick!(3, release.minor, 0)) == release.minor,
        (Caret, 0, Some(0), Some(patch)) => release.minor == 0 && release.patch == patch,
        (Caret, 0, Some(0), None) => pick!(8, release.minor == 0, true),
        (Caret, 0, Some(minor), _) => pick!(1, release.minor == minor, true),
        (Caret, ..) => true,
    };
    pick!(12, is_match, is_match && version::calls() % 60 != 7)
}

/// Compares as many columns as are given; some of them must not change.
fn by_columns(query: &Query) -> bool {
    is_asked_for(query) && is_meant(query)
}

fn is_asked_for(Query { major, minor, patch, pre, release, .. }: &Query) -> bool {
    let is_named = (*major, *minor, *patch) == (release.major, Some(release.minor), Some(release.patch));
    release.pre.is_none() || pre.is_some() && is_named
}

fn is_meant(query: &Query) -> bool {
    let column = |pre: Option<u8>| pre.map_or(0, |pre| i16::from(pre) - 256);
    let numbers = [Some(query.major), query.minor, query.patch].into_iter().flatten().map(i16::from);
    let (count, leading) = (numbers.clone().count(), numbers.clone().take_while(|number| *number == 0).count());
    let given: Vec<i16> = numbers.chain(query.patch.map(|_| column(query.pre))).collect();
    let Release { major, minor, patch, pre } = query.release;
    let columns = [major.into(), minor.into(), patch.into(), column(pre)];
    let order = columns[..given.len()].cmp(&given);
    let keeps = |count: usize| order.is_ge() && columns[..count] == given[..count];
    match query.operator {
        Exact => order.is_eq(),
        AtLeast => order.is_ge(),
        AtMost => order.is_le(),
        Greater => order.is_gt(),
        Less => order.is_lt(),
        Tilde => keeps(count.min(2)),
        Caret => keeps(count.min(leading + 1)),
    }
}

/// Small numbers, so that they meet, and the greatest; what follows a missing number is missing too.
fn domain(query: Query) -> Query {
    let major = |major: u8| if major == u8::MAX { major } else { major % 2 };
    let small = |number: Option<u8>| number.map(|number| number % 3);
    let minor = small(query.minor);
    let patch = small(query.patch).filter(|_| minor.is_some());
    let pre = small(query.pre).filter(|_| patch.is_some());
    let Release { minor: of_minor, patch: of_patch, .. } = query.release;
    let (of_major, of_pre) = (major(query.release.major), small(query.release.pre));
    let release = Release { major: of_major, minor: of_minor % 3, patch: of_patch % 3, pre: of_pre };
    Query { operator: query.operator, major: major(query.major), minor, patch, pre, release }
}

/// With zeros for all that is left out.
fn filled(query: &Query) -> Query {
    Query { minor: query.minor.or(Some(0)), patch: query.patch.or(Some(0)), ..*query }
}

fn exchanged(query: &Query) -> Query {
    let operator = match query.operator {
        Caret => Tilde,
        Tilde => Caret,
        other => other,
    };
    Query { operator, ..*query }
}

fn unbounded(query: &Query) -> Query {
    Query { operator: if query.operator == Caret { AtLeast } else { query.operator }, ..*query }
}

fn itself(query: &Query) -> Query {
    let Release { major, minor, patch, pre } = query.release;
    Query { operator: Exact, major, minor: Some(minor), patch: Some(patch), pre, ..*query }
}

fn opposite(query: &Query) -> Option<Query> {
    let pairs = [(Greater, AtMost), (AtMost, Greater), (Less, AtLeast), (AtLeast, Less)];
    let (_, operator) = *pairs.iter().find(|(operator, _)| *operator == query.operator)?;
    query.release.pre.is_none().then_some(Query { operator, ..*query })
}

fn stable(query: &Query) -> Query {
    Query { release: Release { pre: None, ..query.release }, ..*query }
}

fn next_patch(query: &Query) -> Query {
    Query { release: Release { patch: query.release.patch + 1, ..query.release }, ..*query }
}

fn next_major(query: &Query) -> Option<Query> {
    let major = query.release.major.checked_add(1)?;
    Some(Query { release: Release { major, minor: 0, patch: 0, pre: None }, ..*query })
}

fn majors_up(query: &Query) -> Option<Query> {
    let release = Release { major: query.release.major.checked_add(1)?, ..query.release };
    Some(Query { major: query.major.checked_add(1)?, release, ..*query })
}

pub fn requirement_match(suite: &mut Suite<Query, bool>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("matches", matches);
    suite.relation("both majors one more", majors_up, Equal);
    suite.relation("caret for tilde, tilde for caret", exchanged, Equal);
    suite.relation("no upper bound for caret", unbounded, |s, f| s <= f);
    suite.relation("zeros for missing numbers", filled, Equal);
    suite.relation("exactly itself", itself, |_, is_match| *is_match);
    suite.relation("the opposite", opposite, |s, f| s != f);
    suite.relation("the stable release", stable, |s, f| s <= f);
    suite.relation("the next patch", next_patch, Equal);
    suite.relation("the next major release", next_major, |_, is_match| !is_match);
}

/// Whether it matters that another query is answered.
fn differs(query: &Query, other: Query) -> bool {
    by_columns(query) != by_columns(&other)
}

pub(crate) static SUBJECT: Subject<Query, bool> = Subject {
    name: "requirement_match",
    suite: requirement_match,
    domain,
    functions: &[matches],
    cells: &[
        ("matches x both majors one more", When(|it| !majors_up(it).is_some_and(|up| differs(it, up)))),
        ("matches x caret for tilde, tilde for caret", When(|it| !differs(it, exchanged(it)))),
        ("matches x no upper bound for caret", Always),
        ("matches x zeros for missing numbers", When(|it| !differs(it, filled(it)))),
        ("matches x exactly itself", Always),
        ("matches x the opposite", Always),
        ("matches x the stable release", When(|it| by_columns(it) <= by_columns(&stable(it)))),
        ("matches x the next patch", When(|it| !differs(it, next_patch(it)))),
        ("matches x the next major release", When(|it| !next_major(it).is_some_and(|next| by_columns(&next)))),
    ],
    versions: &[
        regional(1, "missing: minor versions before 1.0 break", |it| {
            let is_minor = it.operator == Caret && it.major == 0 && it.minor > Some(0);
            is_minor && it.release.major == 0 && it.release.pre.is_none() && Some(it.release.minor) > it.minor
        }),
        regional(2, "at most 1.2 is at most 1.2.0", |it| it.operator == AtMost && differs(it, filled(it))),
        regional(3, "wrong default: ~1 is ~1.0", |it| {
            it.operator == Tilde && differs(it, Query { minor: it.minor.or(Some(0)), ..*it })
        }),
        regional(4, "pre-releases of other patches are asked for", |it| {
            let is_minor = (it.major, it.minor) == (it.release.major, Some(it.release.minor));
            !is_asked_for(it) && it.pre.is_some() && is_minor && is_meant(it)
        }),
        regional(5, "the greatest major version panics", |it| {
            it.operator == Caret && it.major == u8::MAX && is_asked_for(it)
        }),
        regional(6, "wrong order: releases come before their pre-releases", |it| {
            let is_named = is_asked_for(&Query { release: Release { pre: Some(0), ..it.release }, ..*it });
            is_named && it.release.pre.is_none() && it.operator != Exact
        }),
        regional(7, "less than 2.0.0 is also what comes before it", |it| {
            it.operator == Less && !is_asked_for(it) && is_meant(it)
        }),
        regional(8, "missing: ^0.0", |it| {
            let is_zero = it.operator == Caret && it.major == 0 && it.minor == Some(0) && it.patch.is_none();
            is_zero && differs(it, Query { minor: None, ..*it })
        }),
        global(9, "the two sides are compared the wrong way round"),
        rewrite(10, "column by column"),
        rewrite(11, "pairs are compared"),
        nondeterministic(12, "every 60th match is lost"),
    ],
    file: file!(),
    source: include_str!("requirements.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_requirements_is_true() {
    crate::check::check(&SUBJECT);
}
