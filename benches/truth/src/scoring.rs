//! What five cards are worth at poker: the kind of the hand, and within a kind the ranks that decide.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::{Arbitrary, Unstructured};
use bugornot::{Decrease, Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;
use std::cmp::Reverse;

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    pub cards: [Card; 5],
}

// Not derived: an array that takes the rest of the bytes draws its last element twice.
impl<'bytes> Arbitrary<'bytes> for Hand {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> arbitrary::Result<Self> {
        Ok(Self { cards: bytes.arbitrary()? })
    }
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Card {
    /// From 2 to 14, the ace.
    pub rank: u8,
    /// Even ones are black, odd ones red.
    pub suit: u8,
}

fn score(hand: &Hand) -> u32 {
    if version::is(10) {
        return by_pairs(hand);
    }
    if version::is(11) {
        return by_bits(hand);
    }
    let cards = &hand.cards;
    let count = |rank: u8| cards.iter().filter(|card| card.rank == rank).count();
    let mut groups: Vec<(usize, u8)> = (2..=14).map(|rank| (count(rank), rank)).filter(|group| group.0 > 0).collect();
    let (low, high) = (groups[0].1, groups[groups.len() - 1].1);
    groups.sort_by_key(|(count, rank)| Reverse((pick!(3, *count, (*count).min(2)), *rank)));
    pick!(9, (), groups.reverse());
    let third = pick!(8, groups.get(2).map_or(0, |group| group.0), groups[2].0);
    let decides = pick!(4, 5, 4);
    let suit = |card: &Card| pick!(7, card.suit, card.suit % 2);
    let is_flush = cards[..decides].iter().all(|card| suit(card) == suit(&cards[0]));
    let ranks: Vec<u8> = groups.iter().map(|group| group.1).collect();
    let is_wheel = pick!(1, ranks == [14, 5, 4, 3, 2], false);
    let wraps = pick!(2, false, ranks == [14, 13, 12, 11, 2]);
    let is_straight = pick!(5, groups.len() == 5, true) && high - low == 4 || is_wheel || wraps;
    let kind = match (groups[0].0, groups[1].0, third) {
        _ if is_straight && is_flush => 8,
        (4, ..) => 7,
        (3, 2, _) => 6,
        _ if is_flush => 5,
        _ if is_straight => 4,
        (3, ..) => 3,
        (2, 2, _) => 2,
        (2, ..) => 1,
        _ => 0,
    };
    let deciding = match kind {
        8 | 4 if is_wheel => &ranks[1..2],
        8 | 4 => &ranks[..1],
        2 => &ranks[..pick!(6, 3, 2)],
        _ => &ranks[..],
    };
    worth(kind, deciding.iter().copied())
}

/// What kind of hand it is, from none, 0, to a straight flush, 8.
fn kind(hand: &Hand) -> u32 {
    score(hand) >> 20
}

/// A digit for the kind, and one for each rank.
fn worth(kind: u32, ranks: impl Iterator<Item = u8>) -> u32 {
    let digits = ranks.chain([0; 5]).take(5);
    digits.fold(kind, |score, rank| 16 * score + u32::from(rank))
}

/// The ranks, the highest one first.
fn ranks(hand: &Hand) -> [u8; 5] {
    let mut ranks = hand.cards.map(|card| card.rank);
    ranks.sort_unstable_by_key(|rank| Reverse(*rank));
    ranks
}

/// How many pairs can be taken from the hand.
fn pairs(hand: &Hand) -> u32 {
    let ranks = ranks(hand);
    (1..5).map(|at| ranks[..at].iter().filter(|rank| **rank == ranks[at]).count() as u32).sum()
}

/// The number of pairs tells groups apart: four of a kind have six of them.
fn by_pairs(hand: &Hand) -> u32 {
    let mut ranks = ranks(hand).to_vec();
    let pairs = pairs(hand);
    let is_wheel = ranks == [14, 5, 4, 3, 2];
    let is_straight = pairs == 0 && (ranks[0] - ranks[4] == 4 || is_wheel);
    let kind = match (is_straight, is_one_suit(&hand.cards), pairs) {
        (true, true, _) => 8,
        (_, _, 6) => 7,
        (_, _, 4) => 6,
        (_, true, _) => 5,
        (true, ..) => 4,
        _ => pairs,
    };
    if is_straight {
        return worth(kind, [ranks[usize::from(is_wheel)]].into_iter());
    }
    let all = ranks.clone();
    ranks.sort_by_key(|rank| Reverse(all.iter().filter(|other| *other == rank).count()));
    ranks.dedup();
    worth(kind, ranks.into_iter())
}

/// A set of ranks for those that are there once, twice, three and four times.
fn by_bits(hand: &Hand) -> u32 {
    let mut sets = [0u32; 4];
    for card in &hand.cards {
        let mut bit = 1 << card.rank;
        for set in &mut sets {
            (*set, bit) = (*set | bit, *set & bit);
        }
    }
    let [once, twice, thrice, four] = sets;
    let wheel = 1 << 14 | 0b11_1100;
    let top = if once == wheel { 5 } else { 31 - once.leading_zeros() as u8 };
    let is_straight = once == wheel || once >> once.trailing_zeros() == 0b1_1111;
    let is_flush = hand.cards.windows(2).all(|pair| pair[0].suit == pair[1].suit);
    if is_straight {
        return worth(if is_flush { 8 } else { 4 }, [top].into_iter());
    }
    let kind = match (four.count_ones(), thrice.count_ones(), twice.count_ones()) {
        (1, ..) => 7,
        (_, 1, 2) => 6,
        _ if is_flush => 5,
        (_, 1, _) => 3,
        (.., groups) => groups,
    };
    let exactly = [four, thrice & !four, twice & !thrice, once & !twice];
    worth(kind, exactly.into_iter().flat_map(|set| (2..=14).rev().filter(move |rank| set >> rank & 1 == 1)))
}

fn is_one_suit(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.suit == cards[0].suit)
}

/// Cards of one deck: one that is there already is the next of its suit.
fn domain(hand: Hand) -> Hand {
    let mut cards = hand.cards.map(|Card { rank, suit }| Card { rank: 2 + rank % 13, suit: suit % 4 });
    for at in 1..5 {
        while cards[..at].contains(&cards[at]) {
            cards[at] = next(cards[at]);
        }
    }
    Hand { cards }
}

/// The next card of its suit, after an ace a two.
fn next(card: Card) -> Card {
    Card { rank: if card.rank == 14 { 2 } else { card.rank + 1 }, ..card }
}

fn each(hand: &Hand, change: impl FnMut(Card) -> Card) -> Hand {
    Hand { cards: hand.cards.map(change) }
}

/// With another card in its place, if that is not in the hand.
fn replaced(hand: &Hand, at: usize, card: Card) -> Option<Hand> {
    let mut cards = hand.cards;
    cards[at] = card;
    (!hand.cards.contains(&card)).then_some(Hand { cards })
}

fn one_up(hand: &Hand) -> Hand {
    each(hand, next)
}

fn mirrored(hand: &Hand) -> Hand {
    each(hand, |Card { rank, suit }| Card { rank: 16 - rank, suit })
}

fn renamed(hand: &Hand) -> Hand {
    let forgets = pick!(12, false, version::calls().is_multiple_of(30));
    let suit = |Card { rank, suit }| Card { rank, suit: [2, 0, if forgets { 0 } else { 3 }, 1][usize::from(suit)] };
    each(hand, suit)
}

fn with_higher_lowest(hand: &Hand) -> Option<Hand> {
    let lowest = (0..5).min_by_key(|at| hand.cards[*at].rank)?;
    replaced(hand, lowest, next(hand.cards[lowest]))
}

fn with_an_ace(hand: &Hand) -> Option<Hand> {
    replaced(hand, 0, Card { rank: 14, ..hand.cards[0] })
}

fn with_other_suit(hand: &Hand) -> Option<Hand> {
    let Card { rank, suit } = hand.cards[4];
    replaced(hand, 4, Card { rank, suit: (suit + 1) % 4 })
}

fn of_one_suit(hand: &Hand) -> Hand {
    each(hand, |Card { rank, .. }| Card { rank, suit: hand.cards[2].suit })
}

fn reversed(hand: &Hand) -> Hand {
    let [a, b, c, d, e] = hand.cards;
    Hand { cards: [e, d, c, b, a] }
}

pub fn poker_rank(suite: &mut Suite<Hand, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("score", score);
    suite.function("kind", kind);
    suite.relation("the other way round", reversed, Equal);
    suite.relation("other suits", renamed, Equal);
    suite.relation("all of one suit", of_one_suit, NonDecreasing).when(|hand| pairs(hand) == 0);
    suite
        .relation("all of one suit, and a lower kind", of_one_suit, Decrease)
        .when(|hand| pairs(hand) == 0)
        .only(["kind"]);
    suite.relation("each card one higher", one_up, Equal).only(["kind"]);
    suite.relation("each card one higher, and worth more", one_up, Increase).only(["score"]);
    suite.relation("low for high", mirrored, Equal).only(["kind"]);
    suite.relation("the lowest card one higher", with_higher_lowest, Increase).only(["score"]);
    suite.relation("an ace for the first card", with_an_ace, Increase).only(["score"]);
    suite.relation("the last card of another suit", with_other_suit, Equal);
}

/// Whether a hand that can be changed is then worth so.
fn is(hand: &Hand, change: fn(&Hand) -> Option<Hand>, so: fn(&u32, &u32) -> bool) -> bool {
    change(hand).is_none_or(|changed| so(&by_pairs(hand), &by_pairs(&changed)))
}

fn is_same_kind(score: &u32, other: &u32) -> bool {
    score >> 20 == other >> 20
}

pub(crate) static SUBJECT: Subject<Hand, u32> = Subject {
    name: "poker_rank",
    suite: poker_rank,
    domain,
    functions: &[score, kind],
    cells: &[
        ("score x the other way round", Always),
        ("kind x the other way round", Always),
        ("score x other suits", Always),
        ("kind x other suits", Always),
        ("score x all of one suit", Always),
        ("kind x all of one suit", Always),
        ("kind x all of one suit, and a lower kind", Never),
        ("kind x each card one higher", When(|it| is(it, |it| Some(one_up(it)), is_same_kind))),
        ("score x each card one higher, and worth more", When(|it| by_pairs(&one_up(it)) > by_pairs(it))),
        // An ace is low before a two, and a two never high.
        ("kind x low for high", When(|it| ![[14, 5, 4, 3, 2], [14, 13, 12, 11, 2]].contains(&ranks(it)))),
        ("score x the lowest card one higher", When(|it| is(it, with_higher_lowest, |s, f| f > s))),
        ("score x an ace for the first card", When(|it| is(it, with_an_ace, |s, f| f > s))),
        ("score x the last card of another suit", When(|it| is(it, with_other_suit, |s, f| f == s))),
        ("kind x the last card of another suit", When(|it| is(it, with_other_suit, is_same_kind))),
    ],
    versions: &[
        regional(1, "missing: the straight from the ace to the five", |it| ranks(it) == [14, 5, 4, 3, 2]),
        regional(2, "a straight from the jack to the two", |it| ranks(it) == [14, 13, 12, 11, 2]),
        regional(3, "three of a kind come after a higher pair", |it| pairs(it) == 4 && ranks(it)[1] != ranks(it)[2]),
        regional(4, "boundary: the suit of the last card", |it| is_one_suit(&it.cards[..4]) && !is_one_suit(&it.cards)),
        regional(5, "missing: ranks of straights are different", |it| {
            (1..4).contains(&pairs(it)) && ranks(it)[0] - ranks(it)[4] == 4
        }),
        regional(6, "missing: the card beside two pairs", |it| by_pairs(it) >> 20 == 2),
        regional(7, "colours for suits", |it| {
            let reds = it.cards.iter().filter(|card| card.suit % 2 == 1).count();
            [0, 5].contains(&reds) && !is_one_suit(&it.cards)
        }),
        regional(8, "hands of two ranks panic", |it| pairs(it) > 3),
        global(9, "the smallest group first"),
        rewrite(10, "counts pairs"),
        rewrite(11, "a bit for each rank"),
        harness(12, "a transformation that mixes up two suits now and then"),
    ],
    file: file!(),
    source: include_str!("scoring.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_scoring_is_true() {
    crate::check::check(&SUBJECT);
}
