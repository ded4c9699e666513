//! Places: how the parts of values are written in Rust, and what they are called there.

use super::tree::{Node, Step, Tree};
use std::collections::HashSet;

/// Longer words are cut, and longer names are not made of several words.
const LONGEST_WORD: usize = 40;
/// So many names are thought of for one part.
const MOST_NAMES: usize = 4;
/// What generated tests call their own, and what cannot be a name.
const RESERVED: [&str; 7] = ["input", "seen", "wide", "crate", "super", "self", "_"];

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
    /// An element that a closure is given, or a part of it.
    pub(super) fn of_element(expression: String, is_reference: bool) -> Self {
        Self { expression, is_reference, ..Self::default() }
    }

    /// Goes to a field.
    fn enter(&mut self, field: &str) {
        self.expression.push('.');
        self.expression.push_str(field);
        self.is_reference = false;
    }

    /// Goes to what an option holds, which a method of this place may give.
    fn unwrap(&mut self, method: &str, pattern: String, name: String, is_reference: bool) {
        self.guards.push((format!("{}{method}.is_some_and(|{pattern}| ", self.expression), ")"));
        self.expression = name;
        self.is_reference = is_reference;
    }

    /// Binds a part of a variant instead of its whole content; numbers are copied, the rest is borrowed.
    fn rebind(&mut self, name: String, is_plain: bool, pattern: impl Fn(&str) -> String) {
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

impl Tree {
    /// How a node is written in Rust.
    pub(crate) fn place(&self, node: usize) -> Place {
        let Node { parent, step, seen, name, .. } = &self.nodes[node];
        let mut place = parent.map_or_else(Place::default, |parent| self.place(parent));
        let (name, is_plain) = (raw(name), seen.kinds.is_plain());
        match step {
            Step::Root(origin, expression) => place.expression = self.root_text(*origin, expression),
            Step::Field(field) => match self.variant_above(*parent) {
                Some((_, path)) => place.rebind(name.clone(), is_plain, |bound| {
                    let renamed = if name == raw(field) { String::new() } else { format!("{}: ", raw(field)) };
                    format!("{path} {{ {renamed}{bound}, .. }}")
                }),
                None => place.enter(&raw(field)),
            },
            Step::Index(index) => match self.variant_above(*parent) {
                Some((_, path)) => {
                    place.rebind(name, is_plain, |bound| format!("{path}({}{bound}, ..)", "_, ".repeat(*index)));
                }
                None => place.enter(&index.to_string()),
            },
            Step::Some if is_plain => place.unwrap("", name.clone(), name, false),
            Step::Some => place.unwrap(".as_ref()", name.clone(), name, true),
            Step::First | Step::Last => {
                let method = if *step == Step::First { ".first()" } else { ".last()" };
                let pattern = if is_plain { format!("&{name}") } else { name.clone() };
                place.unwrap(method, pattern, name, !is_plain);
            }
            Step::Content(_, path) => {
                place.matched = place.value();
                place.guards.push(Default::default());
                place.rebind(name, is_plain, |bound| format!("{path}({bound})"));
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

    /// Names every part, so that what one statement binds hides nothing that it speaks of: the last word of where it is,
    /// and as many before that as tell it from all others, and from names that are taken.
    pub(crate) fn name_parts(&mut self, taken: &HashSet<String>) {
        let names: Vec<Vec<String>> = (0..self.nodes.len()).map(|node| self.names(node)).collect();
        let binding: Vec<usize> = (0..self.nodes.len()).filter(|&node| self.binds(node)).collect();
        for (node, names_here) in names.iter().enumerate() {
            let is_free = |name: &&String| {
                let mut others = binding.iter().filter(|&&other| self.owner(other) != self.owner(node));
                let is_it = |other: usize| names[other].first() == Some(*name) || self.nodes[other].name == **name;
                let is_taken = taken.contains(*name) || RESERVED.contains(&name.as_str());
                !is_taken && !others.any(|&other| is_it(other))
            };
            let numbered = || format!("{}_{node}", names_here.last().map_or("part", String::as_str));
            self.nodes[node].name = names_here.iter().find(is_free).cloned().unwrap_or_else(numbered);
        }
    }

    /// What a node can be called, the shortest first.
    fn names(&self, node: usize) -> Vec<String> {
        let Node { parent, step, .. } = &self.nodes[node];
        let above = parent.map_or_else(Vec::new, |parent| self.names(parent));
        let joined = |last: &str| -> Vec<String> {
            let above = above.iter().filter(|above| above.len() + last.len() <= 2 * LONGEST_WORD);
            above.map(|above| format!("{above}_{last}")).collect()
        };
        let short = |last: &str| {
            let last = shortened(&lower_first(last));
            let long = joined(&last);
            [last].into_iter().chain(long).take(MOST_NAMES).collect()
        };
        match step {
            Step::Root(origin, expression) => {
                let expression = self.root_text(*origin, expression);
                let whole: String = expression.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
                vec![shortened(&lower_first(&last_name(&expression))), shortened(&lower_first(&whole))]
            }
            Step::Field(name) => short(name),
            Step::Content(variant, _) => short(&lower(variant)),
            Step::Index(index) => joined(&index.to_string()),
            Step::First => joined("first"),
            Step::Last => joined("last"),
            Step::Some => above,
        }
    }

    /// Whether statements about it bind its name, or take it for granted.
    fn binds(&self, node: usize) -> bool {
        let Node { parent, step, seen, .. } = &self.nodes[node];
        match step {
            Step::Field(_) | Step::Index(_) => seen.kinds.list || self.variant_above(*parent).is_some(),
            _ => true,
        }
    }

    /// The option that a part is in, and may share its name with.
    fn owner(&self, node: usize) -> usize {
        match &self.nodes[node] {
            Node { step: Step::Some, parent: Some(parent), .. } => self.owner(*parent),
            _ => node,
        }
    }

    /// All names that something has already: of parts, and of roots as they are written.
    pub(crate) fn words(&self) -> HashSet<String> {
        let roots = self.nodes.iter().filter_map(|node| match &node.step {
            Step::Root(origin, expression) => Some(last_name(&self.root_text(*origin, expression))),
            _ => None,
        });
        self.nodes.iter().map(|node| node.name.clone()).chain(roots).collect()
    }

    /// Whether one of two nodes is a part of the other.
    pub(crate) fn are_one_in_the_other(&self, one: usize, other: usize) -> bool {
        let is_in = |mut inner: usize, outer: usize| {
            while let Some(parent) = self.nodes[inner].parent {
                inner = parent;
                if inner == outer {
                    return true;
                }
            }
            false
        };
        is_in(one, other) || is_in(other, one)
    }

    /// Whether a node is a part of an element of a list.
    pub(crate) fn is_in_element(&self, node: usize) -> bool {
        let Node { parent, step, .. } = &self.nodes[node];
        matches!(step, Step::First | Step::Last) || parent.is_some_and(|parent| self.is_in_element(parent))
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

/// The last name in an expression, as a name for what is inside.
fn last_name(expression: &str) -> String {
    let name: String =
        expression.chars().rev().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let name: String = name.chars().rev().collect();
    if name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') { name } else { "inner".into() }
}

/// The beginning of a long word.
pub(super) fn shortened(word: &str) -> String {
    word.chars().take(LONGEST_WORD).collect()
}

/// What begins with a capital is a variant in a pattern, and not a name.
fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
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
