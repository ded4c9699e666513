//! Numbers as wide as they need to be: a condition over a user's types must not overflow where the one that was decided
//! does not.

/// A number that can be made wider.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number that can be made wider",
    note = "integers become `i128`, floats `f64`"
)]
pub trait Wide {
    /// What it becomes.
    type Wide;
    /// The same number.
    fn wide(self) -> Self::Wide;
}

/// A number as wide as conditions are decided in: integers as `i128`, floats as `f64`. A `u128` beyond `i128` becomes the
/// largest of these.
///
/// ```
/// use bugornot::regress::wide;
///
/// let (a, b) = (i32::MAX, 1u8);
/// assert!(wide(a) + wide(b) > 0);
/// ```
pub fn wide<T: Wide>(number: T) -> T::Wide {
    number.wide()
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Wide for $integer {
            type Wide = i128;
            fn wide(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl Wide for f32 {
    type Wide = f64;
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Wide for f64 {
    type Wide = f64;
    fn wide(self) -> f64 {
        self
    }
}

/// What closures of iterators and patterns bind.
impl<T: Wide + Copy> Wide for &T {
    type Wide = T::Wide;
    fn wide(self) -> T::Wide {
        (*self).wide()
    }
}
