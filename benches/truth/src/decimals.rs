//! Reads a decimal number with an optional sign and at most two digits after the dot, as hundredths.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, Suite};

type Text = String;

fn read(text: &Text) -> Option<i64> {
    if version::is(10) {
        return symbol_by_symbol(text);
    }
    if version::is(11) {
        return as_one_number(text);
    }
    if pick!(1, false, text.trim_start_matches(['-', '+']).is_empty()) {
        panic!("no digit to begin with");
    }
    let dot = if version::take() { ',' } else { '.' };
    let unsigned = text.strip_prefix(pick!(2, &['-', '+'][..], &['-'][..])).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once(dot).unwrap_or((unsigned, "0"));
    let has_room = pick!(3, fraction.len() <= 2, fraction.len() <= 3);
    if !has_room || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let radix = pick!(4, 10, if whole.starts_with('0') { 8 } else { 10 });
    let whole = i64::from_str_radix(whole, radix).ok()?;
    let unit = if fraction.len() == 1 { pick!(5, 10, 1) } else { 1 };
    let hundredths = fraction.parse::<i64>().ok()? * unit;
    let value = pick!(6, whole * 100, i64::from(whole as u16 * 100)) + hundredths;
    let is_negative = pick!(7, text.starts_with('-'), text.starts_with('-') && whole > 0);
    let value = pick!(8, value, if hundredths > 94 && !is_negative { value / 100 * 100 + 100 } else { value });
    Some(if pick!(9, is_negative, !is_negative) { -value } else { value })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Takes one symbol after the other.
fn symbol_by_symbol(text: &str) -> Option<i64> {
    let (mut value, mut before, mut after) = (0, 0, None);
    for symbol in text.strip_prefix(['-', '+']).unwrap_or(text).chars() {
        match symbol.to_digit(10) {
            Some(digit) => {
                value = 10 * value + i64::from(digit);
                *after.as_mut().unwrap_or(&mut before) += 1;
            }
            None if symbol == '.' && after.is_none() => after = Some(0),
            None => return None,
        }
    }
    let missing = match after {
        _ if before == 0 => return None,
        Some(after @ 1..=2) => 2 - after,
        Some(_) => return None,
        None => 2,
    };
    let value = value * 10i64.pow(missing);
    Some(if text.starts_with('-') { -value } else { value })
}

/// Reads all digits as one number, and then looks where the dot was.
fn as_one_number(text: &str) -> Option<i64> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let parts: Vec<&str> = unsigned.split('.').collect();
    let factor = match parts[..] {
        [_] => 100,
        [_, fraction] if fraction.len() == 1 => 10,
        [_, fraction] if fraction.len() == 2 => 1,
        _ => return None,
    };
    let number: i64 = parts.iter().all(|part| is_digits(part)).then(|| parts.concat())?.parse().ok()?;
    Some(sign * factor * number)
}

/// At most seven symbols: some digits, dots and signs.
fn domain(text: Text) -> Text {
    let symbol = |symbol: char| ['0', '5', '.', '-', '1', '9', '2', '7', '+', '3'][symbol as usize % 10];
    text.chars().take(7).map(symbol).collect()
}

fn with_plus(text: &Text) -> Option<Text> {
    (!text.starts_with(['-', '+'])).then(|| format!("+{text}"))
}

fn with_other_sign(text: &Text) -> Text {
    match text.strip_prefix('-') {
        Some(unsigned) => format!("+{unsigned}"),
        None => format!("-{}", text.strip_prefix('+').unwrap_or(text)),
    }
}

fn with_fraction(text: &Text) -> Text {
    version::leave(pick!(12, false, text.len() == 3));
    format!("{text}.0")
}

/// The usual form of what was read.
fn printed(_: &Text, value: &Option<i64>) -> Option<Text> {
    let value = (*value)?;
    let (sign, value) = (if value < 0 { "-" } else { "" }, value.abs());
    Some(format!("{sign}{}.{:02}", value / 100, value % 100))
}

fn without_sign(text: &Text) -> Text {
    text.replace(['-', '+'], "")
}

/// The digits before and after the dot, if it is a number.
fn parts(text: &Text) -> Option<(&str, &str)> {
    as_one_number(text)?;
    let unsigned = text.trim_start_matches(['-', '+']);
    Some(unsigned.split_once('.').unwrap_or((unsigned, "")))
}

pub fn decimal_value(suite: &mut Suite<Text, Option<i64>>) {
    SUBJECT.begin(suite);
    suite.names(["text"]);
    suite.normalise(domain);
    suite.function("read", read);
    suite.relation("a plus in front", with_plus, Equal);
    suite.relation("the other sign", with_other_sign, |source, follow_up| source.map(|value| -value) == *follow_up);
    suite.relation("a fraction of zero", with_fraction, Equal).when(|text| !text.contains('.'));
    suite
        .relation("ten times", |text| format!("{text}0"), |source, follow_up| source.map(|v| 10 * v) == *follow_up)
        .when(|text| !text.contains('.') && text.ends_with(|symbol: char| symbol.is_ascii_digit()));
    suite.judge("print and read", printed, |check| *check.output == check.follow_up_outputs[0]);
    suite.relation("a zero in front", |text| format!("0{text}"), Equal);
    suite.relation("a zero at the end", |text| format!("{text}0"), Equal);
    suite.relation("without the sign", without_sign, Equal);
    suite.relation("without the dot", |text| text.replace('.', ""), Equal);
}

pub(crate) static SUBJECT: Subject<Text, Option<i64>> = Subject {
    name: "decimal_value",
    suite: decimal_value,
    domain,
    functions: &[read],
    cells: &[
        ("read x a plus in front", Always),
        ("read x the other sign", Always),
        ("read x a fraction of zero", Always),
        ("read x ten times", Always),
        ("read x print and read", Always),
        ("read x a zero in front", When(|text| as_one_number(&format!("0{text}")) == as_one_number(text))),
        ("read x a zero at the end", When(|text| as_one_number(&format!("{text}0")) == as_one_number(text))),
        ("read x without the sign", When(|text| as_one_number(&without_sign(text)) == as_one_number(text))),
        ("read x without the dot", When(|text| as_one_number(&text.replace('.', "")) == as_one_number(text))),
    ],
    versions: &[
        regional(1, "nothing but signs panics", |text| text.chars().all(|symbol| symbol == '-' || symbol == '+')),
        regional(2, "missing: plus", |text| text.starts_with('+') && parts(text).is_some()),
        regional(3, "boundary: three digits after the dot", |text| {
            let cut = text.get(..text.len().saturating_sub(1)).unwrap_or_default().to_owned();
            text.ends_with(|symbol: char| symbol.is_ascii_digit())
                && parts(&cut).is_some_and(|(_, fraction)| fraction.len() == 2)
        }),
        regional(4, "a zero in front makes it octal", |text| {
            parts(text).is_some_and(|(whole, _)| {
                whole.starts_with('0') && i64::from_str_radix(whole, 8).ok() != whole.parse().ok()
            })
        }),
        regional(5, "one digit after the dot means hundredths", |text| {
            parts(text).is_some_and(|(_, fraction)| fraction.len() == 1 && fraction != "0")
        }),
        regional(6, "overflow of large numbers", |text| {
            as_one_number(text).is_some_and(|value| value.abs() / 100 * 100 > i64::from(u16::MAX))
        }),
        regional(7, "no minus before zero", |text| as_one_number(text).is_some_and(|value| (-99..0).contains(&value))),
        regional(8, "positive numbers are rounded up from 95 hundredths on", |text| {
            as_one_number(text).is_some_and(|value| value > 0 && value % 100 > 94)
        }),
        global(9, "signs are the wrong way round"),
        rewrite(10, "symbol by symbol"),
        rewrite(11, "reads one number"),
        harness(12, "a transformation leaves a comma as the dot"),
    ],
    file: file!(),
    source: include_str!("decimals.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_decimals_is_true() {
    crate::check::check(&SUBJECT);
}
