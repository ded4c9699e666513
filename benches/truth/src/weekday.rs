//! The day of the week of a date: days since the beginning of the calendar, modulo 7.

use crate::{
    calendar::{is_leap, length},
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NotEqual, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Date {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

const BEFORE_MONTH: [u32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// 0 is Sunday.
fn weekday(date: &Date) -> u8 {
    if version::is(8) {
        return by_month_shifts(date);
    }
    if version::is(9) {
        return by_counting(date);
    }
    let years = u32::from(date.year) - 1;
    let leap_days = years / 4 - years / 100 + pick!(1, years / 400, 3 + years / 1600);
    let whole_years = pick!(2, 365, 366) * years + leap_days;
    let month = usize::from(date.month);
    let months = pick!(3, BEFORE_MONTH[month - 1], BEFORE_MONTH[month - 1] + u32::from(month == 11));
    let months = pick!(4, months, BEFORE_MONTH[..11][month - 1]);
    let is_after_february = pick!(5, date.month > 2, date.month > 3);
    let is_leap = date.year.is_multiple_of(4) && is_leap_century(date);
    let days = whole_years + months + u32::from(is_after_february && is_leap) + u32::from(date.day);
    let days = pick!(7, days, days + u32::from(date.year.is_multiple_of(100) && date.month == 2 && date.day > 25));
    let days = pick!(10, days, days + u32::from(version::calls().is_multiple_of(100)));
    (days % 7) as u8
}

fn is_leap_century(date: &Date) -> bool {
    pick!(6, !date.year.is_multiple_of(100) || date.year.is_multiple_of(400), date.year != 1900)
}

/// Sakamoto's method.
fn by_month_shifts(date: &Date) -> u8 {
    const SHIFTS: [u16; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = date.year - u16::from(date.month < 3);
    let shift = SHIFTS[usize::from(date.month) - 1];
    ((year + year / 4 - year / 100 + year / 400 + shift + u16::from(date.day)) % 7) as u8
}

/// Month by month from the first of January 1600, a Saturday.
fn by_counting(date: &Date) -> u8 {
    let years = (1600..date.year).map(|year| if is_leap(year) { 366 } else { 365 }).sum::<u32>();
    let months = (1..date.month).map(|month| u32::from(length(date.year, month))).sum::<u32>();
    ((6 + years + months + u32::from(date.day) - 1) % 7) as u8
}

/// A date from 1600 to 2399.
fn domain(date: Date) -> Date {
    let (year, month) = (1600 + date.year % 800, 1 + date.month % 12);
    Date { year, month, day: 1 + date.day % length(year, month) }
}

fn later(date: &Date, days: u8) -> Date {
    (0..days).fold(*date, |date, _| match date {
        Date { year, month, day } if day < length(year, month) => Date { year, month, day: day + 1 },
        Date { year, month: 12, .. } => Date { year: year + 1, month: 1, day: 1 },
        Date { year, month, .. } => Date { year, month: month + 1, day: 1 },
    })
}

/// The same day of another year, if there is one.
fn years_later(date: &Date, years: u16) -> Option<Date> {
    let date = Date { year: date.year + years, ..*date };
    (date.day <= length(date.year, date.month)).then_some(date)
}

fn month_later(date: &Date) -> Option<Date> {
    let (year, month) = if date.month == 12 { (date.year + 1, 1) } else { (date.year, date.month + 1) };
    (date.day <= length(year, month)).then_some(Date { year, month, day: date.day })
}

/// How many 29ths of February lie after the date and up to its return so many years later.
fn leap_days(date: &Date, years: u16) -> usize {
    let first = date.year + u16::from(date.month > 2 || date.month == 2 && date.day == 29);
    (first..first + years).filter(|&year| is_leap(year)).count()
}

pub fn weekday_of_date(suite: &mut Suite<Date, u8>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("weekday", weekday);
    suite.relation("a day later", |date| later(date, 1), |today, tomorrow| (today + 1) % 7 == *tomorrow);
    suite.relation("a week later", |date| later(date, 7), Equal);
    suite.relation("400 years later", |date| years_later(date, 400), Equal);
    suite.relation("28 years later", |date| years_later(date, 28), Equal);
    suite.relation("a year later", |date| years_later(date, 1), |now, then| (now + 1) % 7 == *then);
    suite.relation("a month later", month_later, Equal);
    suite.relation("two days later", |date| later(date, 2), Equal);
    suite.relation("five days later", |date| later(date, 5), NotEqual).when(|date| date.month == 12);
}

pub(crate) static SUBJECT: Subject<Date, u8> = Subject {
    name: "weekday_of_date",
    suite: weekday_of_date,
    domain,
    functions: &[weekday],
    cells: &[
        ("weekday x a day later", Always),
        ("weekday x a week later", Always),
        ("weekday x 400 years later", Always),
        ("weekday x 28 years later", When(|date| leap_days(date, 28) == 7)),
        ("weekday x a year later", When(|date| leap_days(date, 1) == 0)),
        ("weekday x a month later", When(|date| date.month == 2 && !is_leap(date.year))),
        ("weekday x two days later", Never),
        ("weekday x five days later", Always),
    ],
    versions: &[
        regional(1, "wrong constant in the leap days", |date| date.year > 2000),
        global(2, "wrong length of a year"),
        regional(3, "wrong constant in a table", |date| date.month == 11),
        regional(4, "a table that is too short: panics in December", |date| date.month == 12),
        regional(5, "boundary: the leap day counts from April on", |date| is_leap(date.year) && date.month == 3),
        regional(6, "special case: 1900 is taken for the only century without leap day", |date| {
            date.year.is_multiple_of(100) && !date.year.is_multiple_of(400) && date.year != 1900 && date.month > 2
        }),
        regional(7, "the end of February in all centuries", |date| {
            date.year.is_multiple_of(100) && date.month == 2 && date.day > 25
        }),
        rewrite(8, "Sakamoto's method"),
        rewrite(9, "counts years and months"),
        nondeterministic(10, "every hundredth call is wrong"),
    ],
    file: file!(),
    source: include_str!("weekday.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_weekday_is_true() {
    crate::check::check(&SUBJECT);
}
