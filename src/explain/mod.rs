//! When is one cell violated: features of its rows, the miner, and the condition in words.

use crate::{
    Verdict,
    clean::Cleaned,
    feature::{Bits, Frame, Learned, Literal, Look, Predicate, Scope, learn},
    log::Row,
    mine::{
        apriori::Counts,
        condition::{self, Answer, Item, Options, Reason, When, condition},
        table::Table,
    },
};

mod all;
mod exceptions;
mod narrow;
mod rules;
mod sampled;
#[cfg(test)]
mod tests;

pub(crate) use all::{AllExplained, CellExplained, Written, explain_all, in_parallel};
pub(crate) use exceptions::Exceptions;
pub(crate) use rules::{Rule, rules};

/// How many predicates rows are parted by, to learn constants on either side.
const PARTED_BY: usize = 6;
/// What is harder to read parts no rows: among so much, some tells by chance.
const PARTING: u32 = 4;
/// About how many words of columns one search may look at: a second's work.
const WORK: u64 = 1_000_000_000;
/// How long a condition may be that explains a part.
const MAX_PARTIAL: usize = 4;
/// A statement of this cost has none that is simpler: no constant has to be learned.
const PLAIN: u32 = 2;
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

impl Explained {
    /// The condition, or the one that explains a part.
    pub(crate) fn condition(&self) -> Option<&Condition> {
        match self {
            Self::Condition(condition) | Self::Inconclusive { partial: Some(condition), .. } => Some(condition),
            _ => None,
        }
    }

    /// Whether it is a condition without exceptions.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Self::Condition(condition) if condition.is_exact())
    }

    fn set(&mut self, new: Condition) {
        if let Self::Condition(condition) | Self::Inconclusive { partial: Some(condition), .. } = self {
            *condition = new;
        }
    }
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
    /// How often each term is met, and by what verdict.
    pub(crate) counts: Vec<Counts>,
}

impl Condition {
    /// An AND without exceptions.
    pub(crate) fn of_term(term: Vec<Literal>, when: When, scope: Scope) -> Self {
        let terms = vec![term];
        Self { when, terms, scope, false_alarms: 0, missed: 0, limit_hit: false, counts: Vec::new() }
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.false_alarms == 0 && self.missed == 0
    }

    /// How many held inputs it calls violated, and how many violated ones held; past a log's budget more than have rows.
    fn wrong_inputs(&self, wrong: Option<&Exceptions>) -> (u64, u64) {
        match wrong {
            Some(wrong) if !self.is_exact() => (wrong.false_alarms.stands_for(), wrong.missed.stands_for()),
            _ => (self.false_alarms, self.missed),
        }
    }

    pub(crate) fn literals(&self) -> usize {
        self.terms.iter().map(Vec::len).sum()
    }

    /// When violated and when held, as Rust over the fields; the suite's constants by name or by value.
    pub(crate) fn write(&self, frame: &Frame, constants: &[(String, i128)]) -> (String, String) {
        let text = |literal: &Literal| literal.write(frame, constants);
        let met = any_of(self.terms.iter().map(|term| all_of(term.iter().map(text).collect())).collect());
        let not = |literal: &Literal| text(&literal.opposite());
        let opposite = all_of(self.terms.iter().map(|term| any_of(term.iter().map(not).collect())).collect());
        if self.when == When::Violated { (met, opposite) } else { (opposite, met) }
    }

    /// Whether it calls a row violated.
    pub(crate) fn is_violated(&self, row: &Look<'_, '_>) -> bool {
        let is_met = self.terms.iter().any(|term| term.iter().all(|literal| literal.test(row)));
        is_met == (self.when == When::Violated)
    }
}

/// Whether what a condition is wrong about, so many times, is less than the rarer verdict has.
fn are_few(times: u64, wrong: u64, rarer: u64) -> bool {
    times.saturating_mul(wrong) < rarer
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

/// The rows that say something about inputs.
pub(crate) fn usable(cleaned: &Cleaned) -> Vec<&Row> {
    cleaned.working.iter().filter(is_usable).collect()
}

fn is_usable(row: &&Row) -> bool {
    row.death.is_none() && !row.fields.is_empty()
}

/// How many distinct inputs each of the rows of [`usable`] stands for.
fn weights(cleaned: &Cleaned) -> Vec<f64> {
    let weighed = cleaned.working.iter().zip(&cleaned.stands_for);
    weighed.filter(|(row, _)| is_usable(row)).map(|(_, &inputs)| inputs).collect()
}

/// The rows of one cell.
struct Rows {
    violated: Bits,
    held: Bits,
}

impl Rows {
    fn of(rows: &[&Row], cell: usize) -> Self {
        let with = |verdict| Bits::from_fn(rows.len(), |row| rows[row].verdict(cell) == Some(verdict));
        Self { violated: with(Verdict::Violated), held: with(Verdict::Held) }
    }

    fn labelled(labels: &[Option<bool>]) -> Self {
        let with = |label| Bits::from_fn(labels.len(), |row| labels[row] == Some(label));
        Self { violated: with(true), held: with(false) }
    }

    fn within(&self, bits: &Bits) -> Self {
        Self { violated: self.violated.and(bits), held: self.held.and(bits) }
    }

    /// Whether something is true for all rows of one verdict, and for none of the other.
    fn are_parted_by(&self, bits: &Bits) -> bool {
        let (violated, held) = (self.violated.common(bits), self.held.common(bits));
        (violated == 0 && held == self.held.count()) || (held == 0 && violated == self.violated.count())
    }

    fn least(&self) -> u64 {
        self.violated.count().min(self.held.count())
    }
}

/// Explains one cell by its rows.
pub(crate) fn explain(frame: &Frame, rows: &[&Row], cell: usize) -> Explained {
    explain_parted(frame, &Rows::of(rows, cell))
}

/// When the rows of a frame are in one of two parts, and not in the other; a row without a label counts for neither. The
/// labels are in the order of [`usable`].
pub(crate) fn explain_labels(frame: &Frame, labels: &[Option<bool>]) -> Explained {
    explain_parted(frame, &Rows::labelled(labels))
}

fn explain_parted(frame: &Frame, rows: &Rows) -> Explained {
    match (rows.violated.count(), rows.held.count()) {
        (0, 0) => return Explained::Nothing,
        (0, _) => return Explained::Never,
        (_, 0) => return Explained::Always,
        _ => {}
    }
    if let Some(exact) = enumerated(frame, rows) {
        return Explained::Condition(exact);
    }
    if frame.base.iter().any(|(predicate, bits)| predicate.cost() <= PLAIN && rows.are_parted_by(bits)) {
        let simple = mine(frame, rows, &Learned::default());
        if simple.is_exact() {
            return simple;
        }
    }
    let mut learned = learn(frame, &rows.violated, &rows.held);
    let first = mine(frame, rows, &learned);
    if first.is_exact() {
        return first;
    }
    learn_in_parts(frame, rows, &mut learned);
    let second = mine(frame, rows, &learned);
    if quality(&second) > quality(&first) { second } else { first }
}

/// The simplest feature that is true for just the violated rows, where the rows are all combinations of their fields'
/// values: then there is nothing left that chance could have hidden, however rare a verdict is.
fn enumerated(frame: &Frame, rows: &Rows) -> Option<Condition> {
    let judged = rows.violated.count() + rows.held.count();
    if rows.least() >= LEAST || judged != frame.rows as u64 || !frame.is_grid() {
        return None;
    }
    let exact = |(predicate, bits): &(Predicate, Bits)| {
        let is_true = *bits == rows.violated;
        (is_true || *bits == rows.held).then(|| Literal { predicate: predicate.clone(), is_true })
    };
    let literal = frame.base.iter().filter_map(exact).min_by_key(|literal| literal.predicate.cost())?;
    let (violated, held) = (rows.violated.count(), rows.held.count());
    let counts = vec![Counts { rows: violated + held, when: violated, then: violated, both: violated }];
    Some(Condition { counts, ..Condition::of_term(vec![literal], When::Violated, frame.scope) })
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
        .filter(|(predicate, _)| predicate.cost() <= PARTING)
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
    // Beyond inputs only what is short and exact counts, and that shows early.
    let work = if frame.scope == Scope::Input { WORK } else { WORK / 8 };
    let options = Options { tried: learned.tried, work, ..Options::default() };
    let read = |found: condition::Condition| Condition {
        when: found.when,
        terms: found.terms.iter().map(|term| term.iter().map(|&item| literal(&predicates, item)).collect()).collect(),
        scope: frame.scope,
        false_alarms: found.false_alarms,
        missed: found.missed,
        limit_hit: found.limit_hit,
        counts: found.terms.iter().map(|term| count(&table, term, found.when)).collect(),
    };
    match condition(&table, &items, &options) {
        Answer::Always => Explained::Always,
        Answer::Never => Explained::Never,
        Answer::Condition(found) => Explained::Condition(read(found)),
        Answer::Inconclusive(nothing) => {
            let part = nothing.partial.map(|found| shortened(found, &predicates, rows));
            let useful = [part, nothing.short].into_iter().flatten().map(read);
            // Among these rows, rare ones are more frequent than in the log, which decides in the end.
            let is_useful = |part: &Condition| {
                part.literals() <= MAX_PARTIAL && are_few(2, part.false_alarms + part.missed, rows.least())
            };
            let useful = useful.filter(is_useful);
            let partial = useful.min_by_key(|partial| (partial.false_alarms + partial.missed, partial.literals()));
            Explained::Inconclusive { why: nothing.reason, partial }
        }
    }
}

/// A condition without the terms that it misses least, so that it is short enough to explain a part.
fn shortened(mut found: condition::Condition, predicates: &[&(Predicate, Bits)], rows: &Rows) -> condition::Condition {
    let (ones, others) =
        if found.when == When::Violated { (&rows.violated, &rows.held) } else { (&rows.held, &rows.violated) };
    let met = |terms: &[Vec<usize>]| {
        terms.iter().fold(Bits::new(ones.len()), |met, term| met.or(&all_true(predicates, term, ones.len())))
    };
    let wrong = |terms: &[Vec<usize>]| {
        let met = met(terms);
        (others.common(&met), ones.count() - ones.common(&met))
    };
    while found.terms.len() > 1 && found.terms.iter().map(Vec::len).sum::<usize>() > MAX_PARTIAL {
        let without = |left: usize| {
            let mut terms = found.terms.clone();
            terms.remove(left);
            terms
        };
        let errors = |left: &usize| {
            let (wrong, missed) = wrong(&without(*left));
            wrong + missed
        };
        let Some(left) = (0..found.terms.len()).min_by_key(errors) else { break };
        found.terms = without(left);
    }
    let (wrong, missed) = wrong(&found.terms);
    (found.false_alarms, found.missed) = if found.when == When::Violated { (wrong, missed) } else { (missed, wrong) };
    found
}

/// The rows where all items of a term are true.
fn all_true(predicates: &[&(Predicate, Bits)], term: &[usize], rows: usize) -> Bits {
    term.iter().fold(Bits::new(rows).not(), |all, &item| {
        let bits = &predicates[item / 2].1;
        if item % 2 == 1 { all.and(bits) } else { all.and(&bits.not()) }
    })
}

/// How often a term is met, and by what verdict.
fn count(table: &Table, term: &[usize], when: When) -> Counts {
    let (violated, held) = (table.violated.count(term), table.held.count(term));
    let (all_violated, all_held) = (table.violated.rows(), table.held.rows());
    let (both, then) = if when == When::Violated { (violated, all_violated) } else { (held, all_held) };
    Counts { rows: all_violated + all_held, when: violated + held, then, both }
}

/// The literal that an item of the table stands for: each predicate has two, the first of which is its opposite.
fn literal(predicates: &[&(Predicate, Bits)], item: usize) -> Literal {
    Literal { predicate: predicates[item / 2].0.clone(), is_true: item % 2 == 1 }
}
