//! Conditions over floats.

use super::cell::{Cell, Expected::*, Family, Random, scramble};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Floats {
    pub a: f64,
    pub b: f64,
    pub narrow: f32,
}

pub const FAMILY: Family<Floats> = Family {
    name: "floats",
    pattern: "Floats { a, b, narrow }",
    widen: "",
    logged: 8_000,
    draw,
    cells: [TUNED, HELD_OUT],
};

fn draw(random: &mut Random) -> Floats {
    let a = float(random);
    let b = if random.one_in(5) { a } else { float(random) };
    Floats { a, b, narrow: float(random) as f32 }
}

fn float(random: &mut Random) -> f64 {
    match random.below(12) {
        0 => f64::NAN,
        1 => random.pick(&[f64::INFINITY, f64::NEG_INFINITY]),
        2 => random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5]),
        3 => random.integer(10) as f64,
        4 => f64::from_bits(random.next()),
        _ => random.integer(20) as f64 / 1000.0,
    }
}

const TUNED: &[Cell<Floats>] = &[
    Cell { name: "not a number", truth: |x| x.a.is_nan(), expected: Exact(1) },
    Cell { name: "less", truth: |x| x.a < x.b, expected: Exact(1) },
    Cell { name: "sum", truth: |x| x.a + x.b > 0.0, expected: Exact(1) },
    Cell { name: "threshold", truth: |x| x.a > 0.5, expected: Exact(1) },
    Cell { name: "scrambled", truth: |x| scramble([x.a.to_bits() as i64]).is_multiple_of(2), expected: Nothing },
];

const HELD_OUT: &[Cell<Floats>] = &[
    Cell { name: "either not finite", truth: |x| x.a.is_infinite() || x.b.is_nan(), expected: Exact(2) },
    Cell { name: "whole", truth: |x| x.a.fract() == 0.0 && x.b > 0.0, expected: Exact(2) },
    Cell { name: "narrow", truth: |x| x.narrow < 0.0, expected: Exact(1) },
    Cell { name: "noisy less", truth: |x| x.a < x.b, expected: Noisy(1) },
];
