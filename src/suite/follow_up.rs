//! What a transformation may return: one follow-up input, none, or several.

/// What a relation's transformation may return; `Shape` only tells the cases apart and is always inferred.
#[diagnostic::on_unimplemented(
    message = "a transformation over `{In}` cannot return `{Self}`",
    label = "not a follow-up input",
    note = "return the follow-up input `{In}`, an `Option` of it (`None`: not applicable), or several in a `Vec` or an array"
)]
pub trait FollowUps<In, Shape> {
    /// Adds the follow-up inputs to `into`; false if the relation does not apply to this source input.
    fn add_to(self, into: &mut Vec<In>) -> bool;
}

/// One follow-up input.
pub struct One;
/// Several follow-up inputs.
pub struct Several;
/// Perhaps one or several.
pub struct Partial<Shape>(Shape);

impl<In> FollowUps<In, One> for In {
    fn add_to(self, into: &mut Vec<In>) -> bool {
        into.push(self);
        true
    }
}

impl<In> FollowUps<In, Several> for Vec<In> {
    fn add_to(self, into: &mut Vec<In>) -> bool {
        into.extend(self);
        true
    }
}

impl<In, const N: usize> FollowUps<In, Several> for [In; N] {
    fn add_to(self, into: &mut Vec<In>) -> bool {
        into.extend(self);
        true
    }
}

impl<In, Shape, F: FollowUps<In, Shape>> FollowUps<In, Partial<Shape>> for Option<F> {
    fn add_to(self, into: &mut Vec<In>) -> bool {
        self.is_some_and(|follow_ups| follow_ups.add_to(into))
    }
}
