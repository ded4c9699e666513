//! What is seen of a wall that is painted in strokes: pieces of one colour, and gaps. A range map, as editors have it.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Wall {
    /// What is looked at: a half-open range, as all are.
    pub from: u8,
    pub to: u8,
    /// Later ones cover earlier ones.
    pub strokes: Vec<Stroke>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub start: u8,
    pub length: u8,
    pub colour: Colour,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Colour {
    Red,
    Green,
    White,
}

/// A gap has no colour.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    start: u8,
    end: u8,
    colour: Option<Colour>,
}

fn pieces(wall: &Wall) -> Vec<Piece> {
    if version::is(10) {
        return runs(wall, &painted(wall)).into_iter().filter(|piece| piece.colour.is_some()).collect();
    }
    if version::is(11) {
        return runs(wall, &topmost(wall)).into_iter().filter(|piece| piece.colour.is_some()).collect();
    }
    // Where the colour changes, and to which.
    let mut changes = BTreeMap::from([(0, None)]);
    for Stroke { start, length, colour } in &wall.strokes {
        if *length == 0 {
            pick!(4, continue, panic!("an empty range"));
        }
        if pick!(3, false, *start < wall.from) {
            continue;
        }
        let end = start + length + pick!(9, 0, 1);
        pick!(8, (), assert!(end < 54, "{end} is out of bounds"));
        let behind = pick!(2, changes.range(..=end), changes.range(..end)).next_back().and_then(|(_, colour)| *colour);
        changes.retain(|place, _| place < start || *place > end);
        changes.extend([(*start, Some(*colour)), (end, behind)]);
    }
    let ends = changes.keys().skip(1).copied().chain([u8::MAX]);
    let mut pieces: Vec<Piece> = Vec::new();
    for ((start, colour), end) in changes.iter().zip(ends) {
        let (start, clipped) = (wall.from.max(*start), end.min(wall.to));
        if colour.is_none() || start >= clipped {
            continue;
        }
        let end = pick!(7, clipped, end);
        match pieces.last_mut() {
            Some(last) if last.colour == *colour && pick!(1, last.end == start, false) => last.end = end,
            _ => pieces.push(Piece { start, end, colour: *colour }),
        }
    }
    if pick!(12, false, version::calls().is_multiple_of(7)) {
        pieces.reverse();
    }
    pieces
}

fn gaps(wall: &Wall) -> Vec<Piece> {
    let pieces = pieces(wall);
    let starts = [wall.from].into_iter().chain(pieces.iter().map(|piece| piece.end));
    let ends = pieces.iter().map(|piece| piece.start).chain(pick!(5, Some(wall.to), None));
    let gaps = starts.zip(ends).filter(|(start, end)| pick!(6, start < end, start <= end));
    gaps.map(|(start, end)| Piece { start, end, colour: None }).collect()
}

const PLACES: usize = 64;
type Places = [Option<Colour>; PLACES];

/// Paints one place after the other.
fn painted(wall: &Wall) -> Places {
    changed(wall, |_| false).0
}

/// The colours, and where a change is written down; with a slip, what lies behind a stroke that ends in front of a change
/// gets the colour that is in front of it.
fn changed(wall: &Wall, slips: fn(bool) -> bool) -> (Places, [bool; PLACES]) {
    let (mut places, mut changes) = ([None; PLACES], [false; PLACES]);
    for stroke in wall.strokes.iter().filter(|stroke| stroke.length > 0) {
        let (start, end) = (usize::from(stroke.start), usize::from(stroke.start + stroke.length));
        if slips(changes[end]) {
            let next = (end + 1..PLACES).find(|place| changes[*place]).unwrap_or(PLACES);
            let before = places[end - 1];
            places[end..next].fill(before);
        }
        places[start..end].fill(Some(stroke.colour));
        changes[start..=end].fill(false);
        (changes[start], changes[end]) = (true, true);
    }
    (places, changes)
}

/// Looks for the last stroke that covers each place.
fn topmost(wall: &Wall) -> Places {
    let covers = |stroke: &Stroke, place: usize| (stroke.start..stroke.start + stroke.length).contains(&(place as u8));
    let colour = |place| wall.strokes.iter().rfind(|stroke| covers(stroke, place)).map(|stroke| stroke.colour);
    std::array::from_fn(colour)
}

/// Pieces and gaps.
fn runs(wall: &Wall, places: &Places) -> Vec<Piece> {
    let all: Vec<u8> = (wall.from..wall.to).collect();
    let chunks = all.chunk_by(|left, right| places[usize::from(*left)] == places[usize::from(*right)]);
    let piece =
        |run: &[u8]| Piece { start: run[0], end: run[0] + run.len() as u8, colour: places[usize::from(run[0])] };
    chunks.map(piece).collect()
}

/// At most eight strokes on 54 places.
fn domain(wall: Wall) -> Wall {
    let (from, to) = (wall.from % 48, wall.to % 48);
    let stroke = |stroke: &Stroke| Stroke { start: stroke.start % 40, length: stroke.length % 16, ..*stroke };
    Wall { from: from.min(to), to: from.max(to), strokes: wall.strokes.iter().take(8).map(stroke).collect() }
}

fn with_strokes(wall: &Wall, strokes: impl Iterator<Item = Stroke>) -> Wall {
    Wall { strokes: strokes.collect(), ..*wall }
}

fn in_halves(stroke: &Stroke) -> [Stroke; 2] {
    let length = stroke.length / 2;
    [Stroke { length, ..*stroke }, Stroke { start: stroke.start + length, length: stroke.length - length, ..*stroke }]
}

fn reversed(wall: &Wall) -> Wall {
    with_strokes(wall, wall.strokes.iter().rev().copied())
}

fn all_red(wall: &Wall) -> Wall {
    with_strokes(wall, wall.strokes.iter().map(|stroke| Stroke { colour: Colour::Red, ..*stroke }))
}

fn last_again(wall: &Wall) -> Wall {
    with_strokes(wall, wall.strokes.iter().chain(wall.strokes.last()).copied())
}

fn middle(wall: &Wall) -> u8 {
    wall.from.midpoint(wall.to)
}

pub fn painted_wall(suite: &mut Suite<Wall, Vec<Piece>>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("pieces", pieces);
    suite.function("gaps", gaps);
    suite.relation("halves of strokes", |it| with_strokes(it, it.strokes.iter().flat_map(in_halves)), Equal);
    suite.relation("the last stroke again", last_again, Equal);
    suite.relation("the other way round", reversed, Equal);
    suite.relation("all red", all_red, Equal);
    suite.judge(
        "halves of the wall",
        |wall, _| [Wall { to: middle(wall), ..wall.clone() }, Wall { from: middle(wall), ..wall.clone() }],
        |check| *check.output == check.follow_up_outputs.concat(),
    );
}

/// Whether a piece, or a gap, goes on across a place.
fn crosses(wall: &Wall, place: u8, is_gap: bool) -> bool {
    let (places, place) = (painted(wall), usize::from(place));
    place > 0 && places[place] == places[place - 1] && places[place].is_none() == is_gap
}

/// Whether other places look different.
fn differs(wall: &Wall, places: &Places) -> bool {
    runs(wall, places) != runs(wall, &painted(wall))
}

pub(crate) static SUBJECT: Subject<Wall, Vec<Piece>> = Subject {
    name: "painted_wall",
    suite: painted_wall,
    domain,
    functions: &[pieces, gaps],
    cells: &[
        ("pieces x halves of strokes", Always),
        ("gaps x halves of strokes", Always),
        ("pieces x the last stroke again", Always),
        ("gaps x the last stroke again", Always),
        ("pieces x the other way round", When(|it| !differs(it, &painted(&reversed(it))))),
        ("gaps x the other way round", Always),
        ("pieces x all red", When(|it| !differs(it, &painted(&all_red(it))))),
        ("gaps x all red", Always),
        ("pieces x halves of the wall", When(|it| it.from == middle(it) || !crosses(it, middle(it), false))),
        ("gaps x halves of the wall", When(|it| it.from == middle(it) || !crosses(it, middle(it), true))),
    ],
    versions: &[
        regional(1, "pieces that touch stay apart", |it| {
            let changes = changed(it, |_| false).1;
            (it.from + 1..it.to).any(|place| changes[usize::from(place)] && crosses(it, place, false))
        }),
        regional(2, "boundary: a change at the end of a stroke is lost", |it| {
            differs(it, &changed(it, |is_change| is_change).0)
        }),
        regional(3, "strokes that begin before the wall are skipped", |it| {
            let later = it.strokes.iter().filter(|stroke| stroke.start >= it.from);
            differs(it, &painted(&with_strokes(it, later.copied())))
        }),
        regional(4, "an empty stroke panics", |it| it.strokes.iter().any(|stroke| stroke.length == 0)),
        regional(5, "missing: the gap at the end", |it| {
            it.from < it.to && topmost(it)[usize::from(it.to) - 1].is_none()
        }),
        regional(6, "boundary: where two pieces touch is a gap", |it| {
            let runs = runs(it, &painted(it));
            let is_piece = |run: Option<&Piece>| run.is_none_or(|run| run.colour.is_some());
            is_piece(runs.first())
                || is_piece(runs.last())
                || runs.windows(2).any(|two| two.iter().all(|it| is_piece(Some(it))))
        }),
        regional(7, "pieces go on beyond the end of the wall", |it| {
            let is_change = changed(it, |_| false).1[usize::from(it.to)];
            it.from < it.to && crosses(it, it.to, false) && !is_change
        }),
        regional(8, "boundary: a stroke up to the last place panics", |it| {
            it.strokes.iter().any(|stroke| stroke.start + stroke.length == 54)
        }),
        global(9, "the end of a stroke counts too"),
        rewrite(10, "place by place"),
        rewrite(11, "the topmost stroke of each place"),
        nondeterministic(12, "every seventh wall is the other way round"),
    ],
    file: file!(),
    source: include_str!("painting.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_painting_is_true() {
    crate::check::check(&SUBJECT);
}
