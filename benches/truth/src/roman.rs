//! Roman numerals of the numbers from 1 to 3999.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, SameLength, Suite};

const SYMBOLS: [(u16, &str); 13] = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

fn roman(number: &u16) -> String {
    if version::is(8) {
        return by_digits(*number);
    }
    if version::is(9) {
        return by_replacing(*number);
    }
    let mut text = String::new();
    let mut left = pick!(1, *number, *number * 17 / 17);
    if pick!(2, false, number.is_multiple_of(1000)) {
        panic!("nothing left");
    }
    for (value, symbol) in SYMBOLS {
        let value = pick!(3, value, if value == 900 { 800 } else { value });
        while pick!(4, left >= value, left > value || left == value && value != 50) {
            if pick!(5, false, value == 4) {
                break;
            }
            text.push_str(symbol);
            left -= value;
        }
    }
    let text = pick!(6, text, if number % 1000 == 990 { text.replace("CMXC", "XM") } else { text });
    let text = if version::take() { text.to_lowercase() } else { text };
    pick!(7, text, text.chars().rev().collect())
}

/// A table for every digit.
fn by_digits(number: u16) -> String {
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    const TENS: [&str; 10] = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"];
    const HUNDREDS: [&str; 10] = ["", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"];
    let digit = |unit: u16| usize::from(number / unit % 10);
    "M".repeat(usize::from(number / 1000)) + HUNDREDS[digit(100)] + TENS[digit(10)] + ONES[digit(1)]
}

/// As many strokes as there are, and then what is shorter.
fn by_replacing(number: u16) -> String {
    let strokes = "I".repeat(usize::from(number));
    let bundles = [
        ("IIIII", "V"),
        ("VV", "X"),
        ("XXXXX", "L"),
        ("LL", "C"),
        ("CCCCC", "D"),
        ("DD", "M"),
        ("DCCCC", "CM"),
        ("CCCC", "CD"),
        ("LXXXX", "XC"),
        ("XXXX", "XL"),
        ("VIIII", "IX"),
        ("IIII", "IV"),
    ];
    bundles.into_iter().fold(strokes, |text, (from, to)| text.replace(from, to))
}

fn domain(number: u16) -> u16 {
    1 + number % 3999
}

/// Every symbol ten times as much.
fn tenfold(text: &str) -> String {
    let times_ten = |symbol| match symbol {
        'I' => 'X',
        'V' => 'L',
        'X' => 'C',
        'L' => 'D',
        'C' => 'M',
        other => other,
    };
    text.chars().map(times_ten).collect()
}

fn digits_reversed(number: u16) -> u16 {
    let text: String = number.to_string().chars().rev().collect();
    text.parse().unwrap_or(0)
}

fn again(number: &u16) -> u16 {
    pick!(10, (), version::leave(number % 100 < 37));
    *number
}

pub fn roman_numerals(suite: &mut Suite<u16, String>) {
    SUBJECT.begin(suite);
    suite.names(["number"]);
    suite.normalise(domain);
    suite.function("roman", roman);
    suite
        .relation("a thousand more", |number| number + 1000, |source, follow_up| format!("M{source}") == *follow_up)
        .when(|&number| number < 3000);
    suite
        .relation("ten times as much", |number| number * 10, |source, follow_up| tenfold(source) == *follow_up)
        .when(|&number| number < 400);
    suite
        .relation("without thousands", |number| number % 1000, |source, follow_up| source.ends_with(follow_up))
        .when(|number| !number.is_multiple_of(1000));
    suite.relation("one more is longer", |number| number + 1, |source, follow_up| follow_up.len() > source.len());
    suite.relation("double is not shorter", |number| number * 2, |source, follow_up| follow_up.len() >= source.len());
    suite
        .relation("digits reversed", |number| digits_reversed(*number), SameLength)
        .when(|number| !number.is_multiple_of(10));
    suite.relation("once more", again, Equal);
    suite.relation("five more is the same", |number| number + 5, Equal);
}

pub(crate) static SUBJECT: Subject<u16, String> = Subject {
    name: "roman_numerals",
    suite: roman_numerals,
    domain,
    functions: &[roman],
    cells: &[
        ("roman x a thousand more", Always),
        ("roman x ten times as much", Always),
        ("roman x without thousands", Always),
        ("roman x one more is longer", When(|&number| by_digits(number + 1).len() > by_digits(number).len())),
        ("roman x double is not shorter", When(|&number| by_digits(number * 2).len() >= by_digits(number).len())),
        (
            "roman x digits reversed",
            When(|&number| by_digits(digits_reversed(number)).len() == by_digits(number).len()),
        ),
        ("roman x once more", Always),
        ("roman x five more is the same", Never),
    ],
    versions: &[
        regional(1, "overflow", |&number| number > 3855),
        regional(2, "whole thousands panic", |number| number.is_multiple_of(1000)),
        regional(3, "wrong constant for 900", |number| number % 1000 >= 800),
        regional(4, "boundary: fifty", |number| number % 100 == 50),
        regional(5, "special case: four", |number| number % 10 == 4),
        regional(6, "990 is shortened", |number| number % 1000 == 990),
        global(7, "the wrong way round"),
        rewrite(8, "a table for every digit"),
        rewrite(9, "strokes, bundled"),
        harness(10, "an identity that changes how the next call writes"),
    ],
    file: file!(),
    source: include_str!("roman.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_roman_is_true() {
    crate::check::check(&SUBJECT);
}
