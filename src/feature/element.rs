//! Elements: what the elements of a list are, what is the same part of each, and what can be said of all of them.

use super::{
    fact::{Fact, has_equal, ordered, plain_facts, unless},
    place::{Place, raw},
    tree::Seen,
};
use crate::log::Value;

/// How many parts of an element are looked at.
const MOST_PARTS: usize = 8;

/// What the elements of some lists are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    pub(crate) seen: Seen,
    /// How many there are.
    count: u64,
    parts: Vec<PartSeen>,
}

/// What the fields of structs, or the parts of tuples, are.
#[derive(Clone, Debug)]
struct PartSeen {
    part: Part,
    seen: Seen,
    /// How many elements have it.
    count: u64,
}

/// A field of every element of a list, or a part of every tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    index: usize,
    name: String,
}

/// What can be said of the elements of a list together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ElementFact {
    /// They are in the order of a part.
    Sorted(Part),
    /// Two of them are alike in a part.
    Alike(Part),
    /// This, or its opposite, is so of one of them, or of a part of it.
    Any { part: Option<Part>, fact: Box<Fact>, is_true: bool },
}

impl Part {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// As it is written after a dot.
    pub(crate) fn written(&self) -> String {
        raw(&self.name)
    }

    /// This part of each element of a list, where there is one.
    pub(crate) fn values<'value>(&self, list: &'value Value) -> impl Iterator<Item = Option<&'value Value>> {
        items(list).iter().map(|element| match element {
            Value::Tuple(values) => values.get(self.index),
            Value::Struct(values, names) => {
                // Elements may lack a field, so that it is at another place.
                let is_it = |name: &String| *name == self.name;
                let is_here = names.names().get(self.index).is_some_and(is_it);
                let index = if is_here { Some(self.index) } else { names.names().iter().position(is_it) };
                values.get(index?)
            }
            _ => None,
        })
    }
}

fn items(list: &Value) -> &[Value] {
    if let Value::List(items) = list { items } else { &[] }
}

impl Elements {
    /// Adds what is seen in an element.
    pub(crate) fn add(&mut self, element: &Value) {
        self.seen.add(element);
        self.count += 1;
        match element {
            Value::Struct(values, names) => {
                let named = values.iter().zip(names.names());
                named.take(MOST_PARTS).enumerate().for_each(|(index, (value, name))| self.add_part(index, name, value));
            }
            Value::Tuple(values) => {
                let numbered = values.iter().enumerate().take(MOST_PARTS);
                numbered.for_each(|(index, value)| self.add_part(index, &index.to_string(), value));
            }
            _ => {}
        }
    }

    /// Whether two lists can have the same elements, as far as values tell.
    pub(crate) fn are_like(&self, other: &Self) -> bool {
        let names = |elements: &Self| elements.parts().map(|(part, _)| part.name.clone()).collect::<Vec<_>>();
        let (kinds, others) = (self.seen.kinds, other.seen.kinds);
        kinds.is_one() && kinds == others && names(self) == names(other)
    }

    fn add_part(&mut self, index: usize, name: &str, value: &Value) {
        let known = self.parts.iter().position(|known| known.part.name == name).unwrap_or(self.parts.len());
        if known == MOST_PARTS {
            return;
        }
        if known == self.parts.len() {
            let part = Part { index, name: name.to_owned() };
            self.parts.push(PartSeen { part, seen: Seen::default(), count: 0 });
        }
        self.parts[known].seen.add(value);
        self.parts[known].count += 1;
    }

    /// The parts that every element has.
    fn parts(&self) -> impl Iterator<Item = (&Part, &Seen)> {
        let everywhere = self.parts.iter().filter(|known| known.count == self.count);
        everywhere.map(|known| (&known.part, &known.seen))
    }

    /// The parts that are numbers in every element, and whether they are floats.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (Part, bool)> {
        self.parts().filter_map(|(part, seen)| Some((part.clone(), seen.kinds.number()?)))
    }

    /// What is asked of them.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let any = |part: Option<&Part>, fact: Fact| {
            [true, false].map(|is_true| ElementFact::Any { part: part.cloned(), fact: Box::new(fact.clone()), is_true })
        };
        let mut facts: Vec<ElementFact> =
            plain_facts(&self.seen).into_iter().flat_map(|fact| any(None, fact)).collect();
        if self.seen.kinds.only(|kinds| &mut kinds.text) {
            facts.extend(any(None, Fact::Empty));
        }
        for (part, seen) in self.parts() {
            facts.extend(plain_facts(seen).into_iter().flat_map(|fact| any(Some(part), fact)));
        }
        for (part, _) in self.numbers() {
            facts.extend([ElementFact::Sorted(part.clone()), ElementFact::Alike(part)]);
        }
        facts.into_iter().map(Fact::Elements).collect()
    }
}

impl ElementFact {
    pub(crate) fn test(&self, list: &Value) -> bool {
        let parts = |part: &Part| part.values(list).collect::<Option<Vec<&Value>>>();
        match self {
            Self::Sorted(part) => parts(part).is_some_and(|parts| parts.is_sorted_by(|one, other| ordered(one, other))),
            Self::Alike(part) => parts(part).is_some_and(|parts| has_equal(&parts)),
            Self::Any { part: None, fact, is_true } => items(list).iter().any(|item| fact.test(item) == *is_true),
            Self::Any { part: Some(part), fact, is_true } => {
                part.values(list).any(|value| value.is_some_and(|value| fact.test(value) == *is_true))
            }
        }
    }

    /// As Rust, about a list.
    pub(crate) fn write(&self, list: &str) -> String {
        match self {
            Self::Sorted(part) => format!("{list}.is_sorted_by_key(|x| x.{})", part.written()),
            Self::Alike(part) => {
                let (i, x, part) = (unless(list, "i"), unless(list, "x"), part.written());
                format!("(1..{list}.len()).any(|{i}| {list}[..{i}].iter().any(|{x}| {x}.{part} == {list}[{i}].{part}))")
            }
            Self::Any { part, fact, is_true } => {
                let element = part.as_ref().map_or_else(|| "x".to_owned(), |part| format!("x.{}", part.written()));
                let place = Place::of_element(element, part.is_none());
                format!("{list}.iter().any(|x| {})", fact.write(&place, *is_true).render())
            }
        }
    }
}
