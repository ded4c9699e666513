//! The one place that names bincode: how records become bytes and bytes become records.
//!
//! The encoding is bincode 2's standard configuration, which is documented and small enough to be written by another
//! crate: little-endian; an integer below 251 is one byte, above it a byte 251, 252, 253 or 254 and then 2, 4, 8 or
//! 16 bytes; signed ones are zigzagged first; single bytes and arrays stand as they are; lists and text begin with
//! their length; an enum begins with the number of its variant; structs are their fields.

use serde::{Serialize, de::DeserializeOwned};

/// Integers below this take one byte.
pub(crate) const FIRST_LONG: u8 = 251;

/// No record is longer than this; a claim to be is damage.
pub(crate) const MAX_RECORD: usize = 16 << 20;

/// The bytes of a record.
pub(crate) fn encode<T: Serialize>(record: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(record, bincode::config::standard()).expect("records have no type bincode refuses")
}

/// Takes one record from the front of `bytes`, without ever allocating more than they can hold.
pub(crate) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    // No value takes more than some dozens of bytes for one in the log. bincode's limits are types, hence the steps.
    let (record, taken) = match bytes.len() {
        ..0x400 => limited::<T, 0x1_0000>(bytes),
        0x400..0x4000 => limited::<T, 0x10_0000>(bytes),
        0x4000..0x4_0000 => limited::<T, 0x100_0000>(bytes),
        _ => limited::<T, { 64 * MAX_RECORD }>(bytes),
    }?;
    *bytes = &bytes[taken..];
    Some(record)
}

fn limited<T: DeserializeOwned, const LIMIT: usize>(bytes: &[u8]) -> Option<(T, usize)> {
    bincode::serde::decode_from_slice(bytes, bincode::config::standard().with_limit::<LIMIT>()).ok()
}

/// The record that all of `bytes` is.
pub(crate) fn decode<T: DeserializeOwned>(mut bytes: &[u8]) -> Option<T> {
    let record = take(&mut bytes)?;
    bytes.is_empty().then_some(record)
}

/// Appends an unsigned integer.
#[unsafe(export_name = "__sanitizer_bugornot_codec_push_varint")]
pub(crate) fn push_varint(bytes: &mut Vec<u8>, value: u64) {
    match value {
        0..251 => bytes.push(value as u8),
        251..=0xffff => {
            bytes.push(FIRST_LONG);
            bytes.extend_from_slice(&(value as u16).to_le_bytes());
        }
        0x1_0000..=0xffff_ffff => {
            bytes.push(FIRST_LONG + 1);
            bytes.extend_from_slice(&(value as u32).to_le_bytes());
        }
        _ => {
            bytes.push(FIRST_LONG + 2);
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// How many bytes [`push_varint`] appends.
pub(crate) fn varint_length(value: u64) -> usize {
    match value {
        0..251 => 1,
        251..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

/// Appends bytes with their length.
#[unsafe(export_name = "__sanitizer_bugornot_codec_push_bytes")]
pub(crate) fn push_bytes(bytes: &mut Vec<u8>, value: &[u8]) {
    push_varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn varint(value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_varint(&mut bytes, value);
        bytes
    }

    #[test]
    fn a_varint_is_written_as_bincode_writes_it_on_both_sides_of_every_boundary() {
        const BOUNDARIES: [u64; 9] = [0, 1, 250, 251, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, u64::MAX];
        for value in BOUNDARIES {
            assert_eq!(varint(value), encode(&value), "{value}");
            assert_eq!(varint_length(value), varint(value).len(), "{value}");
        }
        assert_eq!(BOUNDARIES.map(|value| varint(value).len()), [1, 1, 1, 3, 3, 5, 5, 9, 9]);
    }

    #[test]
    fn what_is_cut_off_or_goes_on_is_no_record() {
        let whole = encode(&("name".to_owned(), 70_000u32));
        for length in 0..whole.len() {
            assert_eq!(decode::<(String, u32)>(&whole[..length]), None, "{length}");
        }
        assert_eq!(decode::<(String, u32)>(&[&whole[..], &[0]].concat()), None);
        assert_eq!(decode(&whole), Some(("name".to_owned(), 70_000u32)));
    }

    proptest! {
        #[test]
        fn any_varint_and_any_bytes_are_written_as_bincode_writes_them(value: u64, bytes: Vec<u8>) {
            prop_assert_eq!(varint(value), encode(&value));
            prop_assert_eq!(varint_length(value), encode(&value).len());
            let mut pushed = Vec::new();
            push_bytes(&mut pushed, &bytes);
            prop_assert_eq!(pushed, encode(&bytes));
        }

        #[test]
        fn records_one_after_the_other_are_taken_one_after_the_other(records: Vec<(u64, String)>, rest: Vec<u8>) {
            let mut bytes: Vec<u8> = records.iter().flat_map(encode).collect();
            bytes.extend_from_slice(&rest);
            let mut left = &bytes[..];
            for record in &records {
                prop_assert_eq!(take::<(u64, String)>(&mut left), Some(record.clone()));
            }
            prop_assert_eq!(left, &rest[..]);
        }
    }
}
