//! The time of day some minutes later, or earlier where they are negative.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NotEqual, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub hour: u8,
    pub minute: u8,
    /// The minutes to add.
    pub add: i16,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Time {
    pub hour: u8,
    pub minute: u8,
}

/// The minutes of a day.
const DAY: i16 = 24 * 60;

fn later(clock: &Clock) -> Time {
    if version::is(8) {
        return day_by_day(clock);
    }
    if version::is(9) {
        return with_carry(clock);
    }
    let Clock { hour, minute, add } = *clock;
    if pick!(1, false, add % 60 == 0) {
        return Time { hour: ((i16::from(hour) + add / 60) % 24) as u8, minute };
    }
    let hour = pick!(2, hour, if hour == 12 && add < 0 { 0 } else { hour });
    let five = pick!(3, i16::from(hour) * 12 + i16::from(minute / 5), i16::from(hour * 12 + minute / 5));
    let start = five * 5 + i16::from(minute % 5);
    let end = start + pick!(7, add, -add);
    let of_day = pick!(4, end.rem_euclid(DAY), if end < 0 { end + DAY } else { end % DAY });
    let of_day = pick!(5, of_day, if end == DAY { end } else { of_day });
    if pick!(6, false, of_day == 12 * 60) {
        panic!("neither before nor after noon");
    }
    Time { hour: (of_day / 60) as u8, minute: (of_day % 60) as u8 }
}

/// Takes off or adds a day as long as it is another one.
fn day_by_day(clock: &Clock) -> Time {
    let mut minutes = i16::from(clock.hour) * 60 + i16::from(clock.minute) + clock.add;
    while minutes >= DAY {
        minutes -= DAY;
    }
    while minutes < 0 {
        minutes += DAY;
    }
    Time { hour: (minutes / 60) as u8, minute: (minutes % 60) as u8 }
}

/// Hours and minutes apart, with a carry.
fn with_carry(clock: &Clock) -> Time {
    let minutes = i16::from(clock.minute) + clock.add.rem_euclid(60);
    let hours = i16::from(clock.hour) + clock.add.div_euclid(60) + minutes / 60;
    Time { hour: hours.rem_euclid(24) as u8, minute: (minutes % 60) as u8 }
}

/// Any time of day, and at most two days more or less.
fn domain(clock: Clock) -> Clock {
    Clock { hour: clock.hour % 24, minute: clock.minute % 60, add: clock.add % (2 * DAY + 1) }
}

/// The end in minutes since the midnight before the start.
fn end(clock: &Clock) -> i16 {
    i16::from(clock.hour) * 60 + i16::from(clock.minute) + clock.add
}

fn adding(clock: &Clock, add: i16) -> Clock {
    Clock { add, ..*clock }
}

fn an_hour_earlier(clock: &Clock) -> Clock {
    let hour = pick!(10, (clock.hour + 23) % 24, clock.hour - 1);
    Clock { hour, add: clock.add + 60, ..*clock }
}

fn from_the_full_hour(clock: &Clock) -> Clock {
    Clock { minute: 0, add: clock.add + i16::from(clock.minute), ..*clock }
}

/// Back from where the clock came to.
fn back(clock: &Clock, time: &Time) -> Clock {
    Clock { hour: time.hour, minute: time.minute, add: -clock.add }
}

pub fn clock_time(suite: &mut Suite<Clock, Time>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("later", later);
    suite.relation("a day more", |clock| adding(clock, clock.add + DAY), Equal);
    suite.judge("there and back", back, |check| {
        check.follow_up_outputs[0] == Time { hour: check.input.hour, minute: check.input.minute }
    });
    suite.relation("from an hour earlier", an_hour_earlier, Equal);
    suite.relation("from the full hour", from_the_full_hour, Equal);
    suite.relation(
        "half a day more",
        |clock| adding(clock, clock.add + DAY / 2),
        |source, follow_up| source.hour.abs_diff(follow_up.hour) == 12 && source.minute == follow_up.minute,
    );
    suite.relation(
        "a minute more",
        |clock| adding(clock, clock.add + 1),
        |source, follow_up| source.hour == follow_up.hour,
    );
    suite.relation("an hour more", |clock| adding(clock, clock.add + 60), Increase);
    suite.relation("earlier, not later", |clock| adding(clock, -clock.add), Equal);
    suite.relation("twice as many minutes", |clock| adding(clock, 2 * clock.add), NotEqual);
}

pub(crate) static SUBJECT: Subject<Clock, Time> = Subject {
    name: "clock_time",
    suite: clock_time,
    domain,
    functions: &[later],
    cells: &[
        ("later x a day more", Always),
        ("later x there and back", Always),
        ("later x from an hour earlier", Always),
        ("later x from the full hour", Always),
        ("later x half a day more", Always),
        ("later x a minute more", When(|clock| end(clock).rem_euclid(60) != 59)),
        ("later x an hour more", When(|clock| end(clock).rem_euclid(DAY) < 23 * 60)),
        ("later x earlier, not later", When(|clock| clock.add % (DAY / 2) == 0)),
        ("later x twice as many minutes", When(|clock| clock.add % DAY != 0)),
    ],
    versions: &[
        regional(1, "shortcut: full hours back over midnight", |clock| {
            let hours = i16::from(clock.hour) + clock.add / 60;
            clock.add % 60 == 0 && hours < 0 && hours % 24 != 0
        }),
        regional(2, "noon is taken for midnight on the way back", |clock| clock.hour == 12 && clock.add < 0),
        regional(3, "overflow late in the evening", |clock| (clock.hour, clock.minute) >= (21, 20)),
        regional(4, "only one day back", |clock| end(clock) < -DAY),
        regional(5, "boundary: the next midnight", |clock| end(clock) == DAY),
        regional(6, "noon panics", |clock| end(clock).rem_euclid(DAY) == 12 * 60),
        global(7, "minutes are taken off"),
        rewrite(8, "day by day"),
        rewrite(9, "with a carry"),
        harness(10, "a transformation that panics after midnight"),
    ],
    file: file!(),
    source: include_str!("clock.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_clock_is_true() {
    crate::check::check(&SUBJECT);
}
