//! Measures of `kurbo`'s triangles, with vertices on a grid so coarse that differences, products and areas are exact.
//!
//! | holds when | area | perimeter | inradius |
//! |---|---|---|---|
//! | rename | always | always | always |
//! | reverse | the vertices are on a line | always | the vertices are on a line |
//! | mirror | always | all vertices are one point | always |
//! | scale | always | all vertices are one point | the vertices are on a line |
//! | widen | `area > 0` | not all `x` are equal | `area > 0` |
//! | move | always | always | always |
//!
//! Where all vertices are one point, `inradius` is 0 / 0, and all its checks are incomparable.
//!
//! `reverse` shows what `kurbo` makes of a triangle that goes round the other way: its area is negative, as documented
//! for all shapes, and so is the radius of its inscribed circle, which is documented nowhere.

use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Negated, ScaledBy, Suite, WithinRelative, WithinUlps, any};
use kurbo::{Shape, Triangle};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug)]
pub struct Corners {
    pub a: Corner,
    pub b: Corner,
    pub c: Corner,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub x: f64,
    pub y: f64,
}

impl Corners {
    fn triangle(&self) -> Triangle {
        Triangle::new((self.a.x, self.a.y), (self.b.x, self.b.y), (self.c.x, self.c.y))
    }

    fn map(self, change: impl Fn(Corner) -> Corner) -> Self {
        Self { a: change(self.a), b: change(self.b), c: change(self.c) }
    }
}

/// The eighth below, within 1024 of zero; NaN for what is not finite.
fn on_grid(number: f64) -> f64 {
    (number % 1024.0 * 8.0).floor() / 8.0
}

pub fn triangles(suite: &mut Suite<Corners, f64>) {
    let k = f64::from(suite.constant("k", 2..=9));
    let by = suite.parameter("by", any::<(i8, i8)>());
    suite.normalise(|t| t.map(|p| Corner { x: on_grid(p.x), y: on_grid(p.y) }));
    suite.assume(|t| t.triangle().is_finite());
    let corners = |[a, b, c]: [(f64, f64); 3]| {
        let corner = |(x, y)| Corner { x, y };
        Corners { a: corner(a), b: corner(b), c: corner(c) }
    };
    suite.examples(
        [
            [(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)],
            [(0.0, 0.0), (0.0, 3.0), (4.0, 0.0)],
            [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)],
            [(7.0, 7.0), (7.0, 7.0), (7.0, 7.0)],
        ]
        .map(corners),
    );

    suite.function("area", |t| t.triangle().area());
    suite.function("perimeter", |t| t.triangle().perimeter(0.0));
    suite.function("inradius", |t| t.triangle().inscribed_circle().radius);

    // Another order of the sides is another rounding of their sum.
    suite
        .relation("rename", |t| Corners { a: t.b, b: t.c, c: t.a }, WithinUlps(8))
        .describe("begin with another vertex");
    suite
        .relation("reverse", |t| Corners { a: t.a, b: t.c, c: t.b }, WithinRelative(1e-12))
        .describe("go round the other way");
    suite.relation("mirror", |t| t.map(|p| Corner { x: -p.x, y: p.y }), Negated).describe("mirror at the y axis");
    suite
        .relation("scale", move |t| t.map(|p| Corner { x: p.x * k, y: p.y * k }), ScaledBy(k * k))
        .describe("multiply all coordinates by k: k times k as much");
    suite.relation("widen", |t| t.map(|p| Corner { x: p.x * 2.0, y: p.y }), Increase).describe("double the width");
    suite
        .relation(
            "move",
            move |t| {
                let (x, y) = by.get();
                t.map(|p| Corner { x: p.x + f64::from(x), y: p.y + f64::from(y) })
            },
            Equal,
        )
        .describe("move the triangle");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};
    use bugornot::Verdict;

    #[test]
    fn the_table_is_true() {
        let conditional = [
            "area x reverse",
            "area x widen",
            "perimeter x mirror",
            "perimeter x scale",
            "perimeter x widen",
            "inradius x reverse",
            "inradius x scale",
            "inradius x widen",
        ];
        check(triangles, &conditional, |case| {
            let Corners { a, b, c } = *case.input;
            let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
            let is_point = a == b && b == c;
            let (function, relation) = case.cell.split_once(" x ").unwrap();
            held_if(match (function, relation) {
                ("inradius", _) if is_point => return Verdict::Incomparable,
                ("area" | "inradius", "reverse") | ("inradius", "scale") => area == 0.0,
                ("area" | "inradius", "widen") => area > 0.0,
                ("perimeter", "mirror" | "scale") => is_point,
                ("perimeter", "widen") => a.x != b.x || b.x != c.x,
                (_, "rename" | "reverse" | "mirror" | "scale" | "move") => true,
                _ => unreachable!("{}", case.cell),
            })
        });
    }
}
