//! Patterns: what closures bind and `matches!` compares with.

use super::{Fault, Result, datum::Datum, evaluate::Names};
use crate::log::Value;

/// What a value is held against.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Any,
    /// All parts that are left.
    Rest,
    Bind(String),
    Constant(Datum<'static>),
    /// A range of constants; the end belongs to it if it is closed.
    Range(Option<Datum<'static>>, Option<Datum<'static>>, bool),
    Or(Vec<Pattern>),
    /// A tuple; the parts after `..` are left out.
    Tuple(Vec<Pattern>),
    /// A variant without a look at its content.
    Variant(String),
    /// A variant and the first parts of its content.
    Parts(String, Vec<Pattern>),
    /// A variant, or a struct if there is no name, and some of its fields.
    Fields(String, Vec<(String, Pattern)>),
}

impl Pattern {
    /// Whether a value matches; what the pattern binds is added to the names.
    pub(super) fn matches<'row>(&self, datum: &Datum<'row>, names: &mut Names<'_, 'row>) -> Result<bool> {
        names.take(1 + datum.held())?;
        match self {
            Self::Any | Self::Rest => Ok(true),
            Self::Bind(name) => {
                names.bind(name.clone(), datum.clone());
                Ok(true)
            }
            Self::Constant(constant) => datum.is_equal(constant),
            Self::Range(from, to, is_closed) => {
                let at_least = |from: &Datum<'_>| Ok(datum.compare(from)?.is_some_and(|order| order.is_ge()));
                let below = |to: &Datum<'_>| {
                    Ok(datum.compare(to)?.is_some_and(|order| if *is_closed { order.is_le() } else { order.is_lt() }))
                };
                Ok(from.as_ref().map_or(Ok(true), at_least)? && to.as_ref().map_or(Ok(true), below)?)
            }
            Self::Or(patterns) => {
                for pattern in patterns {
                    if pattern.matches(datum, names)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Tuple(patterns) => each_part(patterns, datum, names),
            Self::Variant(name) => Ok(content(name, datum)?.is_some()),
            Self::Parts(name, patterns) => match content(name, datum)? {
                // A variant with one part holds it without a tuple around.
                Some(Content::One(part)) => match &patterns[..] {
                    [] | [Self::Any | Self::Rest] => Ok(true),
                    [pattern, ..] => pattern.matches(&part, names),
                },
                Some(Content::Many(parts)) => each_part(patterns, &parts, names),
                Some(Content::Nothing) => Ok(patterns.is_empty()),
                None => Ok(false),
            },
            Self::Fields(name, fields) => {
                let held = if name.is_empty() { Some(Content::Many(datum.clone())) } else { content(name, datum)? };
                let Some(held) = held else { return Ok(false) };
                for (field, pattern) in fields {
                    let Content::Many(parts) = &held else {
                        return Err(Fault::new(format!("`{name}` has no field `{field}`")));
                    };
                    names.take(parts.held())?;
                    if !pattern.matches(&parts.clone().field(field)?, names)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

fn each_part<'row>(patterns: &[Pattern], datum: &Datum<'row>, names: &mut Names<'_, 'row>) -> Result<bool> {
    for (position, pattern) in patterns.iter().enumerate() {
        if matches!(pattern, Pattern::Rest) {
            let is_last = position + 1 == patterns.len();
            return if is_last { Ok(true) } else { Err(Fault::new("`..` is known only at the end of a pattern")) };
        }
        names.take(datum.held())?;
        if !pattern.matches(&datum.clone().field(&position.to_string())?, names)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a variant holds.
enum Content<'row> {
    Nothing,
    One(Datum<'row>),
    Many(Datum<'row>),
}

/// The content of a variant, if the value is that variant.
fn content<'row>(name: &str, datum: &Datum<'row>) -> Result<Option<Content<'row>>> {
    match datum {
        Datum::Option(Some(inner)) => Ok((name == "Some").then(|| Content::One((**inner).clone()))),
        Datum::Option(None) => Ok((name == "None").then_some(Content::Nothing)),
        Datum::Value(Value::Variant(held, names)) => {
            let is_it = names.names().first().is_some_and(|known| known == name);
            Ok(is_it.then(|| match &**held {
                Value::Unit => Content::Nothing,
                many @ (Value::Tuple(_) | Value::Struct(..)) => Content::Many(Datum::Value(many)),
                one => Content::One(Datum::of(one)),
            }))
        }
        other => Err(other.is_no("an enum")),
    }
}
