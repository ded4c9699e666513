//! Witnesses made smaller: whatever is tried, the target judges, and what it says of the cell has to stay.

use super::{Shown, Still};
use crate::{
    Verdict,
    hint::has_nan_on_one_side,
    log::{Header, Row, identity_of},
    replay::panic_of,
    shrink::{SHORT, shrink_to_show},
};
use anyhow::Result;
use std::time::{Duration, Instant};

/// What may be spent on asking a target.
pub(crate) struct Budget {
    /// When it is over.
    until: Instant,
    /// How many processes may die.
    deaths: usize,
}

impl Budget {
    pub(crate) fn new(time: Duration, deaths: usize) -> Self {
        Self { until: Instant::now() + time, deaths }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.deaths == 0 || Instant::now() >= self.until
    }

    /// Counts an input that was judged.
    pub(crate) fn spend_on(&mut self, row: Option<&Row>) {
        let has_died = row.is_some_and(|row| row.death.is_some());
        self.deaths = self.deaths.saturating_sub(has_died.into());
    }
}

/// Judges an input; nothing if it is rejected.
pub(crate) type Judge<'run> = dyn FnMut(&[u8]) -> Result<Option<Row>> + 'run;

/// One cell's witnesses, being made smaller.
pub(crate) struct Shrinking<'run> {
    /// What describes the target.
    pub(crate) header: &'run Header,
    /// The cell, in the target.
    pub(crate) cell: usize,
    pub(crate) judge: &'run mut Judge<'run>,
    pub(crate) budget: &'run mut Budget,
}

/// What has to stay.
struct Kept {
    verdict: Verdict,
    /// Where it panicked.
    place: Option<String>,
    identity: u64,
    still: Still,
}

impl Still {
    /// Whether it is true of a row in this cell; `identity` is that of the input as it was.
    pub(super) fn is_met(&self, (header, cell): (&Header, usize), row: &Row, identity: Option<u64>) -> bool {
        match self {
            Self::Anything => true,
            Self::SameInput => identity == Some(identity_of(row)),
            Self::Outside(claim) => claim.is_violated(row) == Ok(false),
            Self::Meets(condition) => condition.test(row) == Ok(true),
            Self::NanOnOneSide => has_nan_on_one_side(header, row, cell),
        }
    }
}

impl Shrinking<'_> {
    /// The smallest rows that show the same as these, of which there are one or two, and whether nothing smaller was left to
    /// try; nothing if the target does not show it any more.
    pub(crate) fn shrink(&mut self, shown: &[Shown]) -> Result<Option<(Vec<Row>, bool)>> {
        let Some((first, rest)) = shown.split_first() else { return Ok(None) };
        let Some(kept) = self.kept(first)? else { return Ok(None) };
        let (bytes, was_enough) = shrink_to_show(&first.row.bytes, &mut |bytes| self.is_good(bytes, &kept))?;
        let mut found = vec![bytes];
        for other in rest {
            let Some(kept) = self.kept(other)? else { return Ok(None) };
            let near = self.near(&other.row.bytes, &found[0], &kept)?;
            found.push(near);
        }
        let mut rows = Vec::new();
        for bytes in found {
            match (self.judge)(&bytes)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        Ok(Some((rows, was_enough && !self.budget.is_spent())))
    }

    /// What has to stay of a row, as the target says now; nothing if that is not what the log says.
    fn kept(&mut self, shown: &Shown) -> Result<Option<Kept>> {
        let Some(row) = (self.judge)(&shown.row.bytes)? else { return Ok(None) };
        let kept = Kept {
            verdict: shown.verdict,
            place: self.place(&row),
            identity: identity_of(&row),
            still: shown.still.clone(),
        };
        let is_same = self.verdict(&row) == Some(shown.verdict);
        let is_met = row.death.is_some() || kept.still.is_met((self.header, self.cell), &row, Some(kept.identity));
        Ok((is_same && is_met).then_some(kept))
    }

    fn verdict(&self, row: &Row) -> Option<Verdict> {
        row.verdict(self.cell)
    }

    fn place(&self, row: &Row) -> Option<String> {
        panic_of(self.header, row, self.cell).map(|panic| panic.location.clone())
    }

    fn is_good(&mut self, bytes: &[u8], kept: &Kept) -> Result<bool> {
        if self.budget.is_spent() {
            return Ok(false);
        }
        let row = (self.judge)(bytes)?;
        self.budget.spend_on(row.as_ref());
        let Some(row) = row else { return Ok(false) };
        let is_same = self.verdict(&row) == Some(kept.verdict) && self.place(&row) == kept.place;
        // A process that died tells no values.
        Ok(is_same && (row.death.is_some() || kept.still.is_met((self.header, self.cell), &row, Some(kept.identity))))
    }

    /// An input that keeps what it has to, and differs from another as little as can be.
    fn near(&mut self, bytes: &[u8], to: &[u8], kept: &Kept) -> Result<Vec<u8>> {
        // What is missing at the end of an input is mostly read as zeros.
        let missing = bytes.len().min(SHORT).saturating_sub(to.len());
        let to = &[to, &vec![0; missing]].concat()[..];
        if let Some(beside) = self.beside(to, kept)? {
            return Ok(beside);
        }
        let mut best = bytes.to_vec();
        // As long as the other, if that will do.
        let mut resized = best.clone();
        resized.truncate(to.len());
        resized.extend_from_slice(&to[resized.len()..]);
        if resized != best && self.is_good(&resized, kept)? {
            best = resized;
        }
        let common = best.len().min(to.len());
        let mut length = common;
        while length > 0 {
            for start in (0..common).step_by(length) {
                let end = common.min(start + length);
                let mut nearer = best.clone();
                nearer[start..end].copy_from_slice(&to[start..end]);
                if nearer != best && self.is_good(&nearer, kept)? {
                    best = nearer;
                }
            }
            length /= 2;
        }
        for at in 0..common {
            while let Some(middle) = between(best[at], to[at]) {
                let mut nearer = best.clone();
                nearer[at] = middle;
                if !self.is_good(&nearer, kept)? {
                    break;
                }
                best = nearer;
            }
        }
        if common <= SHORT {
            for (at, &to) in to.iter().enumerate().take(common) {
                self.nearest_byte(&mut best, to, at, kept)?;
            }
        }
        Ok(best)
    }

    /// An input with one byte more or less in one place, or with any other: the nearest, if one is good.
    fn beside(&mut self, to: &[u8], kept: &Kept) -> Result<Option<Vec<u8>>> {
        for distance in 1..=u8::MAX {
            for at in 0..to.len().min(SHORT) {
                for value in [to[at].checked_add(distance), to[at].checked_sub(distance)].into_iter().flatten() {
                    let mut beside = to.to_vec();
                    beside[at] = value;
                    if self.is_good(&beside, kept)? {
                        return Ok(Some(beside));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Gives a byte the value that is nearest to another one: half way may not do, or the other side be nearer.
    fn nearest_byte(&mut self, best: &mut Vec<u8>, to: u8, at: usize, kept: &Kept) -> Result<()> {
        for distance in 1..best[at].abs_diff(to) {
            for value in [to.checked_sub(distance), to.checked_add(distance)].into_iter().flatten() {
                let mut nearer = best.clone();
                nearer[at] = value;
                if self.is_good(&nearer, kept)? {
                    *best = nearer;
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Half way from one byte to another, if there is something between.
fn between(from: u8, to: u8) -> Option<u8> {
    let middle = (u16::from(from) + u16::from(to)) / 2;
    let middle = if from < to { middle.max(u16::from(from) + 1) } else { middle } as u8;
    (from.abs_diff(to) > 1).then_some(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Phase, Value};
    use std::sync::Arc;

    /// A share in percent, which is violated above 80, and cannot be judged above 90.
    fn judged(bytes: &[u8]) -> Option<Row> {
        let percent = *bytes.first()? % 101;
        let verdict = match percent {
            0..=80 => Verdict::Held,
            81..=90 => Verdict::Violated,
            _ => Verdict::NotApplicable,
        };
        Some(Row {
            id: 0,
            phase: Phase::Replay,
            bytes: bytes.to_vec(),
            names: ["percent".to_owned()].into(),
            fields: vec![Value::of_integer(percent.into())],
            parameters: Vec::new(),
            features: Vec::new(),
            verdicts: Arc::new([Some(verdict)]),
            weight: 1,
            detail: None,
            death: None,
        })
    }

    #[test]
    fn of_a_pair_the_held_input_comes_as_near_as_it_can_whatever_lies_between() {
        let header = Header::of(&["f"], &["r"]);
        let mut budget = Budget::new(Duration::from_secs(60), 1);
        let mut judge = |bytes: &[u8]| Ok(judged(bytes));
        let mut shrinking = Shrinking { header: &header, cell: 0, judge: &mut judge, budget: &mut budget };
        let shown = |byte: u8, verdict| Shown { row: judged(&[byte]).unwrap(), verdict, still: Still::Anything };
        // Half way from 106, which is 5, to 81 there is nothing that can be judged.
        let pair = [shown(88, Verdict::Violated), shown(106, Verdict::Held)];
        let (rows, are_smallest) = shrinking.shrink(&pair).unwrap().unwrap();
        assert!(are_smallest);
        assert_eq!([&rows[0].bytes[..], &rows[1].bytes], [[81], [80]]);
    }
}
