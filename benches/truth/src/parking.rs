//! The fee of a car park in cents: a quarter of an hour is free, then each hour that has begun costs what its beginning
//! costs, and no day costs more than the cap.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, NonIncreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Stay {
    pub day: Day,
    /// In minutes since midnight.
    pub entry: u16,
    pub minutes: u16,
    pub vehicle: Vehicle,
    /// The first hours of each stay that a subscription pays for, if there is one.
    pub subscription: Option<u8>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Day {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Vehicle {
    Motorcycle,
    Car,
    Van,
}

const DAYS: [Day; 7] =
    [Day::Monday, Day::Tuesday, Day::Wednesday, Day::Thursday, Day::Friday, Day::Saturday, Day::Sunday];
const MIDNIGHT: u32 = 1440;
/// The most that a car pays for the 24 hours since it came, or came a day before.
const CAP: u32 = 1500;

fn fee(stay: &Stay) -> u32 {
    if version::is(10) {
        return right(stay);
    }
    let Stay { day, entry, minutes, vehicle, subscription } = *stay;
    if pick!(1, minutes <= 15, minutes < 15) {
        return 0;
    }
    let entry = u32::from(pick!(2, entry, if entry == 0 { 360 } else { entry }));
    let hours = u32::from(pick!(3, minutes.div_ceil(60), minutes / 60 + 1));
    let included = u32::from(subscription.unwrap_or(0));
    let paid = pick!(4, hours.saturating_sub(included), hours - included);
    let (mut total, mut of_day) = (0, 0);
    for hour in hours - paid..hours {
        if pick!(5, hour % 24 == 0, hour == 24) {
            of_day = 0;
        }
        let at = entry + 60 * hour;
        let days = day as u32 + at / MIDNIGHT;
        let is_weekend = pick!(6, days % 7, days) >= 5;
        let minute = at % MIDNIGHT;
        let evening = pick!(7, 1200, 1201);
        let is_night = pick!(11, minute < 360 || minute >= evening, !(360..evening).contains(&minute));
        let price = match () {
            () if pick!(9, is_night, !is_night) => 80,
            () if is_weekend && pick!(8, true, vehicle != Vehicle::Van) => 120,
            () => 200,
        };
        let price = price.min(CAP - of_day);
        of_day += price;
        total += price;
    }
    let total = pick!(12, total, total + 20 * u32::from(version::calls() % 80 == 17));
    match vehicle {
        Vehicle::Motorcycle => total / 2,
        Vehicle::Car => total,
        Vehicle::Van => total + total / 2,
    }
}

/// What an hour costs that begins so many minutes after the midnight before a day.
fn price(day: Day, at: u32) -> u32 {
    match (DAYS[(day as usize + (at / MIDNIGHT) as usize) % 7], at % MIDNIGHT / 60) {
        (_, ..6 | 20..) => 80,
        (Day::Saturday | Day::Sunday, _) => 120,
        _ => 200,
    }
}

fn hours(stay: &Stay) -> u32 {
    u32::from(stay.minutes.div_ceil(60))
}

/// What so many hours cost, by what each costs that begins at a minute.
fn charged(stay: &Stay, hours: u32, price: impl Fn(u32) -> u32) -> u32 {
    let first = u32::from(stay.subscription.unwrap_or(0));
    let is_free = |hour: &u32| *hour < first || stay.minutes <= 15;
    let cost = |hour: u32| if is_free(&hour) { 0 } else { price(u32::from(stay.entry) + 60 * hour) };
    let prices: Vec<u32> = (0..hours).map(cost).collect();
    let total: u32 = prices.chunks(24).map(|day| day.iter().sum::<u32>().min(CAP)).sum();
    total * [1, 2, 3][stay.vehicle as usize] / 2
}

/// All hours first, then each day of them.
fn right(stay: &Stay) -> u32 {
    charged(stay, hours(stay), |at| price(stay.day, at))
}

/// At most about two days, and half a day that is paid for.
fn domain(stay: Stay) -> Stay {
    Stay {
        entry: stay.entry % 1440,
        minutes: stay.minutes % 3000,
        subscription: stay.subscription.map(|hours| hours % 13),
        ..stay
    }
}

fn longer(stay: &Stay, by: u16) -> Stay {
    Stay { minutes: stay.minutes + by, ..*stay }
}

/// The same stay, so many minutes later.
fn later(stay: &Stay, by: u16) -> Stay {
    let entry = stay.entry + by;
    Stay { day: DAYS[(stay.day as usize + usize::from(entry / 1440)) % 7], entry: entry % 1440, ..*stay }
}

fn with_another_hour(stay: &Stay) -> Stay {
    Stay { subscription: Some(stay.subscription.unwrap_or(0) + 1), ..*stay }
}

fn with_a_van(stay: &Stay) -> Option<Stay> {
    (stay.vehicle == Vehicle::Car).then_some(Stay { vehicle: Vehicle::Van, ..*stay })
}

fn on_sunday(stay: &Stay) -> Stay {
    Stay { day: Day::Sunday, ..*stay }
}

fn to_the_full_hour(stay: &Stay) -> Stay {
    Stay { minutes: stay.minutes.next_multiple_of(60), ..*stay }
}

/// Leaves after an hour, and takes another ticket at once.
fn two_tickets(stay: &Stay) -> Option<[Stay; 2]> {
    let minutes = stay.minutes.checked_sub(60)?;
    Some([Stay { minutes: 60, ..*stay }, Stay { minutes, ..later(stay, 60) }])
}

pub fn parking_fee(suite: &mut Suite<Stay, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("fee", fee);
    suite.relation("a minute longer", |it| longer(it, 1), NonDecreasing);
    suite.relation("by motorcycle", |it| Stay { vehicle: Vehicle::Motorcycle, ..*it }, NonIncreasing);
    suite.relation("a van for a car", with_a_van, |s, f| 2 * f == 3 * s);
    suite.relation("an hour more is included", with_another_hour, NonIncreasing);
    suite.relation("just a moment", |it| Stay { minutes: it.minutes.min(15), ..*it }, |_, fee| *fee == 0);
    suite.relation("up to the full hour", to_the_full_hour, Equal);
    suite.relation("an hour longer", |it| longer(it, 60), Increase);
    suite.relation("a day longer", |it| longer(it, 1440), Equal);
    suite.relation("a day later", |it| later(it, 1440), Equal);
    suite.relation("on Sunday", on_sunday, NonIncreasing);
    suite.judge(
        "two tickets",
        |it, _| two_tickets(it),
        |check| check.follow_up_outputs.iter().sum::<u32>() >= *check.output,
    );
}

pub(crate) static SUBJECT: Subject<Stay, u32> = Subject {
    name: "parking_fee",
    suite: parking_fee,
    domain,
    functions: &[fee],
    cells: &[
        ("fee x a minute longer", Always),
        ("fee x by motorcycle", Always),
        ("fee x a van for a car", Always),
        ("fee x an hour more is included", Always),
        ("fee x just a moment", Always),
        ("fee x up to the full hour", When(|it| right(&to_the_full_hour(it)) == right(it))),
        ("fee x an hour longer", When(|it| right(&longer(it, 60)) > right(it))),
        // The cap is one of each day, and a subscription pays for less than a day.
        ("fee x a day longer", Never),
        ("fee x a day later", When(|it| right(&later(it, 1440)) == right(it))),
        ("fee x on Sunday", When(|it| right(&on_sunday(it)) <= right(it))),
        // A subscription pays for both, and a new ticket begins with free minutes and a new day.
        (
            "fee x two tickets",
            When(|it| two_tickets(it).is_none_or(|[first, second]| right(&first) + right(&second) >= right(it))),
        ),
    ],
    versions: &[
        regional(1, "boundary: a quarter of an hour", |it| it.minutes == 15 && right(&longer(it, 1)) > 0),
        regional(2, "wrong default: midnight stands for six in the morning", |it| {
            it.entry == 0 && right(&later(it, 360)) != right(it)
        }),
        regional(3, "boundary: full hours count as one more", |it| {
            it.minutes.is_multiple_of(60) && right(&longer(it, 1)) != right(it)
        }),
        regional(4, "less than what is included panics", |it| {
            it.minutes > 15 && it.subscription.is_some_and(|included| u32::from(included) > hours(it))
        }),
        regional(5, "stale: the cap of the second day is for all after it", |it| it.minutes > 2880),
        regional(6, "the week does not end", |it| {
            let endless =
                |at: u32| price(if it.day as u32 + at / MIDNIGHT >= 5 { Day::Sunday } else { it.day }, at % 1440);
            charged(it, hours(it), endless) != right(it)
        }),
        regional(7, "boundary: eight in the evening is day", |it| {
            let late = |at: u32| if at % MIDNIGHT == 1200 { price(it.day, at - 1) } else { price(it.day, at) };
            charged(it, hours(it), late) != right(it)
        }),
        regional(8, "missing: the weekend of vans", |it| {
            let dear = |at: u32| if price(it.day, at) == 120 { 200 } else { price(it.day, at) };
            it.vehicle == Vehicle::Van && charged(it, hours(it), dear) != right(it)
        }),
        global(9, "day for night"),
        rewrite(10, "all hours first"),
        rewrite(11, "a range for the day"),
        nondeterministic(12, "every 80th call is wrong"),
    ],
    file: file!(),
    source: include_str!("parking.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_parking_is_true() {
    crate::check::check(&SUBJECT);
}
