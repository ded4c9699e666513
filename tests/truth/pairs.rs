//! The relations of the example suite `calculator_i32`, at the ends of the number range too.

use super::cell::{Cell, Expected::*, Family, Random};

#[cfg_attr(not(plain), derive(arbitrary::Arbitrary, serde::Serialize))]
#[derive(Clone, Debug)]
pub struct Pair {
    pub a: i32,
    pub b: i32,
}

/// A sum of two fields can leave their type, so the conditions are read over wider numbers.
pub const FAMILY: Family<Pair> = Family {
    name: "pairs",
    pattern: "Pair { a, b }",
    widen: "let (a, b) = (i128::from(a), i128::from(b));",
    logged: 40_000,
    draw,
    cells: [CELLS, &[]],
};

fn draw(random: &mut Random) -> Pair {
    let a = integer(random);
    let near = random.integer(3) as i32;
    let b = match random.below(6) {
        0 => a.saturating_add(near),
        1 => a.saturating_neg().saturating_add(near),
        2 => a.saturating_neg().saturating_add(random.pick(&[K as i32, -K as i32])),
        _ => integer(random),
    };
    Pair { a, b }
}

fn integer(random: &mut Random) -> i32 {
    match random.below(10) {
        0 => random.pick(&[i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX]),
        1 => random.next() as i32,
        _ => random.integer(31) as i32,
    }
}

const K: i128 = 6;

type Function = fn(i128, i128) -> i128;
const SUB: Function = |a, b| a - b;
const MUL: Function = |a, b| a * b;
const ADD: Function = |a, b| a + b;

fn permuted(f: Function, p: &Pair) -> bool {
    f(p.b.into(), p.a.into()) == f(p.a.into(), p.b.into())
}

fn scaled(f: Function, p: &Pair) -> bool {
    f(K * i128::from(p.a), K * i128::from(p.b)) > f(p.a.into(), p.b.into())
}

fn shifted(f: Function, p: &Pair, by: i128) -> bool {
    f(by + i128::from(p.a), by + i128::from(p.b)) == f(p.a.into(), p.b.into())
}

const CELLS: &[Cell<Pair>] = &[
    Cell { name: "add x MR2", truth: |p| !scaled(ADD, p), expected: Exact(1) },
    Cell { name: "sub x MR1", truth: |p| !permuted(SUB, p), expected: Exact(1) },
    Cell { name: "sub x MR2", truth: |p| !scaled(SUB, p), expected: Exact(1) },
    Cell { name: "mul x MR2", truth: |p| !scaled(MUL, p), expected: Exact(1) },
    Cell { name: "mul x MR3", truth: |p| !shifted(MUL, p, K), expected: Exact(1) },
    Cell { name: "mul x MR4", truth: |p| !shifted(MUL, p, -K), expected: Exact(1) },
];
