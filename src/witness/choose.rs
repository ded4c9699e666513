//! Which rows of a log show what a cell is about.

use super::{Shown, Still};
use crate::{
    Verdict,
    claim::{Claim, Says},
    clean::Cleaned,
    explain::CellExplained,
    expression::Expression,
    hint::{Hint, Hinted},
    log::Row,
    summary::{Sample, Samples, Why, distance},
};

/// What a bug can show itself by.
const BAD: [Verdict; 5] =
    [Verdict::Violated, Verdict::SourcePanicked, Verdict::FollowUpPanicked, Verdict::Died, Verdict::Incomparable];

/// One cell of a log, and what is known of it.
pub(crate) struct Subject<'log> {
    pub(crate) cleaned: &'log Cleaned,
    pub(crate) cell: usize,
    pub(crate) explained: &'log CellExplained,
    pub(crate) hinted: &'log Hinted,
    pub(crate) samples: &'log Samples,
}

impl Subject<'_> {
    /// The rows that the hint asks for: one for a bug or a regression, which may be known already, and two of opposite
    /// verdicts for a cell that is inconclusive.
    pub(crate) fn shown(&self, known: Option<Shown>) -> Vec<Shown> {
        match self.hinted.hint {
            Hint::Regression => known.or_else(|| self.wrong()).into_iter().collect(),
            Hint::Bug => self.wrong().into_iter().collect(),
            Hint::Inconclusive => self.pair(),
            _ => Vec::new(),
        }
    }

    /// The simplest row that shows what the hint rests on.
    fn wrong(&self) -> Option<Shown> {
        let (verdicts, still): (&[Verdict], _) = match self.hinted.reason {
            "panic" if self.is_own_panic() => (&[Verdict::TransformPanicked], None),
            "panic" => (&[Verdict::SourcePanicked, Verdict::FollowUpPanicked], None),
            "death" => (&[Verdict::Died], None),
            "nan" => (&[Verdict::Incomparable, Verdict::Violated], Some(Still::NanOnOneSide)),
            // The tester's word is about all of them.
            "decided-bug" => (&BAD, None),
            "outside-declared" => (&[Verdict::Violated], self.declared().map(Still::Meets)),
            "exceptions" => (&[Verdict::Violated], self.outside()),
            _ => (&[Verdict::Violated], None),
        };
        let still = still.unwrap_or(Still::Anything);
        let wrong = |row: &Row| row.verdict(self.cell).filter(|verdict| verdicts.contains(verdict));
        let cell = (&*self.cleaned.header, self.cell);
        let rows = self.cleaned.working.iter().filter(|row| wrong(row).is_some() && still.is_met(cell, row, None));
        let row = rows.min_by_key(|row| (!row.has_bytes(), row.simplicity()))?;
        Some(Shown { verdict: wrong(row)?, row: row.clone(), still })
    }

    /// Whether the function panics in this cell where the transformation calls it, and nowhere else.
    fn is_own_panic(&self) -> bool {
        let has = |kind: &str| self.hinted.evidence.iter().any(|evidence| evidence.kind == kind);
        has("own-panic") && !has("panic")
    }

    /// Where the suite says that the relation holds.
    fn declared(&self) -> Option<Expression> {
        let header = &self.cleaned.header;
        let &(_, relation) = header.cells.get(self.cell)?;
        let expected = header.relations.get(usize::from(relation))?.expected.as_deref()?;
        Expression::parse(expected, header).ok()
    }

    /// Outside the condition that is right about all else.
    fn outside(&self) -> Option<Still> {
        let written = self.explained.written.as_ref()?;
        let condition = Expression::parse(&written.violated_when, &self.cleaned.header).ok()?;
        Some(Still::Outside(Claim { cell: self.cell, says: Says::ViolatedWhen(condition) }))
    }

    /// The two rows of opposite verdicts that are most alike, the violated one first.
    fn pair(&self) -> Vec<Shown> {
        let is_nearest = |sample: &&Sample| sample.why.iter().any(|why| matches!(why, Why::Nearest(_)));
        let mut nearest: Vec<&Sample> = self.samples.atypical.iter().filter(is_nearest).take(2).collect();
        nearest.sort_by_key(|sample| sample.verdict != Verdict::Violated);
        let rows = &self.cleaned.working;
        let row = |sample: &&Sample| Some((rows.get(sample.row)?, sample.verdict));
        let mut pair: Vec<(&Row, Verdict)> = nearest.iter().filter_map(row).collect();
        if let [one, other] = &mut pair[..] {
            one.0 = self.with_bytes(*one, other.0);
            other.0 = self.with_bytes(*other, one.0);
        }
        pair.into_iter().map(|(row, verdict)| Shown { row: row.clone(), verdict, still: Still::Anything }).collect()
    }

    /// A row that can be run again, if there is one: the nearest to the other row of the pair.
    fn with_bytes<'row>(&'row self, (row, verdict): (&'row Row, Verdict), other: &Row) -> &'row Row {
        if row.has_bytes() {
            return row;
        }
        let is_it = |row: &&Row| row.has_bytes() && row.verdict(self.cell) == Some(verdict);
        let near = self.cleaned.working.iter().filter(is_it).map(|row| (distance(row, other), row));
        near.min_by(|one, other| one.0.total_cmp(&other.0)).map_or(row, |(_, row)| row)
    }
}
