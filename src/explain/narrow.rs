//! A condition with few exceptions, made narrower: one more literal leaves them out. The working set has too few rows to
//! tell that from chance; the log as a whole may have enough.

use super::{CellExplained, Condition, Exceptions, Explained, Written, all::contradictions};
use crate::{
    Verdict,
    clean::{Campaign, Cleaned},
    feature::{Literal, Look, Scope},
    log::Row,
    mine::{
        apriori::Counts,
        condition::{When, ln_choose},
    },
};
use std::collections::BTreeMap;

/// How many exceptions are few.
const FEW: u64 = 16;
/// How likely chance may be to leave them out.
const CHANCE: f64 = 0.001;

/// Narrows the conditions of all cells that have few exceptions, where that makes them right for every row of the log.
pub(super) fn narrow_all(
    campaign: &Campaign,
    cleaned: &Cleaned,
    working: &[&Row],
    cells: &mut [CellExplained],
    wrong: &BTreeMap<usize, Exceptions>,
) {
    let narrowed = |(cell, found): (usize, &CellExplained)| {
        let (written, wrong) = (found.with_strays_inside()?, wrong.get(&cell)?);
        // Rows that the log has: each is one draw, whatever it stands for.
        let judged = cleaned.cells.get(cell)?.distinct.kept;
        let narrowing = Narrowing { written: &written, cell, working, wrong };
        let condition = narrowing.narrowed(judged.of(narrowing.verdict()))?;
        let narrowed = CellExplained::new(Explained::Condition(condition), &written.frame, &[], cell);
        Some(narrowed.checked_on(judged.judged()))
    };
    let narrowed: Vec<CellExplained> =
        cells.iter().enumerate().map(|found| narrowed(found).unwrap_or(CellExplained::NOTHING)).collect();
    let wrong = contradictions(campaign, cleaned, &narrowed);
    for (cell, narrowed) in narrowed.into_iter().enumerate() {
        if narrowed.written.is_some() && !wrong.contains_key(&cell) {
            cells[cell] = narrowed;
        }
    }
}

impl CellExplained {
    /// A condition that has few exceptions, told so that these are all inside its terms.
    fn with_strays_inside(&self) -> Option<Written> {
        let Explained::Condition(found) = &self.explained else { return None };
        let condition = [Some(found.clone()), found.flipped()].into_iter().flatten().find(|it| strays(it).is_some())?;
        Some(Written { condition, ..self.written.clone()? })
    }
}

impl Condition {
    /// The same, told by the other verdict, where that is an OR of ANDs as short.
    fn flipped(&self) -> Option<Self> {
        let terms = match &self.terms[..] {
            [term] => term.iter().map(|literal| vec![literal.opposite()]).collect(),
            terms if terms.iter().all(|term| term.len() == 1) => {
                vec![terms.iter().flatten().map(Literal::opposite).collect()]
            }
            _ => return None,
        };
        let when = if self.when == When::Violated { When::Held } else { When::Violated };
        Some(Self { when, terms, ..self.clone() })
    }
}

/// How many rows are inside a condition's terms and do not belong there, if they are few and all that it is wrong about.
fn strays(condition: &Condition) -> Option<u64> {
    let (inside, outside) = match condition.when {
        When::Violated => (condition.false_alarms, condition.missed),
        When::Held => (condition.missed, condition.false_alarms),
    };
    (outside == 0 && (1..=FEW).contains(&inside) && condition.scope == Scope::Input).then_some(inside)
}

/// A condition that is being made narrower.
struct Narrowing<'log> {
    written: &'log Written,
    cell: usize,
    working: &'log [&'log Row],
    /// The strays.
    wrong: &'log Exceptions,
}

impl Narrowing<'_> {
    fn condition(&self) -> &Condition {
        &self.written.condition
    }

    /// What the terms describe.
    fn verdict(&self) -> Verdict {
        if self.condition().when == When::Violated { Verdict::Violated } else { Verdict::Held }
    }

    /// The condition with the simplest literal that leaves all strays out and nothing else, if so many rows inside show
    /// that it is no chance.
    fn narrowed(&self, inside: u64) -> Option<Condition> {
        let frame = &self.written.frame;
        let count = strays(self.condition()).filter(|&count| self.wrong.rows.len() as u64 == count)?;
        let tried = 2.0 * frame.base.len() as f64;
        if tried.ln() - ln_choose(inside + count, count) > CHANCE.ln() {
            return None;
        }
        let strays: Vec<Look<'_, '_>> = self.wrong.rows.values().map(|row| Look::new(frame, row)).collect();
        let belonging = self.working.iter().filter(|row| row.verdict(self.cell) == Some(self.verdict()));
        let belonging: Vec<Look<'_, '_>> = belonging.map(|row| Look::new(frame, row)).collect();
        let literals = frame
            .base
            .iter()
            .flat_map(|(predicate, _)| [true, false].map(|is_true| Literal { predicate: predicate.clone(), is_true }));
        let leaves_them_out = |literal: &Literal| {
            !strays.iter().any(|look| literal.test(look)) && belonging.iter().all(|look| literal.test(look))
        };
        let literal = literals.filter(leaves_them_out).min_by_key(|literal| literal.predicate.cost())?;
        let mut narrowed = Condition { false_alarms: 0, missed: 0, ..self.condition().clone() };
        let is_met = |term: &[Literal], look: &Look<'_, '_>| term.iter().all(|literal| literal.test(look));
        for term in &mut narrowed.terms {
            if strays.iter().any(|look| is_met(term, look)) {
                term.push(literal.clone());
            }
        }
        let rows = self.working.iter().filter(|row| row.is_violated(self.cell).is_some()).count() as u64;
        let count = |term: &Vec<Literal>| {
            let both = belonging.iter().filter(|look| is_met(term, look)).count() as u64;
            Counts { rows, when: both, then: belonging.len() as u64, both }
        };
        narrowed.counts = narrowed.terms.iter().map(count).collect();
        Some(narrowed)
    }
}
