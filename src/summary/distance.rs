//! How far two inputs are apart: small where a person would say that they differ by little.

use crate::log::{Row, Value};

/// A difference in kind: a number and a text, `Some` and `None`, two variants.
const KIND: f64 = 16.0;
/// Texts and lists are compared up to so many parts after what they have in common.
const PARTS: usize = 32;
/// How much a part that one list has and the other has not counts.
const MISSING: f64 = 2.0;

/// The distance of two rows' inputs; 0 only for equal ones.
#[must_use]
pub fn of_rows(one: &Row, other: &Row) -> f64 {
    lists(&one.fields, &other.fields) + lists(&one.parameters, &other.parameters)
}

/// Numbers by the logarithm of their difference, texts by how many letters have to change, lists part by part.
fn of_values(one: &Value, other: &Value) -> f64 {
    if let (Some(one), Some(other)) = (one.integer(), other.integer()) {
        return logarithm(one.abs_diff(other) as f64);
    }
    if let (Some(one), Some(other)) = (one.float(), other.float()) {
        return floats(one, other);
    }
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => texts(&letters(one), &letters(other)),
        (Value::Bytes(one), Value::Bytes(other)) => texts(one, other),
        (Value::Char(one), Value::Char(other)) => {
            logarithm(u32::from_le_bytes(*one).abs_diff(u32::from_le_bytes(*other)).into())
        }
        (Value::U128(one), Value::U128(other)) => {
            logarithm(u128::from_le_bytes(*one).abs_diff(u128::from_le_bytes(*other)) as f64)
        }
        (Value::Some(one), Value::Some(other)) => of_values(one, other),
        (Value::List(one), Value::List(other)) | (Value::Tuple(one), Value::Tuple(other)) => lists(one, other),
        (Value::Struct(one, names), Value::Struct(other, others)) if names == others => lists(one, other),
        (Value::Variant(one, name), Value::Variant(other, others)) if name == others => of_values(one, other),
        (Value::Map(one), Value::Map(other)) => maps(one, other),
        (Value::True, Value::False) | (Value::False, Value::True) => 1.0,
        _ if one == other => 0.0,
        _ => KIND,
    }
}

fn logarithm(difference: f64) -> f64 {
    (1.0 + difference).log2()
}

/// By how many other floats are between them, so that the last digit is a small difference everywhere.
fn floats(one: f64, other: f64) -> f64 {
    if one.is_nan() || other.is_nan() {
        return if one.is_nan() && other.is_nan() { f64::from(one.to_bits() != other.to_bits()) } else { KIND };
    }
    let place = |float: f64| {
        let magnitude = (float.to_bits() << 1 >> 1) as i64;
        if float.is_sign_negative() { !magnitude } else { magnitude }
    };
    logarithm(i128::from(place(one)).abs_diff(place(other).into()) as f64) / 4.0
}

fn letters(text: &str) -> Vec<char> {
    // Far behind what is compared, so that long texts are not copied.
    text.chars().take(4096).collect()
}

/// Takes off what two lists have in common at both ends.
fn differing<'list, T>(
    mut one: &'list [T],
    mut other: &'list [T],
    is_same: impl Fn(&T, &T) -> bool,
) -> (&'list [T], &'list [T]) {
    let front = one.iter().zip(other).take_while(|(one, other)| is_same(one, other)).count();
    (one, other) = (&one[front..], &other[front..]);
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| is_same(one, other)).count();
    (&one[..one.len() - back], &other[..other.len() - back])
}

/// How many letters have to be changed, put in or taken out; of long texts, the difference of their lengths beyond.
fn texts<T: PartialEq>(one: &[T], other: &[T]) -> f64 {
    let (one, other) = differing(one, other, |one, other| one == other);
    let beyond = one.len().abs_diff(other.len()).max(one.len().max(other.len()).saturating_sub(PARTS));
    if beyond > PARTS {
        return PARTS as f64 + logarithm(beyond as f64);
    }
    let (one, other) = (&one[..one.len().min(2 * PARTS)], &other[..other.len().min(2 * PARTS)]);
    let mut line: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut corner = std::mem::replace(&mut line[0], row + 1);
        for (column, wanted) in other.iter().enumerate() {
            let change = corner + usize::from(letter != wanted);
            corner = line[column + 1];
            line[column + 1] = change.min(corner + 1).min(line[column] + 1);
        }
    }
    line[other.len()] as f64
}

fn lists(one: &[Value], other: &[Value]) -> f64 {
    let (one, other) = differing(one, other, |one, other| one == other);
    let parts = one.iter().zip(other).take(PARTS).map(|(one, other)| of_values(one, other));
    parts.sum::<f64>() + MISSING * one.len().abs_diff(other.len()) as f64
}

fn maps(one: &[(Value, Value)], other: &[(Value, Value)]) -> f64 {
    let (one, other) = differing(one, other, |one, other| one == other);
    let parts = one.iter().zip(other).take(PARTS);
    let sum: f64 = parts.map(|(one, other)| of_values(&one.0, &other.0) + of_values(&one.1, &other.1)).sum();
    sum + MISSING * one.len().abs_diff(other.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(integer: i128) -> Value {
        Value::of_integer(integer)
    }

    fn float(float: f64) -> Value {
        Value::F64(float.to_le_bytes())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn what_differs_by_little_is_near() {
        let list = |numbers: &[i128]| Value::List(numbers.iter().map(|&number| integer(number)).collect());
        let ordered = [
            (integer(7), integer(7), integer(8)),
            (integer(7), integer(8), integer(12)),
            (integer(i128::MIN), integer(0), integer(i128::MAX)),
            (float(0.5), float(0.500_000_1), float(0.6)),
            (float(1.0), float(1e300), float(f64::NAN)),
            (text("kitten"), text("mitten"), text("sitting")),
            (text(""), text("a"), text(&"b".repeat(100_000))),
            (list(&[1, 2, 3]), list(&[1, 2, 4]), list(&[1, 2, 3, 9, 9])),
            (list(&[1, 2, 3]), list(&[1, 9, 2, 3]), list(&[30, 20, 10])),
            (Value::None, Value::None, Value::Some(Box::new(Value::Unit))),
        ];
        for (from, near, far) in ordered {
            assert!(of_values(&from, &near) < of_values(&from, &far), "{from} {near} {far}");
            assert_eq!(of_values(&from, &far), of_values(&far, &from));
            assert_eq!(of_values(&from, &from), 0.0);
        }
        assert_eq!(of_values(&text("kitten"), &text("sitting")), 3.0);
    }

    #[test]
    fn different_values_are_never_at_the_same_place() {
        let values = [float(0.0), float(-0.0), float(f64::NAN), integer(0), Value::False, text(""), Value::Unit];
        for (position, one) in values.iter().enumerate() {
            for other in &values[position + 1..] {
                assert!(of_values(one, other) > 0.0, "{one} {other}");
            }
        }
    }
}
