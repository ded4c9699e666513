//! When is one cell violated: features of its rows, the miner, and the condition in words.

use crate::{
    Verdict,
    feature::{Bits, Frame, Learned, Literal, Look, Predicate, Scope, learn},
    log::Row,
    mine::{
        condition::{self, Answer, Item, Options, Reason, When, condition},
        table::Table,
    },
};

#[cfg(test)]
mod tests;

/// How many predicates rows are parted by, to learn constants on either side.
const PARTED_BY: usize = 6;
/// So few rows of a verdict teach nothing.
const LEAST: u64 = 8;

/// What is known of one cell.
#[derive(Clone, Debug)]
pub(crate) enum Explained {
    /// No row was held or violated.
    Nothing,
    /// Every row was violated.
    Always,
    /// No row was violated.
    Never,
    /// Violated under this condition.
    Condition(Condition),
    /// The rows do not tell.
    Inconclusive {
        why: Reason,
        /// A condition that explains a part.
        partial: Option<Condition>,
    },
}

/// A condition over the rows of one cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    /// Which verdict the terms describe.
    pub(crate) when: When,
    /// An OR of ANDs.
    pub(crate) terms: Vec<Vec<Literal>>,
    /// What it speaks of.
    pub(crate) scope: Scope,
    /// Held rows that it calls violated.
    pub(crate) false_alarms: u64,
    /// Violated rows that it calls held.
    pub(crate) missed: u64,
    /// Whether the search ended before it was complete.
    pub(crate) limit_hit: bool,
}

impl Condition {
    pub(crate) fn is_exact(&self) -> bool {
        self.false_alarms == 0 && self.missed == 0
    }

    pub(crate) fn literals(&self) -> usize {
        self.terms.iter().map(Vec::len).sum()
    }

    /// When violated, as Rust over the fields.
    pub(crate) fn violated_when(&self, frame: &Frame) -> String {
        if self.when == When::Violated { self.write(frame) } else { self.opposite(frame) }
    }

    /// When held, as Rust over the fields.
    pub(crate) fn held_when(&self, frame: &Frame) -> String {
        if self.when == When::Held { self.write(frame) } else { self.opposite(frame) }
    }

    fn write(&self, frame: &Frame) -> String {
        any_of(
            self.terms.iter().map(|term| all_of(term.iter().map(|literal| literal.write(frame)).collect())).collect(),
        )
    }

    fn opposite(&self, frame: &Frame) -> String {
        let not = |literal: &Literal| Literal { is_true: !literal.is_true, ..literal.clone() }.write(frame);
        match &self.terms[..] {
            [term] => any_of(term.iter().map(not).collect()),
            terms if terms.iter().all(|term| term.len() == 1) => all_of(terms.iter().flatten().map(not).collect()),
            _ => format!("!({})", self.write(frame)),
        }
    }

    /// Whether it calls a row violated.
    pub(crate) fn is_violated(&self, row: &Look<'_, '_>) -> bool {
        let is_met = self.terms.iter().any(|term| term.iter().all(|literal| literal.test(row)));
        is_met == (self.when == When::Violated)
    }
}

fn all_of(texts: Vec<String>) -> String {
    let wrap = |text: String| if text.contains(" || ") { format!("({text})") } else { text };
    let is_single = texts.len() == 1;
    texts.into_iter().map(|text| if is_single { text } else { wrap(text) }).collect::<Vec<_>>().join(" && ")
}

fn any_of(texts: Vec<String>) -> String {
    let wrap = |text: String| if text.contains(" && ") { format!("({text})") } else { text };
    let is_single = texts.len() == 1;
    texts.into_iter().map(|text| if is_single { text } else { wrap(text) }).collect::<Vec<_>>().join(" || ")
}

/// The rows of one cell.
struct Rows {
    violated: Bits,
    held: Bits,
}

impl Rows {
    fn of(rows: &[&Row], cell: usize) -> Self {
        let with =
            |verdict| Bits::from_fn(rows.len(), |row| rows[row].verdicts.get(cell).copied().flatten() == Some(verdict));
        Self { violated: with(Verdict::Violated), held: with(Verdict::Held) }
    }

    fn within(&self, bits: &Bits) -> Self {
        Self { violated: self.violated.and(bits), held: self.held.and(bits) }
    }

    fn least(&self) -> u64 {
        self.violated.count().min(self.held.count())
    }
}

/// Explains one cell by its rows.
pub(crate) fn explain(frame: &Frame, rows: &[&Row], cell: usize) -> Explained {
    let rows = Rows::of(rows, cell);
    match (rows.violated.count(), rows.held.count()) {
        (0, 0) => return Explained::Nothing,
        (0, _) => return Explained::Never,
        (_, 0) => return Explained::Always,
        _ => {}
    }
    let mut learned = learn(frame, &rows.violated, &rows.held);
    let first = mine(frame, &rows, &learned);
    if matches!(&first, Explained::Condition(condition) if condition.is_exact()) {
        return first;
    }
    learn_in_parts(frame, &rows, &mut learned);
    let second = mine(frame, &rows, &learned);
    if quality(&second) > quality(&first) { second } else { first }
}

/// Which of two answers says more, and is wrong less often.
fn quality(explained: &Explained) -> (u8, i128) {
    let errors = |condition: &Condition| -i128::from(condition.false_alarms) - i128::from(condition.missed);
    match explained {
        Explained::Condition(condition) => (2, errors(condition)),
        Explained::Inconclusive { partial: Some(partial), .. } => (1, errors(partial)),
        _ => (0, 0),
    }
}

/// Learns again where a predicate that tells much is true, and where it is false: the constant of an AND shows only
/// there.
fn learn_in_parts(frame: &Frame, rows: &Rows, learned: &mut Learned) {
    let (violated, held) = (rows.violated.count() as f64, rows.held.count() as f64);
    let all = frame.base.iter().chain(&learned.predicates);
    let mut ranked: Vec<(f64, &Bits)> = all
        .map(|(_, bits)| {
            let inside = rows.violated.common(bits) as f64 / violated - rows.held.common(bits) as f64 / held;
            (inside.abs(), bits)
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked.dedup_by(|one, other| one.1 == other.1);
    let parts: Vec<Bits> = ranked.iter().take(PARTED_BY).flat_map(|(_, bits)| [(*bits).clone(), bits.not()]).collect();
    for part in parts {
        let inside = rows.within(&part);
        if inside.least() >= LEAST {
            let more = learn(frame, &inside.violated, &inside.held);
            learned.join(more);
        }
    }
}

fn mine(frame: &Frame, rows: &Rows, learned: &Learned) -> Explained {
    let predicates: Vec<&(Predicate, Bits)> = frame.base.iter().chain(&learned.predicates).collect();
    let columns: Vec<&[u64]> = predicates.iter().map(|(_, bits)| bits.words()).collect();
    let table = Table::from_truths(&columns, rows.violated.words(), rows.held.words());
    let items: Vec<Item> = predicates.iter().flat_map(|(predicate, _)| [Item { cost: predicate.cost() }; 2]).collect();
    let options = Options { tried: learned.tried, ..Options::default() };
    let read = |found: condition::Condition| Condition {
        when: found.when,
        terms: found.terms.iter().map(|term| term.iter().map(|&item| literal(&predicates, item)).collect()).collect(),
        scope: frame.scope,
        false_alarms: found.false_alarms,
        missed: found.missed,
        limit_hit: found.limit_hit,
    };
    match condition(&table, &items, &options) {
        Answer::Always => Explained::Always,
        Answer::Never => Explained::Never,
        Answer::Condition(found) => Explained::Condition(read(found)),
        Answer::Inconclusive(nothing) => {
            Explained::Inconclusive { why: nothing.reason, partial: nothing.partial.map(read) }
        }
    }
}

/// The literal that an item of the table stands for: each predicate has two, the first of which is its opposite.
fn literal(predicates: &[&(Predicate, Bits)], item: usize) -> Literal {
    Literal { predicate: predicates[item / 2].0.clone(), is_true: item % 2 == 1 }
}
