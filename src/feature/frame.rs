//! A frame: the working rows as columns, for all cells at once.

use super::{
    bits::Bits,
    element::Elements,
    fact::{facts, pair_facts},
    form::Form,
    part::Texts,
    place::raw,
    predicate::Predicate,
    rank::Ranked,
    term::{InTexts, Measure, Numbers, Planned, Terms, measures},
    tree::{Node, Origin, Step, Tree},
    vocabulary::{Forms, natural},
};
use crate::log::{Detail, Header, Outcome, Row, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What a condition may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// The source input, the parameters and the user's own features.
    Input,
    /// Also the follow-up inputs of one cell.
    Change(usize),
    /// Also its outputs: they often say no more than the verdict does.
    Output(usize),
}

/// How many letters that many texts contain are asked for.
const LETTERS: usize = 16;
/// How many nodes are held against each other.
const PAIRED: usize = 16;
/// How much is measured in all.
const MOST_TERMS: usize = 1024;
/// How many separators are counted.
const SEPARATORS: usize = 3;
/// How the follow-up inputs are written, and the outputs.
const FOLLOW_UPS: [&str; 2] = ["follow_up", "second_follow_up"];
const OUTPUTS: [&str; 2] = ["output", "follow_up_output"];

/// Rows as columns.
pub(crate) struct Frame {
    pub(crate) scope: Scope,
    pub(crate) tree: Tree,
    pub(crate) terms: Terms,
    /// What does not depend on any verdict, and in which rows it is true.
    pub(crate) base: Vec<(Predicate, Bits)>,
    /// The texts of the user's own features.
    pub(crate) own: Vec<String>,
    /// The suite's constants that are whole numbers.
    pub(crate) constants: Vec<(String, i128)>,
    pub(crate) rows: usize,
    /// What comparisons are made of, with the order of their values.
    pub(crate) forms: Vec<(Form, Ranked)>,
    /// What parts are learned from.
    pub(crate) texts: Texts,
    /// Whether there was more to look at than the limits allow.
    pub(crate) is_cut: bool,
    cells: Vec<(u16, u16)>,
    parameters: Vec<String>,
}

impl Frame {
    pub(crate) fn new(rows: &[&Row], header: &Header, scope: Scope) -> Self {
        let constants = header.constants.iter().filter_map(|(name, value)| Some((name.clone(), value.integer()?)));
        let mut frame = Self {
            scope,
            tree: Tree::default(),
            terms: Terms { terms: Vec::new(), columns: Vec::new() },
            base: Vec::new(),
            own: header.features.clone(),
            constants: constants.collect(),
            rows: rows.len(),
            forms: Vec::new(),
            texts: Texts::default(),
            is_cut: false,
            cells: header.cells.clone(),
            parameters: header.parameters.clone(),
        };
        let mut census = Census::default();
        for row in rows {
            frame.learn(row, &mut census);
        }
        let tree = &frame.tree;
        frame.constants.retain(|(name, _)| !tree.is_root_of_source(&raw(name)));
        let mut taken: HashSet<String> = header.constants.iter().map(|(name, _)| name.clone()).collect();
        frame.tree.name_parts(&taken);
        taken.extend(frame.tree.words());
        frame.plan(&census, taken);
        frame.fill(rows);
        let Forms { forms, is_cut } = Forms::of(&frame);
        let natural = natural(&frame, &forms);
        frame.base.extend(natural);
        frame.forms = forms.into_iter().map(|form| frame.ranked(form)).collect();
        frame.is_cut |= is_cut;
        frame
    }

    fn ranked(&self, form: Form) -> (Form, Ranked) {
        let ranked = Ranked::new(&form, &self.terms, self.rows);
        (form, ranked)
    }

    /// Calls `part` with each root of a row: what it is, its expression, and the value.
    fn roots<'row>(&self, row: &'row Row, part: &mut dyn FnMut(Origin, &str, &'row Value)) {
        for (name, value) in row.names.iter().zip(&row.fields) {
            let expression = if is_identifier(name) { raw(name) } else { format!("input.{name}") };
            part(Origin::Source, &expression, value);
        }
        // In a condition, a name is that of the field first.
        let parameters = self.parameters.iter().zip(&row.parameters);
        for (name, value) in parameters.filter(|(name, _)| !row.names.contains(name)) {
            part(Origin::Parameter, &raw(name), value);
        }
        let (Scope::Change(cell) | Scope::Output(cell)) = self.scope else { return };
        let Some(detail) = row.detail.as_deref() else { return };
        for (name, value) in FOLLOW_UPS.into_iter().zip(self.follow_ups(detail, cell)) {
            part(Origin::FollowUp, name, value);
        }
        if matches!(self.scope, Scope::Output(_)) {
            let source = self.cells.get(cell).and_then(|&(function, _)| detail.sources.get(usize::from(function)));
            if let Some(Outcome::Output(value)) = source {
                part(Origin::Output, OUTPUTS[0], value);
            }
            if let Some(Outcome::Output(value)) = detail.cells.get(cell).and_then(|cell| cell.outcomes.first()) {
                part(Origin::Output, OUTPUTS[1], value);
            }
        }
    }

    /// The follow-up inputs of a cell, which may be told with an earlier cell of the same relation.
    fn follow_ups<'row>(&self, detail: &'row Detail, cell: usize) -> &'row [Value] {
        let Some(&(_, relation)) = self.cells.get(cell) else { return &[] };
        let own = detail.cells.get(cell).map_or(&[][..], |cell| &cell.inputs);
        if !own.is_empty() {
            return own;
        }
        let first = self.cells.iter().position(|&(_, other)| other == relation);
        first.and_then(|first| detail.cells.get(first)).map_or(&[], |cell| &cell.inputs)
    }

    fn learn(&mut self, row: &Row, census: &mut Census) {
        let mut roots = Vec::new();
        self.roots(row, &mut |origin, name, value| roots.push((origin, name.to_owned(), value)));
        // What is inside one of them takes no other's place.
        let roots: Vec<_> =
            roots.into_iter().map(|(origin, name, value)| (self.tree.root(origin, &name), value)).collect();
        for (root, value) in roots {
            if let Some(root) = root {
                self.tree.learn(root, value);
                census.elements.resize(self.tree.nodes.len(), Elements::default());
                self.tree.visit(root, value, &mut |node, value| census.add(node, value));
            }
        }
    }

    /// The value at every node of a row.
    pub(crate) fn values<'row>(&self, row: &'row Row) -> Vec<Option<&'row Value>> {
        let mut values = vec![None; self.tree.nodes.len()];
        self.roots(row, &mut |origin, name, value| {
            if let Some(root) = self.tree.find_root(origin, name) {
                self.tree.visit(root, value, &mut |node, value| values[node] = Some(value));
            }
        });
        values
    }

    /// Decides what to measure and what to ask; these names are taken.
    fn plan(&mut self, census: &Census, taken: HashSet<String>) {
        let (letters, texts) = (census.letters(), census.in_texts());
        let mut planned: Vec<(usize, Planned)> = Vec::new();
        let told: Vec<usize> = (0..self.tree.nodes.len()).filter(|&node| census.is_told(&self.tree, node)).collect();
        for &id in &told {
            let node = &self.tree.nodes[id];
            planned.extend(measures(node, &texts, &census.elements[id]).into_iter().map(|planned| (id, planned)));
            let asked = facts(node, &letters, &census.elements[id]).into_iter().map(|fact| Predicate::Fact(id, fact));
            self.base.extend(asked.map(|predicate| (predicate, Bits::new(self.rows))));
        }
        self.is_cut |= planned.len() > MOST_TERMS;
        planned.truncate(MOST_TERMS);
        // Where there are too many, those in elements of lists come last.
        let (inner, outer): (Vec<usize>, Vec<usize>) = told.iter().partition(|&&node| self.tree.is_in_element(node));
        let first: Vec<usize> = outer.into_iter().chain(inner).collect();
        for (one, other) in pairs(&self.tree, &first[..first.len().min(PAIRED)]) {
            let node = |id: usize| (&self.tree.nodes[id], &census.elements[id]);
            let asked = pair_facts(node(one), node(other)).into_iter();
            let asked = asked.filter(|fact| one < other || !fact.is_symmetric());
            let asked = asked.map(|fact| (Predicate::Pair(one, other, fact), Bits::new(self.rows)));
            self.base.extend(asked);
        }
        let own = (0..self.own.len()).map(|index| (Predicate::Own(index), Bits::new(self.rows)));
        self.base.extend(own);
        self.terms = Terms::new(&self.tree, planned, taken, self.rows);
        let texts = first.into_iter().filter(|&node| self.tree.nodes[node].seen.kinds.only(|kinds| &mut kinds.text));
        self.texts = Texts::new(texts, self.rows);
    }

    fn fill(&mut self, rows: &[&Row]) {
        for (position, row) in rows.iter().enumerate() {
            let values = self.values(row);
            for (node, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    self.terms.fill(position, node, value);
                }
            }
            self.texts.fill(position, &values);
            for (predicate, bits) in &mut self.base {
                let is_true = match predicate {
                    Predicate::Fact(node, fact) => values[*node].is_some_and(|value| fact.test(value)),
                    Predicate::Pair(one, other, fact) => {
                        values[*one].zip(values[*other]).is_some_and(|(one, other)| fact.test(one, other))
                    }
                    Predicate::Own(index) => row.features.get(*index).copied().flatten() == Some(true),
                    Predicate::Compare(_) => false,
                };
                if is_true {
                    bits.set(position);
                }
            }
        }
        self.terms.finish(self.rows);
        let rows = self.rows as u64;
        self.base.retain(|(_, bits)| (1..rows).contains(&bits.count()));
    }
}

impl Frame {
    /// Whether the rows are all combinations of the values that their fields have, and these are whole numbers.
    pub(crate) fn is_grid(&self) -> bool {
        let mut combinations = 1usize;
        for ((numbers, known), term) in self.terms.columns.iter().zip(&self.terms.terms) {
            let Numbers::Integers(column) = numbers else { return false };
            if term.measure != Measure::Itself || known.count() != self.rows as u64 {
                return false;
            }
            let values: BTreeSet<i128> = column.iter().copied().take(self.rows).collect();
            combinations = combinations.saturating_mul(values.len());
        }
        // Rows are distinct, so as many as there are combinations are all of them.
        self.tree.nodes.len() == self.terms.terms.len() && combinations == self.rows
    }
}

/// What is counted before anything is measured.
#[derive(Default)]
struct Census {
    /// What the elements of lists at each node are.
    elements: Vec<Elements>,
    has_wide_letters: bool,
    has_words: bool,
    letters: BTreeMap<char, u64>,
}

/// Any two of some nodes that can be held against each other.
fn pairs(tree: &Tree, nodes: &[usize]) -> Vec<(usize, usize)> {
    let all = nodes.iter().flat_map(|&one| nodes.iter().map(move |&other| (one, other)));
    let are_apart = |one, other| one != other && !tree.are_one_in_the_other(one, other);
    all.filter(|&(one, other)| are_apart(one, other) && !tree.are_both_outputs(one, other)).collect()
}

impl Census {
    /// Whether a node is there in every row that it could be: elements of mixed lists have no place of their own.
    fn is_told(&self, tree: &Tree, node: usize) -> bool {
        let Node { parent, step, .. } = &tree.nodes[node];
        let Some(parent) = *parent else { return true };
        let is_alike = !matches!(step, Step::First | Step::Last) || self.elements[parent].seen.kinds.is_one();
        is_alike && self.is_told(tree, parent)
    }

    fn add(&mut self, node: usize, value: &Value) {
        match value {
            Value::List(values) => values.iter().for_each(|value| self.elements[node].add(value)),
            Value::Bytes(_) => self.elements[node].seen.kinds.integer = true,
            Value::Text(text) => {
                self.has_wide_letters |= !text.is_ascii();
                self.has_words |= text.split_whitespace().nth(1).is_some();
                for letter in text.chars().take(32) {
                    // Rare letters are of no use, and there are a million of them.
                    if self.letters.len() < 4096 || self.letters.contains_key(&letter) {
                        *self.letters.entry(letter).or_default() += 1;
                    }
                }
            }
            _ => {}
        }
    }

    /// The letters seen most often.
    fn letters(&self) -> Vec<char> {
        self.most_frequent(|_| true, LETTERS)
    }

    fn in_texts(&self) -> InTexts {
        let Self { has_wide_letters, has_words, .. } = *self;
        let separators = self.most_frequent(|letter| letter.is_ascii_punctuation(), SEPARATORS);
        InTexts { has_wide_letters, has_words, separators }
    }

    fn most_frequent(&self, is_wanted: impl Fn(char) -> bool, most: usize) -> Vec<char> {
        let wanted = self.letters.iter().filter(|(letter, _)| is_wanted(**letter));
        let mut letters: Vec<(u64, char)> = wanted.map(|(&letter, &count)| (count, letter)).collect();
        letters.sort_by_key(|&(count, letter)| (std::cmp::Reverse(count), letter));
        letters.into_iter().take(most).map(|(_, letter)| letter).collect()
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}
