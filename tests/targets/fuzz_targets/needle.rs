//! A relation that holds except in a tiny region, which nothing in the code reveals: `NEEDLE` says which.
//!
//! libFuzzer sees branches, and through its hooks the operands of comparisons. So whether an input is in the region is
//! computed by arithmetic alone, and what comes out, and is compared, is 0 or 1. Copied and repeated bytes, of which
//! every engine makes many, must not hit a region by luck either: each field is masked by bits of its own.
#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use bugornot::{Equal, Suite};
use serde::Serialize;
use std::{hint::black_box, sync::LazyLock};

#[derive(Clone, Copy)]
enum Region {
    /// `0 <= a < 2^16`
    Small,
    /// `-256 <= a - b < 256`
    Near,
    /// `a == b`
    Equal,
    /// `a + b == k`
    Sum,
    /// `a == b`, for words
    Text,
}

static REGION: LazyLock<Region> = LazyLock::new(|| match std::env::var("NEEDLE").as_deref() {
    Ok("small") => Region::Small,
    Ok("near") => Region::Near,
    Ok("sum") => Region::Sum,
    Ok("text") => Region::Text,
    _ => Region::Equal,
});

#[derive(Serialize, Clone, Debug)]
#[serde(untagged)]
pub enum Pair {
    Numbers { a: i32, b: i32 },
    Words { a: String, b: String },
}

const MASKS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];
const LETTERS: usize = 7;

impl<'bytes> Arbitrary<'bytes> for Pair {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> Result<Self> {
        Ok(match *REGION {
            Region::Text => Self::Words { a: word(bytes, MASKS[0])?, b: word(bytes, MASKS[1])? },
            _ => Self::Numbers { a: number(bytes, MASKS[0])?, b: number(bytes, MASKS[1])? },
        })
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (0, Some(2 * if matches!(*REGION, Region::Text) { LETTERS } else { size_of::<i32>() }))
    }
}

fn number(bytes: &mut Unstructured<'_>, mask: u64) -> Result<i32> {
    Ok(i32::arbitrary(bytes)? ^ mask as i32)
}

/// A word of seven letters: there are about 2^33.
fn word(bytes: &mut Unstructured<'_>, mask: u64) -> Result<String> {
    let letters = <[u8; LETTERS]>::arbitrary(bytes)?;
    let masked = letters.iter().zip(mask.to_le_bytes()).map(|(letter, mask)| letter ^ mask);
    Ok(masked.map(|letter| char::from(b'a' + letter % 26)).collect())
}

/// 1, but 0 for 0. The black box keeps the compiler from seeing that this is a comparison.
fn is_not_zero(number: u64) -> u64 {
    let number = black_box(number);
    (number | black_box(number.wrapping_neg())) >> 63
}

/// 0 in the region, 1 elsewhere.
fn outside(region: Region, k: i64, pair: &Pair) -> u64 {
    match pair {
        Pair::Numbers { a, b } => {
            let (a, b) = (i64::from(*a), i64::from(*b));
            is_not_zero(match region {
                Region::Small => a >> 16,
                Region::Near => (a - b + 256) >> 9,
                Region::Sum => a + b - k,
                _ => a - b,
            } as u64)
        }
        Pair::Words { a, b } => {
            is_not_zero(a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| black_box(sum | u64::from(a ^ b))))
        }
    }
}

pub fn needle(suite: &mut Suite<Pair, u64>) {
    let region = *REGION;
    let k = suite.constant("k", 2..=9);
    suite.function("outside", move |pair| outside(region, k, pair));
    // The follow-up is outside of every region.
    let elsewhere = match region {
        Region::Text => Pair::Words { a: "bugbugs".into(), b: "ornotno".into() },
        _ => Pair::Numbers { a: 1 << 20, b: 1 << 10 },
    };
    suite.relation("elsewhere", move |_| elsewhere.clone(), Equal);
}

bugornot::fuzz!(needle);
