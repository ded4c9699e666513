//! The area that two rectangles with sides along the axes have in common.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub one: Rectangle,
    pub other: Rectangle,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    pub left: i8,
    pub bottom: i8,
    pub width: u8,
    pub height: u8,
}

impl Rectangle {
    fn right(&self) -> i32 {
        i32::from(self.left) + i32::from(self.width)
    }

    fn top(&self) -> i32 {
        i32::from(self.bottom) + i32::from(self.height)
    }
}

fn area(pair: &Pair) -> i32 {
    if version::is(9) {
        return by_cells(pair);
    }
    if version::is(10) {
        return by_gaps(pair);
    }
    let Pair { one, other } = pair;
    if pick!(1, false, one.left <= other.left && other.right() <= one.right()) {
        return i32::from(other.width) * i32::from(other.height);
    }
    let left = i32::from(one.left.max(other.left));
    let right = pick!(8, one.right().min(other.right()), one.right().max(other.right()));
    let width = pick!(2, right - left, if one.left == other.left { one.width.into() } else { right - left });
    let bottom = i32::from(one.bottom.max(other.bottom));
    let top = one.top().min(other.top());
    let height = pick!(3, top, top.min(20)) - bottom;
    if pick!(4, width <= 0 || height <= 0, width * height <= 0) {
        return 0;
    }
    if pick!(5, false, (left, bottom) == (0, 0)) {
        return 0;
    }
    let height = pick!(6, height, if one == other { width } else { height });
    let area = pick!(7, width * height, i32::from(width as i8 * height as i8));
    pick!(11, area, area + i32::from(version::calls() % 50 == 7))
}

/// Counts the cells of one rectangle that are cells of the other.
fn by_cells(pair: &Pair) -> i32 {
    let Pair { one, other } = pair;
    let columns = (one.left.into()..one.right()).filter(|x| (other.left.into()..other.right()).contains(x));
    let rows = (one.bottom.into()..one.top()).filter(|y| (other.bottom.into()..other.top()).contains(y));
    columns.count() as i32 * rows.count() as i32
}

/// Both lengths together, less what they span: negative if there is a gap.
fn columns(Pair { one, other }: &Pair) -> i32 {
    let span = one.right().max(other.right()) - i32::from(one.left.min(other.left));
    i32::from(one.width) + i32::from(other.width) - span
}

fn rows(Pair { one, other }: &Pair) -> i32 {
    let span = one.top().max(other.top()) - i32::from(one.bottom.min(other.bottom));
    i32::from(one.height) + i32::from(other.height) - span
}

fn by_gaps(pair: &Pair) -> i32 {
    columns(pair).max(0) * rows(pair).max(0)
}

/// Corners within 12 of the origin, sides of 0 to 15.
fn domain(pair: Pair) -> Pair {
    each(&pair, |Rectangle { left, bottom, width, height }| Rectangle {
        left: left % 13,
        bottom: bottom % 13,
        width: width % 16,
        height: height % 16,
    })
}

fn each(pair: &Pair, change: impl Fn(Rectangle) -> Rectangle) -> Pair {
    Pair { one: change(pair.one), other: change(pair.other) }
}

fn moved(Rectangle { left, bottom, width, height }: Rectangle, right: i8, up: i8) -> Rectangle {
    Rectangle { left: left + right, bottom: bottom + up, width, height }
}

fn mirrored(rectangle: Rectangle) -> Rectangle {
    Rectangle { left: -rectangle.right() as i8, ..rectangle }
}

fn doubled(Rectangle { left, bottom, width, height }: Rectangle) -> Rectangle {
    Rectangle { left: 2 * left, bottom: 2 * bottom, width: 2 * width, height: 2 * height }
}

fn framed(Rectangle { left, bottom, width, height }: Rectangle) -> Rectangle {
    Rectangle { left: left - 1, bottom: bottom - 1, width: width + 2, height: height + 2 }
}

fn with_one_moved(pair: &Pair) -> Pair {
    Pair { one: moved(pair.one, 2, 0), ..*pair }
}

fn with_other_wider(pair: &Pair) -> Pair {
    Pair { other: Rectangle { width: pair.other.width + 4, ..pair.other }, ..*pair }
}

pub fn overlap_area(suite: &mut Suite<Pair, i32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("area", area);
    suite.relation("swap", |pair| Pair { one: pair.other, other: pair.one }, Equal);
    suite.relation("move both", |pair| each(pair, |rectangle| moved(rectangle, 9, -7)), Equal);
    suite.relation("mirror both", |pair| each(pair, mirrored), Equal);
    suite.relation("double all", |pair| each(pair, doubled), ScaledBy(4));
    suite.relation("the other becomes the one", |pair| Pair { other: pair.one, ..*pair }, NonDecreasing);
    suite.relation("a frame around each", |pair| each(pair, framed), Increase);
    suite.relation("move the one right", with_one_moved, Equal);
    suite.relation("the other wider", with_other_wider, Increase);
    suite.relation("the other far away", |pair| Pair { other: moved(pair.other, 0, 100), ..*pair }, Decrease);
}

pub(crate) static SUBJECT: Subject<Pair, i32> = Subject {
    name: "overlap_area",
    suite: overlap_area,
    domain,
    functions: &[area],
    cells: &[
        ("area x swap", Always),
        ("area x move both", Always),
        ("area x mirror both", Always),
        ("area x double all", Always),
        ("area x the other becomes the one", Always),
        ("area x a frame around each", When(|pair| columns(pair) > -2 && rows(pair) > -2)),
        ("area x move the one right", When(|pair| by_gaps(&with_one_moved(pair)) == by_gaps(pair))),
        ("area x the other wider", When(|pair| by_gaps(&with_other_wider(pair)) > by_gaps(pair))),
        ("area x the other far away", When(|pair| by_gaps(pair) > 0)),
    ],
    versions: &[
        regional(1, "shortcut: as if within, from left and right alone", |pair @ Pair { one, other }| {
            let is_within = one.left <= other.left && other.right() <= one.right();
            is_within && other.width > 0 && rows(pair).max(0) < other.height.into()
        }),
        regional(2, "special case: the same left side", |pair @ Pair { one, other }| {
            one.left == other.left && other.width < one.width && rows(pair) > 0
        }),
        regional(3, "nothing counts above 20", |pair| by_gaps(pair) > 0 && pair.one.top().min(pair.other.top()) > 20),
        regional(4, "gaps in both directions", |pair| columns(pair) < 0 && rows(pair) < 0),
        regional(5, "the origin means no corner", |pair @ Pair { one, other }| {
            by_gaps(pair) > 0 && one.left.max(other.left) == 0 && one.bottom.max(other.bottom) == 0
        }),
        regional(6, "the same twice counts as a square", |Pair { one, other }| {
            one == other && one.width != one.height && one.width > 0 && one.height > 0
        }),
        regional(7, "overflow of large areas", |pair| by_gaps(pair) > 127),
        global(8, "the larger right side"),
        rewrite(9, "counts cells"),
        rewrite(10, "lengths less their span"),
        nondeterministic(11, "every 50th call is wrong"),
    ],
    file: file!(),
    source: include_str!("rectangles.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_rectangles_is_true() {
    crate::check::check(&SUBJECT);
}
