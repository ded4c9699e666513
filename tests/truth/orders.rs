//! Conditions over structs, enums and options.

use super::cell::{Cell, Expected::*, Family, Random, scramble};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Order {
    pub at: Point,
    pub kind: Kind,
    pub size: Option<i64>,
    pub r#final: bool,
}

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub enum Kind {
    Market,
    Limit(i64),
    Band { low: i64, high: i64 },
    Named(String),
    Nested(Option<i64>, Side),
}

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub enum Side {
    Buy,
    Sell(i64),
}

pub const FAMILY: Family<Order> = Family {
    name: "orders",
    pattern: "Order { at, kind, size, r#final }",
    widen: "",
    logged: 8_000,
    draw,
    cells: [TUNED, HELD_OUT],
};

fn draw(random: &mut Random) -> Order {
    let kind = match random.below(5) {
        0 => Kind::Market,
        1 => Kind::Limit(random.integer(10)),
        2 => Kind::Band { low: random.integer(8), high: random.integer(8) },
        3 => Kind::Named(["", "x", "day", "Ioc"][random.below(4) as usize].to_owned()),
        _ => {
            let side = if random.one_in(2) { Side::Buy } else { Side::Sell(random.integer(8)) };
            Kind::Nested(random.one_in(2).then(|| random.integer(8)), side)
        }
    };
    let at = Point { x: random.integer(12), y: random.integer(12) };
    let size = (!random.one_in(3)).then(|| random.integer(10));
    Order { at, kind, size, r#final: random.one_in(2) }
}

const TUNED: &[Cell<Order>] = &[
    Cell { name: "field", truth: |o| o.at.x > o.at.y, expected: Exact(1) },
    Cell { name: "variant", truth: |o| matches!(o.kind, Kind::Limit(_)), expected: Exact(1) },
    Cell { name: "content", truth: |o| matches!(o.kind, Kind::Limit(limit) if limit > 100), expected: Exact(1) },
    Cell { name: "none", truth: |o| o.size.is_none() && o.r#final, expected: Exact(2) },
    Cell { name: "scrambled", truth: |o| scramble([o.at.x, o.at.y]).is_multiple_of(2), expected: Nothing },
];

const HELD_OUT: &[Cell<Order>] = &[
    Cell { name: "some", truth: |o| o.size.is_some_and(|size| size < 0), expected: Exact(1) },
    Cell { name: "band", truth: |o| matches!(o.kind, Kind::Band { low, high } if low > high), expected: Exact(1) },
    Cell { name: "no name", truth: |o| matches!(&o.kind, Kind::Named(name) if name.is_empty()), expected: Exact(1) },
    Cell { name: "deep", truth: |o| matches!(o.kind, Kind::Nested(_, Side::Sell(n)) if n > 3), expected: Exact(1) },
    Cell {
        name: "market of some size",
        truth: |o| matches!(o.kind, Kind::Market) && o.size.is_some_and(|size| size > 50),
        expected: Exact(2),
    },
    Cell { name: "noisy final", truth: |o| o.r#final && o.at.x > 0, expected: Noisy(2) },
];
