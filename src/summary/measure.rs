//! The parts of an input that have a size: numbers, and the lengths of texts and lists, by the path to them.

use crate::{
    hash,
    log::{Row, Value},
};
use std::{cmp::Ordering, fmt};

/// How many parts of one input are looked at.
const MOST: usize = 24;

/// Where a part stands: `limit`, `request.limit`, `names.len()`.
pub(super) struct Path<'row> {
    parent: Option<&'row Path<'row>>,
    name: Name<'row>,
    /// The same for the same path in every row.
    pub(super) key: u64,
}

enum Name<'row> {
    Field(&'row str),
    Position(usize),
    Length,
}

impl<'row> Path<'row> {
    fn new(parent: Option<&'row Path<'row>>, name: Name<'row>) -> Self {
        let seed = parent.map_or(0, |parent| parent.key);
        let key = match &name {
            Name::Field(name) => hash::of_bytes(name.as_bytes(), seed),
            Name::Position(position) => hash::of_bytes(&position.to_le_bytes(), seed ^ 1),
            Name::Length => hash::of_bytes(b"len", seed ^ 2),
        };
        Self { parent, name, key }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            write!(f, "{parent}.")?;
        }
        match self.name {
            Name::Field(name) => f.write_str(name),
            Name::Position(position) => write!(f, "{position}"),
            Name::Length => f.write_str("len()"),
        }
    }
}

/// How large a part is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Size {
    Integer(i128),
    Float(f64),
    Length(usize),
}

impl Size {
    /// Smaller to larger.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let rank = |size: &Self| match size {
            Self::Integer(_) => 0,
            Self::Float(_) => 1,
            Self::Length(_) => 2,
        };
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => one.cmp(other),
            (Self::Float(one), Self::Float(other)) => one.total_cmp(other),
            (Self::Length(one), Self::Length(other)) => one.cmp(other),
            _ => rank(self).cmp(&rank(other)),
        }
    }

    /// What stands at an edge of its type or between two regions, in words.
    pub(super) fn boundary(&self) -> Option<&'static str> {
        Some(match *self {
            Self::Integer(0) => "zero",
            Self::Integer(1) => "one",
            Self::Integer(-1) => "minus one",
            Self::Integer(number) if is_limit(number) => "a limit of its type",
            Self::Float(number) if number.is_nan() => "not a number",
            Self::Float(number) if number.is_infinite() => "infinite",
            Self::Float(0.0) => "zero",
            Self::Float(number) if number.is_subnormal() => "subnormal",
            Self::Float(number) if [f64::MAX, f64::from(f32::MAX)].contains(&number.abs()) => "a limit of its type",
            Self::Length(0) => "empty",
            Self::Length(1) => "of length one",
            _ => return None,
        })
    }
}

fn is_limit(number: i128) -> bool {
    let of_width = |bits: u32| {
        let half = 1i128 << (bits - 1);
        [-half, half - 1, 2 * half - 1].contains(&number)
    };
    [8, 16, 32, 64].into_iter().any(of_width) || number == i128::MIN || number == i128::MAX
}

/// Visits the parts of a row's input, in the order of its fields.
pub(super) fn for_each_part(row: &Row, mut visit: impl FnMut(&Path<'_>, Size)) {
    let mut left = MOST;
    for (name, value) in row.names.iter().zip(&row.fields) {
        part(&Path::new(None, Name::Field(name)), value, &mut left, &mut visit);
    }
}

fn part(path: &Path<'_>, value: &Value, left: &mut usize, visit: &mut dyn FnMut(&Path<'_>, Size)) {
    if *left == 0 {
        return;
    }
    let length = match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(values) => values.len(),
        Value::Map(entries) => entries.len(),
        Value::Some(value) | Value::Variant(value, _) => return part(path, value, left, visit),
        Value::Tuple(values) => {
            for (position, value) in values.iter().enumerate() {
                part(&Path::new(Some(path), Name::Position(position)), value, left, visit);
            }
            return;
        }
        Value::Struct(values, names) => {
            for (name, value) in names.names().iter().zip(values) {
                part(&Path::new(Some(path), Name::Field(name)), value, left, visit);
            }
            return;
        }
        _ => {
            let size = value.integer().map(Size::Integer).or_else(|| value.float().map(Size::Float));
            if let Some(size) = size {
                *left -= 1;
                visit(path, size);
            }
            return;
        }
    };
    *left -= 1;
    visit(&Path::new(Some(path), Name::Length), Size::Length(length));
}

/// An order in which inputs that differ by little often stand side by side.
pub(super) fn order(one: &[Value], other: &[Value]) -> Ordering {
    let parts = one.iter().zip(other).map(|(one, other)| order_values(one, other));
    parts.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| one.len().cmp(&other.len()))
}

fn order_values(one: &Value, other: &Value) -> Ordering {
    let size = |value: &Value| value.integer().map(Size::Integer).or_else(|| value.float().map(Size::Float));
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        (Value::Bytes(one), Value::Bytes(other)) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        (Value::List(one), Value::List(other)) => one.len().cmp(&other.len()).then_with(|| order(one, other)),
        (Value::Tuple(one), Value::Tuple(other)) => order(one, other),
        (Value::Struct(one, _), Value::Struct(other, _)) => order(one, other),
        (Value::Some(one), Value::Some(other)) => order_values(one, other),
        (Value::Variant(one, name), Value::Variant(other, others)) => {
            name.names().cmp(others.names()).then_with(|| order_values(one, other))
        }
        (Value::Char(one), Value::Char(other)) => u32::from_le_bytes(*one).cmp(&u32::from_le_bytes(*other)),
        _ => match (size(one), size(other)) {
            (Some(one), Some(other)) => one.order(&other),
            _ => kind(one).cmp(&kind(other)),
        },
    }
}

/// Values of other kinds, one kind after the other.
fn kind(value: &Value) -> u8 {
    match value {
        Value::None => 0,
        Value::Unit => 1,
        Value::False => 2,
        Value::True => 3,
        Value::Some(_) => 4,
        Value::F32(_) | Value::F64(_) => 5,
        Value::U128(_) => 6,
        Value::Char(_) => 7,
        Value::Text(_) => 8,
        Value::Bytes(_) => 9,
        Value::List(_) => 10,
        Value::Tuple(_) => 11,
        Value::Struct(..) => 12,
        Value::Map(_) => 13,
        Value::Variant(..) => 14,
        _ => 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_where_types_and_regions_end() {
        let words = |size: Size| size.boundary().unwrap_or("none");
        assert_eq!(words(Size::Integer(i128::from(i32::MIN))), "a limit of its type");
        assert_eq!(words(Size::Integer(255)), "a limit of its type");
        assert_eq!(words(Size::Integer(254)), "none");
        assert_eq!(words(Size::Float(-0.0)), "zero");
        assert_eq!(words(Size::Float(f64::NEG_INFINITY)), "infinite");
        assert_eq!(words(Size::Length(0)), "empty");
    }
}
