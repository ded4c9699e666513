//! Edit distances of `strsim` on short words over three letters.
//!
//! | holds when | levenshtein | osa_distance | damerau_levenshtein |
//! |---|---|---|---|
//! | swap | always | always | always |
//! | same tail | always | always | always |
//! | different tails | never | never | never |
//! | typo | the first two letters of `a` are equal | always | always |
//! | self | `a != b` | `a != b` | `a != b` |
//! | detour | always | not quite | always |
//!
//! `typo` does not apply to words of fewer than two letters.
//!
//! The optimal string alignment edits no part of a word twice, so it is no metric: from `ca` to `abc` it takes 3 steps,
//! but 1 to `ac` and 1 from there to `abc`. No short condition tells when that happens; it takes a pair for which
//! `damerau_levenshtein` is smaller.

use arbitrary::{Arbitrary, Result, Unstructured};
use bugornot::{Decrease, Equal, Suite, any, observe};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Words {
    pub a: Word,
    pub b: Word,
}

/// Few letters, and few to choose from, so that words have something in common.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Word(pub String);

const LONGEST: usize = 5;

impl<'bytes> Arbitrary<'bytes> for Word {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> Result<Self> {
        let length = bytes.int_in_range(0..=LONGEST)?;
        (0..length).map(|_| bytes.int_in_range(b'a'..=b'c').map(char::from)).collect::<Result<_>>().map(Self)
    }

    /// A byte for the length and one for each letter.
    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (0, Some(1 + LONGEST))
    }
}

impl Word {
    /// The word with its first two letters in the wrong order.
    fn mistyped(&self) -> Option<Self> {
        let mut letters = self.0.chars();
        let (first, second) = (letters.next()?, letters.next()?);
        Some(Self([second, first].into_iter().chain(letters).collect()))
    }

    fn starts_with_a_double_letter(&self) -> bool {
        self.mistyped().is_some_and(|mistyped| mistyped == *self)
    }

    fn and(&self, letter: char) -> Self {
        Self(format!("{}{letter}", self.0))
    }
}

pub fn edit_distance(suite: &mut Suite<Words, usize>) {
    let via = suite.parameter("via", any::<Word>());
    let pairs = [("", ""), ("ca", "abc"), ("abc", "abc"), ("aab", "")];
    suite.examples(pairs.map(|(a, b)| Words { a: Word(a.into()), b: Word(b.into()) }));

    suite.function("levenshtein", |w| strsim::levenshtein(&w.a.0, &w.b.0));
    suite.function("osa_distance", |w| strsim::osa_distance(&w.a.0, &w.b.0));
    suite.function("damerau_levenshtein", |w| strsim::damerau_levenshtein(&w.a.0, &w.b.0));

    suite.relation("swap", |w| Words { a: w.b.clone(), b: w.a.clone() }, Equal).describe("swap the words");
    suite
        .relation("same tail", |w| Words { a: w.a.and('x'), b: w.b.and('x') }, Equal)
        .describe("append the same letter to both");
    suite
        .relation("different tails", |w| Words { a: w.a.and('x'), b: w.b.and('y') }, Equal)
        .describe("append a letter of its own to each");
    suite
        .judge(
            "typo",
            |w, _| Some(Words { a: w.a.clone(), b: w.a.mistyped()? }),
            |check| check.follow_up_outputs[0] <= 1,
        )
        .describe("a word and its typo, two letters in the wrong order, are one step apart at the most");
    suite
        .relation("self", |w| Words { a: w.a.clone(), b: w.a.clone() }, Decrease)
        .describe("a word is nearer to itself than to another")
        .expect_condition("a != b");
    suite
        .judge(
            "detour",
            move |w, _| [Words { a: w.a.clone(), b: via.get() }, Words { a: via.get(), b: w.b.clone() }],
            |check| *check.output <= check.follow_up_outputs.iter().sum(),
        )
        .describe("a detour via a third word is no shorter");

    observe!(suite, |w| w.a.starts_with_a_double_letter());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};
    use bugornot::Verdict;
    use strsim::{damerau_levenshtein, osa_distance};

    #[test]
    fn the_table_is_true() {
        let conditional = [
            "levenshtein x typo",
            "levenshtein x self",
            "osa_distance x self",
            "osa_distance x detour",
            "damerau_levenshtein x self",
        ];
        check(edit_distance, &conditional, |case| {
            let (a, b) = (&case.input.a.0, &case.input.b.0);
            let (function, relation) = case.cell.split_once(" x ").unwrap();
            held_if(match (function, relation) {
                (_, "swap" | "same tail") => true,
                (_, "different tails") => false,
                (_, "typo") if a.len() < 2 => return Verdict::NotApplicable,
                ("levenshtein", "typo") => a.as_bytes()[0] == a.as_bytes()[1],
                (_, "typo") => true,
                (_, "self") => a != b,
                ("osa_distance", "detour") => {
                    let via = Word::arbitrary(&mut Unstructured::new(case.bytes)).unwrap().0;
                    let holds = osa_distance(a, b) <= osa_distance(a, &via) + osa_distance(&via, b);
                    assert!(holds || damerau_levenshtein(a, b) < osa_distance(a, b));
                    holds
                }
                (_, "detour") => true,
                _ => unreachable!("{}", case.cell),
            })
        });
    }
}
