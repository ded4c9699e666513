//! Looks into encoded values without decoding them: the first few numbers and texts, for the guide.

use super::{codec::FIRST_LONG, value::tag};

/// A part of an input that has a magnitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leaf<'bytes> {
    /// A number: an integer, a float by its place among all floats, a length, a character.
    Number(i64),
    /// A text.
    Text(&'bytes [u8]),
}

/// Fills `found` with the first leaves of encoded values, and says how many there are.
#[unsafe(export_name = "__sanitizer_bugornot_leaf_leaves")]
pub(crate) fn leaves<'bytes>(values: &'bytes [u8], found: &mut [Leaf<'bytes>]) -> usize {
    let mut walk = Walk { rest: values, found, count: 0 };
    while walk.count < walk.found.len() && !walk.rest.is_empty() {
        if walk.value().is_none() {
            break;
        }
    }
    walk.count
}

struct Walk<'bytes, 'found> {
    rest: &'bytes [u8],
    found: &'found mut [Leaf<'bytes>],
    count: usize,
}

impl<'bytes> Walk<'bytes, '_> {
    fn add(&mut self, leaf: Leaf<'bytes>) {
        if let Some(place) = self.found.get_mut(self.count) {
            *place = leaf;
            self.count += 1;
        }
    }

    fn take(&mut self, length: usize) -> Option<&'bytes [u8]> {
        self.rest.split_off(..length)
    }

    /// A little-endian integer; beyond 64 bits only its sign and size matter here.
    fn integer(&mut self, width: usize, signed: bool) -> Option<i64> {
        let bytes = self.take(width)?;
        let is_negative = signed && bytes.last().is_some_and(|&byte| byte >= 0x80);
        let mut wide = [if is_negative { 0xff } else { 0 }; 16];
        wide[..width].copy_from_slice(bytes);
        let value = i128::from_le_bytes(wide);
        let limit = if value < 0 { i64::MIN } else { i64::MAX };
        Some(i64::try_from(value).unwrap_or(limit))
    }

    fn varint(&mut self) -> Option<usize> {
        let first = self.take(1)?[0];
        let width = match first {
            ..FIRST_LONG => return Some(first.into()),
            FIRST_LONG => 2,
            252 => 4,
            _ => 8,
        };
        self.integer(width, false).and_then(|value| usize::try_from(value).ok())
    }

    /// One value, with all that is inside it.
    #[unsafe(export_name = "__sanitizer_bugornot_leaf_value")]
    fn value(&mut self) -> Option<()> {
        match self.take(1)?[0] {
            tag::UNIT | tag::NONE => {}
            truth @ (tag::FALSE | tag::TRUE) => self.add(Leaf::Number(i64::from(truth == tag::TRUE))),
            tag::I8 => self.number(1)?,
            tag::I16 => self.number(2)?,
            tag::I32 => self.number(4)?,
            tag::I64 => self.number(8)?,
            tag::I128 | tag::U128 => self.number(16)?,
            tag::F32 => {
                let bytes = self.take(4)?.try_into().ok()?;
                self.float(f32::from_le_bytes(bytes).into());
            }
            tag::F64 => {
                let bytes = self.take(8)?.try_into().ok()?;
                self.float(f64::from_le_bytes(bytes));
            }
            tag::CHAR => self.number(4)?,
            tag::TEXT | tag::BYTES => {
                let length = self.varint()?;
                let text = self.take(length)?;
                self.add(Leaf::Text(text));
            }
            tag::SOME => self.value()?,
            tag::LIST => {
                let length = self.varint()?;
                self.add(Leaf::Number(length as i64));
                self.parts(length)?;
            }
            tag::TUPLE => self.length_and_parts(1)?,
            tag::STRUCT => {
                self.length_and_parts(1)?;
                self.varint()?;
            }
            tag::MAP => self.length_and_parts(2)?,
            tag::VARIANT => {
                self.value()?;
                let variant = self.varint()?;
                self.add(Leaf::Number(variant as i64));
            }
            _ => return None,
        }
        Some(())
    }

    fn number(&mut self, width: usize) -> Option<()> {
        let value = self.integer(width, true)?;
        self.add(Leaf::Number(value));
        Some(())
    }

    /// Floats by their place: neighbours differ by one, and zero is zero.
    fn float(&mut self, value: f64) {
        let magnitude = (value.to_bits() << 1 >> 1) as i64;
        self.add(Leaf::Number(if value.is_sign_negative() { -magnitude } else { magnitude }));
    }

    fn length_and_parts(&mut self, each: usize) -> Option<()> {
        let length = self.varint()?;
        self.parts(length.checked_mul(each)?)
    }

    fn parts(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            if self.count == self.found.len() {
                return None;
            }
            self.value()?;
        }
        Some(())
    }
}
