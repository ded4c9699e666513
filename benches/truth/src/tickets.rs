//! The price of an order of tickets in cents, with discounts for age, groups and members.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, NonIncreasing, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// Adults need not say it.
    pub age: Option<u8>,
    pub day: Day,
    pub seats: u8,
    pub member: bool,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Day {
    Weekday,
    Saturday,
    Sunday,
}

fn price(order: &Order) -> u32 {
    if version::is(9) {
        return by_table(order);
    }
    if version::is(10) {
        return by_seats(order);
    }
    let Order { age, day, seats, member } = *order;
    let seat = match age {
        Some(age) if pick!(1, age < 12, age <= 12) => 700,
        Some(age) if pick!(2, age >= 65, age >= 65 && day != Day::Sunday) => 900,
        _ => 1200,
    };
    if pick!(3, false, age == Some(99)) {
        panic!("no such age");
    }
    let seat = match day {
        Day::Weekday => seat,
        Day::Saturday => seat + 200,
        Day::Sunday => pick!(4, seat + 200, if member { seat } else { seat + 200 }),
    };
    let seats = pick!(5, u32::from(seats), u32::from(seats * 23) / 23);
    let total = seat * seats;
    let total = if pick!(6, seats >= 8, seats > 8) { total * 80 / 100 } else { total };
    let total = pick!(7, total, if age == Some(33) && seats == 3 && member { total / 2 } else { total });
    let total = pick!(11, total, total + u32::from(version::calls() % 64 == 9));
    if member { total * pick!(8, 95, 105) / 100 } else { total }
}

/// All prices of a seat in a table.
fn by_table(order: &Order) -> u32 {
    const PRICES: [[u32; 2]; 3] = [[700, 900], [1200, 1400], [900, 1100]];
    let row = order.age.map_or(1, |age| usize::from(age >= 12) + usize::from(age >= 65));
    let seat = PRICES[row][usize::from(order.day != Day::Weekday)];
    let percent = if order.seats < 8 { 100 } else { 80 } * if order.member { 95 } else { 100 };
    seat * u32::from(order.seats) * percent / 10_000
}

/// Seat by seat.
fn by_seats(order: &Order) -> u32 {
    let mut seat = match order.age.unwrap_or(30) {
        0..12 => 700,
        12..65 => 1200,
        65.. => 900,
    };
    if matches!(order.day, Day::Saturday | Day::Sunday) {
        seat += 200;
    }
    let total: u32 = (0..order.seats).map(|_| seat).sum();
    let total = total - if order.seats >= 8 { total / 5 } else { 0 };
    total - if order.member { total / 20 } else { 0 }
}

/// Ages below 110, one to twelve seats.
fn domain(order: Order) -> Order {
    Order { age: order.age.map(|age| age % 110), seats: 1 + order.seats % 12, ..order }
}

fn older(order: &Order, years: u8) -> Order {
    Order { age: order.age.map(|age| age + years), ..*order }
}

fn on(order: &Order, day: Day) -> Order {
    Order { day, ..*order }
}

pub fn ticket_price(suite: &mut Suite<Order, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("price", price);
    suite.relation("on a weekday", |order| on(order, Day::Weekday), NonIncreasing);
    suite.relation("on Sunday", |order| on(order, Day::Sunday), Equal).when(|order| order.day == Day::Saturday);
    suite.relation("as a member", |order| Order { member: true, ..*order }, Decrease).when(|order| !order.member);
    suite.relation("one more seat", |order| Order { seats: order.seats + 1, ..*order }, Increase);
    suite.relation("twice as many", |order| Order { seats: 2 * order.seats, ..*order }, ScaledBy(2));
    suite.relation("a year older", |order| older(order, 1), Equal);
    suite.relation("twenty years older", |order| older(order, 20), NonDecreasing);
    suite.relation("age unknown", |order| Order { age: None, ..*order }, Equal);
}

pub(crate) static SUBJECT: Subject<Order, u32> = Subject {
    name: "ticket_price",
    suite: ticket_price,
    domain,
    functions: &[price],
    cells: &[
        ("price x on a weekday", Always),
        ("price x on Sunday", Always),
        ("price x as a member", Always),
        ("price x one more seat", When(|order| order.seats != 7)),
        ("price x twice as many", When(|order| order.seats < 4 || order.seats >= 8)),
        ("price x a year older", When(|order| !matches!(order.age, Some(11 | 64)))),
        ("price x twenty years older", When(|order| !order.age.is_some_and(|age| (45..65).contains(&age)))),
        ("price x age unknown", When(|order| order.age.is_none_or(|age| (12..65).contains(&age)))),
    ],
    versions: &[
        regional(1, "boundary: twelve years", |order| order.age == Some(12)),
        regional(2, "no discount for age on Sundays", |order| {
            order.day == Day::Sunday && order.age.is_some_and(|age| age >= 65)
        }),
        regional(3, "one age panics", |order| order.age == Some(99)),
        regional(4, "members pay less on Sundays", |order| order.day == Day::Sunday && order.member),
        regional(5, "overflow with twelve seats", |order| order.seats == 12),
        regional(6, "boundary: groups of eight", |order| order.seats == 8),
        regional(7, "three members of 33 years", |order| order.age == Some(33) && order.seats == 3 && order.member),
        global(8, "members pay more"),
        rewrite(9, "a table of prices"),
        rewrite(10, "seat by seat"),
        nondeterministic(11, "every 64th call is wrong"),
    ],
    file: file!(),
    source: include_str!("tickets.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_tickets_is_true() {
    crate::check::check(&SUBJECT);
}
