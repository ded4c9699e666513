//! Values the relations use beside the input: constants, drawn once per campaign, and parameters, drawn by the fuzzer
//! for every execution.

use crate::log::{Value, encode::Encode};
use arbitrary::{Arbitrary, Unstructured, unstructured::Int};
use serde::Serialize;
use std::{cell::RefCell, fmt::Display, marker::PhantomData, ops::RangeInclusive, str::FromStr};

/// Where a campaign's constants come from: its seed, and the ones that were pinned.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    seed: u64,
    pins: Vec<(String, String)>,
}

impl Draws {
    /// Draws that follow from this seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, pins: Vec::new() }
    }

    /// Pins a constant to the value with this text.
    #[must_use]
    pub fn pin(mut self, name: &str, value: &str) -> Self {
        self.pins.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Draws the constant `name`, the same for the same seed whatever other constants there are.
    pub(crate) fn constant<T: Constant>(&self, name: &str, range: &RangeInclusive<T>) -> Result<T, String> {
        let shown = format!("{}..={}", range.start(), range.end());
        if range.is_empty() {
            return Err(format!("the range {shown} of constant `{name}` is empty"));
        }
        let Some((_, text)) = self.pins.iter().rev().find(|(pinned, _)| pinned == name) else {
            return Ok(T::draw(range, crate::hash::of_bytes(name.as_bytes(), self.seed)));
        };
        let value: T = text.trim().parse().map_err(|_| {
            format!("constant `{name}` is pinned to `{text}`, which is no value of its type: pin one in {shown}")
        })?;
        if !range.contains(&value) {
            return Err(format!("constant `{name}` is pinned to {value}, outside its range: pin one in {shown}"));
        }
        Ok(value)
    }
}

/// A type a [constant](crate::Suite::constant) can have: every integer and float.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a constant",
    note = "constants are integers or floats; take other values as a `parameter`, or write them into the closure"
)]
pub trait Constant: Copy + PartialOrd + Display + FromStr + 'static {
    /// The value in the range, which is not empty, that the random number picks.
    fn draw(range: &RangeInclusive<Self>, random: u64) -> Self;
    /// As the log keeps it.
    #[doc(hidden)]
    fn to_value(self) -> Value;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Constant for $integer {
            fn draw(range: &RangeInclusive<Self>, random: u64) -> Self {
                let span = range.end().abs_diff(*range.start()) as u128;
                let offset = u128::from(random) % span.saturating_add(1);
                range.start().wrapping_add(offset as $integer)
            }
            fn to_value(self) -> Value {
                i128::try_from(self).map_or_else(|_| Value::U128((self as u128).to_le_bytes()), Value::of_integer)
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

macro_rules! floats {
    ($($float:ty => $variant:ident),*) => {$(
        impl Constant for $float {
            fn draw(range: &RangeInclusive<Self>, random: u64) -> Self {
                let share = (random >> 11) as $float / (1u64 << 53) as $float;
                (range.start() + (range.end() - range.start()) * share).clamp(*range.start(), *range.end())
            }
            fn to_value(self) -> Value {
                Value::$variant(self.to_le_bytes())
            }
        }
    )*};
}
floats!(f32 => F32, f64 => F64);

/// What a [parameter](crate::Suite::parameter) is drawn from: a range of integers, or [`any`] value of a type.
#[diagnostic::on_unimplemented(
    message = "a parameter cannot be drawn from `{Self}`",
    note = "draw it from a range of integers such as `0..=7`, or from `any::<Type>()`"
)]
pub trait Draw {
    /// The type of the parameter.
    type Value: Serialize + Clone + 'static;
    /// Draws a value from the fuzzer's bytes.
    fn draw(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<Self::Value>;
    /// How many bytes that takes at the most, if it is bounded.
    fn takes(&self) -> Option<usize>;
}

impl<T: Int + Serialize + 'static> Draw for RangeInclusive<T> {
    type Value = T;
    fn draw(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<T> {
        bytes.int_in_range(self.clone())
    }
    fn takes(&self) -> Option<usize> {
        Some(size_of::<T>())
    }
}

/// Draws any value of a type.
#[derive(Clone, Copy, Debug)]
pub struct Any<T>(PhantomData<T>);

/// Any value of this type, for a [parameter](crate::Suite::parameter).
pub fn any<T: for<'bytes> Arbitrary<'bytes> + Serialize + Clone + 'static>() -> Any<T> {
    Any(PhantomData)
}

impl<T: for<'bytes> Arbitrary<'bytes> + Serialize + Clone + 'static> Draw for Any<T> {
    type Value = T;
    fn draw(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<T> {
        T::arbitrary(bytes)
    }
    fn takes(&self) -> Option<usize> {
        T::size_hint(0).1
    }
}

/// A value the fuzzer draws for every execution; read it in closures with [`get`](Parameter::get).
pub struct Parameter<T: 'static> {
    // Leaked, so that the handle can be copied into any number of closures: a suite lives as long as its process.
    slot: &'static RefCell<Option<T>>,
}

impl<T> Clone for Parameter<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Parameter<T> {}

impl<T: Clone> Parameter<T> {
    /// The value in this execution.
    pub fn get(self) -> T {
        self.slot.borrow().clone().expect("a parameter is drawn before anything is judged")
    }
}

impl<T> Parameter<T> {
    pub(crate) fn new() -> Self {
        Self { slot: Box::leak(Box::new(RefCell::new(None))) }
    }
}

/// A parameter whose type is forgotten, as the suite keeps it.
pub(crate) trait Drawn {
    fn draw(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<()>;
    fn takes(&self) -> Option<usize>;
    fn visit(&self, visit: &mut dyn FnMut(&dyn Encode));
}

struct Source<D: Draw>
where
    D::Value: 'static,
{
    draw: D,
    parameter: Parameter<D::Value>,
}

/// Forgets the parameter's type.
pub(crate) fn drawn<D: Draw + 'static>(draw: D, parameter: Parameter<D::Value>) -> Box<dyn Drawn> {
    Box::new(Source { draw, parameter })
}

impl<D: Draw> Drawn for Source<D> {
    fn draw(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
        let value = self.draw.draw(bytes)?;
        *self.parameter.slot.borrow_mut() = Some(value);
        Ok(())
    }
    fn takes(&self) -> Option<usize> {
        self.draw.takes()
    }
    fn visit(&self, visit: &mut dyn FnMut(&dyn Encode)) {
        if let Some(value) = &*self.parameter.slot.borrow() {
            visit(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_constant_stays_in_its_range_and_every_value_comes_up() {
        let seen: std::collections::BTreeSet<i32> =
            (0..500).map(|seed| Draws::seeded(seed).constant("k", &(-2..=3)).unwrap()).collect();
        assert_eq!(seen, (-2..=3).collect());
    }

    #[test]
    fn the_widest_ranges_do_not_overflow() {
        for seed in 0..100 {
            Draws::seeded(seed).constant("k", &(i128::MIN..=i128::MAX)).unwrap();
            Draws::seeded(seed).constant("k", &(u64::MIN..=u64::MAX)).unwrap();
            let float = Draws::seeded(seed).constant("k", &(1.0..=2.0)).unwrap();
            assert!((1.0..=2.0).contains(&float));
        }
    }

    #[test]
    fn a_pin_outside_the_range_or_of_another_type_is_refused_with_the_range() {
        let pinned = |text| Draws::seeded(0).pin("k", text).constant("k", &(2..=9));
        assert_eq!(pinned("6"), Ok(6));
        assert!(pinned("10").unwrap_err().contains("2..=9"));
        assert!(pinned("six").unwrap_err().contains("`six`"));
    }
}
