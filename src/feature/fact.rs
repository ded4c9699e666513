//! Facts: what can be said of a part of a value, or of two, without numbers.

use super::{
    element::{ElementFact, Elements},
    place::Place,
    term::length,
    text::{Wrapped, distinct},
    tree::{Kinds, Node, Seen},
};
use crate::log::Value;

/// A class of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Digit,
    Alphabetic,
    Uppercase,
    Lowercase,
    Whitespace,
    Punctuation,
    Control,
}

const CLASSES: [Class; 7] = [
    Class::Digit,
    Class::Alphabetic,
    Class::Uppercase,
    Class::Lowercase,
    Class::Whitespace,
    Class::Punctuation,
    Class::Control,
];

impl Class {
    fn has(self, letter: char) -> bool {
        match self {
            Self::Digit => letter.is_numeric(),
            Self::Alphabetic => letter.is_alphabetic(),
            Self::Uppercase => letter.is_uppercase(),
            Self::Lowercase => letter.is_lowercase(),
            Self::Whitespace => letter.is_whitespace(),
            Self::Punctuation => letter.is_ascii_punctuation(),
            Self::Control => letter.is_control(),
        }
    }

    fn test(self) -> &'static str {
        match self {
            Self::Digit => "is_numeric()",
            Self::Alphabetic => "is_alphabetic()",
            Self::Uppercase => "is_uppercase()",
            Self::Lowercase => "is_lowercase()",
            Self::Whitespace => "is_whitespace()",
            Self::Punctuation => "is_ascii_punctuation()",
            Self::Control => "is_control()",
        }
    }
}

/// So few elements are compared with each other; more are sorted first.
const FEW: usize = 64;

/// What a sequence is made of, which decides how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Letters,
    Items,
}

/// Where in a text a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    Start,
    End,
    Anywhere,
}

/// What can be said of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    True,
    Some,
    /// A variant, and how it is written.
    Variant(String, String),
    Empty,
    Sorted,
    Duplicates(Of),
    Palindrome(Of),
    Ascii,
    Padded,
    Any(Class),
    Is(Class),
    /// A text has this part.
    Part(Side, String),
    Nan,
    Infinite,
    Integral,
    /// Of the elements of a list.
    Elements(ElementFact),
}

/// What can be said of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairFact {
    Equal,
    Less,
    StartsWith,
    Contains,
}

/// What is asked of every truth, option and variant.
pub(super) fn plain_facts(seen: &Seen) -> Vec<Fact> {
    let Seen { kinds, variants } = seen;
    let mut facts = Vec::new();
    if kinds.only(|kinds| &mut kinds.truth) {
        facts.push(Fact::True);
    }
    if kinds.only(|kinds| &mut kinds.option) {
        facts.push(Fact::Some);
    }
    if kinds.only(|kinds| &mut kinds.variant) {
        facts.extend(variants.iter().cloned().map(|(name, path)| Fact::Variant(name, path)));
    }
    facts
}

/// The facts worth asking at a node.
pub(crate) fn facts(node: &Node, letters: &[char], elements: &Elements) -> Vec<Fact> {
    let kinds = node.seen.kinds;
    let mut facts = plain_facts(&node.seen);
    if kinds.only(|kinds| &mut kinds.letter) {
        facts.push(Fact::Ascii);
        facts.extend(CLASSES.map(Fact::Is));
    }
    if kinds.only(|kinds| &mut kinds.float) {
        facts.extend([Fact::Nan, Fact::Infinite, Fact::Integral]);
    }
    if kinds.only(|kinds| &mut kinds.text) {
        facts.extend([
            Fact::Empty,
            Fact::Ascii,
            Fact::Padded,
            Fact::Palindrome(Of::Letters),
            Fact::Duplicates(Of::Letters),
        ]);
        facts.extend(CLASSES.map(Fact::Any));
        facts.extend(letters.iter().map(|letter| Fact::Part(Side::Anywhere, letter.to_string())));
    }
    if kinds.only(|kinds| &mut kinds.list) {
        facts.push(Fact::Empty);
        if elements.seen.kinds.is_one() {
            facts.extend([Fact::Duplicates(Of::Items), Fact::Palindrome(Of::Items)]);
        }
        // How the user's own types are ordered, no log tells.
        let simple: [fn(&mut Kinds) -> &mut bool; 4] =
            [|kinds| &mut kinds.integer, |kinds| &mut kinds.float, |kinds| &mut kinds.letter, |kinds| &mut kinds.text];
        facts.extend(simple.into_iter().any(|wanted| elements.seen.kinds.only(wanted)).then_some(Fact::Sorted));
        facts.extend(elements.facts());
    }
    if kinds.only(|kinds| &mut kinds.map) {
        facts.push(Fact::Empty);
    }
    facts
}

/// The facts worth asking of two nodes, which may be lists with these elements.
pub(crate) fn pair_facts((one, elements): (&Node, &Elements), (other, others): (&Node, &Elements)) -> Vec<PairFact> {
    let both = |wanted: fn(&mut Kinds) -> &mut bool| one.seen.kinds.only(wanted) && other.seen.kinds.only(wanted);
    if both(|kinds| &mut kinds.text) {
        return vec![PairFact::Equal, PairFact::Less, PairFact::StartsWith, PairFact::Contains];
    }
    if both(|kinds| &mut kinds.list) {
        return if elements.are_like(others) { vec![PairFact::Equal, PairFact::StartsWith] } else { Vec::new() };
    }
    if both(|kinds| &mut kinds.variant) || both(|kinds| &mut kinds.truth) || both(|kinds| &mut kinds.option) {
        return vec![PairFact::Equal];
    }
    if both(|kinds| &mut kinds.letter) {
        return vec![PairFact::Equal, PairFact::Less];
    }
    let is_scalar = |kinds: Kinds| kinds.only(|kinds| &mut kinds.integer) || kinds.only(|kinds| &mut kinds.letter);
    let is_element = elements.seen.kinds == other.seen.kinds;
    if one.seen.kinds.only(|kinds| &mut kinds.list) && is_scalar(other.seen.kinds) && is_element {
        return vec![PairFact::Contains];
    }
    Vec::new()
}

impl Fact {
    pub(crate) fn test(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::True, _) => *value == Value::True,
            (Self::Some, _) => matches!(value, Value::Some(_)),
            (Self::Variant(name, _), Value::Variant(_, names)) => names.names().first() == Some(name),
            (Self::Empty, _) => length(value) == Some(0),
            (Self::Sorted, _) => list_is(value, |items| items.is_sorted_by(ordered), |bytes| bytes.is_sorted()),
            (Self::Duplicates(_), Value::Text(text)) => has_duplicates(text.chars().map(|letter| letter as u64)),
            (Self::Duplicates(_), _) => {
                let items_have = |items: &[Value]| has_equal(&items.iter().collect::<Vec<_>>());
                list_is(value, items_have, |bytes| has_duplicates(bytes.iter().map(|&byte| byte.into())))
            }
            (Self::Palindrome(_), Value::Text(text)) => text.chars().eq(text.chars().rev()),
            (Self::Palindrome(_), _) => {
                let is_same =
                    |items: &[Value]| items.iter().zip(items.iter().rev()).all(|(one, other)| one.equals(other));
                list_is(value, is_same, |bytes| bytes.iter().eq(bytes.iter().rev()))
            }
            (Self::Ascii, Value::Text(text)) => text.is_ascii(),
            (Self::Ascii, _) => letter(value).is_some_and(|letter| letter.is_ascii()),
            (Self::Padded, Value::Text(text)) => text.trim() != text,
            (Self::Any(class), Value::Text(text)) => text.chars().any(|letter| class.has(letter)),
            (Self::Is(class), _) => letter(value).is_some_and(|letter| class.has(letter)),
            (Self::Part(side, part), Value::Text(text)) => side.has(text, part),
            (Self::Nan, _) => value.float().is_some_and(f64::is_nan),
            (Self::Infinite, _) => value.float().is_some_and(f64::is_infinite),
            (Self::Integral, _) => value.float().is_some_and(|float| float.fract() == 0.0),
            (Self::Elements(fact), _) => fact.test(value),
            _ => false,
        }
    }

    pub(crate) fn write(&self, place: &Place, is_true: bool) -> Wrapped {
        let x = &place.expression;
        let body = match self {
            Self::True => place.value(),
            Self::Some => format!("{x}.is_some()"),
            Self::Variant(_, path) => format!("matches!({}, {path} {{ .. }})", place.value()),
            Self::Empty => format!("{x}.is_empty()"),
            Self::Sorted => format!("{x}.is_sorted()"),
            Self::Duplicates(Of::Items) => {
                let i = unless(x, "i");
                format!("(1..{x}.len()).any(|{i}| {x}[..{i}].contains(&{x}[{i}]))")
            }
            Self::Duplicates(Of::Letters) => {
                let (i, c) = (unless(x, "i"), unless(x, "c"));
                format!("{x}.char_indices().any(|({i}, {c})| {x}[..{i}].contains({c}))")
            }
            Self::Palindrome(Of::Items) => format!("{x}.iter().eq({x}.iter().rev())"),
            Self::Palindrome(Of::Letters) => format!("{x}.chars().eq({x}.chars().rev())"),
            Self::Ascii => format!("{x}.is_ascii()"),
            Self::Padded => return self.wrap(place, format!("{x}.trim() != {x}"), is_true),
            Self::Any(class) => format!("{x}.contains(|c: char| c.{})", class.test()),
            Self::Is(class) => format!("{x}.{}", class.test()),
            Self::Part(side, part) => format!("{x}.{}({})", side.method(), literal(part)),
            Self::Nan => format!("{x}.is_nan()"),
            Self::Infinite => format!("{x}.is_infinite()"),
            Self::Integral => return self.wrap(place, format!("{x}.fract() == 0.0"), is_true),
            Self::Elements(fact) => fact.write(x),
        };
        Wrapped { guards: place.guards.clone(), body, is_not: !is_true }
    }

    fn wrap(&self, place: &Place, body: String, is_true: bool) -> Wrapped {
        Wrapped { guards: place.guards.clone(), body, is_not: !is_true }
    }

    pub(crate) fn cost(&self) -> u32 {
        match self {
            Self::Palindrome(_) | Self::Padded | Self::Any(_) => 2,
            Self::Elements(_) => 3,
            Self::Part(_, part) => 2 + u32::from(part.chars().nth(1).is_some()),
            _ => 1,
        }
    }
}

impl Side {
    /// Whether a text has this part there.
    pub(super) fn has(self, text: &str, part: &str) -> bool {
        match self {
            Self::Start => text.starts_with(part),
            Self::End => text.ends_with(part),
            Self::Anywhere => text.contains(part),
        }
    }

    fn method(self) -> &'static str {
        match self {
            Self::Start => "starts_with",
            Self::End => "ends_with",
            Self::Anywhere => "contains",
        }
    }
}

/// A name for what a statement goes through: another where it speaks of something that has this one.
pub(super) fn unless(expression: &str, name: &str) -> String {
    let is_it = expression.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name);
    if is_it { format!("{name}{name}") } else { name.to_owned() }
}

/// A part as Rust: a letter, or a text.
fn literal(part: &str) -> String {
    let mut letters = part.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => format!("{letter:?}"),
        _ => format!("{part:?}"),
    }
}

impl PairFact {
    pub(crate) fn is_symmetric(self) -> bool {
        self == Self::Equal
    }

    pub(crate) fn test(self, one: &Value, other: &Value) -> bool {
        match (self, one, other) {
            (Self::Equal, ..) => one.equals(other),
            (Self::Less, Value::Text(one), Value::Text(other)) => one < other,
            (Self::Less, ..) => letter(one).zip(letter(other)).is_some_and(|(one, other)| one < other),
            (Self::StartsWith, Value::Text(one), Value::Text(other)) => one.starts_with(other.as_str()),
            (Self::StartsWith, Value::List(one), Value::List(other)) => {
                one.len() >= other.len() && one.iter().zip(other).all(|(one, other)| one.equals(other))
            }
            (Self::Contains, Value::Text(one), Value::Text(other)) => one.contains(other.as_str()),
            (Self::Contains, Value::List(items), _) => items.contains(other),
            (Self::Contains, Value::Bytes(bytes), _) => {
                other.integer().is_some_and(|other| bytes.iter().any(|&byte| i128::from(byte) == other))
            }
            _ => false,
        }
    }

    pub(crate) fn write(self, one: &Place, other: &Place, is_true: bool) -> Wrapped {
        let guards = distinct(one.guards.iter().chain(&other.guards));
        let (x, y) = (one.value(), other.value());
        let (body, is_not) = match self {
            Self::Equal if guards.is_empty() => (format!("{x} {} {y}", if is_true { "==" } else { "!=" }), false),
            Self::Equal => (format!("{x} == {y}"), !is_true),
            Self::Less if guards.is_empty() => (format!("{x} {} {y}", if is_true { "<" } else { ">=" }), false),
            Self::Less => (format!("{x} < {y}"), !is_true),
            Self::StartsWith => (call(one, "starts_with", other), !is_true),
            Self::Contains => (call(one, "contains", other), !is_true),
        };
        Wrapped { guards, body, is_not }
    }
}

/// A method of one part with a reference to the other.
fn call(one: &Place, method: &str, other: &Place) -> String {
    let borrow = if other.is_reference { "" } else { "&" };
    format!("{}.{method}({borrow}{})", one.expression, other.expression)
}

fn letter(value: &Value) -> Option<char> {
    match value {
        Value::Char(bytes) => char::from_u32(u32::from_le_bytes(*bytes)),
        _ => None,
    }
}

fn list_is(value: &Value, list: impl Fn(&[Value]) -> bool, bytes: impl Fn(&[u8]) -> bool) -> bool {
    match value {
        Value::List(values) => list(values),
        Value::Bytes(raw) => bytes(raw),
        _ => false,
    }
}

/// Whether two elements of a list stand in order, as `is_sorted` would say.
pub(super) fn ordered(one: &Value, other: &Value) -> bool {
    if let Some((one, other)) = one.integer().zip(other.integer()) {
        return one <= other;
    }
    if let Some((one, other)) = one.float().zip(other.float()) {
        return one <= other;
    }
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one <= other,
        _ => letter(one).zip(letter(other)).is_some_and(|(one, other)| one <= other),
    }
}

pub(super) fn has_equal(items: &[&Value]) -> bool {
    if let Some(integers) = items.iter().map(|item| item.integer()).collect::<Option<Vec<_>>>() {
        let mut integers = integers;
        integers.sort_unstable();
        return integers.windows(2).any(|pair| pair[0] == pair[1]);
    }
    if let Some(floats) = items.iter().map(|item| item.float()).collect::<Option<Vec<_>>>() {
        // Zero has two signs and is one number, and NaN equals nothing.
        let mut floats: Vec<f64> =
            floats.into_iter().filter(|float| !float.is_nan()).map(|float| float + 0.0).collect();
        floats.sort_unstable_by(f64::total_cmp);
        return floats.windows(2).any(|pair| pair[0] == pair[1]);
    }
    if items.len() <= FEW {
        return items.iter().enumerate().any(|(position, item)| items[..position].iter().any(|one| one.equals(item)));
    }
    // Equal items have equal texts, but for the sign of zero.
    let text = |item: &&Value| item.to_string().replace("-0.0", "0.0");
    let mut items: Vec<(String, &Value)> = items.iter().map(|item| (text(item), *item)).collect();
    items.sort_by(|one, other| one.0.cmp(&other.0));
    items.windows(2).any(|pair| pair[0].1.equals(pair[1].1))
}

fn has_duplicates(items: impl Iterator<Item = u64>) -> bool {
    let mut items: Vec<u64> = items.collect();
    items.sort_unstable();
    items.windows(2).any(|pair| pair[0] == pair[1])
}
