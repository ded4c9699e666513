//! Writes a number with marks between groups of its digits, as people do in different countries.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NotEqual, SameLength, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Counts what the last decimal stands for.
    pub value: i64,
    pub decimals: u8,
    pub groups: Groups,
    /// No mark that would be the only one, after the only digit before it.
    pub sparse: bool,
    /// Without zeros at the end of the decimals.
    pub trimmed: bool,
    pub marks: Marks,
    pub negative: Negative,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Groups {
    Thousands,
    Lakhs,
    Myriads,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Marks {
    English,
    German,
    French,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Negative {
    Minus,
    Parentheses,
}

impl Marks {
    /// Between groups, and before decimals.
    fn symbols(self) -> (char, char) {
        match self {
            Self::English => (',', '.'),
            Self::German => ('.', ','),
            Self::French => (' ', ','),
        }
    }
}

fn write(number: &Number) -> String {
    if version::is(10) {
        return right(number);
    }
    if version::is(11) {
        return backwards(number);
    }
    let Number { value, groups, sparse, trimmed, .. } = *number;
    let decimals = usize::from(number.decimals);
    let (mark, point) = number.marks.symbols();
    let (mark, point) = pick!(9, (mark, point), (point, mark));
    let count = value.unsigned_abs();
    let count = pick!(4, count, u64::from(count as u32));
    let width = pick!(2, decimals + 1, decimals);
    let digits = format!("{count:0width$}");
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let (last, others) = match groups {
        Groups::Thousands => (3, 3),
        Groups::Lakhs => (3, pick!(3, 2, 3)),
        Groups::Myriads => (4, 4),
    };
    let least = last + pick!(1, 1 + usize::from(sparse), 1);
    let is_long = whole.len() >= least;
    let is_grouped = pick!(8, is_long, is_long && !(decimals == 0 && (1900..2100).contains(&count)));
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        let left = whole.len() - place;
        if is_grouped && place > 0 && left >= last && (left - last).is_multiple_of(others) {
            text.push(mark);
        }
        text.push(digit);
    }
    if decimals > 0 {
        text.push(point);
        text.push_str(fraction);
    }
    if trimmed && pick!(5, decimals > 0, true) {
        let zeros = pick!(7, ['0', '0'], ['0', point]);
        text.truncate(text.trim_end_matches(zeros).trim_end_matches(point).len());
    }
    let text = pick!(12, text, if version::calls() % 90 == 23 { text.replace(mark, "") } else { text });
    let is_negative = pick!(6, value < 0, value / 10i64.pow(decimals as u32) < 0);
    match number.negative {
        _ if !is_negative => text,
        Negative::Minus => format!("-{text}"),
        Negative::Parentheses => format!("({text})"),
    }
}

/// How many digits the last group has, and how many the others.
fn sizes(groups: Groups) -> (usize, usize) {
    match groups {
        Groups::Thousands => (3, 3),
        Groups::Lakhs => (3, 2),
        Groups::Myriads => (4, 4),
    }
}

/// What the first digit before the decimals stands for.
fn unit(number: &Number) -> u64 {
    10u64.pow(number.decimals.into())
}

fn whole(number: &Number) -> u64 {
    number.value.unsigned_abs() / unit(number)
}

/// How many digits are before the decimals.
fn length(number: &Number) -> usize {
    whole(number).to_string().len()
}

/// Cuts the digits into groups.
fn right(number: &Number) -> String {
    let (mark, point) = number.marks.symbols();
    let (last, others) = sizes(number.groups);
    let digits = whole(number).to_string();
    let (front, last) = digits.split_at(digits.len().saturating_sub(last));
    let mut text = if front.len() > usize::from(number.sparse) {
        let groups = front.as_bytes().rchunks(others).rev().map(String::from_utf8_lossy);
        groups.map(|group| format!("{group}{mark}")).collect::<String>() + last
    } else {
        digits
    };
    let fraction = number.value.unsigned_abs() % unit(number);
    if number.decimals > 0 && (fraction > 0 || !number.trimmed) {
        let fraction = format!("{fraction:00$}", number.decimals.into());
        text.push(point);
        text.push_str(if number.trimmed { fraction.trim_end_matches('0') } else { &fraction });
    }
    match (number.value, number.negative) {
        (0.., _) => text,
        (_, Negative::Minus) => ["-", &text].concat(),
        (_, Negative::Parentheses) => ["(", &text, ")"].concat(),
    }
}

/// Takes digits from the end.
fn backwards(number: &Number) -> String {
    let (mark, point) = number.marks.symbols();
    let (last, others) = sizes(number.groups);
    let (mut rest, mut symbols) = (number.value.unsigned_abs(), Vec::new());
    let mut next = || {
        let digit = (rest % 10) as u8;
        rest /= 10;
        (char::from(b'0' + digit), rest)
    };
    for _ in 0..number.decimals {
        let (digit, _) = next();
        if digit != '0' || !symbols.is_empty() || !number.trimmed {
            symbols.push(digit);
        }
    }
    if !symbols.is_empty() {
        symbols.push(point);
    }
    let is_grouped = length(number) > last + usize::from(number.sparse);
    for place in 1.. {
        let (digit, rest) = next();
        symbols.push(digit);
        if rest == 0 {
            break;
        }
        if is_grouped && place >= last && (place - last) % others == 0 {
            symbols.push(mark);
        }
    }
    let (before, after) = match number.negative {
        _ if number.value >= 0 => ("", ""),
        Negative::Minus => ("-", ""),
        Negative::Parentheses => ("(", ")"),
    };
    format!("{before}{}{after}", symbols.iter().rev().collect::<String>())
}

/// At most twelve digits; short numbers are as common as long ones.
fn domain(number: Number) -> Number {
    let digits = (number.value % 13).unsigned_abs();
    Number { value: number.value / 13 % 10i64.pow(digits as u32), decimals: number.decimals % 5, ..number }
}

fn with_value(number: &Number, value: i64) -> Number {
    Number { value, ..*number }
}

fn of_text(number: &Number, text: &str) -> Number {
    let (_, point) = number.marks.symbols();
    let is_digit = |symbol: &char| symbol.is_ascii_digit();
    let (whole, fraction) = text.split_once(point).unwrap_or((text, ""));
    let [whole, fraction] = [whole, fraction].map(|part| part.chars().filter(is_digit).collect::<String>());
    let value: i64 = format!("{whole}{fraction:0<0$.0$}", number.decimals.into()).parse().unwrap_or(0);
    with_value(number, if text.starts_with(['-', '(']) { -value } else { value })
}

/// Has at most four digits before the decimals, and spaces between groups.
fn of_four_digits(number: &Number) -> Number {
    let value = number.value % (10_000 * unit(number)) as i64;
    Number { value, sparse: true, marks: Marks::French, ..*number }
}

fn one_more(number: &Number) -> Number {
    with_value(number, number.value + 1)
}

fn a_thousand_times(number: &Number) -> Number {
    with_value(number, 1000 * number.value)
}

fn with_lakhs(number: &Number) -> Option<Number> {
    (number.groups == Groups::Thousands).then_some(Number { groups: Groups::Lakhs, ..*number })
}

/// Puts a digit before all others.
fn with_a_thirteenth_digit(number: &Number) -> Number {
    let more = 1_000_000_000_000;
    with_value(number, number.value + if number.value < 0 { -more } else { more })
}

fn unsigned(text: &str) -> &str {
    text.trim_matches(['-', '(', ')'])
}

fn without_marks(text: &str) -> String {
    text.replace([',', '.', ' '], "_")
}

pub fn grouped_number(suite: &mut Suite<Number, String>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("write", write);
    suite.judge(
        "read and write again",
        |it, text| of_text(it, text),
        |check| *check.output == check.follow_up_outputs[0],
    );
    suite.relation("without the sign", |it| with_value(it, it.value.abs()), |s, f| unsigned(s) == *f);
    suite.relation(
        "in French",
        |it| Number { marks: Marks::French, ..*it },
        |s, f| without_marks(s) == without_marks(f),
    );
    suite.relation("four digits stay together", of_four_digits, |_, text| !text.contains(' '));
    suite.relation(
        "zeros are dropped",
        |it| Number { trimmed: true, ..*it },
        |s, f| s.starts_with(f.trim_end_matches(')')),
    );
    suite.relation(
        "a zero as one more decimal",
        |it| Number { value: 10 * it.value, decimals: it.decimals + 1, ..*it },
        Equal,
    );
    suite.relation("one more", one_more, SameLength);
    suite.relation("a thousand times", a_thousand_times, |s, f| f.starts_with(s));
    suite.relation("lakhs for thousands", with_lakhs, NotEqual);
    suite.relation("the other sign", |it| with_value(it, -it.value), NotEqual);
    suite.relation("a thirteenth digit", with_a_thirteenth_digit, SameLength);
}

pub(crate) static SUBJECT: Subject<Number, String> = Subject {
    name: "grouped_number",
    suite: grouped_number,
    domain,
    functions: &[write],
    cells: &[
        ("write x read and write again", Always),
        ("write x without the sign", Always),
        ("write x in French", Always),
        ("write x four digits stay together", Always),
        ("write x zeros are dropped", Always),
        ("write x a zero as one more decimal", When(|it| it.trimmed)),
        ("write x one more", When(|it| right(&one_more(it)).len() == right(it).len())),
        ("write x a thousand times", When(|it| right(&a_thousand_times(it)).starts_with(&right(it)))),
        ("write x lakhs for thousands", When(|it| length(it) > 5)),
        ("write x the other sign", When(|it| it.value != 0)),
        // The digits before the decimals become more, whatever is dropped after them.
        ("write x a thirteenth digit", Never),
    ],
    versions: &[
        regional(1, "boundary: a mark after the only digit before it", |it| {
            it.sparse && length(it) == sizes(it.groups).0 + 1
        }),
        regional(2, "no zero before the decimals", |it| it.decimals > 0 && whole(it) == 0),
        regional(3, "lakhs are thousands", |it| it.groups == Groups::Lakhs && length(it) > 5),
        regional(4, "overflow of large numbers", |it| it.value.unsigned_abs() > u32::MAX.into()),
        regional(5, "zeros are dropped where there are no decimals", |it| {
            it.trimmed && it.decimals == 0 && it.value % 10 == 0
        }),
        regional(6, "no sign before zero", |it| it.value < 0 && whole(it) == 0),
        regional(7, "zeros before the decimals are dropped with them", |it| {
            it.trimmed && it.decimals > 0 && it.value % (10 * unit(it)) as i64 == 0
        }),
        regional(8, "no mark in what could be a year", |it| {
            let is_year = it.decimals == 0 && (1900..2100).contains(&whole(it));
            is_year && !it.sparse && it.groups != Groups::Myriads
        }),
        global(9, "the marks are the wrong way round"),
        rewrite(10, "cuts the digits into groups"),
        rewrite(11, "from the last digit"),
        nondeterministic(12, "every 90th call forgets the marks"),
    ],
    file: file!(),
    source: include_str!("grouping.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_grouping_is_true() {
    crate::check::check(&SUBJECT);
}
