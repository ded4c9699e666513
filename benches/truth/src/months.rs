//! A date so many months later or earlier: the day is clamped to the end of the month.

use crate::{
    calendar::{is_leap, length},
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    /// How many months to add.
    pub months: i16,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Date {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

fn shifted(shift: &Shift) -> Date {
    if version::is(9) {
        return by_steps(shift);
    }
    if version::is(10) {
        return by_counting_months(shift);
    }
    let Shift { year, month, day, months } = *shift;
    let total = pick!(1, i32::from(month) - 1 + i32::from(months), i32::from(month as i8 - 1 + months as i8));
    let total = pick!(8, total, i32::from(month) - 1 - i32::from(months));
    let years = pick!(2, total.div_euclid(12), total / 12);
    let years = pick!(3, years, (total + 1).div_euclid(12));
    let new_year = (i32::from(year) + years) as u16;
    let new_month = (total.rem_euclid(12) + 1) as u8;
    let last = days_in(pick!(4, new_year, year), new_month);
    let new_day = pick!(5, day.min(last), if day == days_in(year, month) { last } else { day.min(last) });
    let new_day = pick!(11, new_day, if version::calls() % 80 == 5 { 1 } else { new_day });
    Date { year: new_year, month: new_month, day: new_day }
}

fn days_in(year: u16, month: u8) -> u8 {
    let is_century = pick!(6, year.is_multiple_of(100) && !year.is_multiple_of(400), year.is_multiple_of(100));
    match month {
        2 => 28 + u8::from(year.is_multiple_of(4) && !is_century),
        1 | 3 | 5 | 7 | 10 | 12 => 31,
        8 => pick!(7, 31, 30),
        _ => 30,
    }
}

/// Month by month.
fn by_steps(shift: &Shift) -> Date {
    let Shift { mut year, mut month, day, months } = *shift;
    for _ in 0..months {
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
    for _ in months..0 {
        (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
    }
    Date { year, month, day: day.min(length(year, month)) }
}

/// All months since the beginning of the calendar.
fn by_counting_months(shift: &Shift) -> Date {
    const LENGTHS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let count = i64::from(shift.year) * 12 + i64::from(shift.month) + i64::from(shift.months) - 1;
    let (year, index) = ((count / 12) as u16, (count % 12) as usize);
    let last = if index == 1 && is_leap(year) { 29 } else { LENGTHS[index] };
    Date { year, month: index as u8 + 1, day: if shift.day > last { last } else { shift.day } }
}

/// A date from 1980 to 2019, at most ten years in each direction.
fn domain(shift: Shift) -> Shift {
    let (year, month) = (1980 + shift.year % 40, 1 + shift.month % 12);
    Shift { year, month, day: 1 + shift.day % length(year, month), months: shift.months % 121 }
}

fn more(shift: &Shift, months: i16) -> Shift {
    Shift { months: shift.months + months, ..*shift }
}

fn next_day(shift: &Shift) -> Shift {
    match *shift {
        Shift { year, month, day, .. } if day < length(year, month) => Shift { day: day + 1, ..*shift },
        Shift { year, month: 12, .. } => Shift { year: year + 1, month: 1, day: 1, ..*shift },
        Shift { month, .. } => Shift { month: month + 1, day: 1, ..*shift },
    }
}

/// Begins a month later and goes one less, if there is such a day.
fn begun_later(shift: &Shift) -> Option<Shift> {
    let Shift { year, month, day, months } = *shift;
    let (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    (day <= length(year, month)).then_some(Shift { year, month, day, months: months - 1 })
}

fn from(date: &Date, months: i16) -> Shift {
    Shift { year: date.year, month: date.month, day: date.day, months }
}

/// The last day of the month that is arrived at.
fn last_day(shift: &Shift) -> u8 {
    let Date { year, month, .. } = by_steps(shift);
    length(year, month)
}

/// Whether a stop in this month clamps a day that the second one after it has.
fn loses_days(shift: &Shift) -> bool {
    let between = last_day(shift);
    shift.day > between && last_day(&more(shift, 2)) > between
}

pub fn month_shift(suite: &mut Suite<Shift, Date>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("shifted", shifted);
    suite.relation("another month", |shift| more(shift, 1), Increase);
    suite.relation(
        "400 years later",
        |shift| Shift { year: shift.year + 400, ..*shift },
        |s, f| Date { year: s.year + 400, ..*s } == *f,
    );
    suite.relation("from the next day", next_day, NonDecreasing);
    suite.relation("from the first", |shift| Shift { day: 1, ..*shift }, |s, f| Date { day: 1, ..*s } == *f);
    suite.relation("begin a month later", begun_later, Equal);
    suite.relation("twelve more", |shift| more(shift, 12), |s, f| Date { year: s.year + 1, ..*s } == *f);
    suite.relation("from the next day, and later", next_day, Increase);
    suite.judge(
        "there and back",
        |shift, date| from(date, -shift.months),
        |check| from(&check.follow_up_outputs[0], check.input.months) == *check.input,
    );
    suite.judge(
        "in two steps",
        |shift, date| [from(date, 2), more(shift, 2)],
        |check| check.follow_up_outputs[0] == check.follow_up_outputs[1],
    );
    suite.relation("from the next year", |shift| Shift { year: shift.year + 1, ..*shift }, Equal);
}

pub(crate) static SUBJECT: Subject<Shift, Date> = Subject {
    name: "month_shift",
    suite: month_shift,
    domain,
    functions: &[shifted],
    cells: &[
        ("shifted x another month", Always),
        ("shifted x 400 years later", Always),
        ("shifted x from the next day", Always),
        ("shifted x from the first", Always),
        ("shifted x begin a month later", Always),
        (
            "shifted x twelve more",
            When(|shift| shift.day.min(last_day(shift)) == shift.day.min(last_day(&more(shift, 12)))),
        ),
        (
            "shifted x from the next day, and later",
            When(|shift| shift.day < last_day(shift) || shift.day == length(shift.year, shift.month)),
        ),
        ("shifted x there and back", When(|shift| shift.day <= last_day(shift))),
        ("shifted x in two steps", When(|shift| !loses_days(shift))),
        ("shifted x from the next year", Never),
    ],
    versions: &[
        regional(1, "overflow: more than 127 months", |shift| i16::from(shift.month) - 1 + shift.months > 127),
        regional(2, "rounds to the wrong year before the first one", |shift| {
            let total = i16::from(shift.month) - 1 + shift.months;
            total < 0 && total % 12 != 0
        }),
        regional(3, "boundary: December counts for the next year", |shift| by_steps(shift).month == 12),
        regional(4, "the length of February in the year before", |shift| {
            let date = by_steps(shift);
            date.month == 2 && shift.day > 28 && is_leap(date.year) != is_leap(shift.year)
        }),
        regional(5, "the last day becomes the last day", |shift| {
            shift.day == length(shift.year, shift.month) && shift.day < last_day(shift)
        }),
        regional(6, "special case: 2000 is no leap year", |shift| {
            let date = by_steps(shift);
            date.year == 2000 && date.month == 2 && date.day == 29
        }),
        regional(7, "wrong constant: the length of August", |shift| {
            let date = by_steps(shift);
            date.month == 8 && date.day == 31
        }),
        global(8, "goes the other way"),
        rewrite(9, "month by month"),
        rewrite(10, "counts all months"),
        nondeterministic(11, "every eightieth call is wrong"),
    ],
    file: file!(),
    source: include_str!("months.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_month_shift_is_true() {
    crate::check::check(&SUBJECT);
}
