//! serde's side of the encoder: each kind of value, and those with parts while they are being written.

use super::Encoder;
use crate::log::{
    codec,
    value::{MAX_DEPTH, tag},
};
use serde::{Serialize, ser};
use std::fmt;

impl Encoder {
    /// Begins a value that holds others, down to [`MAX_DEPTH`].
    fn deepen(&mut self, tag: u8) -> Result<(), Refused> {
        if self.depth >= MAX_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.bytes.push(tag);
        Ok(())
    }

    fn open_variant(&mut self, tag: u8, variant: [&'static str; 2]) -> Result<Parts<'_>, Refused> {
        self.deepen(tag::VARIANT)?;
        Ok(Parts { variant: Some(variant), ..self.open(tag)? })
    }

    fn open(&mut self, tag: u8) -> Result<Parts<'_>, Refused> {
        self.deepen(tag)?;
        let start = self.bytes.len();
        self.bytes.push(0);
        let first_name = self.names.len();
        Ok(Parts { encoder: self, start, count: 0, first_name, variant: None, entries: Vec::new() })
    }
}

/// The value cannot be serialised, or nests too deeply: it is logged as [`Value::Unit`](crate::log::Value),
/// and an input as the bytes it was made from.
#[derive(Debug)]
pub(crate) struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be logged")
    }
}
impl std::error::Error for Refused {}
impl ser::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A value with parts, while they are being written.
pub(crate) struct Parts<'encoder> {
    encoder: &'encoder mut Encoder,
    start: usize,
    count: u64,
    first_name: usize,
    /// A variant's name, and its enum's.
    variant: Option<[&'static str; 2]>,
    /// Where the entries of a map begin, if they are sorted.
    entries: Vec<usize>,
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.count += 1;
        value.serialize(&mut *self.encoder)
    }

    /// Writes the entries of a map in the order of their bytes, if that is wanted.
    fn sort_entries(&mut self) {
        let Some(&first) = self.entries.first() else { return };
        let bytes = &mut self.encoder.bytes;
        let ends = self.entries[1..].iter().copied().chain([bytes.len()]);
        let mut entries: Vec<Vec<u8>> =
            self.entries.iter().zip(ends).map(|(&start, end)| bytes[start..end].to_vec()).collect();
        entries.sort_unstable();
        bytes.truncate(first);
        entries.iter().for_each(|entry| bytes.extend_from_slice(entry));
    }

    /// Puts the number of parts before them, and the names behind.
    #[unsafe(export_name = "__sanitizer_bugornot_encode_close")]
    fn close(self, named: bool) -> Result<(), Refused> {
        let encoder = self.encoder;
        encoder.depth -= 1;
        if self.count < u64::from(codec::FIRST_LONG) {
            encoder.bytes[self.start] = self.count as u8;
        } else {
            let mut length = Vec::new();
            codec::push_varint(&mut length, self.count);
            encoder.bytes.splice(self.start..=self.start, length);
        }
        if named {
            let number = encoder.shapes.number(&encoder.names[self.first_name..]);
            encoder.names.truncate(self.first_name);
            encoder.note(number);
            codec::push_varint(&mut encoder.bytes, u64::from(number));
        }
        if let Some(variant) = self.variant {
            encoder.depth -= 1;
            let number = encoder.shape(&variant);
            codec::push_varint(&mut encoder.bytes, u64::from(number));
        }
        Ok(())
    }
}

macro_rules! integers {
    ($($method:ident($integer:ty) via $write:ident as $as:ty),* $(,)?) => {$(
        fn $method(self, value: $integer) -> Result<(), Refused> {
            self.$write(<$as>::from(value));
            Ok(())
        }
    )*};
}

impl<'encoder> ser::Serializer for &'encoder mut Encoder {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Parts<'encoder>;
    type SerializeTuple = Parts<'encoder>;
    type SerializeTupleStruct = Parts<'encoder>;
    type SerializeTupleVariant = Parts<'encoder>;
    type SerializeMap = Parts<'encoder>;
    type SerializeStruct = Parts<'encoder>;
    type SerializeStructVariant = Parts<'encoder>;

    integers! {
        serialize_i8(i8) via small_integer as i64, serialize_u8(u8) via small_integer as i64,
        serialize_i16(i16) via small_integer as i64, serialize_u16(u16) via small_integer as i64,
        serialize_i32(i32) via small_integer as i64, serialize_u32(u32) via small_integer as i64,
        serialize_i64(i64) via small_integer as i64, serialize_u64(u64) via integer as i128,
        serialize_i128(i128) via integer as i128,
    }

    fn serialize_u128(self, value: u128) -> Result<(), Refused> {
        if let Ok(value) = i128::try_from(value) {
            self.integer(value);
        } else {
            self.bytes.push(tag::U128);
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.truth(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Refused> {
        self.bytes.push(tag::F32);
        self.bytes.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Refused> {
        self.bytes.push(tag::F64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.bytes.push(tag::CHAR);
        self.bytes.extend_from_slice(&u32::from(value).to_le_bytes());
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Refused> {
        self.tagged(tag::TEXT, value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Refused> {
        self.tagged(tag::BYTES, value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Refused> {
        self.bytes.push(tag::NONE);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        self.deepen(tag::SOME)?;
        value.serialize(&mut *self)?;
        self.depth -= 1;
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Refused> {
        self.unit();
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Refused> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<(), Refused> {
        self.serialize_newtype_variant(name, index, variant, &())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        self.deepen(tag::VARIANT)?;
        value.serialize(&mut *self)?;
        self.depth -= 1;
        let number = self.shape(&[variant, name]);
        codec::push_varint(&mut self.bytes, u64::from(number));
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::LIST)
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::TUPLE)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::TUPLE)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'encoder>, Refused> {
        self.open_variant(tag::TUPLE, [variant, name])
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::MAP)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::STRUCT)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'encoder>, Refused> {
        self.open_variant(tag::STRUCT, [variant, name])
    }
}

macro_rules! unnamed_parts {
    ($($part:ident::$method:ident),* $(,)?) => {$(
        impl ser::$part for Parts<'_> {
            type Ok = ();
            type Error = Refused;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                self.part(value)
            }
            fn end(self) -> Result<(), Refused> {
                self.close(false)
            }
        }
    )*};
}
unnamed_parts! {
    SerializeSeq::serialize_element, SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field, SerializeTupleVariant::serialize_field,
}

macro_rules! named_parts {
    ($($part:ident),*) => {$(
        impl ser::$part for Parts<'_> {
            type Ok = ();
            type Error = Refused;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Refused> {
                self.encoder.names.push(name);
                self.part(value)
            }
            fn end(self) -> Result<(), Refused> {
                self.close(true)
            }
        }
    )*};
}
named_parts!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        if self.encoder.sorts_maps {
            self.entries.push(self.encoder.bytes.len());
        }
        self.part(key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(&mut *self.encoder)
    }
    fn end(mut self) -> Result<(), Refused> {
        self.sort_entries();
        self.close(false)
    }
}
