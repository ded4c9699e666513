//! Whether a point of an integer grid is inside a polygon, by the edges that a ray to the right of it crosses.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Question {
    pub rule: Rule,
    pub point: Point,
    /// Edges may cross, and corners may meet.
    pub corners: [Point; 3],
    pub more: Vec<Point>,
}

impl Question {
    fn corners(&self) -> Vec<Point> {
        [&self.corners, &self.more[..]].concat()
    }
}

/// What is inside where edges cross: what is surrounded an odd number of times, or at all.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    EvenOdd,
    NonZero,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: i16,
    pub y: i16,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Inside,
    Border,
    Outside,
}
use Place::*;

fn locate(question: &Question) -> Place {
    if version::is(10) {
        return by_turns(question);
    }
    let Point { x, y } = question.point;
    let mut corners = question.corners();
    pick!(11, (), corners.rotate_right(1));
    pick!(5, (), assert!(!question.corners().windows(2).any(|pair| pair[0] == pair[1]), "an edge without direction"));
    if pick!(7, false, corners.iter().all(|corner| corner.x <= x)) {
        return Outside;
    }
    let mut winding = 0;
    let closing = pick!(1, corners.len(), corners.len() - 1);
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)).take(closing) {
        let [along, up, right, above] = [b.x - a.x, b.y - a.y, x - a.x, y - a.y].map(i32::from);
        let side = along * above - up * right;
        let is_beside = pick!(3, x >= a.x.min(b.x) && x <= a.x.max(b.x), true);
        if side == 0 && is_beside && y >= a.y.min(b.y) && y <= a.y.max(b.y) {
            return Border;
        }
        let side = pick!(4, side, i32::from(side as i16));
        // A corner at the height of the ray belongs to the edge above it, so that it counts once.
        if a.y <= y && pick!(2, y < b.y, y <= b.y) && side > 0 {
            winding += 1;
        }
        if b.y <= y && y < a.y && pick!(6, side < 0, above * along / up > right) {
            winding -= 1;
        }
    }
    let is_inside = match question.rule {
        Rule::EvenOdd => winding % 2 == 1 || pick!(8, winding % 2 == -1, false),
        Rule::NonZero => winding != 0,
    };
    if pick!(9, is_inside, !is_inside) { Inside } else { Outside }
}

/// Two corners, as seen from the point.
type Edge = ((i32, i32), (i32, i32));

fn edges(question: &Question) -> Vec<Edge> {
    let (point, corners) = (question.point, question.corners());
    let seen = |corner: &Point| (i32::from(corner.x - point.x), i32::from(corner.y - point.y));
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(corner, next)| (seen(corner), seen(next))).collect()
}

fn cross(((ax, ay), (bx, by)): &Edge) -> i32 {
    ax * by - ay * bx
}

fn is_on((a, b): &Edge) -> bool {
    cross(&(*a, *b)) == 0 && a.0 * b.0 + a.1 * b.1 <= 0
}

fn inside(question: &Question, winding: i32) -> Place {
    let is_inside = if question.rule == Rule::EvenOdd { winding & 1 == 1 } else { winding != 0 };
    if is_inside { Inside } else { Outside }
}

/// How often edges go up on the right of the point, more than down; by what says that an edge is on the right.
fn turns(edges: &[Edge], is_right: impl Fn(&Edge) -> bool) -> i32 {
    let turn = |edge: &&Edge| i32::from(edge.0.1 <= 0) - i32::from(edge.1.1 <= 0);
    edges.iter().filter(|edge| turn(edge) != 0 && is_right(edge)).map(|edge| turn(&edge)).sum()
}

/// Whether an edge that goes up or down does so on the right.
fn is_right(edge: &Edge) -> bool {
    (cross(edge) > 0) == (edge.1.1 > edge.0.1) && cross(edge) != 0
}

/// Looks for the border first, and counts afterwards, in whatever way.
fn counted(question: &Question, winding: impl Fn(&[Edge]) -> i32) -> Place {
    let edges = edges(question);
    if edges.iter().any(is_on) { Border } else { inside(question, winding(&edges)) }
}

fn by_turns(question: &Question) -> Place {
    counted(question, |edges| turns(edges, is_right))
}

/// At most seven corners.
fn domain(mut question: Question) -> Question {
    question.more.truncate(4);
    moved(&question, |Point { x, y }| Point { x: x % 100, y: y % 100 })
}

fn moved(question: &Question, by: fn(Point) -> Point) -> Question {
    let more = question.more.iter().copied().map(by).collect();
    Question { corners: question.corners.map(by), more, point: by(question.point), ..*question }
}

fn with_corners(question: &Question, change: fn(&mut [Point])) -> Question {
    let mut corners = question.corners();
    change(&mut corners);
    let more = corners.split_off(3);
    Question { corners: [corners[0], corners[1], corners[2]], more, ..*question }
}

fn transposed(question: &Question) -> Question {
    let transposed = moved(question, |Point { x, y }| Point { x: y, y: x });
    let forgets = pick!(12, false, version::calls().is_multiple_of(30));
    Question { point: if forgets { question.point } else { transposed.point }, ..transposed }
}

fn other_rule(question: &Question) -> Question {
    let rule = if question.rule == Rule::EvenOdd { Rule::NonZero } else { Rule::EvenOdd };
    Question { rule, ..question.clone() }
}

fn one_step(question: &Question) -> Question {
    let Point { x, y } = question.point;
    Question { point: Point { x: x + 1, y }, ..question.clone() }
}

fn one_corner_less(question: &Question) -> Option<Question> {
    let (_, more) = question.more.split_last()?;
    Some(Question { more: more.to_vec(), ..*question })
}

/// In a grid that is twice as fine.
fn halfway_to_the_first(question: &Question) -> Question {
    let (Point { x, y }, first) = (question.point, question.corners[0]);
    let fine = moved(question, |Point { x, y }| Point { x: 2 * x, y: 2 * y });
    Question { point: Point { x: x + first.x, y: y + first.y }, ..fine }
}

fn stays(before: &Place, after: &Place) -> bool {
    *before == Outside || *after != Outside
}

pub fn polygon_side(suite: &mut Suite<Question, Place>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("locate", locate);
    suite.relation("another first corner", |it| with_corners(it, |corners| corners.rotate_left(1)), Equal);
    suite.relation("the other way round", |it| with_corners(it, |corners| corners.reverse()), Equal);
    suite.relation("one to the right", |it| moved(it, |Point { x, y }| Point { x: x + 1, y }), Equal);
    suite.relation("x for y", transposed, Equal);
    suite.relation("at a corner", |it| Question { point: it.corners[2], ..it.clone() }, |_, place| *place == Border);
    suite.relation("halfway to the first corner", halfway_to_the_first, stays);
    suite.relation("the other rule", other_rule, Equal);
    suite.relation("one step of the point", one_step, Equal);
    suite.relation("one corner less", one_corner_less, Equal);
}

fn winding(question: &Question) -> i32 {
    turns(&edges(question), is_right)
}

pub(crate) static SUBJECT: Subject<Question, Place> = Subject {
    name: "polygon_side",
    suite: polygon_side,
    domain,
    functions: &[locate],
    cells: &[
        ("locate x another first corner", Always),
        ("locate x the other way round", Always),
        ("locate x one to the right", Always),
        ("locate x x for y", Always),
        ("locate x at a corner", Always),
        ("locate x halfway to the first corner", When(|it| stays(&by_turns(it), &by_turns(&halfway_to_the_first(it))))),
        ("locate x the other rule", When(|it| by_turns(it) == Border || winding(it) == 0 || winding(it) % 2 != 0)),
        ("locate x one step of the point", When(|it| by_turns(&one_step(it)) == by_turns(it))),
        ("locate x one corner less", When(|it| one_corner_less(it).is_none_or(|less| by_turns(&less) == by_turns(it)))),
    ],
    versions: &[
        regional(1, "missing: the edge back to the first corner", |it| {
            let (edges, most) = (edges(it), it.corners().len() - 1);
            let is_open = !edges[..most].iter().any(is_on);
            is_open && (is_on(&edges[most]) || inside(it, turns(&edges[..most], is_right)) != by_turns(it))
        }),
        regional(2, "boundary: corners at the height of the point count twice", |it| {
            let twice = |edge: &&Edge| edge.0.1 < 0 && edge.1.1 == 0 && is_right(edge);
            let more = |edges: &[Edge]| turns(edges, is_right) + edges.iter().filter(twice).count() as i32;
            counted(it, more) != by_turns(it)
        }),
        regional(3, "the border goes on beside a level edge", |it| {
            by_turns(it) != Border && edges(it).iter().any(|(a, b)| a.1 == 0 && b.1 == 0)
        }),
        regional(4, "overflow for long edges", |it| {
            let small = |edge: &Edge| cross(edge) as i16;
            let is_right = |edge: &Edge| small(edge) != 0 && (small(edge) > 0) == (edge.1.1 > edge.0.1);
            counted(it, |edges| turns(edges, is_right)) != by_turns(it)
        }),
        regional(5, "a corner twice in a row panics", |it| it.corners().windows(2).any(|pair| pair[0] == pair[1])),
        regional(6, "a crossing is rounded", |it| {
            let rounded = |((ax, ay), (bx, by)): &Edge| ax + -ay * (bx - ax) / (by - ay) > 0;
            let is_right = |edge: &Edge| if edge.1.1 < edge.0.1 { rounded(edge) } else { is_right(edge) };
            counted(it, |edges| turns(edges, is_right)) != by_turns(it)
        }),
        regional(7, "boundary: the rightmost points are outside", |it| {
            by_turns(it) == Border && it.corners().iter().all(|corner| corner.x <= it.point.x)
        }),
        regional(8, "odd numbers may be negative", |it| {
            it.rule == Rule::EvenOdd && by_turns(it) == Inside && winding(it) < 0
        }),
        global(9, "inside is outside"),
        rewrite(10, "the border first"),
        rewrite(11, "begins with the last edge"),
        harness(12, "a transformation that forgets the point now and then"),
    ],
    file: file!(),
    source: include_str!("polygons.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_polygons_is_true() {
    crate::check::check(&SUBJECT);
}
