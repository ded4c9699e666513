//! The price of a parcel in cents, from a table of weights and zones.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Parcel {
    /// In grams.
    pub weight: u16,
    pub zone: Zone,
    pub express: bool,
    /// Per cent off.
    pub coupon: Option<u8>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    Home,
    Near,
    Far,
}

fn price(parcel: &Parcel) -> u32 {
    if version::is(9) {
        return by_steps(parcel);
    }
    if version::is(10) {
        return by_table(parcel);
    }
    let weight = u32::from(parcel.weight);
    let base = match weight {
        _ if pick!(1, weight <= 500, weight < 500) => 400,
        _ if weight <= 2000 => pick!(2, 600, 1600),
        _ if weight <= 5000 => 900,
        _ => 900 + 100 * pick!(3, (weight - 5000).div_ceil(1000), (weight - 5000) / 1000),
    };
    let base = match parcel.zone {
        Zone::Home => base,
        Zone::Near => pick!(4, base + 300, base * 3),
        Zone::Far => 2 * base,
    };
    let base = pick!(5, base, base + if weight % 1000 == 777 && parcel.express { 50 } else { 0 });
    let base = if parcel.express { pick!(6, base + 500, base / 2 * 3 - 700) } else { base };
    let off = u32::from(parcel.coupon.unwrap_or(0));
    let off = pick!(7, off, if off == 50 { u32::from(off as u8 * 6) } else { off });
    pick!(8, base - base * off / 100, base * off.max(1))
}

/// Each step of the weight adds to the price.
fn by_steps(parcel: &Parcel) -> u32 {
    let weight = parcel.weight;
    let steps = [(500, 200), (2000, 300)].into_iter().filter(|(limit, _)| weight > *limit).map(|(_, more)| more);
    let thousands = (5000..weight).step_by(1000).count() as u32;
    let base = 400 + steps.sum::<u32>() + 100 * thousands;
    let base = [base, base + 300, base + base][parcel.zone as usize] + 500 * u32::from(parcel.express);
    base - base * u32::from(parcel.coupon.unwrap_or_default()) / 100
}

/// The table, written out.
fn by_table(parcel: &Parcel) -> u32 {
    const LIMITS: [u16; 8] = [500, 2000, 5000, 6000, 7000, 8000, 9000, 10_000];
    const PRICES: [u32; 8] = [400, 600, 900, 1000, 1100, 1200, 1300, 1400];
    let base = PRICES[LIMITS.partition_point(|limit| *limit < parcel.weight)];
    let base = match (parcel.zone, parcel.express) {
        (Zone::Home, false) => base,
        (Zone::Home, true) => base + 500,
        (Zone::Near, false) => base + 300,
        (Zone::Near, true) => base + 800,
        (Zone::Far, false) => 2 * base,
        (Zone::Far, true) => 2 * base + 500,
    };
    parcel.coupon.map_or(base, |off| base - base * u32::from(off) / 100)
}

/// At most nine kilograms, a coupon of at most half the price.
fn domain(parcel: Parcel) -> Parcel {
    Parcel { weight: 1 + parcel.weight % 9000, coupon: parcel.coupon.map(|off| off % 51), ..parcel }
}

fn heavier(parcel: &Parcel, by: u16) -> Parcel {
    Parcel { weight: parcel.weight + by, ..*parcel }
}

fn far(parcel: &Parcel) -> Parcel {
    Parcel { zone: Zone::Far, ..*parcel }
}

fn better_coupon(parcel: &Parcel) -> Option<Parcel> {
    let more = pick!(11, 1, 1 + u8::from(version::calls().is_multiple_of(30)) * 250);
    parcel.coupon.map(|off| Parcel { coupon: Some(off + more), ..*parcel })
}

pub fn shipping_price(suite: &mut Suite<Parcel, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("price", price);
    suite.relation("heavier", |parcel| heavier(parcel, 700), NonDecreasing);
    suite.relation("express", |parcel| Parcel { express: true, ..*parcel }, Increase).when(|parcel| !parcel.express);
    suite.relation("a better coupon", better_coupon, Decrease);
    suite.relation("a gram more", |parcel| heavier(parcel, 1), Equal);
    suite.relation("far away", far, Increase);
    suite.relation("a kilogram more", |parcel| heavier(parcel, 1000), Increase);
    suite.relation("no coupon", |parcel| Parcel { coupon: None, ..*parcel }, Equal);
    suite.relation("a gram more, and dearer", |parcel| heavier(parcel, 1), Increase);
}

pub(crate) static SUBJECT: Subject<Parcel, u32> = Subject {
    name: "shipping_price",
    suite: shipping_price,
    domain,
    functions: &[price],
    cells: &[
        ("price x heavier", Always),
        ("price x express", Always),
        ("price x a better coupon", Always),
        ("price x a gram more", When(|parcel| by_table(&heavier(parcel, 1)) == by_table(parcel))),
        ("price x far away", When(|parcel| by_table(&far(parcel)) > by_table(parcel))),
        ("price x a kilogram more", When(|parcel| by_table(&heavier(parcel, 1000)) > by_table(parcel))),
        ("price x no coupon", When(|parcel| parcel.coupon.is_none_or(|off| off == 0))),
        ("price x a gram more, and dearer", When(|parcel| by_table(&heavier(parcel, 1)) > by_table(parcel))),
    ],
    versions: &[
        regional(1, "boundary: 500 grams", |parcel| parcel.weight == 500),
        regional(2, "wrong constant: 500 to 2000 grams", |parcel| parcel.weight > 500 && parcel.weight <= 2000),
        regional(3, "rounds down above five kilograms", |parcel| {
            parcel.weight > 5000 && !parcel.weight.is_multiple_of(1000)
        }),
        regional(4, "swapped: near is dearer than far", |parcel| parcel.zone == Zone::Near),
        regional(5, "express parcels that end in 777", |parcel| parcel.weight % 1000 == 777 && parcel.express),
        global(6, "express is cheaper"),
        regional(7, "overflow with half off", |parcel| parcel.coupon == Some(50)),
        global(8, "the coupon is what is paid"),
        rewrite(9, "step by step"),
        rewrite(10, "the whole table"),
        harness(11, "a transformation that overflows now and then"),
    ],
    file: file!(),
    source: include_str!("shipping.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_shipping_is_true() {
    crate::check::check(&SUBJECT);
}
