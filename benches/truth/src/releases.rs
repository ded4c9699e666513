//! The precedence of two semantic versions: -1 if the left one is before the right one, 0 or 1.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Negated, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Release {
    pub major: u8,
    pub minor: u8,
    pub patch: u8,
    /// The number of a pre-release, as in 1.0.0-3.
    pub pre: Option<u8>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub left: Release,
    pub right: Release,
}

fn precedence(pair: &Pair) -> i8 {
    if version::is(9) {
        return by_key(pair);
    }
    if version::is(10) {
        return by_number(pair);
    }
    let (left, right) = pick!(1, (pair.left, pair.right), (pair.right, pair.left));
    if pick!(2, left.major != right.major, left.major != right.major && left.minor == right.minor) {
        return sign(left.major, right.major);
    }
    if left.minor != right.minor {
        return pick!(3, sign(left.minor, right.minor), if left.minor - right.minor > 0 { 1 } else { -1 });
    }
    if pick!(4, left.patch != right.patch, left.patch != right.patch && left.major > 0) {
        return pick!(5, sign(left.patch, right.patch), sign(left.patch.to_string(), right.patch.to_string()));
    }
    let number = |release: Release| pick!(6, release.pre, release.pre.filter(|number| *number > 0));
    match (number(left), number(right)) {
        (Some(left), Some(right)) => pick!(7, sign(left, right), if left < right { -1 } else { 1 }),
        (left, right) => pick!(8, sign(left.is_none(), right.is_none()), sign(left, right)),
    }
}

fn sign<T: Ord>(left: T, right: T) -> i8 {
    left.cmp(&right) as i8
}

/// A release comes after all its pre-releases.
fn by_key(pair: &Pair) -> i8 {
    let key = |release: Release| (numbers(release), release.pre.is_none(), release.pre);
    sign(key(pair.left), key(pair.right))
}

/// One number for each version.
fn by_number(pair: &Pair) -> i8 {
    let number = |release: Release| {
        let (major, minor, patch) = numbers(release);
        let digits = [major.into(), minor.into(), patch.into(), release.pre.map_or(999, u64::from)];
        digits.into_iter().fold(0, |number, digit| 1000 * number + digit)
    };
    (number(pair.left) as i64 - number(pair.right) as i64).signum() as i8
}

fn numbers(release: Release) -> (u8, u8, u8) {
    (release.major, release.minor, release.patch)
}

/// Versions up to 2.4.14-11.
fn domain(pair: Pair) -> Pair {
    both(&pair, |release| Release {
        major: release.major % 3,
        minor: release.minor % 5,
        patch: release.patch % 15,
        pre: release.pre.map(|number| number % 12),
    })
}

fn both(pair: &Pair, change: impl Fn(Release) -> Release) -> Pair {
    Pair { left: change(pair.left), right: change(pair.right) }
}

fn with_left(pair: &Pair, change: impl Fn(Release) -> Release) -> Pair {
    Pair { left: change(pair.left), ..*pair }
}

fn swapped(pair: &Pair) -> Pair {
    Pair { left: pair.right, right: pair.left }
}

fn next_major(pair: &Pair) -> Pair {
    let more = pick!(11, 0, u8::from(version::calls().is_multiple_of(25)));
    let next = both(pair, |release| Release { major: release.major + 1, ..release });
    with_left(&next, |release| Release { minor: release.minor + more, ..release })
}

fn a_major_ahead(pair: &Pair) -> Pair {
    with_left(pair, |release| Release { major: pair.right.major + 1, ..release })
}

fn next_patch(pair: &Pair) -> Pair {
    with_left(pair, |release| Release { patch: release.patch + 1, ..release })
}

fn next_pre_release(pair: &Pair) -> Option<Pair> {
    let number = pair.left.pre?;
    Some(with_left(pair, |release| Release { pre: Some(number + 1), ..release }))
}

fn released(release: Release) -> Release {
    Release { pre: None, ..release }
}

fn first_patch(release: Release) -> Release {
    Release { patch: 0, ..release }
}

fn same_major(pair: &Pair) -> Pair {
    with_left(pair, |release| Release { major: pair.right.major, ..release })
}

fn has_same_numbers(pair: &Pair) -> bool {
    numbers(pair.left) == numbers(pair.right)
}

pub fn version_order(suite: &mut Suite<Pair, i8>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("precedence", precedence);
    suite.relation("swap", swapped, Negated);
    suite.relation("next major of both", next_major, Equal);
    suite.relation("left is a major ahead", a_major_ahead, |_, follow_up| *follow_up == 1);
    suite.relation("next patch of the left", next_patch, NonDecreasing);
    suite.relation("left is released", |pair| with_left(pair, released), NonDecreasing);
    suite.relation("swap, and it is the same", swapped, Equal);
    suite.relation("first patch of both", |pair| both(pair, first_patch), Equal);
    suite.relation("both are released", |pair| both(pair, released), Equal);
    suite.relation("next pre-release of the left", next_pre_release, Equal);
    suite.relation("same major", same_major, Equal);
}

pub(crate) static SUBJECT: Subject<Pair, i8> = Subject {
    name: "version_order",
    suite: version_order,
    domain,
    functions: &[precedence],
    cells: &[
        ("precedence x swap", Always),
        ("precedence x next major of both", Always),
        ("precedence x left is a major ahead", Always),
        ("precedence x next patch of the left", Always),
        ("precedence x left is released", Always),
        ("precedence x swap, and it is the same", When(|pair| pair.left == pair.right)),
        ("precedence x first patch of both", When(|pair| by_key(&both(pair, first_patch)) == by_key(pair))),
        ("precedence x both are released", When(|pair| !has_same_numbers(pair) || pair.left.pre == pair.right.pre)),
        (
            "precedence x next pre-release of the left",
            When(|pair| next_pre_release(pair).is_some_and(|next| by_key(&next) == by_key(pair))),
        ),
        ("precedence x same major", When(|pair| by_key(&same_major(pair)) == by_key(pair))),
    ],
    versions: &[
        global(1, "left and right are swapped"),
        regional(2, "the minor number decides before the major one", |pair| {
            let Pair { left, right } = pair;
            left.major.cmp(&right.major) == right.minor.cmp(&left.minor) && left.major != right.major
        }),
        regional(3, "a difference below zero panics", |pair| {
            pair.left.major == pair.right.major && pair.left.minor < pair.right.minor
        }),
        regional(4, "missing: patches before the first major release", |pair| {
            let Pair { left, right } = pair;
            let is_early = left.major == 0 && right.major == 0;
            is_early && left.minor == right.minor && by_key(&both(pair, first_patch)) != by_key(pair)
        }),
        regional(5, "patches are compared as texts", |pair| {
            let Pair { left, right } = pair;
            let (short, long) = (left.patch.min(right.patch), left.patch.max(right.patch));
            let is_other_as_text = long > 9 && short < 10 && short > 1;
            left.major == right.major && left.minor == right.minor && is_other_as_text
        }),
        regional(6, "special case: pre-release zero is taken for a release", |pair| {
            let pre = [pair.left.pre, pair.right.pre];
            has_same_numbers(pair) && pre[0] != pre[1] && pre.contains(&Some(0))
        }),
        regional(7, "boundary: the same pre-release", |pair| pair.left == pair.right && pair.left.pre.is_some()),
        regional(8, "special case: a release comes before its pre-releases", |pair| {
            has_same_numbers(pair) && pair.left.pre.is_some() != pair.right.pre.is_some()
        }),
        rewrite(9, "compares tuples"),
        rewrite(10, "one number for each version"),
        harness(11, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("releases.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_releases_is_true() {
    crate::check::check(&SUBJECT);
}
