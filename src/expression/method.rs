//! The methods that a condition can call. References and iterators need none of their own: a list is its iterator.

mod list;

use super::{
    Fault, Node, Result,
    datum::{Datum, Width},
    evaluate::{Names, apply, evaluate},
};
use list::list;
use std::borrow::Cow;

/// A method, by the group that says what it is called on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    /// `iter`, `as_ref`, ...: gives what it is called on.
    Same,
    Len,
    IsEmpty,
    Letters(&'static str),
    Words,
    Matches,
    Letter(fn(char) -> bool),
    Ascii,
    Trim,
    Case(fn(&str) -> String),
    Find(Place),
    Float(fn(f64) -> f64),
    FloatIs(fn(f64) -> bool),
    Number(&'static str),
    Option(&'static str),
    List(&'static str),
    Order(&'static str),
}

/// Where a part is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Anywhere,
    Start,
    End,
}

impl Method {
    /// The method of this name, and how many arguments it takes.
    pub(super) fn named(name: &str) -> Option<(Self, usize)> {
        Some(match name {
            "iter" | "into_iter" | "as_ref" | "as_str" | "as_slice" | "as_deref" | "as_bytes" | "clone" | "cloned"
            | "copied" | "to_string" | "to_owned" | "to_vec" | "into" | "collect" => (Self::Same, 0),
            "len" => (Self::Len, 0),
            "is_empty" => (Self::IsEmpty, 0),
            "chars" => (Self::Letters("chars"), 0),
            "bytes" => (Self::Letters("bytes"), 0),
            "char_indices" => (Self::Letters("char_indices"), 0),
            "split_whitespace" => (Self::Words, 0),
            "matches" => (Self::Matches, 1),
            "is_numeric" => (Self::Letter(char::is_numeric), 0),
            "is_alphabetic" => (Self::Letter(char::is_alphabetic), 0),
            "is_alphanumeric" => (Self::Letter(char::is_alphanumeric), 0),
            "is_uppercase" => (Self::Letter(char::is_uppercase), 0),
            "is_lowercase" => (Self::Letter(char::is_lowercase), 0),
            "is_whitespace" => (Self::Letter(char::is_whitespace), 0),
            "is_control" => (Self::Letter(char::is_control), 0),
            "is_ascii_punctuation" => (Self::Letter(|letter| letter.is_ascii_punctuation()), 0),
            "is_ascii_digit" => (Self::Letter(|letter| letter.is_ascii_digit()), 0),
            "is_ascii_alphabetic" => (Self::Letter(|letter| letter.is_ascii_alphabetic()), 0),
            "is_ascii_uppercase" => (Self::Letter(|letter| letter.is_ascii_uppercase()), 0),
            "is_ascii_lowercase" => (Self::Letter(|letter| letter.is_ascii_lowercase()), 0),
            "is_ascii" => (Self::Ascii, 0),
            "trim" => (Self::Trim, 0),
            "to_uppercase" => (Self::Case(str::to_uppercase), 0),
            "to_lowercase" => (Self::Case(str::to_lowercase), 0),
            "to_ascii_uppercase" => (Self::Case(str::to_ascii_uppercase), 0),
            "to_ascii_lowercase" => (Self::Case(str::to_ascii_lowercase), 0),
            "contains" => (Self::Find(Place::Anywhere), 1),
            "starts_with" => (Self::Find(Place::Start), 1),
            "ends_with" => (Self::Find(Place::End), 1),
            "fract" => (Self::Float(f64::fract), 0),
            "floor" => (Self::Float(f64::floor), 0),
            "ceil" => (Self::Float(f64::ceil), 0),
            "round" => (Self::Float(f64::round), 0),
            "trunc" => (Self::Float(f64::trunc), 0),
            "sqrt" => (Self::Float(f64::sqrt), 0),
            "is_nan" => (Self::FloatIs(f64::is_nan), 0),
            "is_infinite" => (Self::FloatIs(f64::is_infinite), 0),
            "is_finite" => (Self::FloatIs(f64::is_finite), 0),
            "is_sign_negative" => (Self::FloatIs(f64::is_sign_negative), 0),
            "is_sign_positive" => (Self::FloatIs(f64::is_sign_positive), 0),
            "abs" | "unsigned_abs" => (Self::Number("abs"), 0),
            "signum" => (Self::Number("signum"), 0),
            "is_positive" => (Self::Number("is_positive"), 0),
            "is_negative" => (Self::Number("is_negative"), 0),
            "is_power_of_two" => (Self::Number("is_power_of_two"), 0),
            "count_ones" => (Self::Number("count_ones"), 0),
            "rem_euclid" => (Self::Number("rem_euclid"), 1),
            "div_euclid" => (Self::Number("div_euclid"), 1),
            "checked_rem" => (Self::Number("checked_rem"), 1),
            "checked_div" => (Self::Number("checked_div"), 1),
            "is_multiple_of" => (Self::Number("is_multiple_of"), 1),
            "abs_diff" => (Self::Number("abs_diff"), 1),
            "pow" => (Self::Number("pow"), 1),
            "is_some" => (Self::Option("is_some"), 0),
            "is_none" => (Self::Option("is_none"), 0),
            "is_some_and" => (Self::Option("is_some_and"), 1),
            "is_none_or" => (Self::Option("is_none_or"), 1),
            "unwrap" => (Self::Option("unwrap"), 0),
            "unwrap_or" => (Self::Option("unwrap_or"), 1),
            "unwrap_or_default" => (Self::Option("unwrap_or_default"), 0),
            "count" => (Self::List("count"), 0),
            "rev" => (Self::List("rev"), 0),
            "first" => (Self::List("first"), 0),
            "last" => (Self::List("last"), 0),
            "get" => (Self::List("get"), 1),
            "min" => (Self::List("min"), 0),
            "max" => (Self::List("max"), 0),
            "min_by" => (Self::List("min_by"), 1),
            "max_by" => (Self::List("max_by"), 1),
            "sum" => (Self::List("sum"), 0),
            "sum::<f64>" => (Self::List("sum::<f64>"), 0),
            "is_sorted" => (Self::List("is_sorted"), 0),
            "is_sorted_by_key" => (Self::List("is_sorted_by_key"), 1),
            "any" => (Self::List("any"), 1),
            "all" => (Self::List("all"), 1),
            "map" => (Self::List("map"), 1),
            "filter" => (Self::List("filter"), 1),
            "enumerate" => (Self::List("enumerate"), 0),
            "windows" => (Self::List("windows"), 1),
            "eq" => (Self::List("eq"), 1),
            "keys" => (Self::List("keys"), 0),
            "values" => (Self::List("values"), 0),
            "cmp" => (Self::Order("cmp"), 1),
            "total_cmp" => (Self::Order("total_cmp"), 1),
            _ => return None,
        })
    }

    pub(super) fn call<'row>(
        self,
        receiver: Datum<'row>,
        arguments: &[Node],
        names: &mut Names<'_, 'row>,
    ) -> Result<Datum<'row>> {
        match self {
            Self::Same => Ok(receiver),
            Self::Len => length(receiver).map(Datum::Integer),
            Self::IsEmpty => Ok(Datum::Truth(match receiver {
                Datum::Range(Some(from), Some(to)) => from >= to,
                other => length(other)? == 0,
            })),
            Self::Letters(kind) => letters(kind, &text(receiver)?),
            Self::Words => Ok(texts(text(receiver)?.split_whitespace())),
            Self::Matches => matches(&text(receiver)?, evaluate(&arguments[0], names)?),
            Self::Letter(is_it) => match receiver {
                Datum::Letter(letter) => Ok(Datum::Truth(is_it(letter))),
                Datum::Integer(byte @ 0..=255) => Ok(Datum::Truth(is_it(byte as u8 as char))),
                other => Err(other.is_no("a letter")),
            },
            Self::Ascii => match receiver {
                Datum::Letter(letter) => Ok(Datum::Truth(letter.is_ascii())),
                Datum::Integer(byte @ 0..=255) => Ok(Datum::Truth(byte < 128)),
                other => Ok(Datum::Truth(text(other)?.is_ascii())),
            },
            Self::Trim => Ok(Datum::Text(Cow::Owned(text(receiver)?.trim().to_owned()))),
            Self::Case(change) => Ok(Datum::Text(Cow::Owned(change(&text(receiver)?)))),
            Self::Find(place) => find(place, receiver, &arguments[0], names),
            Self::Float(change) => match receiver {
                Datum::Float(float, width) => Ok(Datum::Float(width.nearest(change(float)), width)),
                other => Err(other.is_no("a float")),
            },
            Self::FloatIs(is_it) => float(receiver).map(is_it).map(Datum::Truth),
            Self::Number(name) => {
                let argument = arguments.first().map(|argument| evaluate(argument, names)).transpose()?;
                number(name, receiver, argument)
            }
            Self::Option(name) => option(name, receiver, arguments, names),
            Self::List(name) => list(name, receiver, arguments, names),
            Self::Order(name) => order(name, &receiver, &evaluate(&arguments[0], names)?),
        }
    }
}

fn length(datum: Datum<'_>) -> Result<i128> {
    match datum {
        Datum::Text(text) => Ok(text.len() as i128),
        Datum::Range(Some(from), Some(to)) => Ok(to.saturating_sub(from).max(0)),
        other => Ok(other.items()?.len() as i128),
    }
}

fn text(datum: Datum<'_>) -> Result<Cow<'_, str>> {
    match datum {
        Datum::Text(text) => Ok(text),
        other => Err(other.is_no("a text")),
    }
}

fn float(datum: Datum<'_>) -> Result<f64> {
    match datum {
        Datum::Float(float, _) => Ok(float),
        other => Err(other.is_no("a float")),
    }
}

fn texts<'row, 'text>(parts: impl Iterator<Item = &'text str>) -> Datum<'row> {
    Datum::List(parts.map(|part| Datum::Text(Cow::Owned(part.to_owned()))).collect())
}

fn matches<'row>(text: &str, wanted: Datum<'row>) -> Result<Datum<'row>> {
    match wanted {
        Datum::Letter(letter) => Ok(texts(text.matches(letter))),
        Datum::Text(part) => Ok(texts(text.matches(&*part))),
        other => Err(other.is_no("a letter or a text")),
    }
}

fn letters<'row>(kind: &str, text: &str) -> Result<Datum<'row>> {
    Ok(Datum::List(match kind {
        "chars" => text.chars().map(Datum::Letter).collect(),
        "bytes" => text.bytes().map(|byte| Datum::Integer(byte.into())).collect(),
        _ => {
            let indexed = text.char_indices();
            indexed.map(|(at, letter)| Datum::Tuple(vec![Datum::Integer(at as i128), Datum::Letter(letter)])).collect()
        }
    }))
}

/// Whether a part is in a text, a list or a range.
fn find<'row>(
    place: Place,
    receiver: Datum<'row>,
    argument: &Node,
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    if let (Datum::Text(text), Node::Closure(..)) = (&receiver, argument) {
        let letters = text.chars();
        let wanted: Vec<char> = match place {
            Place::Anywhere => letters.collect(),
            Place::Start => letters.take(1).collect(),
            Place::End => letters.rev().take(1).collect(),
        };
        for letter in wanted {
            if apply(argument, &[Datum::Letter(letter)], names)?.truth()? {
                return Ok(Datum::Truth(true));
            }
        }
        return Ok(Datum::Truth(false));
    }
    let argument = evaluate(argument, names)?;
    let is_found = match (receiver, argument) {
        (Datum::Text(text), Datum::Letter(letter)) => in_text(place, &text, letter.encode_utf8(&mut [0; 4])),
        (Datum::Text(text), Datum::Text(part)) => in_text(place, &text, &part),
        (Datum::Range(from, to), Datum::Integer(number)) => {
            from.is_none_or(|from| from <= number) && to.is_none_or(|to| number < to)
        }
        (list, part) => {
            let items = names.items(list)?;
            // What is looked for anywhere is read again for each item.
            let times = if place == Place::Anywhere { items.len() } else { 1 };
            names.take(times.saturating_mul(part.extent()))?;
            return in_list(place, &items, part, names);
        }
    };
    Ok(Datum::Truth(is_found))
}

fn in_text(place: Place, text: &str, part: &str) -> bool {
    match place {
        Place::Anywhere => text.contains(part),
        Place::Start => text.starts_with(part),
        Place::End => text.ends_with(part),
    }
}

fn in_list<'row>(
    place: Place,
    items: &[Datum<'row>],
    part: Datum<'row>,
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    let are_equal = |one: &[Datum<'_>], other: &[Datum<'_>]| -> Result<bool> {
        for (one, other) in one.iter().zip(other) {
            if !one.is_equal(other)? {
                return Ok(false);
            }
        }
        Ok(one.len() == other.len())
    };
    let is_found = match place {
        Place::Anywhere => {
            let mut found = items.iter().map(|item| item.is_equal(&part));
            found.try_fold(false, |any, is_it| is_it.map(|is_it| any || is_it))?
        }
        Place::Start => {
            let part = names.items(part)?;
            part.len() <= items.len() && are_equal(&items[..part.len()], &part)?
        }
        Place::End => {
            let part = names.items(part)?;
            part.len() <= items.len() && are_equal(&items[items.len() - part.len()..], &part)?
        }
    };
    Ok(Datum::Truth(is_found))
}

fn number<'row>(name: &str, receiver: Datum<'row>, argument: Option<Datum<'row>>) -> Result<Datum<'row>> {
    if let Datum::Float(one, _) = receiver {
        let float = match (name, argument) {
            ("abs", _) => one.abs(),
            ("signum", _) => one.signum(),
            ("rem_euclid", Some(Datum::Float(other, _))) => one.rem_euclid(other),
            ("div_euclid", Some(Datum::Float(other, _))) => one.div_euclid(other),
            _ => return Err(Fault::new(format!("`{name}` of a float is not supported"))),
        };
        return Ok(Datum::Float(float, Width::Double));
    }
    let one = receiver.integer()?;
    let other = argument.map_or(Ok(0), Datum::integer)?;
    let found = match name {
        "abs" => one.checked_abs(),
        "signum" => Some(one.signum()),
        "count_ones" => Some(one.count_ones().into()),
        "rem_euclid" => one.checked_rem_euclid(other),
        "div_euclid" => one.checked_div_euclid(other),
        "abs_diff" => i128::try_from(one.abs_diff(other)).ok(),
        "pow" => u32::try_from(other).ok().and_then(|other| one.checked_pow(other)),
        "is_positive" => return Ok(Datum::Truth(one > 0)),
        "is_negative" => return Ok(Datum::Truth(one < 0)),
        "is_power_of_two" => return Ok(Datum::Truth(one > 0 && one & (one - 1) == 0)),
        "is_multiple_of" => return Ok(Datum::Truth(is_multiple(one, other))),
        "checked_rem" => return Ok(optional(one.checked_rem(other))),
        "checked_div" => return Ok(optional(one.checked_div(other))),
        _ => None,
    };
    found.map(Datum::Integer).ok_or_else(|| Fault::new(format!("`{name}` is too wide, or by zero")))
}

fn is_multiple(one: i128, other: i128) -> bool {
    // Only by zero there is no remainder, and where -1 goes in too often to be counted.
    one.checked_rem(other).map_or(one == 0 || other != 0, |rest| rest == 0)
}

fn optional<'row>(integer: Option<i128>) -> Datum<'row> {
    Datum::Option(integer.map(|integer| Box::new(Datum::Integer(integer))))
}

fn option<'row>(
    name: &str,
    receiver: Datum<'row>,
    arguments: &[Node],
    names: &mut Names<'_, 'row>,
) -> Result<Datum<'row>> {
    let Datum::Option(held) = receiver else { return Err(receiver.is_no("an option")) };
    Ok(match (name, held) {
        ("is_some", held) => Datum::Truth(held.is_some()),
        ("is_none", held) => Datum::Truth(held.is_none()),
        ("is_some_and", None) => Datum::Truth(false),
        ("is_none_or", None) => Datum::Truth(true),
        ("is_some_and" | "is_none_or", Some(inner)) => apply(&arguments[0], &[*inner], names)?,
        (_, Some(inner)) => *inner,
        ("unwrap_or", None) => evaluate(&arguments[0], names)?,
        ("unwrap_or_default", None) => Datum::Integer(0),
        _ => return Err(Fault::new("there is nothing in an option to unwrap")),
    })
}

fn order<'row>(name: &str, one: &Datum<'row>, other: &Datum<'row>) -> Result<Datum<'row>> {
    if let ("total_cmp", Datum::Float(one, width), Datum::Float(other, others)) = (name, one, other) {
        return Ok(Datum::Order(width.beside(*one, *others).total_cmp(&others.beside(*other, *width))));
    }
    one.compare(other)?.map(Datum::Order).ok_or_else(|| Fault::new("two values have no order"))
}
