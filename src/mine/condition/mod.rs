//! The miner `condition`: the smallest OR of ANDs of items that separates violated from held rows.
//!
//! A condition is worth its length: each item has to save more bits, in naming the rows the condition gets wrong, than
//! chance would among all items that could have been tried. So a longer exact condition beats a shorter one with
//! exceptions as soon as the exceptions are no accident, and flipped verdicts do not lengthen it.
//!
//! | file | does |
//! |---|---|
//! | `bits` | counts bits of columns |
//! | `chance` | code lengths, Fisher's test, what flipped verdicts account for |
//! | `data` | the rows in one direction; items without synonyms; counts on all rows |
//! | `sample` | some rows, close together |
//! | `candidates` | terms that look good on a sample |
//! | `model` | an OR of terms and its length |
//! | `cover` | the best OR of given terms |
//! | `polish` | changes to one item at a time, on all rows |
//! | `search` | all of these, in rounds |
//! | `short` | the best AND of a few items, whatever its exceptions |
//! | `sound` | what chance could explain |
//! | `held_out` | how a condition does on rows it was not learned from |
//! | `exceptions` | the rows a condition gets wrong |

mod bits;
#[cfg(test)]
mod brute;
mod candidates;
mod chance;
mod cover;
mod data;
mod exceptions;
mod held_out;
mod model;
mod polish;
mod sample;
mod search;
mod short;
mod sound;
#[cfg(test)]
mod tests;

pub(crate) use chance::{is_pure, ln_choose, ln_fisher};
pub use exceptions::{Exceptions, exceptions};
pub use held_out::HeldOut;

use crate::mine::table::{Side, Table};
use data::{Data, Vocabulary};
use model::{Model, Objective};
use sample::Matrix;
use search::{LEAST_ROWS, Size, sample_words, search};
use sound::{Critical, Tested};
use std::cell::Cell;

/// What is known of an item besides its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// How hard it is to read; between equally short conditions the cheaper one is the answer.
    pub cost: u32,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How often, at most, a table without any condition may yield one.
    pub alpha: f64,
    /// The largest AND.
    pub max_literals: usize,
    /// The largest OR.
    pub max_disjuncts: usize,
    /// How many further items were tried on these rows before the ones in the table were chosen.
    pub tried: u64,
    /// About how many words of columns may be looked at.
    pub work: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { alpha: 0.01, max_literals: 3, max_disjuncts: 4, tried: 0, work: 12_000_000_000 }
    }
}

/// Which verdict the terms of a condition describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Violated when some term is true.
    Violated,
    /// Held when some term is true.
    Held,
}

/// What supports one term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// How many rows of the described verdict it covers and no other term does.
    pub rows: u64,
    /// How many rows of the other verdict it covers and no other term does.
    pub exceptions: u64,
    /// The decimal logarithm of the chance that any term of its length did as well, were verdicts independent of items.
    pub log10_chance: f64,
}

/// When rows are violated.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Which verdict the terms describe; the one with fewer items, or else violated.
    pub when: When,
    /// The OR of ANDs of items: fewest items first, then simplest.
    pub terms: Vec<Vec<usize>>,
    /// Whether there are no exceptions.
    pub exact: bool,
    /// How many held rows it calls violated.
    pub false_alarms: u64,
    /// How many violated rows it calls held.
    pub missed: u64,
    /// What supports each term.
    pub evidence: Vec<Evidence>,
    /// Whether some item says, better than chance, which rows are exceptions: there is more to be found.
    pub structured: bool,
    /// How it does on rows it was not learned from, if there are enough.
    pub held_out: Option<HeldOut>,
    /// Whether the search ended before it was complete.
    pub limit_hit: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// One verdict is so rare that no condition could be told from chance.
    TooFewRows,
    /// Chance could explain every condition looked at.
    Chance,
    /// No condition of the allowed size explains enough.
    Unexplained,
}

/// No condition that the rows support.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconclusive {
    /// Why.
    pub reason: Reason,
    /// The best condition on a part of the rows; what it leaves is counted in it.
    pub partial: Option<Condition>,
    /// The best AND of a few items, with more exceptions than a condition may have.
    pub short: Option<Condition>,
    /// Whether the search ended before it was complete.
    pub limit_hit: bool,
}

/// What the rows say.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Every row is violated.
    Always,
    /// No row is violated.
    Never,
    /// Rows are violated just then, up to counted exceptions.
    Condition(Condition),
    /// The rows do not tell.
    Inconclusive(Inconclusive),
}

/// The smallest condition that separates violated from held rows, if the rows support one.
///
/// # Panics
/// If there are not as many items as the table has.
pub fn condition(table: &Table, items: &[Item], options: &Options) -> Answer {
    assert_eq!(items.len(), table.attributes.items(), "one entry per item");
    match (table.violated.rows(), table.held.rows()) {
        (_, 0) => Answer::Always,
        (0, _) => Answer::Never,
        (violated, held) if violated.min(held) < LEAST_ROWS => Answer::Inconclusive(TOO_FEW_ROWS),
        _ => Miner::new(table, items, *options).answer(),
    }
}

const TOO_FEW_ROWS: Inconclusive =
    Inconclusive { reason: Reason::TooFewRows, partial: None, short: None, limit_hit: false };

struct Miner<'a> {
    table: &'a Table,
    options: Options,
    vocabulary: Vocabulary,
    /// Samples of the violated and of the held rows.
    drawn: (Matrix, Matrix),
    work: Cell<u64>,
}

/// A model that stood the tests, and how well it does.
struct Finding {
    model: Model,
    condition: Condition,
    is_enough: bool,
}

impl<'a> Miner<'a> {
    fn new(table: &'a Table, items: &[Item], options: Options) -> Self {
        let costs: Vec<u32> = items.iter().map(|item| item.cost).collect();
        let vocabulary = Vocabulary::new(table, &costs);
        let words = sample_words(vocabulary.items.len());
        let draw = |side: &Side| Matrix::draw(side, &vocabulary, &bits::all(side), words);
        let drawn = (draw(&table.violated), draw(&table.held));
        Self { table, options, vocabulary, drawn, work: Cell::new(0) }
    }

    fn answer(&self) -> Answer {
        let size = Size {
            depth: self.options.max_literals.max(1),
            terms: self.options.max_disjuncts.max(1),
            literals: usize::MAX,
            bits: f64::INFINITY,
        };
        let violated = self.find(When::Violated, size);
        // The other direction is only of use if it is shorter, or explains what this one does not.
        let is_settled = violated.is_enough && !violated.condition.structured;
        let (literals, bits) =
            if is_settled { (violated.model.literals() - 1, violated.model.bits) } else { (usize::MAX, f64::INFINITY) };
        let best = if literals == 0 {
            violated
        } else {
            let held = self.find(When::Held, Size { literals, bits, ..size });
            self.better(violated, held)
        };
        let limit_hit = self.work.get() > self.options.work;
        let answer = |found: Finding| {
            let data = self.data(found.condition.when);
            let held_out = held_out::held_out(&data, &self.objective(&data), &found.model.terms, size);
            Answer::Condition(Condition { limit_hit, held_out, ..found.condition })
        };
        if best.is_enough {
            return answer(best);
        }
        let found = |finding: Finding| {
            let is_something = !finding.model.terms.is_empty();
            is_something.then_some(Condition { limit_hit, ..finding.condition })
        };
        let short = self.better(self.short(When::Violated, size.depth), self.short(When::Held, size.depth));
        // The search may have ended before it came to it.
        if short.is_enough && short.condition.exact {
            return answer(short);
        }
        let reason = if best.model.terms.is_empty() { Reason::Chance } else { Reason::Unexplained };
        Answer::Inconclusive(Inconclusive { reason, partial: found(best), short: found(short), limit_hit })
    }

    /// The best AND in one direction that chance does not explain.
    fn short(&self, when: When, depth: usize) -> Finding {
        let data = self.data(when);
        let objective = self.objective(&data);
        let critical = Critical::new(self.options.alpha, self.hypotheses(), depth, 1);
        let model = short::short(&data, &objective, depth);
        let (model, tested) = critical.filter(&data, &data.all(), &objective, model);
        self.finding(when, model, &tested, true)
    }

    fn better(&self, violated: Finding, held: Finding) -> Finding {
        let is_held = match (violated.is_enough, held.is_enough) {
            (true, false) => false,
            (false, true) => true,
            _ => held.model.bits + 1e-6 < violated.model.bits && !held.model.terms.is_empty(),
        };
        if is_held { held } else { violated }
    }

    fn data(&self, when: When) -> Data<'_> {
        let violated = (&self.table.violated, &self.drawn.0);
        let held = (&self.table.held, &self.drawn.1);
        let (ones, others) = if when == When::Violated { (violated, held) } else { (held, violated) };
        let (drawn, is_swapped) = ((ones.1, others.1), when == When::Held);
        Data {
            ones: ones.0,
            others: others.0,
            is_swapped,
            part: None,
            drawn,
            vocabulary: &self.vocabulary,
            work: &self.work,
            limit: self.options.work,
        }
    }

    /// How many items could have been chosen.
    fn hypotheses(&self) -> u64 {
        (self.vocabulary.items.len() as u64).saturating_add(self.options.tried).max(1)
    }

    fn objective(&self, data: &Data<'_>) -> Objective<'_> {
        let literal_bits = (self.hypotheses() as f64 / self.options.alpha).log2();
        Objective { total: (data.ones.rows(), data.others.rows()), literal_bits, vocabulary: &self.vocabulary }
    }

    fn find(&self, when: When, size: Size) -> Finding {
        let data = self.data(when);
        let everything = data.all();
        let objective = self.objective(&data);
        let model = search(&data, &objective, size);
        if model.bits >= size.bits {
            return self.finding(when, objective.model(Vec::new(), (0, 0)), &[], false);
        }
        let critical = Critical::new(self.options.alpha, self.hypotheses(), size.depth, size.terms);
        let (model, tested) = critical.filter(&data, &everything, &objective, model);
        let structured = sound::is_structured(&data, &everything, &objective, &model);
        self.finding(when, model, &tested, structured)
    }

    fn finding(&self, when: When, model: Model, tested: &[Tested], structured: bool) -> Finding {
        let rows = (self.table.violated.rows(), self.table.held.rows());
        let (ones, others) = if when == When::Violated { rows } else { (rows.1, rows.0) };
        let (wrong, left) = (model.inside.1, ones - model.inside.0);
        let (false_alarms, missed) = if when == When::Violated { (wrong, left) } else { (left, wrong) };
        // Exceptions that follow a pattern are tolerable only while they are few of either verdict.
        let are_few = 10 * missed <= rows.0 && 10 * false_alarms <= rows.1;
        let is_enough = !model.terms.is_empty()
            && chance::is_pure(model.inside.0, wrong)
            && chance::is_pure(others - wrong, left)
            && (are_few || !structured);
        let condition = Condition {
            when,
            terms: model.terms.iter().map(|term| self.vocabulary.named(term)).collect(),
            exact: false_alarms == 0 && missed == 0,
            false_alarms,
            missed,
            evidence: tested.iter().map(evidence).collect(),
            structured,
            held_out: None,
            limit_hit: false,
        };
        Finding { model, condition, is_enough }
    }
}

fn evidence(tested: &Tested) -> Evidence {
    let log10_chance = tested.ln_chance / std::f64::consts::LN_10;
    Evidence { rows: tested.counts.0, exceptions: tested.counts.1, log10_chance }
}
