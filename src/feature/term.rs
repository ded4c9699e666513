//! Terms: what can be measured about a part of a value, as a column of numbers.

use super::{
    bits::Bits,
    tree::{Kinds, Node, Place, Tree},
};
use crate::log::Value;

/// What is measured; only some of the first are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// The number itself.
    Itself,
    /// The length: bytes of a text, elements of a list.
    Length,
    /// The characters of a text.
    Chars,
    /// The smallest element.
    Min,
    /// The largest element.
    Max,
    /// The sum of the elements.
    Sum,
    /// The first element.
    First,
    /// The last element.
    Last,
    /// The words of a text.
    Words,
    /// How often a text has a character.
    Count(char),
}

/// A number that can be read off a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

/// A number for each row, where there is one.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
}

/// Something that can be measured.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) node: usize,
    pub(crate) measure: Measure,
    pub(crate) is_float: bool,
    /// Whether every row has it, and no row's is NaN: then a comparison can be turned round.
    pub(crate) is_total: bool,
    /// How it is written.
    pub(crate) place: Place,
}

impl Term {
    /// The Rust type of its numbers, where it does not depend on the user's types.
    pub(crate) fn integer_type(&self) -> Option<&'static str> {
        self.measure.integer_type()
    }

    /// How it is written, beside terms of other types or not.
    pub(crate) fn write(&self, is_mixed: bool) -> String {
        let text = &self.place.expression;
        if is_mixed && !self.is_float && self.integer_type() != Some("i128") {
            format!("({text} as i128)")
        } else {
            text.clone()
        }
    }
}

/// What is seen in texts, which decides what is worth counting in them.
#[derive(Default)]
pub(crate) struct InTexts {
    pub(crate) has_wide_letters: bool,
    /// Whether some text is more than one word.
    pub(crate) has_words: bool,
    /// What parts texts, or marks parts of them.
    pub(crate) separators: Vec<char>,
}

/// What can be measured at a node.
pub(crate) fn measures(node: &Node, texts: &InTexts, elements: Kinds) -> Vec<(Measure, bool)> {
    let kinds = node.kinds;
    if kinds.only(|kinds| &mut kinds.integer) {
        return vec![(Measure::Itself, false)];
    }
    if kinds.only(|kinds| &mut kinds.float) {
        return vec![(Measure::Itself, true)];
    }
    if kinds.only(|kinds| &mut kinds.text) {
        let chars = texts.has_wide_letters.then_some(Measure::Chars);
        let words = texts.has_words.then_some(Measure::Words);
        let counts = texts.separators.iter().copied().map(Measure::Count);
        let all = [Measure::Length].into_iter().chain(chars).chain(words).chain(counts);
        return all.map(|measure| (measure, false)).collect();
    }
    if kinds.only(|kinds| &mut kinds.map) {
        return vec![(Measure::Length, false)];
    }
    if kinds.only(|kinds| &mut kinds.list) {
        let of_elements = [Measure::Min, Measure::Max, Measure::Sum, Measure::First, Measure::Last];
        let is_float = elements.only(|kinds| &mut kinds.float);
        let is_numeric = is_float || elements.only(|kinds| &mut kinds.integer);
        let of_elements = of_elements.into_iter().filter(|_| is_numeric).map(|measure| (measure, is_float));
        return [(Measure::Length, false)].into_iter().chain(of_elements).collect();
    }
    Vec::new()
}

impl Measure {
    /// The Rust type of whole numbers measured so; nothing if it is the user's.
    fn integer_type(self) -> Option<&'static str> {
        match self {
            Self::Length | Self::Chars | Self::Words | Self::Count(_) => Some("usize"),
            Self::Sum => Some("i128"),
            Self::Itself | Self::Min | Self::Max | Self::First | Self::Last => None,
        }
    }

    /// Measures a value.
    pub(crate) fn of(self, value: &Value) -> Option<Number> {
        match self {
            Self::Itself => number(value),
            Self::Length => Some(Number::Integer(length(value)? as i128)),
            Self::Chars => of_text(value, |text| text.chars().count()),
            Self::Words => of_text(value, |text| text.split_whitespace().count()),
            Self::Count(letter) => of_text(value, |text| text.matches(letter).count()),
            Self::First => element(value, 0),
            Self::Last => element(value, length(value)?.checked_sub(1)?),
            Self::Min => extreme(value, |new, best| new < best),
            Self::Max => extreme(value, |new, best| new > best),
            Self::Sum => sum(value),
        }
    }

    /// How it is written about a place.
    pub(crate) fn write(self, place: &Place, is_float: bool) -> Place {
        let mut place = place.clone();
        let whole = place.expression.clone();
        let name = whole.rsplit('.').next().unwrap_or("list").to_owned();
        let mut element = |call: &str, name: String| {
            place.guards.push((format!("{whole}{call}.is_some_and(|&{name}| "), ")"));
            name
        };
        place.expression = match self {
            Self::Itself => whole,
            Self::Length => format!("{whole}.len()"),
            Self::Chars => format!("{whole}.chars().count()"),
            Self::Words => format!("{whole}.split_whitespace().count()"),
            Self::Count(letter) => format!("{whole}.matches({letter:?}).count()"),
            Self::First => element(".first()", format!("{name}_first")),
            Self::Last => element(".last()", format!("{name}_last")),
            Self::Min if is_float => element(".iter().min_by(|a, b| a.total_cmp(b))", format!("{name}_min")),
            Self::Max if is_float => element(".iter().max_by(|a, b| a.total_cmp(b))", format!("{name}_max")),
            Self::Min => element(".iter().min()", format!("{name}_min")),
            Self::Max => element(".iter().max()", format!("{name}_max")),
            Self::Sum if is_float => format!("{whole}.iter().map(|&x| f64::from(x)).sum::<f64>()"),
            Self::Sum => format!("{whole}.iter().map(|&x| x as i128).sum::<i128>()"),
        };
        place
    }
}

fn of_text(value: &Value, count: impl Fn(&str) -> usize) -> Option<Number> {
    let Value::Text(text) = value else { return None };
    Some(Number::Integer(count(text) as i128))
}

fn number(value: &Value) -> Option<Number> {
    match value.integer() {
        Some(integer) => Some(Number::Integer(integer)),
        None => value.float().map(Number::Float),
    }
}

/// How many bytes or elements a value has.
pub(crate) fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Text(text) => Some(text.len()),
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::List(values) => Some(values.len()),
        Value::Map(entries) => Some(entries.len()),
        _ => None,
    }
}

fn element(value: &Value, index: usize) -> Option<Number> {
    match value {
        Value::Bytes(bytes) => bytes.get(index).map(|&byte| Number::Integer(byte.into())),
        Value::List(values) => values.get(index).and_then(number),
        _ => None,
    }
}

fn elements(value: &Value) -> impl Iterator<Item = Option<Number>> + '_ {
    (0..length(value).unwrap_or(0)).map(move |index| element(value, index))
}

fn extreme(value: &Value, is_better: fn(&Number, &Number) -> bool) -> Option<Number> {
    let mut best: Option<Number> = None;
    for number in elements(value) {
        let number = number?;
        if best.as_ref().is_none_or(|best| is_better(&number, best)) {
            best = Some(number);
        }
    }
    best
}

fn sum(value: &Value) -> Option<Number> {
    let mut total: Option<Number> = None;
    for number in elements(value) {
        total = Some(match (total, number?) {
            (None, first) => first,
            (Some(Number::Integer(total)), Number::Integer(more)) => Number::Integer(total.checked_add(more)?),
            (Some(Number::Float(total)), Number::Float(more)) => Number::Float(total + more),
            _ => return None,
        });
    }
    Some(total.unwrap_or(Number::Integer(0)))
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => one.partial_cmp(other),
            (Self::Float(one), Self::Float(other)) => one.partial_cmp(other),
            _ => None,
        }
    }
}

/// The columns of some terms.
pub(crate) struct Terms {
    pub(crate) terms: Vec<Term>,
    pub(crate) columns: Vec<(Numbers, Bits)>,
}

impl Terms {
    /// Terms whose columns are still to be filled.
    pub(crate) fn new(tree: &Tree, planned: &[(usize, Measure, bool)], rows: usize) -> Self {
        let terms = planned.iter().map(|&(node, measure, is_float)| Term {
            node,
            measure,
            is_float,
            is_total: false,
            place: measure.write(&tree.place(node), is_float),
        });
        let column = |is_float| {
            let numbers = if is_float { Numbers::Floats(vec![0.0; rows]) } else { Numbers::Integers(vec![0; rows]) };
            (numbers, Bits::new(rows))
        };
        Self { terms: terms.collect(), columns: planned.iter().map(|&(.., is_float)| column(is_float)).collect() }
    }

    /// Measures what stands at a node of a row.
    pub(crate) fn fill(&mut self, row: usize, node: usize, value: &Value) {
        for (term, (numbers, known)) in self.terms.iter().zip(&mut self.columns) {
            if term.node != node {
                continue;
            }
            match (numbers, term.measure.of(value)) {
                (Numbers::Integers(column), Some(Number::Integer(integer))) => column[row] = integer,
                (Numbers::Floats(column), Some(Number::Float(float))) if !float.is_nan() => column[row] = float,
                // The sum of no floats.
                (Numbers::Floats(column), Some(Number::Integer(0))) => column[row] = 0.0,
                _ => continue,
            }
            known.set(row);
        }
    }

    /// Notes which terms every row has.
    pub(crate) fn finish(&mut self, rows: usize) {
        for (term, (_, known)) in self.terms.iter_mut().zip(&self.columns) {
            term.is_total = known.count() == rows as u64;
        }
    }
}
