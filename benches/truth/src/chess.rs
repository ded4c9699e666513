//! How many moves a piece needs from one square of an empty chess board to another, if it gets there.

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

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Trip {
    pub piece: Piece,
    pub from: Square,
    pub to: Square,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    Queen,
    King,
    Rook,
    Bishop,
    Knight,
    /// A white one, which goes up.
    Pawn,
}

/// Both are counted from 0.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Square {
    pub file: u8,
    pub rank: u8,
}

impl Square {
    fn is_corner(&self) -> bool {
        [0, 7].contains(&self.file) && [0, 7].contains(&self.rank)
    }

    /// Whether a king begins there.
    fn is_home(&self) -> bool {
        self.file == 4 && [0, 7].contains(&self.rank)
    }
}

fn moves(trip: &Trip) -> Option<u8> {
    if version::is(10) {
        return round_by_round(trip);
    }
    if version::is(11) {
        return by_table(trip);
    }
    let Trip { piece, from, to } = *trip;
    let across = from.file.abs_diff(to.file);
    let along = from.rank.abs_diff(to.rank);
    if across == 0 && along == 0 {
        return Some(0);
    }
    if pick!(1, false, piece == Piece::King && from.is_home() && (across, along) == (2, 0)) {
        return Some(1);
    }
    let is_straight = across == 0 || along == 0;
    let is_diagonal = across == along;
    let moves = match piece {
        Piece::King => Some(pick!(2, across.max(along), across + along)),
        Piece::Queen => Some(if pick!(3, is_straight || is_diagonal, is_straight) { 1 } else { 2 }),
        Piece::Rook => Some(if is_straight { 1 } else { 2 }),
        Piece::Bishop if pick!(4, (across + along) % 2 == 1, across % 2 == 1 && along % 2 == 0) => None,
        Piece::Bishop => Some(if is_diagonal { 1 } else { 2 }),
        Piece::Knight => match (across.max(along), across.min(along)) {
            (1, 0) => Some(3),
            (1, 1) if pick!(5, from.is_corner() || to.is_corner(), false) => Some(4),
            (2, 2) => Some(pick!(6, 4, 2)),
            (long, short) => {
                let least = long.div_ceil(2).max((long + short).div_ceil(3));
                Some(least + (least + long + short) % 2)
            }
        },
        Piece::Pawn if across > 0 => None,
        Piece::Pawn => {
            let up = pick!(7, to.rank.checked_sub(from.rank)?, to.rank.checked_sub(from.rank).expect("a way up"));
            let is_double = from.rank <= pick!(8, 1, 2) && to.rank >= 3;
            Some(up - u8::from(is_double))
        }
    };
    pick!(9, moves, moves.map(|moves| moves + 1))
}

/// Where a piece can go at once, one bit per square.
fn reached(piece: Piece, square: u32) -> u64 {
    const STRAIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
    const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    let both = [STRAIGHT, DIAGONAL].concat();
    let (steps, furthest) = match piece {
        Piece::King => (&both[..], 1),
        Piece::Queen => (&both[..], 7),
        Piece::Rook => (&STRAIGHT[..], 7),
        Piece::Bishop => (&DIAGONAL[..], 7),
        Piece::Knight => (&JUMPS[..], 1),
        Piece::Pawn => (&STRAIGHT[1..2], if rank == 1 { 2 } else { 1 }),
    };
    let ways = steps.iter().flat_map(|(x, y)| (1..=furthest).map(move |by| (file + by * x, rank + by * y)));
    let squares = ways.filter(|(file, rank)| (0..8).contains(file) && (0..8).contains(rank));
    squares.map(|(file, rank)| 1u64 << (8 * rank + file)).fold(0, |all, square| all | square)
}

/// All squares that are reached after one move, after two and so on.
fn round_by_round(trip: &Trip) -> Option<u8> {
    let bit = |square: Square| 1u64 << (8 * square.rank + square.file);
    let (mut all, mut newest) = (0, bit(trip.from));
    for round in 0.. {
        if newest == 0 || newest & bit(trip.to) != 0 {
            return (newest != 0).then_some(round);
        }
        all |= newest;
        let squares = (0..64).filter(|square| newest >> square & 1 == 1);
        newest = squares.map(|square| reached(trip.piece, square)).fold(0, |new, more| new | more) & !all;
    }
    None
}

/// The moves of a knight in a table, all others by their distances.
fn by_table(trip: &Trip) -> Option<u8> {
    const KNIGHT: [[u8; 8]; 8] = [
        [0, 3, 2, 3, 2, 3, 4, 5],
        [3, 2, 1, 2, 3, 4, 3, 4],
        [2, 1, 4, 3, 2, 3, 4, 5],
        [3, 2, 3, 2, 3, 4, 3, 4],
        [2, 3, 2, 3, 4, 3, 4, 5],
        [3, 4, 3, 4, 3, 4, 5, 4],
        [4, 3, 4, 3, 4, 5, 4, 5],
        [5, 4, 5, 4, 5, 4, 5, 6],
    ];
    let Trip { piece, from, to } = *trip;
    let (across, along) = distances(trip);
    match (piece, across, along) {
        (_, 0, 0) => Some(0),
        (Piece::King, ..) => (0..8).find(|reach| across <= *reach && along <= *reach),
        (Piece::Queen | Piece::Rook, 0, _) | (Piece::Queen | Piece::Rook, _, 0) => Some(1),
        (Piece::Queen | Piece::Bishop, ..) if across == along => Some(1),
        (Piece::Queen | Piece::Rook, ..) => Some(2),
        (Piece::Bishop, ..) => (across % 2 == along % 2).then_some(2),
        (Piece::Knight, 1, 1) if from.is_corner() || to.is_corner() => Some(4),
        (Piece::Knight, ..) => Some(KNIGHT[usize::from(across)][usize::from(along)]),
        (Piece::Pawn, 0, _) if from.rank < to.rank => {
            Some((from.rank + 1..=to.rank).filter(|rank| *rank != 2 || to.rank == 2).count() as u8)
        }
        (Piece::Pawn, ..) => None,
    }
}

/// The files and the ranks between the ends.
fn distances(Trip { from, to, .. }: &Trip) -> (u8, u8) {
    (from.file.abs_diff(to.file), from.rank.abs_diff(to.rank))
}

/// Squares of the board.
fn domain(trip: Trip) -> Trip {
    both(&trip, |Square { file, rank }| Square { file: file % 8, rank: rank % 8 })
}

fn both(trip: &Trip, change: fn(Square) -> Square) -> Trip {
    Trip { piece: trip.piece, from: change(trip.from), to: change(trip.to) }
}

fn back(trip: &Trip) -> Trip {
    Trip { piece: trip.piece, from: trip.to, to: trip.from }
}

fn upside_down(trip: &Trip) -> Trip {
    both(trip, |Square { file, rank }| Square { file, rank: 7 - rank })
}

fn transposed(trip: &Trip) -> Trip {
    both(trip, |Square { file, rank }| Square { file: rank, rank: file })
}

/// From a square to the right, and to one that is so many to the right.
fn moved_right(Trip { piece, from, to }: &Trip, by: u8) -> Option<Trip> {
    let (start, end) = (from.file + 1, to.file + by);
    let moved = Trip { piece: *piece, from: Square { file: start, ..*from }, to: Square { file: end, ..*to } };
    (start < 8 && end < 8).then_some(moved)
}

fn one_right(trip: &Trip) -> Option<Trip> {
    moved_right(trip, pick!(12, 1, 1 + u8::from(version::calls().is_multiple_of(40))))
}

fn one_up(trip: &Trip) -> Option<Trip> {
    let moved = both(trip, |Square { file, rank }| Square { file, rank: rank + 1 });
    (moved.from.rank < 8 && moved.to.rank < 8).then_some(moved)
}

fn as_queen(trip: &Trip) -> Trip {
    Trip { piece: Piece::Queen, ..*trip }
}

fn diagonally_further(trip: &Trip) -> Option<Trip> {
    let Square { file, rank } = trip.to;
    (file < 7 && rank < 7).then(|| Trip { to: Square { file: file + 1, rank: rank + 1 }, ..*trip })
}

/// The two halves of a way that goes over a square in the middle.
fn over_the_middle(trip: &Trip, _: &Option<u8>) -> [Trip; 2] {
    let middle = Square { file: 3, rank: 4 };
    [Trip { to: middle, ..*trip }, Trip { from: middle, ..*trip }]
}

/// What is left of the way after each jump of a knight.
fn after_a_jump(trip: &Trip, _: &Option<u8>) -> Vec<Trip> {
    let squares = (0..64).map(|square| Square { file: square % 8, rank: square / 8 });
    let rests = squares.map(|from| Trip { from, ..*trip });
    rests.filter(|rest| matches!(distances(&Trip { to: rest.from, ..*trip }), (1, 2) | (2, 1))).collect()
}

/// Not reaching it is longer than every way.
fn length(moves: &Option<u8>) -> u8 {
    moves.unwrap_or(100)
}

pub fn fewest_moves(suite: &mut Suite<Trip, Option<u8>>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("moves", moves);
    suite.relation("mirror", |trip| both(trip, |Square { file, rank }| Square { file: 7 - file, rank }), Equal);
    suite.relation("stay", |trip| Trip { to: trip.from, ..*trip }, |_, follow_up| *follow_up == Some(0));
    suite.judge("over the middle", over_the_middle, |check| {
        length(check.output) <= check.follow_up_outputs.iter().map(length).sum()
    });
    suite
        .relation("diagonally further", diagonally_further, |source, follow_up| {
            length(source).abs_diff(length(follow_up)) < 2
        })
        .when(|trip| trip.piece == Piece::King);
    suite
        .judge("after the best jump", after_a_jump, |check| {
            check.follow_up_outputs.iter().map(|rest| length(rest) + 1).min() == Some(length(check.output))
        })
        .when(|trip| trip.piece == Piece::Knight && trip.from != trip.to);
    suite.relation("back", back, Equal);
    suite.relation("upside down", upside_down, Equal);
    suite.relation("files as ranks", transposed, Equal);
    suite.relation("one file to the right", one_right, Equal);
    suite.relation("one rank up", one_up, Equal);
    suite.relation("as a queen", as_queen, |source, follow_up| length(follow_up) <= length(source));
}

pub(crate) static SUBJECT: Subject<Trip, Option<u8>> = Subject {
    name: "fewest_moves",
    suite: fewest_moves,
    domain,
    functions: &[moves],
    cells: &[
        ("moves x mirror", Always),
        ("moves x stay", Always),
        ("moves x over the middle", Always),
        ("moves x diagonally further", Always),
        ("moves x after the best jump", Always),
        (
            "moves x back",
            When(|trip| trip.piece != Piece::Pawn || trip.from == trip.to || trip.from.file != trip.to.file),
        ),
        ("moves x upside down", When(|trip| by_table(&upside_down(trip)) == by_table(trip))),
        ("moves x files as ranks", When(|trip| by_table(&transposed(trip)) == by_table(trip))),
        (
            "moves x one file to the right",
            When(|trip| moved_right(trip, 1).is_none_or(|moved| by_table(&moved) == by_table(trip))),
        ),
        ("moves x one rank up", When(|trip| one_up(trip).is_none_or(|moved| by_table(&moved) == by_table(trip)))),
        ("moves x as a queen", When(|trip| trip.piece != Piece::Knight || by_table(trip) != Some(1))),
    ],
    versions: &[
        regional(1, "special case: a king can always castle", |trip| {
            trip.piece == Piece::King && trip.from.is_home() && distances(trip) == (2, 0)
        }),
        regional(2, "wrong operator: kings do not go diagonally", |trip| {
            let (across, along) = distances(trip);
            trip.piece == Piece::King && across > 0 && along > 0
        }),
        regional(3, "missing: diagonals of a queen", |trip| {
            let (across, along) = distances(trip);
            trip.piece == Piece::Queen && across == along && across > 0
        }),
        regional(4, "missing: half of the squares of the other colour", |trip| {
            let (across, along) = distances(trip);
            trip.piece == Piece::Bishop && across % 2 == 0 && along % 2 == 1
        }),
        regional(5, "missing: knights in a corner", |trip| {
            let is_corner = trip.from.is_corner() || trip.to.is_corner();
            trip.piece == Piece::Knight && distances(trip) == (1, 1) && is_corner
        }),
        regional(6, "wrong constant: knights that go two squares diagonally", |trip| {
            trip.piece == Piece::Knight && distances(trip) == (2, 2)
        }),
        regional(7, "pawns that should go back panic", |Trip { piece, from, to }| {
            *piece == Piece::Pawn && from.file == to.file && to.rank < from.rank
        }),
        regional(8, "boundary: pawns that have gone one square", |Trip { piece, from, to }| {
            *piece == Piece::Pawn && from.file == to.file && from.rank == 2 && to.rank > 2
        }),
        global(9, "the first square counts as a move"),
        rewrite(10, "round by round"),
        rewrite(11, "a table"),
        harness(12, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("chess.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_chess_is_true() {
    crate::check::check(&SUBJECT);
}
