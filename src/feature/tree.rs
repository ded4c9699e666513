//! The parts of logged values, found by looking at all rows: a tree of named nodes, free of the user's types.

use crate::log::Value;

/// How many parts are told apart; an input with more is looked at in part, and the report says so.
pub(crate) const MAX_NODES: usize = 192;

/// How many variants are told apart in one place.
const MOST_VARIANTS: usize = 32;

/// What a root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A field of the source input.
    Source,
    /// A parameter.
    Parameter,
    /// A follow-up input.
    FollowUp,
    /// The output of the source or of a follow-up.
    Output,
}

/// How a node is reached from the one above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A root, with the expression that names it.
    Root(Origin, String),
    /// A field of a struct.
    Field(String),
    /// A part of a tuple.
    Index(usize),
    /// What an option holds.
    Some,
    /// What a variant holds, with the variant's name and how it is written.
    Content(String, String),
    /// The first element of a list.
    First,
    /// The last element of a list.
    Last,
}

/// A step that is borrowed from a value, so that looking at a row allocates nothing.
#[derive(Clone, Copy, Debug)]
enum StepRef<'value> {
    Field(&'value str),
    Index(usize),
    Some,
    Content(&'value [String]),
    First,
    Last,
}

impl StepRef<'_> {
    fn is(self, step: &Step) -> bool {
        match (self, step) {
            (Self::Field(one), Step::Field(other)) => one == other,
            (Self::Content(names), Step::Content(variant, _)) => names.first() == Some(variant),
            (Self::Index(one), Step::Index(other)) => one == *other,
            (Self::Some, Step::Some) | (Self::First, Step::First) | (Self::Last, Step::Last) => true,
            _ => false,
        }
    }

    fn to_step(self) -> Step {
        match self {
            Self::Field(name) => Step::Field(name.to_owned()),
            Self::Index(index) => Step::Index(index),
            Self::Some => Step::Some,
            Self::First => Step::First,
            Self::Last => Step::Last,
            Self::Content(names) => Step::Content(names.first().cloned().unwrap_or_default(), path(names)),
        }
    }
}

/// What has been seen at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) integer: bool,
    pub(crate) float: bool,
    pub(crate) truth: bool,
    pub(crate) letter: bool,
    pub(crate) text: bool,
    pub(crate) list: bool,
    pub(crate) map: bool,
    pub(crate) option: bool,
    pub(crate) variant: bool,
    pub(crate) other: bool,
}

impl Kinds {
    pub(crate) fn add(&mut self, value: &Value) {
        let seen = match value {
            Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) | Value::I128(_) => &mut self.integer,
            Value::F32(_) | Value::F64(_) => &mut self.float,
            Value::True | Value::False => &mut self.truth,
            Value::Char(_) => &mut self.letter,
            Value::Text(_) => &mut self.text,
            Value::Bytes(_) | Value::List(_) => &mut self.list,
            Value::Map(_) => &mut self.map,
            Value::None | Value::Some(_) => &mut self.option,
            Value::Variant(..) => &mut self.variant,
            // Too wide a number is none that others can be compared with.
            Value::Unit | Value::Tuple(_) | Value::Struct(..) | Value::U128(_) => &mut self.other,
        };
        *seen = true;
    }

    /// Whether it is a number or a truth, which is copied rather than borrowed.
    pub(super) fn is_plain(self) -> bool {
        self.only(|kinds| &mut kinds.integer)
            || self.only(|kinds| &mut kinds.float)
            || self.only(|kinds| &mut kinds.truth)
            || self.only(|kinds| &mut kinds.letter)
    }

    /// Whether it is a number everywhere, and then whether that is a float.
    pub(crate) fn number(self) -> Option<bool> {
        let is_float = self.only(|kinds| &mut kinds.float);
        (is_float || self.only(|kinds| &mut kinds.integer)).then_some(is_float)
    }

    /// Whether all that was seen is of one kind.
    pub(crate) fn is_one(self) -> bool {
        let Self { integer, float, truth, letter, text, list, map, option, variant, other } = self;
        let all = [integer, float, truth, letter, text, list, map, option, variant, other];
        all.into_iter().filter(|&is_seen| is_seen).count() == 1
    }

    /// Whether nothing but `wanted` was seen.
    pub(crate) fn only(self, wanted: impl Fn(&mut Self) -> &mut bool) -> bool {
        let mut expected = Self::default();
        *wanted(&mut expected) = true;
        self == expected
    }
}

/// What stands in one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) kinds: Kinds,
    /// The variants: their names, and how they are written.
    pub(crate) variants: Vec<(String, String)>,
}

impl Seen {
    pub(crate) fn add(&mut self, value: &Value) {
        self.kinds.add(value);
        if let Value::Variant(_, names) = value
            && let Some(name) = names.names().first()
            && self.variants.len() < MOST_VARIANTS
            && !self.variants.iter().any(|(known, _)| known == name)
        {
            self.variants.push((name.clone(), path(names.names())));
            self.variants.sort();
        }
    }
}

/// One part of the values.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) step: Step,
    pub(crate) seen: Seen,
    /// What it is called where it is bound, or something of it.
    pub(super) name: String,
    children: Vec<usize>,
}

/// All parts that any row has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Whether there are parts that were left out.
    pub(crate) is_cut: bool,
}

impl Tree {
    /// The root that is named by an expression, made if there is none.
    pub(crate) fn root(&mut self, origin: Origin, expression: &str) -> Option<usize> {
        let known = self.find_root(origin, expression);
        known.or_else(|| self.add(None, Step::Root(origin, expression.to_owned())))
    }

    pub(crate) fn find_root(&self, origin: Origin, expression: &str) -> Option<usize> {
        let is_it = |step: &Step| matches!(step, Step::Root(known, name) if *known == origin && name == expression);
        self.nodes.iter().position(|node| is_it(&node.step))
    }

    /// Whether two nodes are of the two outputs, which the relation itself compares.
    pub(crate) fn are_both_outputs(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root_of(one), self.root_of(other));
        one != other && [one, other].iter().all(|&root| self.origin(root) == Origin::Output)
    }

    /// Whether a field of the source input or a parameter is called so.
    pub(crate) fn is_root_of_source(&self, expression: &str) -> bool {
        [Origin::Source, Origin::Parameter].iter().any(|&origin| self.find_root(origin, expression).is_some())
    }

    /// Whether a node is of a field of the source input.
    pub(crate) fn is_of_field(&self, node: usize) -> bool {
        self.origin(self.root_of(node)) == Origin::Source
    }

    /// Whether a node is of the source input or a parameter, and not of what a cell makes of it.
    pub(crate) fn is_of_source(&self, node: usize) -> bool {
        matches!(self.origin(self.root_of(node)), Origin::Source | Origin::Parameter)
    }

    /// The root that a node is a part of.
    fn root_of(&self, node: usize) -> usize {
        self.nodes[node].parent.map_or(node, |parent| self.root_of(parent))
    }

    fn origin(&self, root: usize) -> Origin {
        if let Step::Root(origin, _) = self.nodes[root].step { origin } else { Origin::Source }
    }

    /// How a root is written. A field may be called as an output is; then it is the output that gives way.
    pub(super) fn root_text(&self, origin: Origin, expression: &str) -> String {
        let is_taken = matches!(origin, Origin::FollowUp | Origin::Output) && self.is_root_of_source(expression);
        if is_taken { self.root_text(origin, &format!("the_{expression}")) } else { expression.to_owned() }
    }

    /// Adds what is seen in a value that stands at a node.
    pub(crate) fn learn(&mut self, node: usize, value: &Value) {
        self.nodes[node].seen.add(value);
        each_part(value, &mut |step, part| {
            let child = self.find(node, step).or_else(|| self.add(Some(node), step.to_step()));
            if let Some(child) = child {
                self.learn(child, part);
            }
        });
    }

    /// Calls `found` with every node that the value at `node` has.
    pub(crate) fn visit<'value>(&self, node: usize, value: &'value Value, found: &mut dyn FnMut(usize, &'value Value)) {
        found(node, value);
        each_part(value, &mut |step, part| {
            if let Some(child) = self.find(node, step) {
                self.visit(child, part, found);
            }
        });
    }

    fn find(&self, parent: usize, step: StepRef<'_>) -> Option<usize> {
        self.nodes[parent].children.iter().copied().find(|&child| step.is(&self.nodes[child].step))
    }

    fn add(&mut self, parent: Option<usize>, step: Step) -> Option<usize> {
        if self.nodes.len() >= MAX_NODES {
            self.is_cut = true;
            return None;
        }
        let id = self.nodes.len();
        let (seen, name) = (Seen::default(), String::new());
        self.nodes.push(Node { parent, step, seen, name, children: Vec::new() });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
        Some(id)
    }
}

/// `Enum::Variant`, where the enum's name is known.
fn path(names: &[String]) -> String {
    match names {
        [variant, name, ..] => format!("{name}::{variant}"),
        names => names.first().cloned().unwrap_or_default(),
    }
}

fn is_number(value: &Value) -> bool {
    let mut kinds = Kinds::default();
    kinds.add(value);
    kinds.number().is_some()
}

/// The parts of a value, with the steps that lead there: one more than a tree can have, so that it knows it is cut.
fn each_part<'value>(value: &'value Value, part: &mut dyn FnMut(StepRef<'value>, &'value Value)) {
    match value {
        Value::Some(inner) => part(StepRef::Some, inner),
        Value::Tuple(values) => {
            let parts = values.iter().enumerate().take(MAX_NODES + 1);
            parts.for_each(|(index, value)| part(StepRef::Index(index), value));
        }
        Value::Struct(values, names) => {
            let parts = values.iter().zip(names.names()).take(MAX_NODES + 1);
            parts.for_each(|(value, name)| part(StepRef::Field(name), value));
        }
        Value::Variant(content, names) if !matches!(**content, Value::Unit) && !names.names().is_empty() => {
            part(StepRef::Content(names.names()), content);
        }
        // Numbers are measured with their list.
        Value::List(values) if !values.first().is_some_and(is_number) => {
            values.first().into_iter().for_each(|first| part(StepRef::First, first));
            values.last().into_iter().for_each(|last| part(StepRef::Last, last));
        }
        _ => {}
    }
}
