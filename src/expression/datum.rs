//! What a part of a condition comes to in one row.

use super::{Fault, Result};
use crate::log::Value;
use std::{borrow::Cow, cmp::Ordering, fmt};

/// How many letters of a text take as long as one item.
const LETTERS: usize = 64;

/// A value on the way. What a row holds is borrowed until a part of it is needed.
#[derive(Clone, Debug)]
pub(super) enum Datum<'row> {
    Truth(bool),
    Integer(i128),
    Float(f64, Width),
    Letter(char),
    Text(Cow<'row, str>),
    Option(Option<Box<Datum<'row>>>),
    /// A list or an iterator.
    List(Vec<Datum<'row>>),
    Tuple(Vec<Datum<'row>>),
    Range(Option<i128>, Option<i128>),
    Order(Ordering),
    /// Whatever else a row holds.
    Value(&'row Value),
}

/// How wide a float is. All are kept as `f64`, and what is calculated is one; what is compared is as wide as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// A literal without a suffix: an `f32` beside one, or else an `f64`.
    Open,
    Single,
    Double,
}

impl Width {
    /// The float of this width that is nearest.
    pub(super) fn nearest(self, float: f64) -> f64 {
        if self == Self::Single { f64::from(float as f32) } else { float }
    }

    /// A float of this width as it is read beside one of another.
    pub(super) fn beside(self, float: f64, other: Self) -> f64 {
        if self == Self::Open { other.nearest(float) } else { float }
    }
}

impl<'row> Datum<'row> {
    pub(super) fn of(value: &'row Value) -> Self {
        if let Some(integer) = value.integer() {
            return Self::Integer(integer);
        }
        if let Some(float) = value.float() {
            return Self::Float(float, if matches!(value, Value::F32(_)) { Width::Single } else { Width::Double });
        }
        match value {
            Value::True => Self::Truth(true),
            Value::False => Self::Truth(false),
            Value::Char(bytes) => char::from_u32(u32::from_le_bytes(*bytes)).map_or(Self::Value(value), Self::Letter),
            Value::Text(text) => Self::Text(Cow::Borrowed(text)),
            Value::None => Self::Option(None),
            Value::Some(inner) => Self::Option(Some(Box::new(Self::of(inner)))),
            other => Self::Value(other),
        }
    }

    pub(super) fn truth(self) -> Result<bool> {
        match self {
            Self::Truth(truth) => Ok(truth),
            other => Err(other.is_no("true or false")),
        }
    }

    pub(super) fn integer(self) -> Result<i128> {
        match self {
            Self::Integer(integer) => Ok(integer),
            other => Err(other.is_no("a whole number")),
        }
    }

    /// How much it holds itself, beside what the row does: items, and texts by what they weigh against these.
    pub(super) fn held(&self) -> usize {
        match self {
            Self::List(items) | Self::Tuple(items) => items.iter().map(|item| 1 + item.held()).sum(),
            Self::Option(Some(inner)) => 1 + inner.held(),
            Self::Text(Cow::Owned(text)) => text.len() / LETTERS,
            _ => 0,
        }
    }

    /// How much there is to look at, in the row too.
    pub(super) fn extent(&self) -> usize {
        match self {
            Self::List(items) | Self::Tuple(items) => items.iter().map(|item| 1 + item.extent()).sum(),
            Self::Option(Some(inner)) => 1 + inner.extent(),
            Self::Text(text) => text.len() / LETTERS,
            Self::Value(value) => extent(value),
            _ => 0,
        }
    }

    /// The elements of a list, a map, a range or an iterator.
    pub(super) fn items(self) -> Result<Vec<Self>> {
        /// More are a mistake, and would only fill the memory.
        const MOST: i128 = 1 << 16;
        match self {
            Self::List(items) => Ok(items),
            Self::Value(Value::List(values)) => Ok(values.iter().map(Self::of).collect()),
            Self::Value(Value::Bytes(bytes)) => Ok(bytes.iter().map(|&byte| Self::Integer(byte.into())).collect()),
            Self::Value(Value::Map(entries)) => {
                Ok(entries.iter().map(|(key, value)| Self::Tuple(vec![Self::of(key), Self::of(value)])).collect())
            }
            Self::Range(Some(from), Some(to)) if to.saturating_sub(from) <= MOST => {
                Ok((from..to).map(Self::Integer).collect())
            }
            Self::Option(item) => Ok(item.into_iter().map(|item| *item).collect()),
            other => Err(other.is_no("a list")),
        }
    }

    /// The part of a struct or tuple.
    pub(super) fn field(self, name: &str) -> Result<Self> {
        let index = name.parse::<usize>().ok();
        let found = match &self {
            Self::Tuple(parts) => index.and_then(|index| parts.get(index).cloned()),
            Self::Value(Value::Tuple(values)) => index.and_then(|index| values.get(index)).map(Self::of),
            Self::Value(Value::Struct(values, names)) => {
                let position = names.names().iter().position(|known| known == name);
                position.and_then(|position| values.get(position)).map(Self::of)
            }
            // A newtype is logged as what it holds.
            _ if index == Some(0) => return Ok(self),
            _ => None,
        };
        found.ok_or_else(|| Fault::new(format!("there is no field `{name}` in {self}")))
    }

    /// How the two stand to each other; nothing for NaN and for what has no order.
    pub(super) fn compare(&self, other: &Self) -> Result<Option<Ordering>> {
        Ok(match (self, other) {
            (Self::Truth(one), Self::Truth(other)) => Some(one.cmp(other)),
            (Self::Integer(one), Self::Integer(other)) => Some(one.cmp(other)),
            (Self::Float(one, width), Self::Float(other, others)) => {
                width.beside(*one, *others).partial_cmp(&others.beside(*other, *width))
            }
            (Self::Letter(one), Self::Letter(other)) => Some(one.cmp(other)),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Order(one), Self::Order(other)) => Some(one.cmp(other)),
            (Self::Option(one), Self::Option(other)) => match (one, other) {
                (Some(one), Some(other)) => one.compare(other)?,
                (one, other) => Some(one.is_some().cmp(&other.is_some())),
            },
            (Self::Tuple(one), Self::Tuple(other)) => compare_all(one, other)?,
            _ => compare_all(&self.clone().parts()?, &other.clone().parts()?)?,
        })
    }

    /// Whether the two are equal: what has no order may be so too.
    pub(super) fn is_equal(&self, other: &Self) -> Result<bool> {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) if one.equals(other) => Ok(true),
            (Self::Value(Value::Variant(..) | Value::Map(_) | Value::Unit), Self::Value(_)) => Ok(false),
            (Self::Option(one), Self::Option(other)) => match (one, other) {
                (Some(one), Some(other)) => one.is_equal(other),
                (one, other) => Ok(one.is_none() && other.is_none()),
            },
            (Self::Value(_) | Self::List(_) | Self::Tuple(_), Self::Value(_) | Self::List(_) | Self::Tuple(_)) => {
                let (one, other) = (self.clone().parts()?, other.clone().parts()?);
                let mut pairs = one.iter().zip(&other).map(|(one, other)| one.is_equal(other));
                Ok(one.len() == other.len() && pairs.try_fold(true, |all, is_equal| Ok(all && is_equal?))?)
            }
            _ => Ok(self.compare(other)? == Some(Ordering::Equal)),
        }
    }

    /// What is compared part by part.
    fn parts(self) -> Result<Vec<Self>> {
        match self {
            Self::Tuple(parts) => Ok(parts),
            Self::Value(Value::Tuple(values) | Value::Struct(values, _)) => Ok(values.iter().map(Self::of).collect()),
            // A number never stands beside a list, nor does a range.
            Self::Option(_) | Self::Range(..) => Err(self.is_no("comparable with the other side")),
            other => other.items().map_err(|_| Fault::new("the two sides of a comparison are of different kinds")),
        }
    }

    pub(super) fn is_no(&self, wanted: &str) -> Fault {
        Fault::new(format!("{self} is not {wanted}"))
    }
}

fn extent(value: &Value) -> usize {
    match value {
        Value::List(values) | Value::Tuple(values) | Value::Struct(values, _) => {
            values.iter().map(|value| 1 + extent(value)).sum()
        }
        Value::Map(entries) => entries.iter().map(|(key, value)| 2 + extent(key) + extent(value)).sum(),
        Value::Some(inner) | Value::Variant(inner, _) => 1 + extent(inner),
        Value::Text(text) => text.len() / LETTERS,
        Value::Bytes(bytes) => bytes.len(),
        _ => 0,
    }
}

fn compare_all(one: &[Datum<'_>], other: &[Datum<'_>]) -> Result<Option<Ordering>> {
    for (one, other) in one.iter().zip(other) {
        match one.compare(other)? {
            Some(Ordering::Equal) => {}
            decided => return Ok(decided),
        }
    }
    Ok(Some(one.len().cmp(&other.len())))
}

/// In words, for a message.
impl fmt::Display for Datum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(f, "`{truth}`"),
            Self::Integer(integer) => write!(f, "`{integer}`"),
            Self::Float(float, _) => write!(f, "`{float:?}`"),
            Self::Letter(letter) => write!(f, "`{letter:?}`"),
            Self::Text(text) => write!(f, "`{text:?}`"),
            Self::Option(_) => f.write_str("an option"),
            Self::List(_) => f.write_str("a list"),
            Self::Tuple(_) => f.write_str("a tuple"),
            Self::Range(..) => f.write_str("a range"),
            Self::Order(_) => f.write_str("an order"),
            Self::Value(value) => write!(f, "`{value}`"),
        }
    }
}
