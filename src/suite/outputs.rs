//! The library of output relations: functions of the source output and the follow-up output.
//!
//! They are plain functions, so that a closure can stand wherever one of them does.
#![expect(non_snake_case, reason = "an output relation is a name in a declaration, like a type: `Equal`, `Increase`")]

use super::Judgement;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::{Mul, Neg},
};

/// Outputs that can be compared for equality.
#[diagnostic::on_unimplemented(
    message = "outputs of type `{Self}` cannot be compared for equality",
    note = "derive `PartialEq` for the output, or judge it with a closure: `|source, follow_up| ..`"
)]
pub trait Comparable: PartialEq {}
impl<T: PartialEq + ?Sized> Comparable for T {}

/// Outputs that have an order.
#[diagnostic::on_unimplemented(
    message = "outputs of type `{Self}` have no order",
    note = "derive `PartialOrd` for the output, or judge it with a closure: `|source, follow_up| ..`"
)]
pub trait Ordered: PartialOrd {}
impl<T: PartialOrd + ?Sized> Ordered for T {}

/// Outputs that a tolerance makes sense for: `f32` and `f64`.
#[diagnostic::on_unimplemented(
    message = "a tolerance needs a float, and the output is `{Self}`",
    note = "return an `f64` or `f32`, or judge it with a closure: `|source, follow_up| ..`"
)]
pub trait Float: Copy + PartialEq {
    /// The same number as an `f64`.
    fn wide(self) -> f64;
    /// How many floats of this type lie between the two, which are not NaN.
    fn ulps_to(self, other: Self) -> u64;
}

macro_rules! floats {
    ($($float:ty, $bits:ty);*) => {$(
        impl Float for $float {
            fn wide(self) -> f64 {
                self.into()
            }
            fn ulps_to(self, other: Self) -> u64 {
                // Bits of floats are ordered like their values once negative ones are mirrored.
                let place = |float: $float| {
                    let bits = i128::from(float.to_bits());
                    let sign = 1 << (<$bits>::BITS - 1);
                    if bits & sign == 0 { bits } else { sign - bits }
                };
                u64::try_from((place(self) - place(other)).unsigned_abs()).unwrap_or(u64::MAX)
            }
        }
    )*};
}
floats!(f32, u32; f64, u64);

/// Outputs made of items: lists, strings, sets, maps.
#[diagnostic::on_unimplemented(
    message = "the output `{Self}` is no collection",
    note = "lists, arrays, strings, and ordered sets and maps are; otherwise judge it with a closure: `|source, follow_up| ..`"
)]
pub trait Collection {
    /// What it is made of.
    type Item<'item>: PartialOrd
    where
        Self: 'item;
    /// Its items, in order.
    fn items(&self) -> impl Iterator<Item = Self::Item<'_>>;
}

macro_rules! collections {
    ($([$($generics:tt)*] $collection:ty, $item:ty, $iterate:ident);* $(;)?) => {$(
        impl<$($generics)*> Collection for $collection {
            type Item<'item> = $item where Self: 'item;
            fn items(&self) -> impl Iterator<Item = Self::Item<'_>> {
                self.$iterate()
            }
        }
    )*};
}
collections! {
    [T: PartialOrd] Vec<T>, &'item T, iter;
    [T: PartialOrd] VecDeque<T>, &'item T, iter;
    [T: PartialOrd, const N: usize] [T; N], &'item T, iter;
    [T: PartialOrd] BTreeSet<T>, &'item T, iter;
    [K: PartialOrd, V: PartialOrd] BTreeMap<K, V>, (&'item K, &'item V), iter;
    [] String, char, chars;
}

fn held(yes: bool) -> Judgement {
    if yes { Judgement::Held } else { Judgement::Violated }
}

/// The follow-up output equals the source output. Incomparable if either does not equal itself (NaN).
#[expect(clippy::eq_op, reason = "a value that differs from itself has no place in any order")]
pub fn Equal<O: Comparable>(source: &O, follow_up: &O) -> Judgement {
    if source == follow_up {
        Judgement::Held
    } else if source != source || follow_up != follow_up {
        Judgement::Incomparable
    } else {
        Judgement::Violated
    }
}

/// The follow-up output differs from the source output.
pub fn NotEqual<O: Comparable>(source: &O, follow_up: &O) -> Judgement {
    match Equal(source, follow_up) {
        Judgement::Held => Judgement::Violated,
        Judgement::Violated => Judgement::Held,
        Judgement::Incomparable => Judgement::Incomparable,
    }
}

fn ordered<O: Ordered>(source: &O, follow_up: &O, wanted: impl Fn(Ordering) -> bool) -> Judgement {
    follow_up.partial_cmp(source).map_or(Judgement::Incomparable, |ordering| held(wanted(ordering)))
}

/// The follow-up output is greater.
pub fn Increase<O: Ordered>(source: &O, follow_up: &O) -> Judgement {
    ordered(source, follow_up, Ordering::is_gt)
}

/// The follow-up output is less.
pub fn Decrease<O: Ordered>(source: &O, follow_up: &O) -> Judgement {
    ordered(source, follow_up, Ordering::is_lt)
}

/// The follow-up output is greater or equal.
pub fn NonDecreasing<O: Ordered>(source: &O, follow_up: &O) -> Judgement {
    ordered(source, follow_up, Ordering::is_ge)
}

/// The follow-up output is less or equal.
pub fn NonIncreasing<O: Ordered>(source: &O, follow_up: &O) -> Judgement {
    ordered(source, follow_up, Ordering::is_le)
}

/// The follow-up output is the source output with the opposite sign.
pub fn Negated<O: Comparable + Clone + Neg<Output = O>>(source: &O, follow_up: &O) -> Judgement {
    Equal(&-source.clone(), follow_up)
}

/// The follow-up output is the source output times `factor`.
pub fn ScaledBy<O: Comparable + Clone + Mul<Output = O>>(factor: O) -> impl Fn(&O, &O) -> Judgement {
    move |source, follow_up| Equal(&(source.clone() * factor.clone()), follow_up)
}

fn near<O: Float>(source: O, follow_up: O, is_near: impl Fn() -> bool) -> Judgement {
    match Equal(&source, &follow_up) {
        Judgement::Violated => held(is_near()),
        settled => settled,
    }
}

/// The outputs differ by at most `tolerance`.
pub fn WithinAbsolute<O: Float>(tolerance: f64) -> impl Fn(&O, &O) -> Judgement {
    move |&source, &follow_up| near(source, follow_up, || (source.wide() - follow_up.wide()).abs() <= tolerance)
}

/// The outputs differ by at most `tolerance` times the larger of the two.
pub fn WithinRelative<O: Float>(tolerance: f64) -> impl Fn(&O, &O) -> Judgement {
    move |&source, &follow_up| {
        near(source, follow_up, || {
            let (source, follow_up) = (source.wide(), follow_up.wide());
            let scale = source.abs().max(follow_up.abs());
            scale.is_finite() && (source - follow_up).abs() <= tolerance * scale
        })
    }
}

/// At most `steps` floats lie between the outputs.
pub fn WithinUlps<O: Float>(steps: u64) -> impl Fn(&O, &O) -> Judgement {
    move |&source, &follow_up| near(source, follow_up, || source.ulps_to(follow_up) <= steps)
}

/// The outputs have the same number of items.
pub fn SameLength<O: Collection>(source: &O, follow_up: &O) -> Judgement {
    held(source.items().count() == follow_up.items().count())
}

/// The items in ascending order; `None` if two of them have no order.
fn sorted<O: Collection>(output: &O) -> Option<Vec<O::Item<'_>>> {
    let mut items: Vec<_> = output.items().collect();
    let mut comparable = items.iter().all(|item| item.partial_cmp(item).is_some());
    items.sort_by(|a, b| {
        a.partial_cmp(b).unwrap_or_else(|| {
            comparable = false;
            Ordering::Equal
        })
    });
    comparable.then_some(items)
}

/// Every item of `part` stands in `whole`, as often as it stands in `part`.
fn contained<O: Collection>(part: &O, whole: &O) -> Judgement {
    let (Some(part), Some(whole)) = (sorted(part), sorted(whole)) else { return Judgement::Incomparable };
    let mut whole = whole.into_iter();
    held(part.iter().all(|wanted| whole.by_ref().any(|item| item.partial_cmp(wanted) == Some(Ordering::Equal))))
}

/// Every item of the follow-up output is in the source output.
pub fn Subset<O: Collection>(source: &O, follow_up: &O) -> Judgement {
    contained(follow_up, source)
}

/// Every item of the source output is in the follow-up output.
pub fn Superset<O: Collection>(source: &O, follow_up: &O) -> Judgement {
    contained(source, follow_up)
}

/// The outputs have the same items in any order.
pub fn PermutationOf<O: Collection>(source: &O, follow_up: &O) -> Judgement {
    match SameLength(source, follow_up) {
        Judgement::Held => contained(source, follow_up),
        unequal => unequal,
    }
}

/// The follow-up output begins the source output.
pub fn PrefixOf<O: Collection>(source: &O, follow_up: &O) -> Judgement {
    let mut source = source.items();
    for item in follow_up.items() {
        match source.next().map(|other| item.partial_cmp(&other)) {
            Some(Some(Ordering::Equal)) => {}
            Some(None) => return Judgement::Incomparable,
            _ => return Judgement::Violated,
        }
    }
    Judgement::Held
}

#[cfg(test)]
mod tests {
    use super::*;
    use Judgement::{Held, Incomparable, Violated};

    #[test]
    fn nan_is_incomparable_in_every_order() {
        for relation in [Equal, NotEqual, Increase, Decrease, NonDecreasing, NonIncreasing, Negated] {
            assert_eq!(relation(&f64::NAN, &1.0), Incomparable);
            assert_eq!(relation(&1.0, &f64::NAN), Incomparable);
        }
        assert_eq!(WithinAbsolute(1.0)(&f64::NAN, &f64::NAN), Incomparable);
        assert_eq!(PermutationOf(&vec![f64::NAN], &vec![f64::NAN]), Incomparable);
        assert_eq!(PrefixOf(&vec![f64::NAN], &vec![f64::NAN]), Incomparable);
    }

    #[test]
    fn orders_say_what_their_names_say() {
        assert_eq!([Increase(&1, &2), Increase(&2, &2), Increase(&2, &1)], [Held, Violated, Violated]);
        assert_eq!([Decrease(&1, &2), Decrease(&2, &2), Decrease(&2, &1)], [Violated, Violated, Held]);
        assert_eq!([NonDecreasing(&1, &2), NonDecreasing(&2, &2), NonDecreasing(&2, &1)], [Held, Held, Violated]);
        assert_eq!([NonIncreasing(&1, &2), NonIncreasing(&2, &2), NonIncreasing(&2, &1)], [Violated, Held, Held]);
        assert_eq!(
            [Equal(&1, &1), Equal(&1, &2), NotEqual(&1, &1), NotEqual(&1, &2)],
            [Held, Violated, Violated, Held]
        );
        assert_eq!(
            [Negated(&3, &-3), Negated(&3, &3), ScaledBy(4)(&3, &12), ScaledBy(4)(&3, &13)],
            [Held, Violated, Held, Violated]
        );
    }

    #[test]
    fn tolerances_are_inclusive_and_infinities_equal_only_themselves() {
        assert_eq!(WithinAbsolute(0.5)(&1.0, &1.5), Held);
        assert_eq!(WithinAbsolute(0.5)(&1.0, &1.75), Violated);
        assert_eq!(WithinRelative(0.1)(&100.0, &90.0), Held);
        assert_eq!(WithinRelative(0.1)(&100.0, &89.0), Violated);
        assert_eq!(WithinRelative(0.1)(&f64::INFINITY, &1.0), Violated);
        assert_eq!(WithinRelative(0.1)(&f64::INFINITY, &f64::INFINITY), Held);
        assert_eq!(WithinUlps(1)(&1.0f32, &1.0f32.next_up()), Held);
        assert_eq!(WithinUlps(1)(&1.0f32, &1.0f32.next_up().next_up()), Violated);
        assert_eq!(WithinUlps(2)(&-f64::from_bits(1), &f64::from_bits(1)), Held);
        assert_eq!(WithinUlps(u64::MAX - 1)(&f64::MIN, &f64::MAX), Held);
    }

    #[test]
    fn collections_count_repeated_items() {
        let list = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(PermutationOf(&list("abca"), &list("aabc")), Held);
        assert_eq!(PermutationOf(&list("abca"), &list("abcb")), Violated);
        assert_eq!(Subset(&list("abca"), &list("aa")), Held);
        assert_eq!(Subset(&list("abca"), &list("aaa")), Violated);
        assert_eq!(Superset(&"ab".to_owned(), &"bca".to_owned()), Held);
        assert_eq!(PrefixOf(&"abc".to_owned(), &"ab".to_owned()), Held);
        assert_eq!(PrefixOf(&"abc".to_owned(), &"b".to_owned()), Violated);
        assert_eq!(SameLength(&[1, 2], &[3, 4]), Held);
    }
}
