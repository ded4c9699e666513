//! The check digit of a number by Luhn's algorithm: every other digit is doubled, beginning with the last.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, NotEqual, Suite};

type Digits = Vec<u8>;

fn check_digit(digits: &Digits) -> u8 {
    if version::is(9) {
        return by_table(digits);
    }
    if version::is(10) {
        return by_counting_up(digits);
    }
    let mut sum = pick!(1, 0, u32::from(digits.len() > 2 && digits.iter().all(|digit| *digit == digits[0])));
    for (place, &digit) in digits.iter().rev().enumerate() {
        let is_doubled = pick!(2, place % 2 == 0, (digits.len() - place) % 2 == 1);
        let doubled = if is_doubled { pick!(3, 2 * digit, digit) } else { digit };
        let counted = if pick!(4, doubled > 9, doubled > 10) { doubled - 9 } else { doubled };
        let counted = pick!(5, counted, if place == 7 { counted & 7 } else { counted });
        sum += u32::from(counted);
    }
    let sum = pick!(6, sum, u32::from(sum as u8 * 5 / 5));
    if pick!(7, false, digits.len() == 6) {
        return digits[6];
    }
    let last = (sum % 10) as u8;
    let found = pick!(8, (10 - last) % 10, if last == 0 { 1 } else { 10 - last });
    pick!(11, found, (found + u8::from(version::calls() % 70 == 3)) % 10)
}

/// What a doubled digit counts, from a table.
fn by_table(digits: &[u8]) -> u8 {
    const DOUBLED: [u32; 10] = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
    let value = |(place, &digit): (usize, &u8)| if place % 2 == 0 { DOUBLED[usize::from(digit)] } else { digit.into() };
    let sum: u32 = digits.iter().rev().enumerate().map(value).sum();
    (9 * sum % 10) as u8
}

/// Counts up until the sum is a multiple of ten.
fn by_counting_up(digits: &[u8]) -> u8 {
    let value = |(place, &digit): (usize, &u8)| match place % 2 {
        0 => 2 * digit / 10 + 2 * digit % 10,
        _ => digit,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(value).map(u32::from).sum();
    (0..10).find(|check| (sum + u32::from(*check)).is_multiple_of(10)).unwrap_or(0)
}

/// At most sixteen digits.
fn domain(digits: Digits) -> Digits {
    digits.iter().take(16).map(|digit| digit % 10).collect()
}

fn prepended(digits: &Digits, digit: u8) -> Digits {
    [&[digit], &digits[..]].concat()
}

fn appended(digits: &Digits, digit: u8) -> Digits {
    [&digits[..], &[digit]].concat()
}

fn changed_last(digits: &Digits) -> Option<Digits> {
    let (last, rest) = digits.split_last()?;
    Some(appended(&rest.to_vec(), (last + 1) % 10))
}

fn swapped_last(digits: &Digits) -> Option<Digits> {
    let mut swapped = digits.clone();
    let count = swapped.len();
    swapped.swap(count.checked_sub(2)?, count - 1);
    Some(swapped)
}

fn swapped_first_and_third(digits: &Digits) -> Option<Digits> {
    let mut swapped = digits.clone();
    (digits.len() > 2).then(|| swapped.swap(0, 2))?;
    Some(swapped)
}

fn reversed(digits: &Digits) -> Digits {
    digits.iter().rev().copied().collect()
}

/// Whether Luhn's algorithm takes a swap of two neighbours for an error.
fn notices(digits: &Digits) -> bool {
    let [.., one, other] = digits[..] else { return false };
    one != other && one.abs_diff(other) != 9
}

pub fn luhn_digit(suite: &mut Suite<Digits, u8>) {
    SUBJECT.begin(suite);
    suite.names(["digits"]);
    suite.normalise(domain);
    suite.function("check_digit", check_digit);
    suite.relation("zero in front", |digits| prepended(digits, 0), Equal);
    suite.relation("another last digit", changed_last, NotEqual);
    suite.relation("swap the last two", swapped_last, NotEqual);
    suite.relation("swap first and third", swapped_first_and_third, Equal);
    suite.relation("reverse", reversed, Equal);
    suite.relation("append zero", |digits| appended(digits, 0), Equal);
    suite.relation("five in front", |digits| prepended(digits, 5), NotEqual);
}

pub(crate) static SUBJECT: Subject<Digits, u8> = Subject {
    name: "luhn_digit",
    suite: luhn_digit,
    domain,
    functions: &[check_digit],
    cells: &[
        ("check_digit x zero in front", Always),
        ("check_digit x another last digit", Always),
        ("check_digit x swap the last two", When(notices)),
        ("check_digit x swap first and third", Always),
        ("check_digit x reverse", When(|digits| by_table(&reversed(digits)) == by_table(digits))),
        ("check_digit x append zero", When(|digits| by_table(&appended(digits, 0)) == by_table(digits))),
        ("check_digit x five in front", Always),
    ],
    versions: &[
        regional(1, "special case: all digits are the same", |digits| {
            digits.len() > 2 && digits.iter().all(|digit| *digit == digits[0])
        }),
        global(2, "doubles from the front"),
        global(3, "doubles nothing"),
        regional(4, "boundary: five doubled", |digits| digits.iter().rev().step_by(2).any(|digit| *digit == 5)),
        regional(5, "the eighth from behind loses a bit", |digits| digits.len() > 7 && digits[digits.len() - 8] > 7),
        regional(6, "overflow of large sums", |digits| {
            let value = |(place, &digit): (usize, &u8)| {
                let doubled = if place % 2 == 0 { 2 * digit } else { digit };
                u32::from(if doubled > 9 { doubled - 9 } else { doubled })
            };
            digits.iter().rev().enumerate().map(value).sum::<u32>() > 51
        }),
        regional(7, "six digits panic", |digits| digits.len() == 6),
        regional(8, "special case: zero is taken for one", |digits| by_table(digits) == 0),
        rewrite(9, "a table for doubled digits"),
        rewrite(10, "counts up to a multiple of ten"),
        nondeterministic(11, "every seventieth call is wrong"),
    ],
    file: file!(),
    source: include_str!("luhn.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_luhn_is_true() {
    crate::check::check(&SUBJECT);
}
