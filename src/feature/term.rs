//! Terms: what can be measured about a part of a value, as a column of numbers.

use super::{
    bits::Bits,
    element::{Elements, Part},
    place::{Place, shortened},
    tree::{Node, Tree},
};
use crate::log::Value;
use std::collections::HashSet;

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

/// What is to be measured at a node.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    measure: Measure,
    /// What of each element of a list, if not all of it.
    part: Option<Part>,
    is_float: bool,
}

impl Planned {
    fn new(measure: Measure, is_float: bool) -> Self {
        Self { measure, part: None, is_float }
    }
}

/// Something that can be measured.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) node: usize,
    pub(crate) measure: Measure,
    part: Option<Part>,
    pub(crate) is_float: bool,
    /// Whether every row has it, and no row's is NaN: then a comparison can be turned round.
    pub(crate) is_total: bool,
    pub(crate) has_infinities: bool,
    /// How it is written.
    pub(crate) place: Place,
}

impl Term {
    /// Measures what stands at its node.
    pub(crate) fn of(&self, value: &Value) -> Option<Number> {
        match &self.part {
            None => self.measure.of(value),
            Some(part) => self.measure.over(part.values(value).map(|value| value.and_then(number))),
        }
    }

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
pub(crate) struct InTexts {
    pub(crate) has_wide_letters: bool,
    /// Whether some text is more than one word.
    pub(crate) has_words: bool,
    /// What parts texts, or marks parts of them.
    pub(crate) separators: Vec<char>,
}

/// What can be measured at a node.
pub(crate) fn measures(node: &Node, texts: &InTexts, elements: &Elements) -> Vec<Planned> {
    let kinds = node.seen.kinds;
    let whole = |measure| Planned::new(measure, false);
    if kinds.only(|kinds| &mut kinds.integer) {
        return vec![whole(Measure::Itself)];
    }
    if kinds.only(|kinds| &mut kinds.float) {
        return vec![Planned::new(Measure::Itself, true)];
    }
    if kinds.only(|kinds| &mut kinds.text) {
        let chars = texts.has_wide_letters.then_some(Measure::Chars);
        let words = texts.has_words.then_some(Measure::Words);
        let counts = texts.separators.iter().copied().map(Measure::Count);
        return [Measure::Length].into_iter().chain(chars).chain(words).chain(counts).map(whole).collect();
    }
    if kinds.only(|kinds| &mut kinds.map) {
        return vec![whole(Measure::Length)];
    }
    if kinds.only(|kinds| &mut kinds.list) {
        return [whole(Measure::Length)].into_iter().chain(of_elements(elements)).collect();
    }
    Vec::new()
}

/// What can be measured of the elements of a list: they are numbers, or have some.
fn of_elements(elements: &Elements) -> Vec<Planned> {
    let all = [Measure::Min, Measure::Max, Measure::Sum, Measure::First, Measure::Last];
    if let Some(is_float) = elements.seen.kinds.number() {
        return all.map(|measure| Planned::new(measure, is_float)).to_vec();
    }
    let of_part = |(part, is_float): (Part, bool)| {
        // The first and the last have places of their own.
        [Measure::Min, Measure::Max, Measure::Sum].map(|measure| Planned {
            measure,
            part: Some(part.clone()),
            is_float,
        })
    };
    elements.numbers().flat_map(of_part).collect()
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
            Self::Min | Self::Max | Self::Sum => self.over(elements(value)),
        }
    }

    /// Measures some numbers together.
    fn over(self, numbers: impl Iterator<Item = Option<Number>>) -> Option<Number> {
        match self {
            Self::Min => extreme(numbers, |new, best| new < best),
            Self::Max => extreme(numbers, |new, best| new > best),
            Self::Sum => sum(numbers),
            _ => None,
        }
    }

    /// What it is called where it is bound.
    fn word(self) -> Option<&'static str> {
        match self {
            Self::First => Some("first"),
            Self::Last => Some("last"),
            Self::Min => Some("min"),
            Self::Max => Some("max"),
            _ => None,
        }
    }

    /// How it is written about a place, or about a part of each element there, and bound under this name.
    fn write(self, mut place: Place, part: Option<&Part>, name: &str, is_float: bool) -> Place {
        let whole = place.expression.clone();
        let (bound, pattern, x, parts) = match part.map(Part::written) {
            None => (format!("&{name}"), "&x", "x".to_owned(), String::new()),
            Some(part) => (name.to_owned(), "x", format!("x.{part}"), format!(".map(|x| x.{part})")),
        };
        let mut element = |call: String| {
            place.guards.push((format!("{whole}{call}.is_some_and(|{bound}| "), ")"));
            name.to_owned()
        };
        place.expression = match self {
            Self::Itself => whole,
            Self::Length => format!("{whole}.len()"),
            Self::Chars => format!("{whole}.chars().count()"),
            Self::Words => format!("{whole}.split_whitespace().count()"),
            Self::Count(letter) => format!("{whole}.matches({letter:?}).count()"),
            Self::First => element(".first()".into()),
            Self::Last => element(".last()".into()),
            Self::Min if is_float => element(format!(".iter(){parts}.min_by(|a, b| a.total_cmp(b))")),
            Self::Max if is_float => element(format!(".iter(){parts}.max_by(|a, b| a.total_cmp(b))")),
            Self::Min => element(format!(".iter(){parts}.min()")),
            Self::Max => element(format!(".iter(){parts}.max()")),
            Self::Sum if is_float => format!("{whole}.iter().map(|{pattern}| f64::from({x})).sum::<f64>()"),
            Self::Sum => format!("{whole}.iter().map(|{pattern}| {x} as i128).sum::<i128>()"),
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

fn extreme(numbers: impl Iterator<Item = Option<Number>>, is_better: fn(&Number, &Number) -> bool) -> Option<Number> {
    let mut best: Option<Number> = None;
    for number in numbers {
        let number = number?;
        if best.as_ref().is_none_or(|best| is_better(&number, best)) {
            best = Some(number);
        }
    }
    best
}

fn sum(numbers: impl Iterator<Item = Option<Number>>) -> Option<Number> {
    let mut total: Option<Number> = None;
    for number in numbers {
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
            // As texts say it: NaN has a place, and zero has two.
            (Self::Float(one), Self::Float(other)) => Some(one.total_cmp(other)),
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
    /// Terms whose columns are still to be filled, with the nodes they are about; `names` are of something else.
    pub(crate) fn new(tree: &Tree, planned: Vec<(usize, Planned)>, mut names: HashSet<String>, rows: usize) -> Self {
        let term = |(node, Planned { measure, part, is_float }): (usize, Planned)| {
            let mut name = tree.nodes[node].name.clone();
            if let Some(word) = measure.word() {
                let of = part.as_ref().map_or_else(String::new, |part| format!("_{}", shortened(part.name())));
                name = format!("{name}{of}_{word}");
                while !names.insert(name.clone()) {
                    name.push('_');
                }
            }
            let place = measure.write(tree.place(node), part.as_ref(), &name, is_float);
            Term { node, measure, part, is_float, is_total: false, has_infinities: false, place }
        };
        let terms: Vec<Term> = planned.into_iter().map(term).collect();
        let column = |term: &Term| {
            let numbers =
                if term.is_float { Numbers::Floats(vec![0.0; rows]) } else { Numbers::Integers(vec![0; rows]) };
            (numbers, Bits::new(rows))
        };
        Self { columns: terms.iter().map(column).collect(), terms }
    }

    /// Measures what stands at a node of a row.
    pub(crate) fn fill(&mut self, row: usize, node: usize, value: &Value) {
        let of_node =
            self.terms.partition_point(|term| term.node < node)..self.terms.partition_point(|term| term.node <= node);
        for (term, (numbers, known)) in self.terms[of_node.clone()].iter().zip(&mut self.columns[of_node]) {
            match (numbers, term.of(value)) {
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
        for (term, (numbers, known)) in self.terms.iter_mut().zip(&self.columns) {
            term.is_total = known.count() == rows as u64;
            term.has_infinities = matches!(numbers, Numbers::Floats(column) if column.iter().any(|x| x.is_infinite()));
        }
    }
}
