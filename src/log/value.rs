//! Decoded inputs and outputs as the log keeps them: free of the user's types, with the names serde gives.
//!
//! [`Value`] is what a reader gets. While fuzzing, no `Value` is built: [`Encoder`] writes what bincode would write
//! for it straight from the user's `Serialize`.

use super::codec;
use serde::{Deserialize, Deserializer, Serialize, ser};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

/// How deeply values may nest in a log; deeper ones are refused, so that no log can exhaust the stack.
pub const MAX_DEPTH: usize = 64;

/// A logged value. Integers are kept in the fewest bytes that hold them; compare them with [`Value::integer`].
///
/// The order of the variants is the log format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `()`, a unit struct, or something that could not be serialised.
    Unit,
    /// `false`
    False,
    /// `true`
    True,
    /// An integer of one byte.
    I8(i8),
    /// An integer of two bytes, little-endian like those that follow.
    I16([u8; 2]),
    /// An integer of four bytes.
    I32([u8; 4]),
    /// An integer of eight bytes.
    I64([u8; 8]),
    /// An integer of sixteen bytes.
    I128([u8; 16]),
    /// An unsigned integer beyond `i128`.
    U128([u8; 16]),
    /// An `f32`.
    F32([u8; 4]),
    /// An `f64`.
    F64([u8; 8]),
    /// A character, by its number.
    Char([u8; 4]),
    /// Text.
    Text(String),
    /// Raw bytes.
    Bytes(Vec<u8>),
    /// `None`
    None,
    /// `Some(..)`
    Some(#[serde(deserialize_with = "nested")] Box<Value>),
    /// A list, a set, an array.
    List(#[serde(deserialize_with = "nested_list")] Vec<Value>),
    /// A tuple or tuple struct.
    Tuple(#[serde(deserialize_with = "nested_list")] Vec<Value>),
    /// A struct: its fields, and their names.
    Struct(#[serde(deserialize_with = "nested_list")] Vec<Value>, Names),
    /// A map, in the order it was serialised.
    Map(#[serde(deserialize_with = "nested_list")] Vec<(Value, Value)>),
    /// An enum's variant: its content, and its name as the only one.
    Variant(#[serde(deserialize_with = "nested")] Box<Value>, Names),
}

/// Names that a value refers to: in the log a number, explained by a [`Shape`](super::Shape) in the same block.
#[derive(Clone, Default)]
pub struct Names {
    number: u32,
    names: Arc<[String]>,
}

impl Names {
    /// The names; none if their shape was damaged.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names.fmt(f)
    }
}

/// Equal names are equal, whatever number a segment gave them.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Serialize for Names {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let names = KNOWN.with(|known| known.borrow().get(&number).cloned()).unwrap_or_default();
        Ok(Self { number, names })
    }
}

/// Shapes by their numbers, as a block explains them.
pub(crate) type KnownShapes = HashMap<u32, Arc<[String]>>;

/// Decodes with these shapes at hand: serde has no other way to hand something down.
pub(crate) fn with_shapes<T>(shapes: &mut KnownShapes, decode: impl FnOnce() -> T) -> T {
    let swap = |shapes: &mut KnownShapes| KNOWN.with(|known| std::mem::swap(&mut *known.borrow_mut(), shapes));
    swap(shapes);
    let result = decode();
    swap(shapes);
    result
}

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static KNOWN: RefCell<KnownShapes> = RefCell::new(KnownShapes::new());
}

/// Deserialises what stands inside another value, down to [`MAX_DEPTH`].
fn nested<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let depth = DEPTH.get();
    if depth >= MAX_DEPTH {
        return Err(serde::de::Error::custom("nested too deeply"));
    }
    DEPTH.set(depth + 1);
    let result = T::deserialize(deserializer);
    DEPTH.set(depth);
    result
}

/// A list of [`nested`] values; room is made for what comes, not for what is claimed.
fn nested_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Items<T>(Vec<T>);
    impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Items<T> {
        type Value = Self;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
            while let Some(item) = items.next_element()? {
                self.0.push(item);
            }
            Ok(self)
        }
    }
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Items<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_seq(Items(Vec::new()))
        }
    }
    nested(deserializer).map(|Items(items)| items)
}

impl Value {
    /// The value as an integer, if it is one that an `i128` holds.
    pub fn integer(&self) -> Option<i128> {
        Some(match *self {
            Self::I8(value) => value.into(),
            Self::I16(bytes) => i16::from_le_bytes(bytes).into(),
            Self::I32(bytes) => i32::from_le_bytes(bytes).into(),
            Self::I64(bytes) => i64::from_le_bytes(bytes).into(),
            Self::I128(bytes) => i128::from_le_bytes(bytes),
            _ => return None,
        })
    }

    /// The value as a float, if it is one.
    pub fn float(&self) -> Option<f64> {
        match *self {
            Self::F32(bytes) => Some(f32::from_le_bytes(bytes).into()),
            Self::F64(bytes) => Some(f64::from_le_bytes(bytes)),
            _ => None,
        }
    }

    /// The value as a truth, if it is one.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::True => Some(true),
            Self::False => Some(false),
            _ => None,
        }
    }
}

/// One line that a terminal can show: text is quoted, control characters are escaped.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, open: &str, values: &[Value], close: &str| {
            f.write_str(open)?;
            for (position, value) in values.iter().enumerate() {
                if position > 0 {
                    f.write_str(", ")?;
                }
                value.fmt(f)?;
            }
            f.write_str(close)
        };
        match self {
            Self::Unit => f.write_str("()"),
            Self::False => f.write_str("false"),
            Self::True => f.write_str("true"),
            Self::U128(bytes) => write!(f, "{}", u128::from_le_bytes(*bytes)),
            Self::F32(bytes) => write!(f, "{:?}", f32::from_le_bytes(*bytes)),
            Self::F64(bytes) => write!(f, "{:?}", f64::from_le_bytes(*bytes)),
            Self::Char(bytes) => {
                write!(f, "{:?}", char::from_u32(u32::from_le_bytes(*bytes)).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
            Self::None => f.write_str("None"),
            Self::Some(value) => write!(f, "Some({value})"),
            Self::List(values) => list(f, "[", values, "]"),
            Self::Tuple(values) => list(f, "(", values, ")"),
            Self::Struct(values, names) => {
                f.write_str("{")?;
                for (position, value) in values.iter().enumerate() {
                    let name = names.names().get(position).map_or("?", String::as_str);
                    write!(f, "{}{}: {value}", if position > 0 { ", " } else { "" }, name.escape_debug())?;
                }
                f.write_str("}")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (position, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if position > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
            Self::Variant(value, names) => {
                write!(f, "{}", names.names().first().map_or("?", String::as_str).escape_debug())?;
                match &**value {
                    Self::Unit => Ok(()),
                    Self::Tuple(_) | Self::Struct(..) => value.fmt(f),
                    single => write!(f, "({single})"),
                }
            }
            _ => write!(f, "{}", self.integer().unwrap_or_default()),
        }
    }
}

/// The tags of [`Value`]'s variants in the log; a test holds them against bincode.
pub(super) mod tag {
    pub(in crate::log) const UNIT: u8 = 0;
    pub(in crate::log) const FALSE: u8 = 1;
    pub(in crate::log) const TRUE: u8 = 2;
    pub(in crate::log) const I8: u8 = 3;
    pub(in crate::log) const I16: u8 = 4;
    pub(in crate::log) const I32: u8 = 5;
    pub(in crate::log) const I64: u8 = 6;
    pub(in crate::log) const I128: u8 = 7;
    pub(in crate::log) const U128: u8 = 8;
    pub(in crate::log) const F32: u8 = 9;
    pub(in crate::log) const F64: u8 = 10;
    pub(in crate::log) const CHAR: u8 = 11;
    pub(in crate::log) const TEXT: u8 = 12;
    pub(in crate::log) const BYTES: u8 = 13;
    pub(in crate::log) const NONE: u8 = 14;
    pub(in crate::log) const SOME: u8 = 15;
    pub(in crate::log) const LIST: u8 = 16;
    pub(in crate::log) const TUPLE: u8 = 17;
    pub(in crate::log) const STRUCT: u8 = 18;
    pub(in crate::log) const MAP: u8 = 19;
    pub(in crate::log) const VARIANT: u8 = 20;
}

/// Lists of names met so far, numbered in the order they were met: a struct's fields, an enum's variant.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    known: Vec<Vec<&'static str>>,
}

impl Shapes {
    fn number(&mut self, names: &[&'static str]) -> u32 {
        let position = self.known.iter().position(|known| known == names).unwrap_or_else(|| {
            self.known.push(names.to_vec());
            self.known.len() - 1
        });
        position as u32
    }

    /// The names with this number.
    pub(crate) fn names(&self, number: u32) -> &[&'static str] {
        &self.known[number as usize]
    }
}

/// Writes values the way bincode writes [`Value`].
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    /// What was written.
    pub(crate) bytes: Vec<u8>,
    /// The numbers of the shapes that `bytes` mentions, without repeats.
    pub(crate) shapes_used: Vec<u32>,
    /// All shapes met by this encoder.
    pub(crate) shapes: Shapes,
    /// The names of the structs being written, innermost last.
    names: Vec<&'static str>,
    depth: usize,
}

/// A value whose type is forgotten.
pub(crate) trait Encode {
    /// Appends the value.
    fn encode(&self, encoder: &mut Encoder);
}

impl<T: Serialize> Encode for T {
    fn encode(&self, encoder: &mut Encoder) {
        let start = encoder.bytes.len();
        // A user's `Serialize` may panic; the rest of the row is still worth having.
        let written = catch_unwind(AssertUnwindSafe(|| self.serialize(&mut *encoder)));
        if !matches!(written, Ok(Ok(()))) {
            encoder.bytes.truncate(start);
            encoder.bytes.push(tag::UNIT);
            encoder.names.clear();
            encoder.depth = 0;
        }
    }
}

/// Encodes and decodes at once; for the few values that are not logged while fuzzing.
pub(crate) fn to_value(value: &dyn Encode) -> Value {
    let mut encoder = Encoder::default();
    value.encode(&mut encoder);
    codec::decode(&encoder.bytes).unwrap_or(Value::Unit)
}

impl Encoder {
    /// Forgets what was written, keeps the shapes and the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.shapes_used.clear();
        self.names.clear();
        self.depth = 0;
    }

    /// Appends a value to other bytes; only its shapes are noted here.
    pub(crate) fn append_to(&mut self, bytes: &mut Vec<u8>, value: &dyn Encode) {
        let start = self.bytes.len();
        value.encode(self);
        bytes.extend_from_slice(&self.bytes[start..]);
        self.bytes.truncate(start);
    }

    /// Appends a boolean.
    pub(crate) fn truth(&mut self, value: bool) {
        self.bytes.push(if value { tag::TRUE } else { tag::FALSE });
    }

    /// Appends a value that stands for nothing.
    pub(crate) fn unit(&mut self) {
        self.bytes.push(tag::UNIT);
    }

    /// Appends the parts of an input side by side and returns how many, with the shape that names them.
    pub(crate) fn fields(&mut self, input: &dyn Encode, given: &[&'static str]) -> (usize, u32) {
        let start = self.bytes.len();
        input.encode(self);
        let tag = self.bytes[start];
        let count = self.bytes.get(start + 1).map_or(0, |&count| usize::from(count));
        let is_short = count < usize::from(codec::FIRST_LONG);
        if tag == tag::STRUCT && is_short {
            let names = self.shapes_used.last().copied().unwrap_or_default();
            self.bytes.truncate(self.bytes.len() - codec::varint_length(u64::from(names)));
            self.bytes.drain(start..start + 2);
            (count, names)
        } else if tag == tag::TUPLE && is_short {
            self.bytes.drain(start..start + 2);
            (count, self.positions(count, given))
        } else {
            (1, self.shape(if given.len() == 1 { given } else { &["input"] }))
        }
    }

    /// The shape of a tuple: the names the user gave where they fit, else the positions.
    fn positions(&mut self, count: usize, given: &[&'static str]) -> u32 {
        static POSITIONS: OnceLock<Vec<&'static str>> = OnceLock::new();
        if given.len() == count {
            return self.shape(given);
        }
        let longest = 0..usize::from(codec::FIRST_LONG);
        let names = POSITIONS.get_or_init(|| longest.map(|position| &*position.to_string().leak()).collect());
        self.shape(&names[..count])
    }

    /// The number of a shape, noted as used; the last one noted is the outermost.
    pub(crate) fn shape(&mut self, names: &[&'static str]) -> u32 {
        let number = self.shapes.number(names);
        self.note(number);
        number
    }

    fn note(&mut self, number: u32) {
        self.shapes_used.retain(|&used| used != number);
        self.shapes_used.push(number);
    }

    fn integer(&mut self, value: i128) {
        let bytes = value.to_le_bytes();
        let (tag, width) = match value {
            -0x80..=0x7f => (tag::I8, 1),
            -0x8000..=0x7fff => (tag::I16, 2),
            -0x8000_0000..=0x7fff_ffff => (tag::I32, 4),
            -0x8000_0000_0000_0000..=0x7fff_ffff_ffff_ffff => (tag::I64, 8),
            _ => (tag::I128, 16),
        };
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&bytes[..width]);
    }

    fn small_integer(&mut self, value: i64) {
        let bytes = value.to_le_bytes();
        let (tag, width) = if i64::from(value as i8) == value {
            (tag::I8, 1)
        } else if i64::from(value as i16) == value {
            (tag::I16, 2)
        } else if i64::from(value as i32) == value {
            (tag::I32, 4)
        } else {
            (tag::I64, 8)
        };
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&bytes[..width]);
    }

    fn open(&mut self, tag: u8) -> Result<Parts<'_>, Refused> {
        if self.depth >= MAX_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.bytes.push(tag);
        let start = self.bytes.len();
        self.bytes.push(0);
        let first_name = self.names.len();
        Ok(Parts { encoder: self, start, count: 0, first_name, variant: None })
    }
}

/// The value cannot be serialised, or nests too deeply: it is logged as [`Value::Unit`].
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
    variant: Option<&'static str>,
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.count += 1;
        value.serialize(&mut *self.encoder)
    }

    /// Puts the number of parts before them, and the names behind.
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
            let number = encoder.shape(&[variant]);
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
        self.bytes.push(tag::TEXT);
        codec::push_varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend_from_slice(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Refused> {
        self.bytes.push(tag::BYTES);
        codec::push_varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Refused> {
        self.bytes.push(tag::NONE);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        if self.depth >= MAX_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.bytes.push(tag::SOME);
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
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        if self.depth >= MAX_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.bytes.push(tag::VARIANT);
        value.serialize(&mut *self)?;
        self.depth -= 1;
        let number = self.shape(&[variant]);
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
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'encoder>, Refused> {
        self.depth += 1;
        self.bytes.push(tag::VARIANT);
        Ok(Parts { variant: Some(variant), ..self.open(tag::TUPLE)? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::MAP)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'encoder>, Refused> {
        self.open(tag::STRUCT)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'encoder>, Refused> {
        self.depth += 1;
        self.bytes.push(tag::VARIANT);
        Ok(Parts { variant: Some(variant), ..self.open(tag::STRUCT)? })
    }
}

impl ser::SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.part(value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(false)
    }
}

impl ser::SerializeTuple for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.part(value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(false)
    }
}

impl ser::SerializeTupleStruct for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        ser::SerializeTuple::serialize_element(self, value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(false)
    }
}

impl ser::SerializeTupleVariant for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        ser::SerializeTuple::serialize_element(self, value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(false)
    }
}

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        self.part(key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(&mut *self.encoder)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(false)
    }
}

impl ser::SerializeStruct for Parts<'_> {
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

impl ser::SerializeStructVariant for Parts<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Refused> {
        ser::SerializeStruct::serialize_field(self, name, value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection, option, prelude::*};
    use serde::ser::{
        SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleVariant,
        Serializer,
    };

    /// Names as serde gives them; more than one struct may have the same.
    const NAMES: [&str; 4] = ["a", "b", "limit", "ключ"];

    /// Anything a user's `Serialize` can do.
    #[derive(Clone, Debug)]
    enum Model {
        Unit,
        Truth(bool),
        Signed(i128),
        Unsigned(u128),
        Single(u32),
        Double(u64),
        Char(char),
        Text(String),
        Bytes(Vec<u8>),
        Option(Option<Box<Model>>),
        List(Vec<Model>),
        Tuple(Vec<Model>),
        Struct(Vec<(usize, Model)>),
        Map(Vec<(Model, Model)>),
        UnitVariant(usize),
        NewtypeVariant(usize, Box<Model>),
        TupleVariant(usize, Vec<Model>),
        StructVariant(usize, Vec<(usize, Model)>),
    }

    impl Serialize for Model {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Self::Unit => serializer.serialize_unit(),
                Self::Truth(value) => serializer.serialize_bool(*value),
                Self::Signed(value) => match i64::try_from(*value) {
                    Ok(value) => serializer.serialize_i64(value),
                    Err(_) => serializer.serialize_i128(*value),
                },
                Self::Unsigned(value) => match u64::try_from(*value) {
                    Ok(value) => serializer.serialize_u64(value),
                    Err(_) => serializer.serialize_u128(*value),
                },
                Self::Single(bits) => serializer.serialize_f32(f32::from_bits(*bits)),
                Self::Double(bits) => serializer.serialize_f64(f64::from_bits(*bits)),
                Self::Char(value) => serializer.serialize_char(*value),
                Self::Text(value) => serializer.serialize_str(value),
                Self::Bytes(value) => serializer.serialize_bytes(value),
                Self::Option(None) => serializer.serialize_none(),
                Self::Option(Some(value)) => serializer.serialize_some(value),
                Self::List(values) => {
                    let mut parts = serializer.serialize_seq(None)?;
                    values.iter().try_for_each(|value| parts.serialize_element(value))?;
                    parts.end()
                }
                Self::Tuple(values) => {
                    let mut parts = serializer.serialize_tuple(values.len())?;
                    values.iter().try_for_each(|value| parts.serialize_element(value))?;
                    parts.end()
                }
                Self::Struct(fields) => {
                    let mut parts = serializer.serialize_struct("Struct", fields.len())?;
                    fields.iter().try_for_each(|(name, value)| parts.serialize_field(NAMES[*name], value))?;
                    parts.end()
                }
                Self::Map(entries) => {
                    let mut parts = serializer.serialize_map(None)?;
                    entries.iter().try_for_each(|(key, value)| parts.serialize_entry(key, value))?;
                    parts.end()
                }
                Self::UnitVariant(name) => serializer.serialize_unit_variant("Enum", 0, NAMES[*name]),
                Self::NewtypeVariant(name, value) => {
                    serializer.serialize_newtype_variant("Enum", 0, NAMES[*name], value)
                }
                Self::TupleVariant(name, values) => {
                    let mut parts = serializer.serialize_tuple_variant("Enum", 0, NAMES[*name], values.len())?;
                    values.iter().try_for_each(|value| SerializeTupleVariant::serialize_field(&mut parts, value))?;
                    parts.end()
                }
                Self::StructVariant(name, fields) => {
                    let mut parts = serializer.serialize_struct_variant("Enum", 0, NAMES[*name], fields.len())?;
                    fields.iter().try_for_each(|(name, value)| {
                        SerializeStructVariant::serialize_field(&mut parts, NAMES[*name], value)
                    })?;
                    parts.end()
                }
            }
        }
    }

    fn model() -> impl Strategy<Value = Model> {
        let leaf = prop_oneof![
            Just(Model::Unit),
            any::<bool>().prop_map(Model::Truth),
            (any::<i128>(), 0..128u32).prop_map(|(value, shift)| Model::Signed(value >> shift)),
            (any::<u128>(), 0..128u32).prop_map(|(value, shift)| Model::Unsigned(value >> shift)),
            any::<u32>().prop_map(Model::Single),
            any::<u64>().prop_map(Model::Double),
            any::<char>().prop_map(Model::Char),
            any::<String>().prop_map(Model::Text),
            collection::vec(any::<u8>(), 0..300).prop_map(Model::Bytes),
            (0..NAMES.len()).prop_map(Model::UnitVariant),
        ];
        leaf.prop_recursive(5, 300, 8, |inner| {
            let several = || collection::vec(inner.clone(), 0..6);
            let fields = || collection::vec((0..NAMES.len(), inner.clone()), 0..6);
            prop_oneof![
                option::of(inner.clone().prop_map(Box::new)).prop_map(Model::Option),
                several().prop_map(Model::List),
                // More parts than fit the one byte that is put down for their number.
                (inner.clone(), 250..254usize).prop_map(|(value, count)| Model::List(vec![value; count])),
                several().prop_map(Model::Tuple),
                fields().prop_map(Model::Struct),
                collection::vec((inner.clone(), inner.clone()), 0..6).prop_map(Model::Map),
                (0..NAMES.len(), inner.clone()).prop_map(|(name, value)| Model::NewtypeVariant(name, value.into())),
                (0..NAMES.len(), several()).prop_map(|(name, values)| Model::TupleVariant(name, values)),
                (0..NAMES.len(), fields()).prop_map(|(name, fields)| Model::StructVariant(name, fields)),
            ]
        })
    }

    /// What the encoder's bytes stand for.
    fn decoded(encoder: &Encoder) -> Value {
        let named = |(number, names): (u32, &Vec<&str>)| (number, names.iter().map(|&name| name.to_owned()).collect());
        let mut shapes: KnownShapes = (0..).zip(&encoder.shapes.known).map(named).collect();
        with_shapes(&mut shapes, || codec::decode(&encoder.bytes)).expect("what was encoded decodes")
    }

    /// Whether `value` is what `model` said, names included.
    fn says(value: &Value, model: &Model) -> bool {
        let all = |values: &[Value], models: &[Model]| {
            values.len() == models.len() && values.iter().zip(models).all(|(value, model)| says(value, model))
        };
        let fields = |values: &[Value], names: &Names, models: &[(usize, Model)]| {
            let (said, models): (Vec<&str>, Vec<Model>) =
                models.iter().map(|(name, model)| (NAMES[*name], model.clone())).unzip();
            names.names() == said && all(values, &models)
        };
        match (value, model) {
            (Value::Unit, Model::Unit) | (Value::None, Model::Option(None)) => true,
            (Value::True | Value::False, Model::Truth(truth)) => value.truth() == Some(*truth),
            (_, Model::Signed(integer)) => value.integer() == Some(*integer),
            (Value::U128(bytes), Model::Unsigned(integer)) => u128::from_le_bytes(*bytes) == *integer,
            (_, Model::Unsigned(integer)) => value.integer().and_then(|value| value.try_into().ok()) == Some(*integer),
            (Value::F32(bytes), Model::Single(bits)) => u32::from_le_bytes(*bytes) == *bits,
            (Value::F64(bytes), Model::Double(bits)) => u64::from_le_bytes(*bytes) == *bits,
            (Value::Char(bytes), Model::Char(letter)) => u32::from_le_bytes(*bytes) == u32::from(*letter),
            (Value::Text(text), Model::Text(said)) => text == said,
            (Value::Bytes(bytes), Model::Bytes(said)) => bytes == said,
            (Value::Some(value), Model::Option(Some(model))) => says(value, model),
            (Value::List(values), Model::List(models)) | (Value::Tuple(values), Model::Tuple(models)) => {
                all(values, models)
            }
            (Value::Struct(values, names), Model::Struct(models)) => fields(values, names, models),
            (Value::Map(entries), Model::Map(models)) => {
                let (keys, values): (Vec<_>, Vec<_>) = entries.iter().cloned().unzip();
                let (key_models, value_models): (Vec<_>, Vec<_>) = models.iter().cloned().unzip();
                all(&keys, &key_models) && all(&values, &value_models)
            }
            (Value::Variant(content, names), variant) => {
                let (name, is_content) = match (&**content, variant) {
                    (Value::Unit, Model::UnitVariant(name)) => (name, true),
                    (value, Model::NewtypeVariant(name, model)) => (name, says(value, model)),
                    (Value::Tuple(values), Model::TupleVariant(name, models)) => (name, all(values, models)),
                    (Value::Struct(values, inner), Model::StructVariant(name, models)) => {
                        (name, fields(values, inner, models))
                    }
                    _ => return false,
                };
                is_content && names.names() == [NAMES[*name]]
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn the_encoder_writes_what_the_codec_writes_for_the_value_it_stands_for(models in collection::vec(model(), 1..4)) {
            let mut encoder = Encoder::default();
            for model in &models {
                encoder.clear();
                model.encode(&mut encoder);
                let value = decoded(&encoder);
                prop_assert_eq!(&codec::encode(&value), &encoder.bytes);
                prop_assert!(says(&value, model), "{value:?} is not {model:?}");
                let mut appended = vec![7];
                encoder.append_to(&mut appended, model);
                prop_assert_eq!(&appended[1..], &encoder.bytes[..]);
            }
        }

        #[test]
        fn every_shape_that_the_bytes_mention_is_noted_once(model in model()) {
            let mut encoder = Encoder::default();
            model.encode(&mut encoder);
            let mut mentioned = Vec::new();
            mention(&decoded(&encoder), &mut mentioned);
            mentioned.sort_unstable();
            mentioned.dedup();
            encoder.shapes_used.sort_unstable();
            prop_assert_eq!(&encoder.shapes_used, &mentioned);
        }
    }

    fn mention(value: &Value, shapes: &mut Vec<u32>) {
        match value {
            Value::Some(value) => mention(value, shapes),
            Value::List(values) | Value::Tuple(values) => values.iter().for_each(|value| mention(value, shapes)),
            Value::Struct(values, names) => {
                values.iter().for_each(|value| mention(value, shapes));
                shapes.push(names.number);
            }
            Value::Map(entries) => entries.iter().for_each(|(key, value)| {
                mention(key, shapes);
                mention(value, shapes);
            }),
            Value::Variant(value, names) => {
                mention(value, shapes);
                shapes.push(names.number);
            }
            _ => {}
        }
    }

    #[test]
    fn the_tags_are_the_positions_of_the_variants() {
        let nested = || Box::new(Value::Unit);
        let tags = [
            (tag::UNIT, Value::Unit),
            (tag::FALSE, Value::False),
            (tag::TRUE, Value::True),
            (tag::I8, Value::I8(0)),
            (tag::I16, Value::I16([0; 2])),
            (tag::I32, Value::I32([0; 4])),
            (tag::I64, Value::I64([0; 8])),
            (tag::I128, Value::I128([0; 16])),
            (tag::U128, Value::U128([0; 16])),
            (tag::F32, Value::F32([0; 4])),
            (tag::F64, Value::F64([0; 8])),
            (tag::CHAR, Value::Char([0; 4])),
            (tag::TEXT, Value::Text(String::new())),
            (tag::BYTES, Value::Bytes(Vec::new())),
            (tag::NONE, Value::None),
            (tag::SOME, Value::Some(nested())),
            (tag::LIST, Value::List(Vec::new())),
            (tag::TUPLE, Value::Tuple(Vec::new())),
            (tag::STRUCT, Value::Struct(Vec::new(), Names::default())),
            (tag::MAP, Value::Map(Vec::new())),
            (tag::VARIANT, Value::Variant(nested(), Names::default())),
        ];
        for (position, (tag, value)) in tags.iter().enumerate() {
            assert_eq!(usize::from(*tag), position, "{value:?}");
            assert_eq!(codec::encode(value)[0], *tag, "{value:?}");
        }
    }

    #[test]
    fn the_deepest_value_that_is_written_can_be_read_and_the_next_is_unit() {
        let nest = |depth: usize, wrap: fn(Box<Model>) -> Model| {
            let model = (0..depth).fold(Model::Truth(true), |model, _| wrap(Box::new(model)));
            to_value(&model)
        };
        let wraps: [fn(Box<Model>) -> Model; 5] = [
            |model| Model::Option(Some(model)),
            |model| Model::List(vec![*model]),
            |model| Model::Struct(vec![(0, *model)]),
            |model| Model::Map(vec![(Model::Unit, *model)]),
            |model| Model::NewtypeVariant(0, model),
        ];
        for wrap in wraps {
            assert_ne!(nest(MAX_DEPTH, wrap), Value::Unit);
            assert_eq!(nest(MAX_DEPTH + 1, wrap), Value::Unit);
        }
        // These two nest twice in one step.
        let wraps: [fn(Box<Model>) -> Model; 2] =
            [|model| Model::TupleVariant(0, vec![*model]), |model| Model::StructVariant(0, vec![(0, *model)])];
        for wrap in wraps {
            assert_ne!(nest(MAX_DEPTH / 2, wrap), Value::Unit);
            assert_eq!(nest(MAX_DEPTH / 2 + 1, wrap), Value::Unit);
        }
    }

    #[test]
    fn bytes_that_nest_deeper_than_any_writer_nests_are_refused() {
        for (tag, behind) in [(tag::SOME, &[][..]), (tag::LIST, &[1][..]), (tag::MAP, &[1, tag::UNIT][..])] {
            let mut bytes = [&[tag][..], behind].concat().repeat(1 << 20);
            bytes.push(tag::UNIT);
            assert_eq!(codec::take::<Value>(&mut &*bytes), None);
        }
        // The refusal leaves nothing behind.
        assert_eq!(codec::decode(&[tag::SOME, tag::TRUE]), Some(Value::Some(Box::new(Value::True))));
    }

    #[test]
    fn what_cannot_be_serialised_is_unit_and_the_next_value_is_whole() {
        struct Refuses;
        impl Serialize for Refuses {
            fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(ser::Error::custom("no"))
            }
        }
        #[derive(Serialize)]
        struct Part {
            fine: u8,
            refused: Refuses,
        }
        let mut encoder = Encoder::default();
        assert_eq!(encoder.fields(&Part { fine: 1, refused: Refuses }, &[]).0, 1);
        assert_eq!(encoder.bytes, [tag::UNIT]);
        #[derive(Serialize)]
        struct Whole {
            fine: u8,
        }
        encoder.clear();
        let (count, shape) = encoder.fields(&Whole { fine: 1 }, &[]);
        assert_eq!((count, encoder.shapes.names(shape)), (1, &["fine"][..]));
    }

    #[test]
    fn a_value_is_shown_on_one_line_whatever_it_holds() {
        let shown = |model: &Model| to_value(model).to_string();
        assert_eq!(shown(&Model::Text("a\n\u{1b}[31m\0\"".into())), r#""a\n\u{1b}[31m\0\"""#);
        assert_eq!(shown(&Model::Char('\u{7}')), r"'\u{7}'");
        assert_eq!(shown(&Model::Bytes(vec![0, b'a', 0xff])), r#"b"\x00a\xff""#);
        assert_eq!(shown(&Model::Unsigned(u128::MAX)), u128::MAX.to_string());
        assert_eq!(shown(&Model::Signed(i128::MIN)), i128::MIN.to_string());
        assert_eq!(shown(&Model::Double((-0.0f64).to_bits())), "-0.0");
        let unit = || Model::Tuple(vec![Model::Unit]);
        assert_eq!(shown(&Model::Map(vec![(Model::Signed(1), Model::Option(Some(unit().into())))])), "{1: Some((()))}");
        let mut encoder = Encoder::default();
        let inner = Model::Struct(vec![(2, Model::UnitVariant(3)), (0, Model::TupleVariant(1, vec![Model::Unit]))]);
        Model::NewtypeVariant(0, inner.into()).encode(&mut encoder);
        assert_eq!(decoded(&encoder).to_string(), "a{limit: ключ, a: b(())}");
    }
}
