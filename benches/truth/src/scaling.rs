//! Maps a value from one range to another, linearly; what lies outside counts as the nearer end.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Negated, NonDecreasing, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub value: i16,
    pub low: i16,
    pub high: i16,
    /// What the lower end is mapped to. It may be more than what the upper one is.
    pub to_low: i16,
    pub to_high: i16,
}

fn scaled(scale: &Scale) -> i32 {
    if version::is(9) {
        return by_direction(scale);
    }
    if version::is(10) {
        return by_searching(scale);
    }
    let [value, low, high] = [scale.value, scale.low, scale.high].map(i32::from);
    let [to_low, to_high] = [scale.to_low, scale.to_high].map(i32::from);
    if pick!(1, false, value == -1) {
        return 0;
    }
    if pick!(2, low == high, false) {
        return to_low;
    }
    if pick!(3, false, to_low == to_high) {
        return 0;
    }
    let value = pick!(4, value.clamp(low, high), value.max(low));
    let value = pick!(5, value, value.min(high - 1));
    let (part, whole, span) = (value - low, high - low, to_high - to_low);
    let moved = pick!(6, part * span / whole, part * 1024 * span / whole / 1024);
    let found = pick!(8, to_low + moved, moved);
    pick!(7, found, found.clamp(to_low, to_high))
}

/// Upwards or downwards, so that nothing is negative.
fn by_direction(scale: &Scale) -> i32 {
    let Scale { value, low, high, to_low, to_high } = *scale;
    let whole = u64::from(high.abs_diff(low));
    let part = if value > low { u64::from(value.abs_diff(low)).min(whole) } else { 0 };
    let moved = (part * u64::from(to_high.abs_diff(to_low))).checked_div(whole).unwrap_or(0) as i32;
    i32::from(to_low) + if to_high > to_low { moved } else { -moved }
}

/// Searches the last step that the value has reached.
fn by_searching(scale: &Scale) -> i32 {
    let Scale { value, low, high, to_low, to_high } = *scale;
    let (part, whole) = (i64::from(value.clamp(low, high)) - i64::from(low), i64::from(high) - i64::from(low));
    let (mut reached, mut missed) = (0, i64::from(to_high.abs_diff(to_low)) + 1);
    let steps = missed - 1;
    while whole > 0 && missed - reached > 1 {
        let middle = (reached + missed) / 2;
        if middle * whole <= part * steps {
            reached = middle;
        } else {
            missed = middle;
        }
    }
    i32::from(to_low) + i32::from((to_high - to_low).signum()) * reached as i32
}

/// A sensor of twelve bits, and a thousand steps in each direction.
fn domain(scale: Scale) -> Scale {
    let (one, other) = (scale.low % 2001, scale.high % 2001);
    Scale {
        value: scale.value % 2001,
        low: one.min(other),
        high: one.max(other),
        to_low: scale.to_low % 1001,
        to_high: scale.to_high % 1001,
    }
}

fn shifted(scale: &Scale) -> Scale {
    let by = pick!(11, 100, 100 + i16::from(version::calls().is_multiple_of(35)) * 32_000);
    Scale { value: scale.value + by, low: scale.low + by, high: scale.high + by, ..*scale }
}

fn doubled(scale: &Scale) -> Scale {
    Scale { value: 2 * scale.value, low: 2 * scale.low, high: 2 * scale.high, ..*scale }
}

fn to(scale: &Scale, change: impl Fn(i16) -> i16) -> Scale {
    Scale { to_low: change(scale.to_low), to_high: change(scale.to_high), ..*scale }
}

fn larger(scale: &Scale) -> Scale {
    Scale { value: scale.value + 50, ..*scale }
}

/// The value counted from the other end.
fn mirrored(scale: &Scale) -> Scale {
    let Scale { value, low, high, to_low, to_high } = *scale;
    Scale { value: low + high - value, to_low: to_high, to_high: to_low, ..*scale }
}

pub fn scaled_value(suite: &mut Suite<Scale, i32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("scaled", scaled);
    suite.relation("shift the range", shifted, Equal);
    suite.relation("double the range", doubled, Equal);
    suite.relation("raise the results", |scale| to(scale, |end| end + 30), |s, f| s + 30 == *f);
    suite.relation("negate the results", |scale| to(scale, |end| -end), Negated);
    suite.judge(
        "at the lower end",
        |scale, _| Scale { value: scale.low, ..*scale },
        |check| check.follow_up_outputs[0] == i32::from(check.input.to_low),
    );
    suite.judge(
        "above the upper end",
        |scale, _| Scale { value: scale.high + 20, ..*scale },
        |check| check.follow_up_outputs[0] == i32::from(check.input.to_high),
    );
    suite.relation("a larger value", larger, NonDecreasing);
    suite.relation("from the other end", mirrored, Equal);
    suite.relation("double the results", |scale| to(scale, |end| 2 * end), ScaledBy(2));
}

pub(crate) static SUBJECT: Subject<Scale, i32> = Subject {
    name: "scaled_value",
    suite: scaled_value,
    domain,
    functions: &[scaled],
    cells: &[
        ("scaled x shift the range", Always),
        ("scaled x double the range", Always),
        ("scaled x raise the results", Always),
        ("scaled x negate the results", Always),
        ("scaled x at the lower end", Always),
        ("scaled x above the upper end", When(|scale| scale.low < scale.high || scale.to_low == scale.to_high)),
        ("scaled x a larger value", When(|scale| by_direction(&larger(scale)) >= by_direction(scale))),
        ("scaled x from the other end", When(|scale| by_direction(&mirrored(scale)) == by_direction(scale))),
        (
            "scaled x double the results",
            When(|scale| by_direction(&to(scale, |end| 2 * end)) == 2 * by_direction(scale)),
        ),
    ],
    versions: &[
        regional(1, "special case: -1 is no value", |scale| scale.value == -1 && by_direction(scale) != 0),
        regional(2, "a range of one value panics", |scale| scale.low == scale.high),
        regional(3, "special case: all results are the same", |scale| {
            scale.low < scale.high && scale.to_low == scale.to_high && scale.to_low != 0
        }),
        regional(4, "missing: the upper end", |scale| {
            let Scale { value, low, high, .. } = *scale;
            low < high && value > high && exactly(scale, value) != i32::from(scale.to_high)
        }),
        regional(5, "boundary: the upper end is not reached", |scale| {
            let Scale { value, low, high, to_low, to_high } = *scale;
            low < high && value >= high && to_low != to_high
        }),
        regional(6, "overflow of a product", |scale| {
            let part = i64::from(scale.value.min(scale.high)) - i64::from(scale.low);
            let span = i64::from(scale.to_high) - i64::from(scale.to_low);
            scale.low < scale.high && i32::try_from(part.max(0) * 1024 * span).is_err()
        }),
        regional(7, "falling results panic", |scale| scale.low < scale.high && scale.to_low > scale.to_high),
        global(8, "begins at zero"),
        rewrite(9, "up or down"),
        rewrite(10, "searches the result"),
        harness(11, "a transformation that overflows now and then"),
    ],
    file: file!(),
    source: include_str!("scaling.rs"),
};

/// What a value is mapped to if it does not matter whether it is inside.
fn exactly(scale: &Scale, value: i16) -> i32 {
    let [value, low, high, to_low, to_high] =
        [value, scale.low, scale.high, scale.to_low, scale.to_high].map(i32::from);
    to_low + (value - low) * (to_high - to_low) / (high - low)
}

#[cfg(test)]
#[test]
fn the_truth_of_scaled_value_is_true() {
    crate::check::check(&SUBJECT);
}
