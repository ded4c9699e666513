//! A condition with few exceptions, made narrower: one more literal leaves them out. The working set has too few rows to
//! tell that from chance; the log as a whole may have enough.

use super::{CellExplained, Condition, Exceptions, Explained, all::contradictions};
use crate::{
    Verdict,
    clean::{Campaign, Cleaned},
    feature::{Frame, Literal, Look, Scope},
    log::Row,
    mine::condition::{When, ln_choose},
};
use std::sync::Arc;

/// How many exceptions are few.
const FEW: u64 = 16;
/// How likely chance may be to leave them out.
const CHANCE: f64 = 0.001;

/// Narrows the conditions of all cells that have few exceptions, where that makes them right for every row of the log.
pub(super) fn narrow_all(campaign: &Campaign, cleaned: &Cleaned, working: &[&Row], cells: &mut [CellExplained]) {
    let is_asked = |cell: &CellExplained| {
        let found = cell.written.as_ref().map(|written| &written.condition);
        matches!(cell.explained, Explained::Condition(_)) && found.is_some_and(|found| strays(found).is_some())
    };
    if !cells.iter().any(is_asked) {
        return;
    }
    let asked: Vec<CellExplained> =
        cells.iter().map(|cell| if is_asked(cell) { cell.clone() } else { CellExplained::nothing() }).collect();
    let narrowed: Vec<CellExplained> = {
        let wrong = contradictions(campaign, cleaned, &asked);
        let narrowed = |(cell, known): (usize, &CellExplained)| {
            let written = known.written.as_ref()?;
            let judged = cleaned.cells.get(cell)?.distinct.counts;
            let inside =
                judged.of(if written.condition.when == When::Violated { Verdict::Violated } else { Verdict::Held });
            let condition = narrowed(&written.condition, &written.frame, wrong.get(&cell)?, inside, working, cell)?;
            let narrowed = CellExplained::new(Explained::Condition(condition), &written.frame, &[], cell);
            Some(narrowed.checked_on(judged.judged()))
        };
        asked.iter().enumerate().map(|cell| narrowed(cell).unwrap_or_else(CellExplained::nothing)).collect()
    };
    let wrong = contradictions(campaign, cleaned, &narrowed);
    for (cell, narrowed) in narrowed.into_iter().enumerate() {
        if narrowed.written.is_some() && !wrong.contains_key(&cell) {
            cells[cell] = narrowed;
        }
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

/// The condition with the simplest literal that leaves all strays out and nothing else, if so many rows inside show that
/// it is no chance.
fn narrowed(
    condition: &Condition,
    frame: &Arc<Frame>,
    wrong: &Exceptions,
    inside: u64,
    working: &[&Row],
    cell: usize,
) -> Option<Condition> {
    let count = strays(condition).filter(|&count| wrong.rows.len() as u64 == count)?;
    let strays: Vec<Look<'_, '_>> = wrong.rows.values().map(|row| Look::new(frame, row)).collect();
    let is_wanted = |row: &&&Row| row.is_violated(cell) == Some(condition.when == When::Violated);
    let belonging = working.iter().filter(is_wanted).map(|row| Look::new(frame, row));
    let belonging: Vec<Look<'_, '_>> = belonging.filter(|look| condition.is_met(look)).collect();
    let tried = 2.0 * frame.base.len() as f64;
    if tried.ln() - ln_choose(inside + count, count) > CHANCE.ln() {
        return None;
    }
    let literals = frame
        .base
        .iter()
        .flat_map(|(predicate, _)| [true, false].map(|is_true| Literal { predicate: predicate.clone(), is_true }));
    let leaves_them_out = |literal: &Literal| {
        !strays.iter().any(|look| literal.test(look)) && belonging.iter().all(|look| literal.test(look))
    };
    let literal = literals.filter(leaves_them_out).min_by_key(|literal| literal.predicate.cost())?;
    let mut narrowed = Condition { false_alarms: 0, missed: 0, ..condition.clone() };
    for (term, counts) in narrowed.terms.iter_mut().zip(&mut narrowed.counts) {
        let met_by = |looks: &[Look<'_, '_>]| looks.iter().filter(|look| term.iter().all(|it| it.test(look))).count();
        if met_by(&strays) > 0 {
            counts.both = met_by(&belonging) as u64;
            counts.when = counts.both;
            term.push(literal.clone());
        }
    }
    Some(narrowed)
}
