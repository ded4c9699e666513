//! The parts of logged values, found by looking at all rows: a tree of named nodes, free of the user's types.

use crate::log::Value;

/// How many parts are told apart; an input with more is looked at in part, and the report says so.
pub(crate) const MAX_NODES: usize = 192;

/// The roots of the outputs.
pub(crate) const OUTPUT: &str = "output";
pub(crate) const FOLLOW_UP_OUTPUT: &str = "follow_up_output";

/// How a node is reached from the one above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A root: a field, a parameter, an output; with the expression that names it.
    Root(String),
    /// A field of a struct.
    Field(String),
    /// A part of a tuple.
    Index(usize),
    /// What an option holds.
    Some,
    /// What a variant holds, with the variant's name and how it is written.
    Content(String, String),
}

/// A step that is borrowed from a value, so that looking at a row allocates nothing.
#[derive(Clone, Copy, Debug)]
enum StepRef<'value> {
    Field(&'value str),
    Index(usize),
    Some,
    Content(&'value [String]),
}

impl StepRef<'_> {
    fn is(self, step: &Step) -> bool {
        match (self, step) {
            (Self::Field(one), Step::Field(other)) => one == other,
            (Self::Content(names), Step::Content(variant, _)) => names.first() == Some(variant),
            (Self::Index(one), Step::Index(other)) => one == *other,
            (Self::Some, Step::Some) => true,
            _ => false,
        }
    }

    fn to_step(self) -> Step {
        match self {
            Self::Field(name) => Step::Field(name.to_owned()),
            Self::Index(index) => Step::Index(index),
            Self::Some => Step::Some,
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
            Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) | Value::I128(_) | Value::U128(_) => {
                &mut self.integer
            }
            Value::F32(_) | Value::F64(_) => &mut self.float,
            Value::True | Value::False => &mut self.truth,
            Value::Char(_) => &mut self.letter,
            Value::Text(_) => &mut self.text,
            Value::Bytes(_) | Value::List(_) => &mut self.list,
            Value::Map(_) => &mut self.map,
            Value::None | Value::Some(_) => &mut self.option,
            Value::Variant(..) => &mut self.variant,
            Value::Unit | Value::Tuple(_) | Value::Struct(..) => &mut self.other,
        };
        *seen = true;
    }

    /// Whether it is a number or a truth, which is copied rather than borrowed.
    fn is_plain(self) -> bool {
        self.only(|kinds| &mut kinds.integer)
            || self.only(|kinds| &mut kinds.float)
            || self.only(|kinds| &mut kinds.truth)
            || self.only(|kinds| &mut kinds.letter)
    }

    /// Whether nothing but `wanted` was seen.
    pub(crate) fn only(self, wanted: impl Fn(&mut Self) -> &mut bool) -> bool {
        let mut expected = Self::default();
        *wanted(&mut expected) = true;
        self == expected
    }
}

/// One part of the values.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) step: Step,
    pub(crate) kinds: Kinds,
    /// The variants seen here: their names, and how they are written.
    pub(crate) variants: Vec<(String, String)>,
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
    pub(crate) fn root(&mut self, expression: &str) -> Option<usize> {
        self.find_root(expression).or_else(|| self.add(None, Step::Root(expression.to_owned())))
    }

    pub(crate) fn find_root(&self, expression: &str) -> Option<usize> {
        self.nodes.iter().position(|node| matches!(&node.step, Step::Root(name) if name == expression))
    }

    /// Whether two nodes are of the two outputs, which the relation itself compares.
    pub(crate) fn are_both_outputs(&self, one: usize, other: usize) -> bool {
        let root = |mut node: usize| {
            while let Some(parent) = self.nodes[node].parent {
                node = parent;
            }
            &self.nodes[node].step
        };
        let is_output = |step: &Step| matches!(step, Step::Root(name) if name == OUTPUT || name == FOLLOW_UP_OUTPUT);
        let (one, other) = (root(one), root(other));
        one != other && is_output(one) && is_output(other)
    }

    /// Adds what is seen in a value that stands at a node.
    pub(crate) fn learn(&mut self, node: usize, value: &Value) {
        self.nodes[node].kinds.add(value);
        if let Value::Variant(_, names) = value
            && let Some(name) = names.names().first()
            && !self.nodes[node].variants.iter().any(|(known, _)| known == name)
        {
            self.nodes[node].variants.push((name.clone(), path(names.names())));
            self.nodes[node].variants.sort();
        }
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
        self.nodes.push(Node { parent, step, kinds: Kinds::default(), variants: Vec::new(), children: Vec::new() });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
        Some(id)
    }

    /// How a node is written in Rust.
    pub(crate) fn place(&self, node: usize) -> Place {
        let Node { parent, step, kinds, .. } = &self.nodes[node];
        let mut place = parent.map_or_else(Place::default, |parent| self.place(parent));
        let is_plain = kinds.is_plain();
        match step {
            Step::Root(expression) => place.expression.clone_from(expression),
            Step::Field(name) => match self.variant_above(*parent) {
                Some((_, path)) => place.rebind(name, is_plain, |bound| format!("{path} {{ {bound}, .. }}")),
                None => place.enter(&raw(name)),
            },
            Step::Index(index) => match self.variant_above(*parent) {
                Some((variant, path)) => {
                    let name = format!("{}_{index}", lower(variant));
                    place.rebind(&name, is_plain, |bound| format!("{path}({}{bound}, ..)", "_, ".repeat(*index)));
                }
                None => place.enter(&index.to_string()),
            },
            Step::Some => {
                let name = last_name(&place.expression);
                let borrow = if is_plain { "" } else { ".as_ref()" };
                place.guards.push((format!("{}{borrow}.is_some_and(|{name}| ", place.expression), ")"));
                place.expression = name;
                place.is_reference = !is_plain;
            }
            Step::Content(variant, path) => {
                place.matched = place.value();
                place.guards.push(Default::default());
                place.rebind(&lower(variant), is_plain, |bound| format!("{path}({bound})"));
            }
        }
        place
    }

    /// The variant whose content a node is: its name, and how it is written.
    fn variant_above(&self, node: Option<usize>) -> Option<(&str, &str)> {
        match &self.nodes[node?].step {
            Step::Content(variant, path) => Some((variant, path)),
            _ => None,
        }
    }
}

/// A part of a value in Rust: an expression, and what has to be around it for the expression to make sense.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) expression: String,
    pub(crate) guards: Vec<(String, &'static str)>,
    /// What the last `matches!` looks at.
    matched: String,
    /// Whether the expression is a reference to the part.
    pub(crate) is_reference: bool,
}

impl Place {
    /// Goes to a field.
    fn enter(&mut self, field: &str) {
        self.expression.push('.');
        self.expression.push_str(field);
        self.is_reference = false;
    }

    /// Binds a part of a variant instead of its whole content; numbers are copied, the rest is borrowed.
    fn rebind(&mut self, name: &str, is_plain: bool, pattern: impl Fn(&str) -> String) {
        let name = raw(name);
        let bound = if is_plain { name.clone() } else { format!("ref {name}") };
        let pattern = pattern(&bound);
        if let Some(guard) = self.guards.last_mut() {
            *guard = (format!("matches!({}, {pattern} if ", self.matched), ")");
        }
        self.expression = name;
        self.is_reference = !is_plain;
    }

    /// The part itself, also where the expression refers to it.
    pub(crate) fn value(&self) -> String {
        if self.is_reference { format!("*{}", self.expression) } else { self.expression.clone() }
    }
}

/// `Enum::Variant`, where the enum's name is known.
fn path(names: &[String]) -> String {
    match names {
        [variant, name, ..] => format!("{name}::{variant}"),
        names => names.first().cloned().unwrap_or_default(),
    }
}

/// A name as it is written in an expression: keywords need a mark.
pub(crate) fn raw(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

/// The keywords that can be the name of a field.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

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
        _ => {}
    }
}

/// The last name in an expression, as a name for what is inside.
fn last_name(expression: &str) -> String {
    let name: String =
        expression.chars().rev().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let name: String = name.chars().rev().collect();
    if name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') { name } else { "inner".into() }
}

fn lower(name: &str) -> String {
    let mut lower = String::new();
    for (position, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && position > 0 {
            lower.push('_');
        }
        lower.extend(letter.to_lowercase());
    }
    lower
}
