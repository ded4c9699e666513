//! Calendar arithmetic of `jiff`: a date plus or minus some days, weeks, months or years.
//!
//! A month has no fixed length, so `jiff` takes the last day of a month that is too short. That is what every violation
//! comes from. Below, L is the length of the month that the step leads to, and LL that of the month that twice the step
//! leads to; `step` is months or years wherever there is a condition.
//!
//! | holds when | add | sub |
//! |---|---|---|
//! | later | always | always |
//! | strictly later | not within one month, or `from.day < L` | the same |
//! | longer step | always | never |
//! | back | `from.day <= L` | the same |
//! | back early | always | always |
//! | twice | `from.day <= L`, or `LL <= L` | the same |
//!
//! `back early` applies to the first 28 days of a month.

use arbitrary::Arbitrary;
use bugornot::{Increase, NonDecreasing, Suite};
use jiff::{Span, civil::Date};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Move {
    pub from: Day,
    pub step: Step,
}

/// The order of its fields is the order in time.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Day {
    pub year: i16,
    pub month: i8,
    pub day: i8,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug)]
pub enum Step {
    Days(i16),
    Weeks(i16),
    Months(i16),
    Years(i16),
}

impl Day {
    fn date(self) -> Date {
        Date::new(self.year, self.month, self.day).expect("the domain has only dates")
    }

    /// A date made of whatever was drawn, so far from the ends of the calendar that no step leads out of it.
    fn valid(self) -> Self {
        let first = Date::constant(1600 + self.year.rem_euclid(800), 1 + self.month.rem_euclid(12), 1);
        Self { day: 1 + self.day.rem_euclid(first.days_in_month()), ..first.into() }
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self { year: date.year(), month: date.month(), day: date.day() }
    }
}

impl Step {
    fn map(self, change: impl Fn(i16) -> i16) -> Self {
        match self {
            Self::Days(amount) => Self::Days(change(amount)),
            Self::Weeks(amount) => Self::Weeks(change(amount)),
            Self::Months(amount) => Self::Months(change(amount)),
            Self::Years(amount) => Self::Years(change(amount)),
        }
    }

    fn span(self) -> Span {
        match self {
            Self::Days(amount) => Span::new().days(amount),
            Self::Weeks(amount) => Span::new().weeks(amount),
            Self::Months(amount) => Span::new().months(amount),
            Self::Years(amount) => Span::new().years(amount),
        }
    }
}

pub fn civil_dates(suite: &mut Suite<Move, Day>) {
    let days = suite.parameter("days", 1..=31i16);
    suite.normalise(|m| Move { from: m.from.valid(), step: m.step.map(|amount| amount % 100) });
    suite.examples([
        Move { from: Day { year: 2024, month: 2, day: 29 }, step: Step::Years(1) },
        Move { from: Day { year: 2023, month: 1, day: 31 }, step: Step::Months(1) },
        Move { from: Day { year: 1999, month: 12, day: 31 }, step: Step::Days(1) },
    ]);

    suite.function("add", |m| (m.from.date() + m.step.span()).into());
    suite.function("sub", |m| (m.from.date() - m.step.span()).into());

    let start_later =
        move |m: &Move| Move { from: (m.from.date() + Span::new().days(days.get())).into(), step: m.step };
    suite.relation("later", start_later, NonDecreasing).describe("start some days later: arrive no earlier");
    suite.relation("strictly later", start_later, Increase).describe("start some days later: arrive later");
    suite
        .relation("longer step", |m| Move { from: m.from, step: m.step.map(|amount| amount + 1) }, Increase)
        .describe("go one unit further");

    let go_back = |m: &Move, arrived: &Day| Move { from: *arrived, step: m.step.map(|amount| -amount) };
    suite
        .judge("back", go_back, |check| check.follow_up_outputs[0] == check.input.from)
        .describe("the opposite step leads back");
    suite
        .judge("back early", go_back, |check| check.follow_up_outputs[0] == check.input.from)
        .when(|m| m.from.day <= 28)
        .describe("the opposite step leads back, from a day that every month has");
    suite
        .judge(
            "twice",
            |m, arrived| {
                [Move { from: *arrived, step: m.step }, Move { from: m.from, step: m.step.map(|amount| 2 * amount) }]
            },
            |check| check.follow_up_outputs[0] == check.follow_up_outputs[1],
        )
        .describe("two steps lead as far as one of twice the length");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};
    use arbitrary::Unstructured;
    use bugornot::{Draw, Verdict};

    fn length(months: i32) -> i8 {
        let year = months.div_euclid(12);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        match months.rem_euclid(12) + 1 {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    #[test]
    fn the_table_is_true() {
        let conditional =
            ["add x strictly later", "add x back", "add x twice", "sub x strictly later", "sub x back", "sub x twice"];
        check(civil_dates, &conditional, |case| {
            let Move { from: Day { year, month, day }, step } = *case.input;
            let (function, relation) = case.cell.split_once(" x ").unwrap();
            let forward = if function == "add" { 1 } else { -1 };
            let months = match step {
                Step::Months(amount) => Some(forward * i32::from(amount)),
                Step::Years(amount) => Some(forward * i32::from(amount) * 12),
                Step::Days(_) | Step::Weeks(_) => None,
            };
            let start = i32::from(year) * 12 + i32::from(month) - 1;
            held_if(match (relation, months) {
                ("later", _) => true,
                ("longer step", _) => function == "add",
                ("back early", _) if day > 28 => return Verdict::NotApplicable,
                ("back early", _) => true,
                (_, None) => true,
                ("strictly later", Some(months)) => {
                    let days = (1..=31i16).draw(&mut Unstructured::new(case.bytes)).unwrap();
                    i16::from(day) + days > length(start).into() || day < length(start + months)
                }
                ("back", Some(months)) => day <= length(start + months),
                ("twice", Some(months)) => {
                    day <= length(start + months) || length(start + 2 * months) <= length(start + months)
                }
                _ => unreachable!("{}", case.cell),
            })
        });
    }
}
