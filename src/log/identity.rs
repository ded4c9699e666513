//! What makes two inputs the same: their decoded values and the names of their fields, not their bytes.

use super::{Row, Value};
use crate::{Verdict, hash};

/// Where the hash of every input begins. This and all below it is fixed for ever: reports name samples by it.
const INPUT: u64 = 0x243F_6A88_85A3_08D3;
/// Instead, for an input that could not be decoded.
const BYTES: u64 = 0x1319_8A2E_0370_7344;

/// The identity of a row's input. Floats differ where their bits do, so `-0.0` is not `0.0`; maps and sets are equal if
/// they were serialised in the same order.
pub fn identity_of(row: &Row) -> u64 {
    if is_undecoded(row) {
        let length = row.death.as_ref().map_or(row.bytes.len() as u64, |death| death.length);
        return hash::of_bytes(&row.bytes, mix(BYTES, length)).max(1);
    }
    end(row.fields.iter().chain(&row.parameters).fold(begin(of_names(&row.names)), of_value))
}

/// Where the hash of an input begins whose fields have these names.
pub(super) fn begin(names: u64) -> u64 {
    mix(INPUT, names)
}

/// The identity, once all values are in the hash; never 0.
pub(super) fn end(hash: u64) -> u64 {
    hash::fold(hash, INPUT).max(1)
}

/// The hash of some names.
pub(super) fn of_names(names: &[String]) -> u64 {
    names.iter().fold(names.len() as u64, |hash, name| hash::of_bytes(name.as_bytes(), hash))
}

/// Whether only bytes are known: the process died and nobody decoded them again, or decoding them panicked.
fn is_undecoded(row: &Row) -> bool {
    let has_panicked = || row.verdicts.iter().all(|verdict| *verdict == Some(Verdict::TransformPanicked));
    row.fields.is_empty() && (row.death.is_some() || has_panicked())
}

#[inline(always)]
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    hash::fold(hash ^ word, 0x9E37_79B9_7F4A_7C15) ^ word.rotate_left(29)
}

/// What a kind of value contributes, so that `0`, `0.0`, `'\0'` and `""` differ.
#[repr(u64)]
pub(super) enum Kind {
    Unit = 1,
    False,
    True,
    Integer,
    Wide,
    Unsigned,
    F32,
    F64,
    Char,
    Text,
    Bytes,
    None,
    Some,
    List,
    Tuple,
    Struct,
    Map,
    Variant,
}

/// An integer, however many bytes a writer took for it.
#[inline(always)]
pub(super) fn of_integer(hash: u64, integer: i128) -> u64 {
    match i64::try_from(integer) {
        Ok(integer) => mix(mix(hash, Kind::Integer as u64), integer as u64),
        Err(_) => wide(mix(hash, Kind::Wide as u64), integer as u128),
    }
}

pub(super) fn wide(hash: u64, bytes: u128) -> u64 {
    mix(mix(hash, bytes as u64), (bytes >> 64) as u64)
}

pub(super) fn of_value(hash: u64, value: &Value) -> u64 {
    let kind = |kind: Kind| mix(hash, kind as u64);
    let all = |hash: u64, values: &[Value]| values.iter().fold(mix(hash, values.len() as u64), of_value);
    match value {
        Value::Unit => kind(Kind::Unit),
        Value::False => kind(Kind::False),
        Value::True => kind(Kind::True),
        Value::U128(bytes) => wide(kind(Kind::Unsigned), u128::from_le_bytes(*bytes)),
        Value::F32(bytes) => mix(kind(Kind::F32), u32::from_le_bytes(*bytes).into()),
        Value::F64(bytes) => mix(kind(Kind::F64), u64::from_le_bytes(*bytes)),
        Value::Char(bytes) => mix(kind(Kind::Char), u32::from_le_bytes(*bytes).into()),
        Value::Text(text) => hash::of_bytes(text.as_bytes(), kind(Kind::Text)),
        Value::Bytes(bytes) => hash::of_bytes(bytes, kind(Kind::Bytes)),
        Value::None => kind(Kind::None),
        Value::Some(value) => of_value(kind(Kind::Some), value),
        Value::List(values) => all(kind(Kind::List), values),
        Value::Tuple(values) => all(kind(Kind::Tuple), values),
        Value::Struct(values, names) => mix(all(kind(Kind::Struct), values), of_names(names.names())),
        Value::Map(entries) => entries.iter().fold(mix(kind(Kind::Map), entries.len() as u64), |hash, (key, value)| {
            of_value(of_value(hash, key), value)
        }),
        Value::Variant(value, names) => mix(of_value(kind(Kind::Variant), value), of_names(names.names())),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) | Value::I128(_) => {
            of_integer(hash, value.integer().unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Phase;
    use super::*;
    use std::{collections::HashSet, sync::Arc};

    fn row(names: &[&str], fields: Vec<Value>) -> Row {
        Row {
            id: 1,
            phase: Phase::Fuzz,
            bytes: vec![1, 2],
            names: names.iter().map(|&name| name.to_owned()).collect(),
            fields,
            parameters: Vec::new(),
            features: Vec::new(),
            verdicts: Arc::from([Some(Verdict::Held)]),
            weight: 1,
            detail: None,
            death: None,
        }
    }

    #[test]
    fn values_that_look_alike_have_identities_of_their_own() {
        let float = |float: f64| Value::F64(float.to_le_bytes());
        let values = [
            Value::Unit,
            Value::False,
            Value::None,
            Value::of_integer(0),
            Value::U128([0; 16]),
            float(0.0),
            float(-0.0),
            float(f64::NAN),
            float(-f64::NAN),
            Value::F32([0; 4]),
            Value::Char([0; 4]),
            Value::Text(String::new()),
            Value::Bytes(Vec::new()),
            Value::List(Vec::new()),
            Value::Tuple(Vec::new()),
            Value::Map(Vec::new()),
            Value::Some(Box::new(Value::None)),
            Value::List(vec![Value::List(Vec::new()), Value::Unit]),
            Value::List(vec![Value::List(vec![Value::Unit])]),
        ];
        let identities: HashSet<u64> =
            values.iter().map(|value| identity_of(&row(&["a"], vec![value.clone()]))).collect();
        assert_eq!(identities.len(), values.len());
    }

    #[test]
    fn bytes_and_the_width_of_integers_do_not_matter_but_names_do() {
        let one = row(&["a", "b"], vec![Value::I8(7), Value::True]);
        let mut other = row(&["a", "b"], vec![Value::I128(7i128.to_le_bytes()), Value::True]);
        other.bytes = vec![9; 100];
        assert_eq!(identity_of(&one), identity_of(&other));
        assert_ne!(identity_of(&one), identity_of(&row(&["a", "c"], one.fields.clone())));
        // What is known only by its bytes differs by them.
        let undecoded = |bytes: &[u8]| {
            let mut undecoded = row(&[], Vec::new());
            undecoded.bytes = bytes.to_vec();
            undecoded.verdicts = Arc::from([Some(Verdict::TransformPanicked)]);
            identity_of(&undecoded)
        };
        assert_ne!(undecoded(&[1]), undecoded(&[2]));
    }

    /// Fixed for ever: a change here would give every sample another name.
    #[test]
    fn identities_are_what_they_always_were() {
        let text = row(&["name", "limit"], vec![Value::Text("grün".into()), Value::Some(Box::new(Value::I8(-3)))]);
        assert_eq!(identity_of(&text), 16_087_874_990_691_182_075);
    }
}
