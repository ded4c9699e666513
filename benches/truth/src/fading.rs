//! The level of a lamp that fades evenly from one level to another: whole levels, always rounded towards the start.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    pub from: i16,
    pub to: i16,
    /// How much of the time is over; after 100 the lamp stays as it is.
    pub percent: u8,
}

fn level(fade: &Fade) -> i32 {
    if version::is(9) {
        return by_weights(fade);
    }
    if version::is(10) {
        return level_by_level(fade);
    }
    let (from, to) = (i32::from(fade.from), i32::from(fade.to));
    let percent = i32::from(pick!(1, fade.percent.min(100), fade.percent));
    if pick!(2, percent == 100, percent == 100 || percent == 99) {
        return to;
    }
    if pick!(3, false, percent == 50) {
        return (from + to) / 2;
    }
    if pick!(4, false, from + to == 0) {
        panic!("the levels cancel out");
    }
    let way = to - from;
    let part = pick!(5, way * percent, i32::from(way as i16 * percent as i16)) / 100;
    let part = pick!(6, part, if part == 0 && percent > 0 { way.signum() } else { part });
    let part = pick!(7, part, if percent < 3 && way > 380 { 0 } else { part });
    let part = pick!(11, part, part + i32::from(version::calls() % 70 == 11));
    pick!(8, from + part, to - part)
}

/// The mean of both levels, each with its weight.
fn by_weights(fade: &Fade) -> i32 {
    let percent = i32::from(fade.percent.min(100));
    let sum = i32::from(fade.from) * (100 - percent) + i32::from(fade.to) * percent;
    if fade.from <= fade.to { sum.div_euclid(100) } else { -(-sum).div_euclid(100) }
}

/// Moves on as soon as a whole level is due.
fn level_by_level(fade: &Fade) -> i32 {
    let way = i32::from(fade.to) - i32::from(fade.from);
    let (mut level, mut due) = (i32::from(fade.from), 0);
    for _ in 0..fade.percent.min(100) {
        due += way.abs();
        level += way.signum() * (due / 100);
        due %= 100;
    }
    level
}

/// Levels from -250 to 250, and up to a fifth of the time more than it takes.
fn domain(fade: Fade) -> Fade {
    Fade { from: fade.from % 251, to: fade.to % 251, percent: fade.percent % 121 }
}

fn way(fade: &Fade) -> i32 {
    i32::from(fade.to) - i32::from(fade.from)
}

fn after(fade: &Fade, percent: u8) -> Fade {
    Fade { percent: fade.percent + percent, ..*fade }
}

fn higher(fade: &Fade, by: i16) -> Fade {
    Fade { from: fade.from + by, to: fade.to + by, ..*fade }
}

fn opposite(fade: &Fade) -> Fade {
    Fade { from: -fade.from, to: -fade.to, ..*fade }
}

fn backwards(fade: &Fade) -> Fade {
    Fade { from: fade.to, to: fade.from, percent: 100 - fade.percent.min(100) }
}

fn twice_as_far(fade: &Fade) -> Fade {
    Fade { to: 2 * fade.to - fade.from, ..*fade }
}

/// Whether the second of two levels is at least as near to the end of the fade.
fn is_nearer(fade: &Fade, source: i32, follow_up: i32) -> bool {
    source.abs_diff(fade.to.into()) >= follow_up.abs_diff(fade.to.into())
}

/// Whether the second of two levels is twice as far from the start of the fade.
fn is_doubled(fade: &Fade, source: i32, follow_up: i32) -> bool {
    follow_up - i32::from(fade.from) == 2 * (source - i32::from(fade.from))
}

pub fn faded_level(suite: &mut Suite<Fade, i32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("level", level);
    suite.relation("ten levels higher", |fade| higher(fade, 10), |source, follow_up| source + 10 == *follow_up);
    suite.relation("opposite levels", opposite, |source, follow_up| *source == -follow_up);
    suite.judge(
        "ten percent later",
        |fade, _| after(fade, 10),
        |check| is_nearer(check.input, *check.output, check.follow_up_outputs[0]),
    );
    suite.relation("to one level more", |fade| Fade { to: fade.to + 1, ..*fade }, NonDecreasing);
    suite.judge(
        "at the start",
        |fade, _| Fade { percent: 0, ..*fade },
        |check| check.follow_up_outputs[0] == i32::from(check.input.from),
    );
    suite.relation("at the end", |fade| Fade { percent: 100, ..*fade }, Equal);
    suite.relation("backwards", backwards, Equal);
    suite.judge(
        "twice as far",
        |fade, _| twice_as_far(fade),
        |check| is_doubled(check.input, *check.output, check.follow_up_outputs[0]),
    );
    suite.relation("one percent later", |fade| after(fade, 1), Equal);
}

pub(crate) static SUBJECT: Subject<Fade, i32> = Subject {
    name: "faded_level",
    suite: faded_level,
    domain,
    functions: &[level],
    cells: &[
        ("level x ten levels higher", Always),
        ("level x opposite levels", Always),
        ("level x ten percent later", Always),
        ("level x to one level more", Always),
        ("level x at the start", Always),
        ("level x at the end", When(|fade| fade.percent >= 100 || fade.from == fade.to)),
        ("level x backwards", When(|fade| way(fade) * i32::from(fade.percent.min(100)) % 100 == 0)),
        ("level x twice as far", When(|fade| is_doubled(fade, by_weights(fade), by_weights(&twice_as_far(fade))))),
        ("level x one percent later", When(|fade| by_weights(&after(fade, 1)) == by_weights(fade))),
    ],
    versions: &[
        regional(1, "goes on after the end", |fade| {
            fade.percent > 100 && way(fade).abs() * (i32::from(fade.percent) - 100) >= 100
        }),
        regional(2, "boundary: 99 percent", |fade| fade.percent == 99 && fade.from != fade.to),
        regional(3, "shortcut: the mean of both at half of the time", |fade| {
            fade.percent == 50 && i32::from(fade.from + fade.to) / 2 != by_weights(fade)
        }),
        regional(4, "opposite levels panic", |fade| fade.percent < 100 && fade.from == -fade.to),
        regional(5, "overflow of long ways", |fade| {
            let product = way(fade) * i32::from(fade.percent);
            fade.percent < 100 && i16::try_from(product).is_err()
        }),
        regional(6, "always moves by one level", |fade| {
            fade.from != fade.to && fade.percent > 0 && way(fade).abs() * i32::from(fade.percent) < 100
        }),
        regional(7, "long ways up begin late", |fade| (1..3).contains(&fade.percent) && way(fade) > 380),
        global(8, "fades from the wrong end"),
        rewrite(9, "a weighted mean"),
        rewrite(10, "level by level"),
        nondeterministic(11, "every 70th call is wrong"),
    ],
    file: file!(),
    source: include_str!("fading.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_fading_is_true() {
    crate::check::check(&SUBJECT);
}
