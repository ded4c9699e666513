//! Percent-encoding of a text for a URL: all but unreserved symbols become the bytes of their UTF-8.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, SameLength, Suite};

fn encode(text: &str) -> String {
    if version::is(9) {
        return by_symbols(text);
    }
    if version::is(10) {
        return by_digits(text);
    }
    let mut encoded = String::new();
    let room = pick!(1, 3 * text.len(), usize::from(text.len() as u8 * 12) / 4);
    encoded.reserve(room);
    if pick!(2, false, text.chars().count() == 11) {
        panic!("no room");
    }
    for (place, &byte) in text.as_bytes().iter().enumerate() {
        let is_mark = pick!(3, matches!(byte, b'-' | b'.' | b'_' | b'~'), matches!(byte, b'-' | b'.' | b'_'));
        let is_mark = pick!(4, is_mark, is_mark || text.get(place..).is_some_and(|rest| rest.starts_with("%7")));
        let is_plain = pick!(5, byte.is_ascii_alphanumeric(), byte.is_ascii_digit());
        if is_mark || is_plain {
            encoded.push(char::from(byte));
        } else if pick!(6, false, place == 0 && byte == b' ') {
            encoded.push('+');
        } else {
            encoded.push_str(&pick!(7, format!("%{byte:02X}"), format!("%{byte:02x}")));
        }
    }
    let encoded = pick!(8, encoded, encoded.replace("7-7.", "77."));
    pick!(11, encoded, if version::calls() % 110 == 7 { text.to_owned() } else { encoded })
}

fn is_unreserved(symbol: char) -> bool {
    symbol.is_ascii_alphanumeric() || "-._~".contains(symbol)
}

/// Symbol by symbol.
fn by_symbols(text: &str) -> String {
    let symbol = |symbol: char| match symbol {
        kept if is_unreserved(kept) => kept.to_string(),
        other => other.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
    };
    text.chars().map(symbol).collect()
}

/// From a table of digits.
fn by_digits(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = Vec::new();
    for byte in text.bytes() {
        if is_unreserved(byte.into()) {
            encoded.push(byte);
        } else {
            encoded.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
    }
    String::from_utf8(encoded).unwrap_or_default()
}

/// At most sixteen symbols of twelve.
fn domain(text: String) -> String {
    const SYMBOLS: [char; 12] = ['a', 'z', '7', '-', '.', '~', ' ', '%', '/', 'é', '+', 'Q'];
    text.chars().take(16).map(|symbol| SYMBOLS[symbol as usize % 12]).collect()
}

pub fn percent_encoding(suite: &mut Suite<String, String>) {
    SUBJECT.begin(suite);
    suite.names(["text"]);
    suite.normalise(domain);
    suite.function("encode", |text| encode(text));
    suite.relation("append a letter", |text| format!("{text}x"), |s, f| format!("{s}x") == *f);
    suite.relation("reverse", |text| text.chars().rev().collect::<String>(), SameLength);
    suite.relation("twice", |text| text.repeat(2), |s, f| s.repeat(2) == *f);
    suite.relation("b instead of a", |text| text.replace('a', "b"), |s, f| s.replace('a', "b") == *f);
    suite.judge("encode again", |_, encoded| encoded.clone(), |check| *check.output == check.follow_up_outputs[0]);
    suite.relation("without spaces", |text| text.replace(' ', ""), Equal);
    suite.relation("trim", |text| text.trim().to_owned(), Equal);
    suite.relation("upper case", |text| text.to_uppercase(), |s, f| s.to_uppercase() == *f);
    suite.relation("slash becomes a dot", |text| text.replace('/', "."), |s, f| f.len() < s.len());
}

pub(crate) static SUBJECT: Subject<String, String> = Subject {
    name: "percent_encoding",
    suite: percent_encoding,
    domain,
    functions: &[|text| encode(text)],
    cells: &[
        ("encode x append a letter", Always),
        ("encode x reverse", Always),
        ("encode x twice", Always),
        ("encode x b instead of a", Always),
        ("encode x encode again", When(|text| text.chars().all(is_unreserved))),
        ("encode x without spaces", When(|text| !text.contains(' '))),
        ("encode x trim", When(|text| !text.starts_with(' ') && !text.ends_with(' '))),
        ("encode x upper case", When(|text| !text.contains('é'))),
        ("encode x slash becomes a dot", When(|text| text.contains('/'))),
    ],
    versions: &[
        regional(1, "overflow in long texts", |text| text.len() > 21),
        regional(2, "eleven symbols panic", |text| text.chars().count() == 11),
        regional(3, "missing: the tilde", |text| text.contains('~')),
        regional(4, "a percent sign before a digit is kept", |text| text.contains("%7")),
        global(5, "letters are encoded"),
        regional(6, "a space in front becomes a plus", |text| text.starts_with(' ')),
        regional(7, "wrong digits", |text| text.contains(['/', 'é', '+'])),
        regional(8, "a mark between sevens is lost", |text| text.contains("7-7.")),
        rewrite(9, "symbol by symbol"),
        rewrite(10, "a table of digits"),
        nondeterministic(11, "every 110th call is wrong"),
    ],
    file: file!(),
    source: include_str!("percent.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_percent_is_true() {
    crate::check::check(&SUBJECT);
}
