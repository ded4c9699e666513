//! Which rows of a log show what a cell is about.

use super::{Shown, Still, has_bytes};
use crate::{
    Verdict,
    clean::Cleaned,
    expression::Expression,
    hint::{Hint, Hinted},
    log::Row,
    summary::{Sample, Samples, Why},
};

/// The rows of a cell that its hint asks for: one for a bug or a regression, which may be known already, and two of
/// opposite verdicts for a cell that is inconclusive.
pub(crate) fn of_cell(
    cleaned: &Cleaned,
    cell: usize,
    hinted: &Hinted,
    samples: &Samples,
    known: Option<Shown>,
) -> Vec<Shown> {
    match hinted.hint {
        Hint::Regression => known.or_else(|| wrong(cleaned, cell, hinted)).into_iter().collect(),
        Hint::Bug => wrong(cleaned, cell, hinted).into_iter().collect(),
        Hint::Inconclusive => pair(cleaned, samples),
        _ => Vec::new(),
    }
}

/// The simplest row that shows what the hint rests on.
fn wrong(cleaned: &Cleaned, cell: usize, hinted: &Hinted) -> Option<Shown> {
    let kind = hinted.evidence.first().map_or("", |evidence| evidence.kind);
    let verdicts: &[Verdict] = match kind {
        "panic" => &[Verdict::SourcePanicked, Verdict::FollowUpPanicked],
        "death" => &[Verdict::Died],
        "nan" => &[Verdict::Incomparable],
        _ => &[Verdict::Violated],
    };
    let relation = cleaned.header.cells.get(cell).and_then(|cell| cleaned.header.relations.get(usize::from(cell.1)));
    let declared = relation.and_then(|relation| relation.expected.as_deref()).filter(|_| kind == "expectation");
    let still =
        declared.and_then(|text| Expression::parse(text, &cleaned.header).ok()).map_or(Still::Anything, Still::Meets);
    let wrong = |row: &Row| row.verdict(cell).filter(|verdict| verdicts.contains(verdict));
    let rows = cleaned.working.iter().filter(|row| wrong(row).is_some() && still.is_met(row, None));
    let row = rows.min_by_key(|row| (!has_bytes(row), row.simplicity()))?;
    Some(Shown { verdict: wrong(row)?, row: row.clone(), still })
}

/// The two rows of opposite verdicts that are most alike, the violated one first.
fn pair(cleaned: &Cleaned, samples: &Samples) -> Vec<Shown> {
    let nearest = samples.atypical.iter().filter(|sample| sample.why.iter().any(|why| matches!(why, Why::Nearest(_))));
    let mut nearest: Vec<_> = nearest.take(2).collect();
    nearest.sort_by_key(|sample| sample.verdict != Verdict::Violated);
    let shown = |sample: &Sample| {
        let row = cleaned.working.get(sample.row)?.clone();
        Some(Shown { row, verdict: sample.verdict, still: Still::Anything })
    };
    nearest.into_iter().filter_map(shown).collect()
}
