//! The live pages of a segment: counters that go on for ever, totals per cell and verdict, and the write-ahead mark
//! of the execution under way.
//!
//! They change with every execution, so no checksum can cover them. Instead every number can be checked against
//! another: counters are stored twice, a cell's totals add up to the executions (in an import to no more than those),
//! and the mark carries the hash of its bytes.

use super::{Phase, block::PAGE};
use crate::{Verdict, hash};

const MAGIC: u64 = u64::from_le_bytes(*b"BnB-live");
/// Of a segment whose executions need not have a verdict in every cell: an import.
const MAGIC_WITH_GAPS: u64 = u64::from_le_bytes(*b"BnB-gaps");

/// A verdict as the mark holds it: its number, and the same again with all bits turned.
#[inline(always)]
pub(crate) const fn code(verdict: Verdict) -> u8 {
    let number = verdict as u8;
    number | (number ^ NUMBER_MASK) << 3
}
/// The bits of a verdict's number in its code.
pub(crate) const NUMBER_MASK: u8 = 7;

/// The number of the verdict with this code, as rows hold it; 255 for none.
pub(crate) fn number(code: u8) -> u8 {
    if code == NO_VERDICT { NO_VERDICT } else { code & NUMBER_MASK }
}

/// The verdict with this code; `None` if it was not reached, an error if it is damaged.
pub(crate) fn decode(code: u8) -> Result<Option<Verdict>, ()> {
    match Verdict::from_number(code & NUMBER_MASK) {
        _ if code == NO_VERDICT => Ok(None),
        Some(verdict) if self::code(verdict) == code => Ok(Some(verdict)),
        _ => Err(()),
    }
}

/// A phase as the mark holds it: its number, and the same again with all bits turned.
pub(crate) fn phase_code(phase: Phase) -> u64 {
    let number = phase as u64;
    number | (number ^ 0xf) << 4
}

/// What ties the numbers of a mark together; fills the bits above its phase.
#[inline(always)]
pub(crate) const fn tie(id: u64, length: u64, hash: u64) -> u64 {
    hash::fold(hash ^ id.rotate_left(32), length ^ 0x9E37_79B9_7F4A_7C15) & !0xff
}

/// How much of an input the mark holds.
pub(crate) const MARK_BYTES: usize = 4096;

/// Nothing is under way.
pub(crate) const IDLE: u32 = 0x1D1E_60D5;
/// An input is being judged.
pub(crate) const RUNNING: u32 = 0xE2A1_9F2A;
/// Its verdicts are being added to the totals and the rows.
pub(crate) const COMMITTING: u32 = 0x7C38_C6B4;

/// The process that judged it has died, and another is about to write that down.
pub(crate) const MOURNED: u32 = 0x98C7_354B;

/// A verdict not reached yet.
pub(crate) const NO_VERDICT: u8 = 255;

/// A number stored twice, the second time with all bits turned.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Counter {
    value: u64,
    mirror: u64,
}

/// What is counted; the position in [`Live::counters`].
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(crate) enum Count {
    /// Executions whose verdicts are in the totals.
    Executions,
    /// Inputs that could not be decoded or were outside the domain.
    Rejected,
    /// Inputs that this process had not judged before with these verdicts.
    Distinct,
    /// Rows written.
    Rows,
    /// Distinct inputs without a row, because the budget allows only a sample.
    Thinned,
    /// Distinct inputs without a row, because the disk or the budget is full.
    Lost,
    /// Distinct inputs without a row, because the row would be too long.
    Oversized,
    /// Soundness checks made.
    Checks,
    /// Soundness checks failed.
    Unsound,
    /// Where the next block goes.
    End,
    /// The number of the next block.
    Sequence,
}
const COUNTERS: usize = Count::Sequence as usize + 1;

/// The execution under way.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Mark {
    pub(crate) state: u32,
    pub(crate) stage: u32,
    pub(crate) id: u64,
    pub(crate) hash: u64,
    pub(crate) length: u64,
    pub(crate) phase: u64,
    pub(crate) bytes: [u8; MARK_BYTES],
}

/// The front of the live pages. Behind it stand the verdicts reached so far, a byte per cell, padded to eight, and
/// then the executions and the distinct inputs per cell and verdict.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Live {
    magic: u64,
    pub(crate) counters: [Counter; COUNTERS],
    pub(crate) mark: Mark,
}

/// The bytes that live pages for this many cells take.
#[unsafe(export_name = "__sanitizer_bugornot_live_size")]
pub(crate) fn size(cells: usize) -> usize {
    (distinct_at(cells) + cells * Verdict::COUNT * 8).next_multiple_of(PAGE)
}
/// Where the verdicts reached so far stand.
pub(crate) const VERDICTS_AT: usize = size_of::<Live>();
/// Where the executions per cell and verdict stand.
#[unsafe(export_name = "__sanitizer_bugornot_live_totals_at")]
pub(crate) fn totals_at(cells: usize) -> usize {
    VERDICTS_AT + cells.next_multiple_of(8)
}
/// Where the distinct inputs per cell and verdict stand.
#[unsafe(export_name = "__sanitizer_bugornot_live_distinct_at")]
pub(crate) fn distinct_at(cells: usize) -> usize {
    totals_at(cells) + cells * Verdict::COUNT * 8
}

impl Live {
    /// Makes fresh pages, all zero, usable.
    pub(crate) fn begin(&mut self) {
        self.magic = MAGIC;
        for counter in &mut self.counters {
            *counter = Counter { value: 0, mirror: !0 };
        }
        self.mark.state = IDLE;
    }

    /// From now on, executions may leave cells without a verdict.
    #[cfg(feature = "cli")]
    pub(crate) fn allow_gaps(&mut self) {
        self.magic = MAGIC_WITH_GAPS;
    }

    /// Adds to a counter.
    #[inline(always)]
    pub(crate) fn add(&mut self, count: Count, more: u64) {
        let counter = &mut self.counters[count as usize];
        counter.value = counter.value.wrapping_add(more);
        counter.mirror = !counter.value;
    }

    /// Sets a counter.
    pub(crate) fn set(&mut self, count: Count, value: u64) {
        self.counters[count as usize] = Counter { value, mirror: !value };
    }

    /// Reads a counter.
    pub(crate) fn get(&self, count: Count) -> u64 {
        self.counters[count as usize].value
    }
}

/// How far a check had come; kept in the mark as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The bytes were being decoded, or the domain applied.
    Decode,
    /// This function ran on the source input.
    Source(usize),
    /// This relation's precondition or transformation ran.
    Transform(usize),
    /// This cell's function ran on a follow-up input.
    FollowUp(usize),
    /// This cell's outputs were being judged.
    Judge(usize),
    /// A soundness check ran on this function.
    Soundness(usize),
    /// All verdicts were reached; the logger ran.
    Commit,
}

/// A stage is a kind and an index in 16 bits, and the same again with all bits turned.
const KIND_BITS: u32 = 4;
const LAST_INDEX: usize = (1 << (16 - KIND_BITS)) - 1;

impl Stage {
    /// The stage as one number.
    #[inline(always)]
    pub(crate) fn number(self) -> u32 {
        let (kind, index) = match self {
            Self::Decode => (1u32, 0),
            Self::Source(index) => (2, index),
            Self::Transform(index) => (3, index),
            Self::FollowUp(index) => (4, index),
            Self::Judge(index) => (5, index),
            Self::Soundness(index) => (6, index),
            Self::Commit => (7, 0),
        };
        let half = kind | (if index < LAST_INDEX { index } else { LAST_INDEX } as u32) << KIND_BITS;
        half | !half << 16
    }

    /// The stage with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        let half = number & 0xffff;
        if number != half | !half << 16 {
            return None;
        }
        let index = (half >> KIND_BITS) as usize;
        Some(match half & ((1 << KIND_BITS) - 1) {
            1 => Self::Decode,
            2 => Self::Source(index),
            3 => Self::Transform(index),
            4 => Self::FollowUp(index),
            5 => Self::Judge(index),
            6 => Self::Soundness(index),
            7 => Self::Commit,
            _ => return None,
        })
    }

    /// Whether the cell of this function and relation was being checked.
    pub(crate) fn concerns(self, cell: usize, function: usize, relation: usize) -> bool {
        match self {
            Self::Source(index) | Self::Soundness(index) => index == function,
            Self::Transform(index) => index == relation,
            Self::FollowUp(index) | Self::Judge(index) => index == cell,
            Self::Decode | Self::Commit => false,
        }
    }
}

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

    /// Checks that every cell's totals add up to `sum`, or to less where there may be gaps. A commit that was cut off is completed from the mark: then
    /// some cells are one ahead, and the others follow. True if so; `None` if they do not add up.
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
