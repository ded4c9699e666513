//! Writes what bincode would write for a [`Value`](super::Value), straight from a user's `Serialize`: while fuzzing, no
//! `Value` is built.

mod serializer;

use super::{codec, value::tag};
use serde::Serialize;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::OnceLock,
};

/// Lists of names met so far, numbered in the order they were met: a struct's fields, a variant and its enum.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    known: Vec<Vec<&'static str>>,
}

impl Shapes {
    #[unsafe(export_name = "__sanitizer_bugornot_encode_number")]
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
    /// Whether a value could not be written since this was last put back.
    is_refused: bool,
    /// Whether the entries of maps are written in an order that depends on them alone, so that equal maps are equal bytes.
    pub(crate) sorts_maps: bool,
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
            encoder.is_refused = true;
        }
    }
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
    #[unsafe(export_name = "__sanitizer_bugornot_encode_append_to")]
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

    /// Appends the parts of an input side by side and returns how many, with the shape that names them. One that cannot be
    /// written is known by the bytes it was made from: it must not be taken for another one.
    #[unsafe(export_name = "__sanitizer_bugornot_encode_fields")]
    pub(crate) fn fields(&mut self, input: &dyn Encode, given: &[&'static str], raw: &[u8]) -> (usize, u32) {
        let start = self.bytes.len();
        self.is_refused = false;
        input.encode(self);
        if self.is_refused && !raw.is_empty() {
            self.bytes.truncate(start);
            self.tagged(tag::BYTES, raw);
        }
        let tag = self.bytes[start];
        let count = self.bytes.get(start + 1).map_or(0, |&count| usize::from(count));
        let is_short = count < usize::from(codec::FIRST_LONG);
        if tag == tag::STRUCT && is_short {
            let names = self.shapes_used.last().copied().unwrap_or_default();
            self.bytes.truncate(self.bytes.len() - codec::varint_length(u64::from(names)));
            self.cut_head(start);
            (count, names)
        } else if tag == tag::TUPLE && is_short {
            self.cut_head(start);
            (count, self.positions(count, given))
        } else {
            (1, self.shape(if given.len() == 1 { given } else { &["input"] }))
        }
    }

    /// Appends text or bytes.
    #[inline(always)]
    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        codec::push_bytes(&mut self.bytes, bytes);
    }

    /// Takes away the tag and the length of what stands from `start`.
    #[inline(always)]
    fn cut_head(&mut self, start: usize) {
        self.bytes.copy_within(start + 2.., start);
        self.bytes.truncate(self.bytes.len() - 2);
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
    #[unsafe(export_name = "__sanitizer_bugornot_encode_shape")]
    pub(crate) fn shape(&mut self, names: &[&'static str]) -> u32 {
        let number = self.shapes.number(names);
        self.note(number);
        number
    }

    #[unsafe(export_name = "__sanitizer_bugornot_encode_note")]
    fn note(&mut self, number: u32) {
        self.shapes_used.retain(|&used| used != number);
        self.shapes_used.push(number);
    }

    #[unsafe(export_name = "__sanitizer_bugornot_encode_integer")]
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

    #[unsafe(export_name = "__sanitizer_bugornot_encode_small_integer")]
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
}

#[cfg(test)]
mod tests;
