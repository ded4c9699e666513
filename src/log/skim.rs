//! Reads what a row is about without making its values: the analyser passes over most rows of a long log like this.
//!
//! What is skimmed must be what would be decoded. Where that is not plain, nothing is said, and the row is decoded.

use super::{
    codec::FIRST_LONG,
    identity::{Kind, mix, of_integer, wide},
    value::{MAX_DEPTH, Value, tag},
};
use crate::hash;
use std::collections::HashMap;

/// Passes over encoded values.
pub(super) struct Skim<'bytes> {
    rest: &'bytes [u8],
    /// The hashes of the names that a block has explained.
    names: &'bytes HashMap<u32, u64>,
    /// About how much memory the values would take.
    pub(super) memory: usize,
}

impl<'bytes> Skim<'bytes> {
    pub(super) fn new(bytes: &'bytes [u8], names: &'bytes HashMap<u32, u64>) -> Self {
        Self { rest: bytes, names, memory: 0 }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    fn take(&mut self, length: usize) -> Option<&'bytes [u8]> {
        self.rest.split_off(..length)
    }

    fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    /// An unsigned integer in the fewest bytes.
    pub(super) fn number(&mut self) -> Option<u64> {
        let [first] = self.array()?;
        let (number, least) = match first {
            ..FIRST_LONG => (u64::from(first), 0),
            251 => (u16::from_le_bytes(self.array()?).into(), 251),
            252 => (u32::from_le_bytes(self.array()?).into(), 1 << 16),
            253 => (u64::from_le_bytes(self.array()?), 1 << 32),
            _ => return None,
        };
        (number >= least).then_some(number)
    }

    /// How many parts follow, each of at least a byte.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.rest.len()).then_some(count)
    }

    /// Passes over bytes with their length before them.
    pub(super) fn bytes(&mut self) -> Option<&'bytes [u8]> {
        let length = self.count()?;
        self.memory += length;
        self.take(length)
    }

    /// Passes over a value, and adds it to a hash as [`identity_of`](super::identity_of) does.
    pub(super) fn value(&mut self, hash: u64) -> Option<u64> {
        self.nested(hash, 0)
    }

    fn nested(&mut self, hash: u64, depth: usize) -> Option<u64> {
        let kind = |kind: Kind| mix(hash, kind as u64);
        self.memory += size_of::<Value>();
        let [tag] = self.array()?;
        Some(match tag {
            tag::UNIT => kind(Kind::Unit),
            tag::FALSE => kind(Kind::False),
            tag::TRUE => kind(Kind::True),
            tag::I8 => of_integer(hash, i8::from_le_bytes(self.array()?).into()),
            tag::I16 => of_integer(hash, i16::from_le_bytes(self.array()?).into()),
            tag::I32 => of_integer(hash, i32::from_le_bytes(self.array()?).into()),
            tag::I64 => of_integer(hash, i64::from_le_bytes(self.array()?).into()),
            tag::I128 => of_integer(hash, i128::from_le_bytes(self.array()?)),
            tag::U128 => wide(kind(Kind::Unsigned), u128::from_le_bytes(self.array()?)),
            tag::F32 => mix(kind(Kind::F32), u32::from_le_bytes(self.array()?).into()),
            tag::F64 => mix(kind(Kind::F64), u64::from_le_bytes(self.array()?)),
            tag::CHAR => mix(kind(Kind::Char), u32::from_le_bytes(self.array()?).into()),
            tag::TEXT => {
                let text = std::str::from_utf8(self.bytes()?).ok()?;
                hash::of_bytes(text.as_bytes(), kind(Kind::Text))
            }
            tag::BYTES => hash::of_bytes(self.bytes()?, kind(Kind::Bytes)),
            tag::NONE => kind(Kind::None),
            _ if depth >= MAX_DEPTH => return None,
            tag::SOME => self.nested(kind(Kind::Some), depth + 1)?,
            tag::LIST => self.list(kind(Kind::List), 1, depth + 1)?,
            tag::TUPLE => self.list(kind(Kind::Tuple), 1, depth + 1)?,
            tag::STRUCT => {
                let values = self.list(kind(Kind::Struct), 1, depth + 1)?;
                mix(values, self.shape()?)
            }
            tag::MAP => self.list(kind(Kind::Map), 2, depth + 1)?,
            tag::VARIANT => {
                let value = self.nested(kind(Kind::Variant), depth + 1)?;
                mix(value, self.shape()?)
            }
            _ => return None,
        })
    }

    /// So many values for each that is counted.
    fn list(&mut self, hash: u64, each: usize, depth: usize) -> Option<u64> {
        let count = self.count()?;
        let mut hash = mix(hash, count as u64);
        for _ in 0..count * each {
            hash = self.nested(hash, depth)?;
        }
        Some(hash)
    }

    fn shape(&mut self) -> Option<u64> {
        let number = u32::try_from(self.number()?).ok()?;
        Some(self.names.get(&number).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::codec, super::identity::of_value, *};
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Unit),
            Just(Value::None),
            any::<bool>().prop_map(|truth| if truth { Value::True } else { Value::False }),
            any::<i64>().prop_map(|integer| Value::of_integer(integer.into())),
            any::<i8>().prop_map(|integer| Value::I128(i128::from(integer).to_le_bytes())),
            any::<i128>().prop_map(Value::of_integer),
            any::<[u8; 16]>().prop_map(Value::U128),
            any::<[u8; 4]>().prop_map(Value::F32),
            any::<[u8; 8]>().prop_map(Value::F64),
            any::<[u8; 4]>().prop_map(Value::Char),
            ".{0,9}".prop_map(Value::Text),
            prop::collection::vec(any::<u8>(), 0..9).prop_map(Value::Bytes),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..6);
            prop_oneof![
                inner.clone().prop_map(|value| Value::Some(Box::new(value))),
                inner.clone().prop_map(|value| Value::Variant(Box::new(value), Default::default())),
                list.clone().prop_map(Value::List),
                list.clone().prop_map(Value::Tuple),
                list.prop_map(|values| Value::Struct(values, Default::default())),
                prop::collection::vec((inner.clone(), inner), 0..4).prop_map(Value::Map),
            ]
        })
    }

    fn skimmed(bytes: &[u8], names: &HashMap<u32, u64>) -> Option<u64> {
        let mut skim = Skim::new(bytes, names);
        skim.value(7).filter(|_| skim.left() == 0)
    }

    proptest! {
        #[test]
        fn a_value_that_is_passed_over_has_the_identity_of_the_decoded_one(value in value()) {
            prop_assert_eq!(skimmed(&codec::encode(&value), &HashMap::new()), Some(of_value(7, &value)));
        }

        #[test]
        fn what_cannot_be_decoded_is_not_passed_over(value in value(), at: prop::sample::Index, byte: u8) {
            let mut bytes = codec::encode(&value);
            *at.get_mut(&mut bytes) = byte;
            if let Some(hash) = skimmed(&bytes, &HashMap::new()) {
                prop_assert_eq!(codec::decode::<Value>(&bytes).map(|value| of_value(7, &value)), Some(hash));
            }
        }
    }

    #[test]
    fn nothing_is_passed_over_that_nests_too_deeply() {
        for depth in [MAX_DEPTH, MAX_DEPTH + 1] {
            let value = (0..depth).fold(Value::Unit, |value, _| Value::Some(Box::new(value)));
            let bytes = codec::encode(&value);
            assert_eq!(skimmed(&bytes, &HashMap::new()).is_some(), codec::decode::<Value>(&bytes).is_some());
        }
    }
}
