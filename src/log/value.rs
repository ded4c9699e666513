//! Decoded inputs and outputs as the log keeps them: free of the user's types, with the names serde gives.
//!
//! [`Value`] is what a reader gets; while fuzzing, `encode.rs` writes without building one.

use serde::{Deserialize, Deserializer, Serialize, ser};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    fmt,
    sync::Arc,
};

/// How deeply values may nest in a log; deeper ones are refused, so that no log can exhaust the stack.
pub const MAX_DEPTH: usize = 64;

/// A logged value. Integers are kept in the fewest bytes that hold them; compare them with [`Value::integer`].
///
/// The order of the variants is the log format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `()`, a unit struct, or something that could not be serialised; an input that cannot is `Bytes`.
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
    /// An enum's variant: its content; its name and its enum's.
    Variant(#[serde(deserialize_with = "nested")] Box<Value>, Names),
}

/// Names that a value refers to: in the log a number, explained by a [`Shape`](super::Shape) in the same block.
#[derive(Clone, Default)]
pub struct Names {
    pub(super) number: u32,
    names: Arc<[String]>,
}

impl Names {
    /// Names that a segment explains under this number.
    #[cfg(feature = "cli")]
    pub(super) fn new(number: u32, names: Arc<[String]>) -> Self {
        Self { number, names }
    }

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
    /// An integer, in the fewest bytes that hold it.
    pub fn of_integer(integer: i128) -> Self {
        if let Ok(small) = i8::try_from(integer) {
            Self::I8(small)
        } else if let Ok(small) = i16::try_from(integer) {
            Self::I16(small.to_le_bytes())
        } else if let Ok(small) = i32::try_from(integer) {
            Self::I32(small.to_le_bytes())
        } else if let Ok(small) = i64::try_from(integer) {
            Self::I64(small.to_le_bytes())
        } else {
            Self::I128(integer.to_le_bytes())
        }
    }

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

    /// Whether `==` would say so of values of a type that derives it: NaN equals nothing, and zero has one value.
    #[cfg(feature = "cli")]
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let all = |ones: &[Self], others: &[Self]| {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| one.equals(other))
        };
        match (self, other) {
            (Self::F32(_) | Self::F64(_), _) => self.float() == other.float(),
            (Self::Some(one), Self::Some(other)) => one.equals(other),
            (Self::List(ones), Self::List(others)) | (Self::Tuple(ones), Self::Tuple(others)) => all(ones, others),
            (Self::Struct(ones, names), Self::Struct(others, other_names)) => names == other_names && all(ones, others),
            (Self::Variant(one, names), Self::Variant(other, other_names)) => names == other_names && one.equals(other),
            (Self::Map(ones), Self::Map(others)) => {
                let are_equal = |((key, value), (other_key, other_value)): (&(Self, Self), &(Self, Self))| {
                    key.equals(other_key) && value.equals(other_value)
                };
                ones.len() == others.len() && ones.iter().zip(others).all(are_equal)
            }
            _ => self == other,
        }
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
