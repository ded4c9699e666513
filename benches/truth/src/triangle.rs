//! The kind of a triangle with three given sides.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::{Arbitrary, Result, Unstructured};
use bugornot::{Equal, NotEqual, Suite};
use serde::Serialize;

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Sides {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

/// Halves from 0 to 40.
impl<'bytes> Arbitrary<'bytes> for Sides {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> Result<Self> {
        let mut side = || Ok(f64::from(u8::arbitrary(bytes)? % 81) / 2.0);
        Ok(Self { a: side()?, b: side()?, c: side()? })
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (3, Some(3))
    }
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Impossible,
    Equilateral,
    Isosceles,
    Scalene,
}

fn classify(sides: &Sides) -> Shape {
    if version::is(8) {
        return by_sorting(sides);
    }
    if version::is(9) {
        return by_counting(sides);
    }
    let Sides { a, b, c } = *sides;
    if a <= 0.0 || b <= 0.0 || c <= 0.0 {
        return Shape::Impossible;
    }
    if pick!(1, a + b <= c, a + b < c) {
        return Shape::Impossible;
    }
    if pick!(2, b + c <= a, b + c <= a && a < 30.0) {
        return Shape::Impossible;
    }
    if pick!(3, a + c <= b, a + c <= b && a > 1.0) {
        return Shape::Impossible;
    }
    if pick!(4, false, a > 39.0 && b > 39.0) {
        panic!("too large");
    }
    if pick!(5, a == b && b == c, a == b && b == c && a < 10.0) {
        return Shape::Equilateral;
    }
    if pick!(6, a == b || b == c || a == c, a == b || b == c) {
        return Shape::Isosceles;
    }
    pick!(7, Shape::Scalene, if a < b { Shape::Scalene } else { Shape::Isosceles })
}

/// With the sides in order, the longest decides.
fn by_sorting(sides: &Sides) -> Shape {
    let mut sorted = [sides.a, sides.b, sides.c];
    sorted.sort_by(f64::total_cmp);
    let [short, middle, long] = sorted;
    match () {
        () if short <= 0.0 || short + middle <= long => Shape::Impossible,
        () if short == long => Shape::Equilateral,
        () if short == middle || middle == long => Shape::Isosceles,
        () => Shape::Scalene,
    }
}

/// Counts how many pairs are equal.
fn by_counting(sides: &Sides) -> Shape {
    let Sides { a, b, c } = *sides;
    let is_possible = a > 0.0 && b > 0.0 && c > 0.0 && 2.0 * a.max(b).max(c) < a + b + c;
    match [a == b, b == c, a == c].into_iter().filter(|is_equal| *is_equal).count() {
        _ if !is_possible => Shape::Impossible,
        0 => Shape::Scalene,
        1 => Shape::Isosceles,
        _ => Shape::Equilateral,
    }
}

fn each(sides: &Sides, change: impl Fn(f64) -> f64) -> Sides {
    Sides { a: change(sides.a), b: change(sides.b), c: change(sides.c) }
}

fn with_c_as_a(sides: &Sides) -> Sides {
    Sides { c: sides.a, ..*sides }
}

pub fn triangle_kind(suite: &mut Suite<Sides, Shape>) {
    SUBJECT.begin(suite);
    suite.function("classify", classify);
    suite.relation("rotate", |sides| Sides { a: sides.b, b: sides.c, c: sides.a }, Equal);
    suite.relation("swap a and b", |sides| Sides { a: sides.b, b: sides.a, c: sides.c }, Equal);
    suite.relation("double all", |sides| each(sides, |side| 2.0 * side), Equal);
    suite.relation("one longer", |sides| each(sides, |side| side + 1.0), Equal);
    suite.relation("c becomes a", with_c_as_a, NotEqual);
    suite.relation("half a longer", |sides| Sides { a: sides.a + 0.5, ..*sides }, Equal);
    suite.relation("no c", |sides| Sides { c: 0.0, ..*sides }, |_, follow_up| *follow_up == Shape::Impossible);
}

pub(crate) static SUBJECT: Subject<Sides, Shape> = Subject {
    name: "triangle_kind",
    suite: triangle_kind,
    domain: |sides| sides,
    functions: &[classify],
    cells: &[
        ("classify x rotate", Always),
        ("classify x swap a and b", Always),
        ("classify x double all", Always),
        ("classify x one longer", When(|sides| by_sorting(&each(sides, |side| side + 1.0)) == by_sorting(sides))),
        ("classify x c becomes a", When(|sides| by_sorting(&with_c_as_a(sides)) != by_sorting(sides))),
        (
            "classify x half a longer",
            When(|sides| by_sorting(&Sides { a: sides.a + 0.5, ..*sides }) == by_sorting(sides)),
        ),
        ("classify x no c", Always),
    ],
    versions: &[
        regional(1, "boundary: a flat triangle", |sides| {
            sides.a + sides.b == sides.c && sides.a > 0.0 && sides.b > 0.0
        }),
        regional(2, "a long a is always possible", |sides| {
            sides.a >= 30.0 && sides.b > 0.0 && sides.c > 0.0 && sides.b + sides.c <= sides.a
        }),
        regional(3, "a short a is always possible", |sides| {
            sides.a > 0.0 && sides.a <= 1.0 && sides.c > 0.0 && sides.a + sides.c <= sides.b
        }),
        regional(4, "two long sides panic", |sides| {
            sides.a > 39.0 && sides.b > 39.0 && by_sorting(sides) != Shape::Impossible
        }),
        regional(5, "large equilateral triangles", |sides| sides.a == sides.b && sides.b == sides.c && sides.a >= 10.0),
        regional(6, "missing: a and c", |sides| by_sorting(sides) == Shape::Isosceles && sides.a == sides.c),
        global(7, "scalene only with a less than b"),
        rewrite(8, "sorts the sides"),
        rewrite(9, "counts equal pairs"),
    ],
    file: file!(),
    source: include_str!("triangle.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_triangle_is_true() {
    crate::check::check(&SUBJECT);
}
