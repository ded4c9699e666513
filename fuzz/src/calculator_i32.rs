//! The paper's example over all pairs of `i32`, held in types so wide that nothing overflows: what the relations say
//! about numbers, and nothing about machines.
//!
//! | holds when | MR1 permute | MR2 times k | MR3 plus k | MR4 minus k |
//! |---|---|---|---|---|
//! | add | always | `a + b > 0` | never | never |
//! | sub | `a == b` | `a > b` | always | always |
//! | mul | always | `a * b > 0` | `a + b == -k` | `a + b == k` |

use arbitrary::{Arbitrary, Result, Unstructured};
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

#[derive(Serialize, Clone, Debug)]
pub struct Pair {
    pub a: i64,
    pub b: i64,
}

/// Draws two `i32`, so that the bytes mean what they mean to a suite over `i32`.
impl<'bytes> Arbitrary<'bytes> for Pair {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> Result<Self> {
        let (a, b) = <(i32, i32)>::arbitrary(bytes)?;
        Ok(Self { a: a.into(), b: b.into() })
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        <(i32, i32)>::size_hint(depth)
    }
}

fn add(pair: &Pair) -> i128 {
    i128::from(pair.a) + i128::from(pair.b)
}

fn sub(pair: &Pair) -> i128 {
    i128::from(pair.a) - i128::from(pair.b)
}

fn mul(pair: &Pair) -> i128 {
    i128::from(pair.a) * i128::from(pair.b)
}

pub fn calculator_i32(suite: &mut Suite<Pair, i128>) {
    const EDGES: [i32; 7] = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
    let k = suite.constant("k", 2..=9);
    suite.examples(EDGES.iter().flat_map(|&a| EDGES.map(|b| Pair { a: a.into(), b: b.into() })));

    suite.function("add", add);
    suite.function("sub", sub);
    suite.function("mul", mul);

    suite.relation("MR1", |p| Pair { a: p.b, b: p.a }, Equal).describe("permute the inputs");
    suite.relation("MR2", move |p| Pair { a: p.a * k, b: p.b * k }, Increase).describe("multiply both by k");
    suite.relation("MR3", move |p| Pair { a: p.a + k, b: p.b + k }, Equal).describe("add k to both");
    suite.relation("MR4", move |p| Pair { a: p.a - k, b: p.b - k }, Equal).describe("subtract k from both");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};

    #[test]
    fn an_input_takes_eight_bytes() {
        assert_eq!(Pair::size_hint(0), (8, Some(8)));
    }

    #[test]
    fn the_table_is_true() {
        let conditional = ["add x MR2", "mul x MR2", "mul x MR3", "mul x MR4", "sub x MR1", "sub x MR2"];
        check(calculator_i32, &conditional, |case| {
            let (a, b, k) = (case.input.a, case.input.b, case.k);
            held_if(match case.cell {
                "add x MR1" | "mul x MR1" | "sub x MR3" | "sub x MR4" => true,
                "add x MR3" | "add x MR4" => false,
                "add x MR2" => a + b > 0,
                "sub x MR1" => a == b,
                "sub x MR2" => a > b,
                "mul x MR2" => a * b > 0,
                "mul x MR3" => a + b == -k,
                "mul x MR4" => a + b == k,
                other => unreachable!("{other}"),
            })
        });
    }
}
