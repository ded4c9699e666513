//! Conditions over whole numbers.

use super::cell::{Cell, Expected::*, Family, Random, scramble};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Numbers {
    pub a: i64,
    pub b: i64,
    pub c: i64,
}

pub const FAMILY: Family<Numbers> = Family {
    name: "numbers",
    pattern: "Numbers { a, b, c }",
    widen: "",
    logged: 30_000,
    draw,
    cells: [TUNED, HELD_OUT],
};

fn draw(random: &mut Random) -> Numbers {
    let (a, c) = (random.integer(31), random.integer(31));
    let b = match random.below(6) {
        0 => a + random.integer(3),
        1 => -a + random.integer(3),
        2 => 2 * a + random.integer(2),
        _ => random.integer(31),
    };
    Numbers { a, b, c: if random.one_in(8) { a + random.integer(2) } else { c } }
}

const TUNED: &[Cell<Numbers>] = &[
    Cell { name: "sum", truth: |n| n.a + n.b <= 0, expected: Exact(1) },
    Cell { name: "product", truth: |n| n.a * n.b <= 0, expected: Exact(1) },
    Cell { name: "threshold", truth: |n| n.c > 127, expected: Exact(1) },
    Cell { name: "window", truth: |n| n.a > 10 && n.a < 1000, expected: Exact(2) },
    Cell { name: "difference", truth: |n| n.a - n.b > 3, expected: Exact(1) },
    Cell { name: "order and parity", truth: |n| n.a < n.b && n.a.rem_euclid(2) == 0, expected: Exact(2) },
    Cell { name: "or", truth: |n| n.a == n.b || n.c < 0, expected: Exact(2) },
    Cell { name: "noisy order", truth: |n| n.a < n.b, expected: Noisy(1) },
    Cell { name: "scrambled", truth: |n| scramble([n.a, n.b, n.c]).is_multiple_of(3), expected: Nothing },
];

const HELD_OUT: &[Cell<Numbers>] = &[
    Cell { name: "double", truth: |n| n.b == 2 * n.a, expected: Exact(1) },
    Cell { name: "absolute", truth: |n| n.a.abs() > n.b.abs(), expected: Exact(1) },
    Cell { name: "divisible", truth: |n| n.a.rem_euclid(3) == 0, expected: Exact(1) },
    Cell { name: "middle", truth: |n| n.a < n.b && n.b < n.c, expected: Exact(2) },
    Cell { name: "three", truth: |n| n.a > 0 && n.b > 0 && n.c > 100, expected: Exact(3) },
    Cell { name: "rare", truth: |n| n.a == n.b && n.c == 0, expected: Exact(2) },
    Cell { name: "total", truth: |n| n.a + n.b > n.c, expected: Exact(1) },
    Cell { name: "noisy threshold", truth: |n| n.b > 100, expected: Noisy(1) },
    Cell { name: "bits", truth: |n| (n.a ^ n.b).count_ones() % 2 == 1 && n.c > 0, expected: Nothing },
];
