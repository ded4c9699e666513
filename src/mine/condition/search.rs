//! The shortest model: terms proposed from samples, counted on all rows, chosen together, then polished.
//!
//! Each round looks at what the model so far leaves unexplained. A sample proposes; all rows decide; rows that prove a
//! proposal wrong join the sample.

use super::{
    bits,
    candidates::{self, Candidate, Wanted},
    chance,
    cover::{self, POOL},
    data::{Counts, Data, Rows, Term},
    model::{Model, Objective},
    polish::polish,
    sample::Sample,
};

/// How many rows, at least, a term has to cover.
pub const LEAST_ROWS: u64 = 5;
/// The part of its length that a term has to be worth by itself: with others it may be worth more.
pub const ALONE: f64 = 0.5;
/// How many terms a round adds to the pool.
const ACCEPTED: usize = 24;
/// How often wrong proposals improve the sample.
const CORRECTIONS: usize = 6;
/// About how many words all pairs may take on one sample.
const PAIR_WORDS: usize = 200_000_000;

/// Bounds on the size of a model.
#[derive(Clone, Copy)]
pub struct Size {
    /// The largest number of items in a term.
    pub depth: usize,
    /// The largest number of terms.
    pub terms: usize,
    /// The largest number of items in all.
    pub literals: usize,
    /// The length in bits that a model has to stay under to be of use.
    pub bits: f64,
}

/// A term that stood on all rows, and its rows in the sample.
struct Accepted {
    term: Term,
    rows: (Vec<u64>, Vec<u64>),
    counts: Counts,
}

/// The best model of that size.
pub fn search(data: &Data<'_>, objective: &Objective<'_>, size: Size) -> Model {
    let everything = data.all();
    if let Some(model) = exact_item(data, objective).filter(|_| data.part.is_none()) {
        return model;
    }
    let mut model = objective.model(Vec::new(), (0, 0));
    let mut pool: Vec<Term> = Vec::new();
    for _ in 0..=size.terms {
        let rows = data.without(&everything, &model.terms);
        let (known, mut kept) = (pool.len(), model.terms.clone());
        for term in propose(data, objective, &rows, &model.terms, size) {
            if !pool.contains(&term) && pool.len() < POOL {
                pool.push(term);
            }
        }
        if pool.len() == known || data.is_spent() {
            break;
        }
        kept.extend_from_slice(&pool[known..pool.len().min(known + 4)]);
        let chosen = cover::choose(data, &everything, objective, (&pool, &kept), (size.terms, size.literals));
        if chosen.terms == model.terms {
            break;
        }
        model = chosen;
        if model.inside == (objective.total.0, 0) {
            break;
        }
    }
    polish_within(data, &everything, objective, model, size)
}

/// The simplest item that is no synonym of another and separates the verdicts by itself.
fn exact_item(data: &Data<'_>, objective: &Objective<'_>) -> Option<Model> {
    let exact = (objective.total.0, 0);
    let item = data.counts().position(|counts| counts == exact)?;
    Some(objective.model(vec![vec![item]], exact))
}

/// Polishes a model, unless single changes cannot make it as short as it has to be.
fn polish_within(data: &Data<'_>, everything: &Rows, objective: &Objective<'_>, model: Model, size: Size) -> Model {
    let is_hopeless = model.bits > 2.0 * size.bits + 0.1 * chance::bits(objective.total.0, objective.total.1);
    if model.terms.is_empty() || is_hopeless { model } else { polish(data, everything, objective, model, size) }
}

/// Terms that are worth their length on these rows and whose exceptions flips account for.
fn propose(data: &Data<'_>, objective: &Objective<'_>, rows: &Rows, terms: &[Term], size: Size) -> Vec<Term> {
    let total = rows.count();
    let Some(least) = least_ones(objective, total) else { return Vec::new() };
    let mut sample = Sample::new(data, rows, terms);
    let on_sample = |ones: u64| ((ones as f64 / sample.weights.0 * 0.5) as u64).max(1);
    let depth = size.depth.min(size.literals).min(3);
    let wanted = Wanted { least: least.map(on_sample), depth };
    let mut accepted: Vec<Accepted> = Vec::new();
    for _ in 0..CORRECTIONS {
        let (pure, are_more) = candidates::find(data, &sample, &wanted);
        let wrong = accept(data, objective, (rows, total), (&sample, &pure), &mut accepted);
        if !are_more || !accepted.is_empty() || data.is_spent() {
            break;
        }
        let mut is_better = false;
        for term in wrong {
            is_better |= sample.add_hard(data, &data.with(rows, &term).others);
        }
        if !is_better {
            break;
        }
    }
    accepted.into_iter().map(|accepted| accepted.term).collect()
}

/// How many ones a term without exceptions has to cover to be worth a look; by number of items.
fn least_ones(objective: &Objective<'_>, total: Counts) -> Option<[u64; 4]> {
    let mut least = [0; 4];
    for (literals, least) in least.iter_mut().enumerate().skip(1) {
        let price = ALONE * objective.literal_bits * literals as f64;
        let worth = |ones: u64| chance::gain((ones, 0), total) - price;
        if literals == 1 && worth(total.0) <= 0.0 {
            return None;
        }
        let (mut low, mut high) = (0, total.0 + 1);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if worth(middle) > 0.0 { high = middle } else { low = middle }
        }
        *least = high;
    }
    Some(least)
}

/// How many words of rows a sample has of each side, for so many items.
pub fn sample_words(items: usize) -> usize {
    let items = items.max(2);
    (PAIR_WORDS / (items * items / 2)).clamp(32, 1024)
}

/// Counts proposals on all rows and keeps the good ones; names some that all rows prove wrong.
fn accept(
    data: &Data<'_>,
    objective: &Objective<'_>,
    (rows, total): (&Rows, Counts),
    (sample, proposals): (&Sample, &[Candidate]),
    accepted: &mut Vec<Accepted>,
) -> Vec<Term> {
    let mut wrong = Vec::new();
    for Candidate { term, .. } in proposals {
        if accepted.len() == ACCEPTED || data.is_spent() {
            break;
        }
        let sampled = sample.rows(term, usize::MAX);
        data.spend((sampled.0.len() + sampled.1.len()) * (term.len() + accepted.len()));
        let candidate = Accepted { term: term.clone(), counts: counted(&sampled), rows: sampled };
        if accepted.iter().any(|known| is_needless(objective, &candidate, known)) {
            continue;
        }
        let Some(counts) = data.count_pure(rows, term) else {
            if wrong.len() < 16 {
                wrong.push(candidate.term);
            }
            continue;
        };
        if chance::gain(counts, total) > ALONE * objective.literal_bits * term.len() as f64 {
            accepted.push(candidate);
        }
    }
    wrong
}

fn counted(rows: &(Vec<u64>, Vec<u64>)) -> Counts {
    (bits::count(&rows.0), bits::count(&rows.1))
}

/// Whether a known term that is no longer covers all that this one does, and this one is not significantly purer; as
/// far as the sample tells, for what is left out here comes back if rows remain unexplained.
fn is_needless(objective: &Objective<'_>, term: &Accepted, known: &Accepted) -> bool {
    if known.term.len() > term.term.len() || known.counts.0 < term.counts.0 {
        return false;
    }
    if bits::count_and(&known.rows.0, &term.rows.0) < term.counts.0 {
        return false;
    }
    let common = (term.counts.0, bits::count_and(&known.rows.1, &term.rows.1));
    known.counts.1 == 0 || chance::gain(common, known.counts) <= objective.literal_bits
}
