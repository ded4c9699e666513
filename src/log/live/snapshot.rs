//! Live pages as a reader finds them: every number is checked against another before it is believed.

use super::{
    COMMITTING, Count, Counter, IDLE, Live, MAGIC, MAGIC_WITH_GAPS, MARK_BYTES, MOURNED, Mark, NO_VERDICT, RUNNING,
    Stage, VERDICTS_AT, decode, distinct_at, phase_code, size, tie, totals_at,
};
use crate::{Verdict, hash, log::Phase};

/// An execution that its process did not survive.
#[derive(Clone, Debug, PartialEq)]
pub struct Death {
    /// How far it had come.
    pub stage: Stage,
    /// How many bytes the input had; more than a row's bytes if the mark could not hold them all.
    pub length: u64,
}

/// A mark that was left behind.
#[derive(Clone, Debug)]
pub(crate) struct LeftMark {
    pub(crate) id: u64,
    pub(crate) stage: u32,
    pub(crate) phase: Phase,
    pub(crate) length: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) verdicts: Vec<u8>,
    /// Whether a process has tried to write it down and died of that.
    pub(crate) is_mourned: bool,
}

/// The exact numbers of one segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Executions whose verdicts are counted below.
    pub executions: u64,
    /// Inputs that could not be decoded or were outside the domain.
    pub rejected: u64,
    /// Inputs that a process had not judged before with these verdicts.
    pub distinct: u64,
    /// Rows written; a process killed between a row and this counter has written one more.
    pub rows: u64,
    /// Distinct inputs without a row, because the budget allows only a sample.
    pub thinned: u64,
    /// Distinct inputs without a row, because the disk or the budget is full.
    pub lost: u64,
    /// Distinct inputs without a row, because the row would be too long.
    pub oversized: u64,
    /// Soundness checks made.
    pub checks: u64,
    /// Soundness checks failed.
    pub unsound: u64,
    /// Executions per cell and verdict.
    pub cells: Vec<[u64; Verdict::COUNT]>,
    /// Distinct inputs per cell and verdict.
    pub distinct_cells: Vec<[u64; Verdict::COUNT]>,
}

impl Totals {
    /// Adds another segment's totals.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.executions, other.executions),
            (&mut self.rejected, other.rejected),
            (&mut self.distinct, other.distinct),
            (&mut self.rows, other.rows),
            (&mut self.thinned, other.thinned),
            (&mut self.lost, other.lost),
            (&mut self.oversized, other.oversized),
            (&mut self.checks, other.checks),
            (&mut self.unsound, other.unsound),
        ] {
            *sum = sum.saturating_add(more);
        }
        for (sum, more) in [(&mut self.cells, &other.cells), (&mut self.distinct_cells, &other.distinct_cells)] {
            sum.resize(sum.len().max(more.len()), [0; Verdict::COUNT]);
            for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
                *sum = sum.saturating_add(*more);
            }
        }
    }
}

/// Live pages as they were read from a file.
pub(crate) struct Snapshot<'bytes> {
    bytes: &'bytes [u8],
    cells: usize,
}

impl<'bytes> Snapshot<'bytes> {
    /// The pages at the front of `bytes`, if they are there.
    pub(crate) fn read(bytes: &'bytes [u8], cells: usize) -> Option<Self> {
        let snapshot = Self { bytes: bytes.get(..size(cells))?, cells };
        [MAGIC, MAGIC_WITH_GAPS].contains(&snapshot.magic()).then_some(snapshot)
    }

    fn magic(&self) -> u64 {
        self.word(std::mem::offset_of!(Live, magic))
    }

    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes[at..at + 8].try_into().expect("eight bytes"))
    }

    /// A counter, unless its two copies disagree by more than the step a killed process may not have finished.
    /// Where the next block goes is never guessed.
    #[unsafe(export_name = "__sanitizer_bugornot_live_counter")]
    pub(crate) fn counter(&self, count: Count) -> Option<u64> {
        let at = std::mem::offset_of!(Live, counters) + count as usize * size_of::<Counter>();
        let (value, mirror) = (self.word(at), !self.word(at + 8));
        let may_lag = self.mark_state() != IDLE && !matches!(count, Count::End | Count::Sequence);
        (value == mirror || may_lag && value.wrapping_sub(mirror) == 1).then_some(value)
    }

    fn mark_state(&self) -> u32 {
        self.word(std::mem::offset_of!(Live, mark)) as u32
    }

    /// The mark, if an execution was under way; an error if the mark is damaged.
    #[unsafe(export_name = "__sanitizer_bugornot_live_mark")]
    pub(crate) fn mark(&self) -> Result<Option<LeftMark>, ()> {
        let mark = std::mem::offset_of!(Live, mark);
        match self.mark_state() {
            IDLE => return Ok(None),
            RUNNING | COMMITTING | MOURNED => {}
            _ => return Err(()),
        }
        let word = |at: usize| self.word(mark + at);
        let length = word(std::mem::offset_of!(Mark, length));
        let kept = usize::try_from(length).map_err(drop)?.min(MARK_BYTES);
        let start = mark + std::mem::offset_of!(Mark, bytes);
        let bytes = self.bytes[start..start + kept].to_vec();
        // The hash covers the whole input, so a cut one cannot be checked.
        let is_whole = kept as u64 == length;
        if is_whole && hash::of_bytes(&bytes, 0) != word(std::mem::offset_of!(Mark, hash)) {
            return Err(());
        }
        let stage = (word(0) >> 32) as u32;
        let stage = match Stage::from_number(stage).ok_or(())? {
            Stage::Soundness(_) => stage,
            _ if self.mark_state() == COMMITTING => Stage::Commit.number(),
            _ => stage,
        };
        let id = word(std::mem::offset_of!(Mark, id));
        let phase = word(std::mem::offset_of!(Mark, phase));
        let wanted = phase ^ tie(id, length, word(std::mem::offset_of!(Mark, hash)));
        let phases = [Phase::Example, Phase::Uniform, Phase::Fuzz, Phase::Replay, Phase::Import];
        let phase = phases.into_iter().find(|&phase| phase_code(phase) == wanted).ok_or(())?;
        let codes = &self.bytes[VERDICTS_AT..VERDICTS_AT + self.cells];
        let number = |&code: &u8| decode(code).map(|verdict| verdict.map_or(NO_VERDICT, |verdict| verdict as u8));
        let verdicts = codes.iter().map(number).collect::<Result<_, _>>()?;
        let is_mourned = self.mark_state() == MOURNED;
        Ok(Some(LeftMark { id, stage, phase, length, bytes, verdicts, is_mourned }))
    }

    #[unsafe(export_name = "__sanitizer_bugornot_live_table")]
    fn table(&self, at: usize) -> Vec<[u64; Verdict::COUNT]> {
        let row = |cell: usize| std::array::from_fn(|verdict| self.word(at + (cell * Verdict::COUNT + verdict) * 8));
        (0..self.cells).map(row).collect()
    }

    /// The totals, unless they contradict each other.
    #[unsafe(export_name = "__sanitizer_bugornot_live_totals")]
    pub(crate) fn totals(&self) -> Option<Totals> {
        let mut totals = Totals {
            executions: self.counter(Count::Executions)?,
            rejected: self.counter(Count::Rejected)?,
            distinct: self.counter(Count::Distinct)?,
            rows: self.counter(Count::Rows)?,
            thinned: self.counter(Count::Thinned)?,
            lost: self.counter(Count::Lost)?,
            oversized: self.counter(Count::Oversized)?,
            checks: self.counter(Count::Checks)?,
            unsound: self.counter(Count::Unsound)?,
            cells: self.table(totals_at(self.cells)),
            distinct_cells: self.table(distinct_at(self.cells)),
        };
        let (executions, distinct) = (totals.executions, totals.distinct);
        let torn = self.settle(&mut totals.cells, executions)?;
        if torn {
            totals.executions += 1;
        }
        if self.settle(&mut totals.distinct_cells, distinct)? {
            totals.distinct += 1;
        }
        Some(totals)
    }

    /// Checks that every cell's totals add up to `sum`, or to less where there may be gaps. A commit that was cut off is
    /// completed from the mark: then some cells are one ahead, and the others follow. True if so; `None` if they do not add
    /// up.
    #[unsafe(export_name = "__sanitizer_bugornot_live_settle")]
    fn settle(&self, cells: &mut [[u64; Verdict::COUNT]], sum: u64) -> Option<bool> {
        let sums: Vec<u64> = cells.iter().map(|cell| cell.iter().fold(0u64, |a, b| a.wrapping_add(*b))).collect();
        let may_have_gaps = self.magic() == MAGIC_WITH_GAPS;
        if sums.iter().all(|&cell| cell == sum || may_have_gaps && cell < sum) {
            return Some(false);
        }
        let is_cut_off = self.mark_state() == COMMITTING && sums.iter().all(|&cell| cell == sum || cell == sum + 1);
        if !is_cut_off {
            return None;
        }
        for (cell, totals) in cells.iter_mut().enumerate() {
            if sums[cell] == sum {
                let verdict = decode(self.bytes[VERDICTS_AT + cell]).ok()??;
                totals[verdict as usize] += 1;
            }
        }
        Some(true)
    }
}
