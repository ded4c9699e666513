//! The live pages of a segment: counters that go on for ever, totals per cell and verdict, and the write-ahead mark
//! of the execution under way.
//!
//! They change with every execution, so no checksum can cover them. Instead every number can be checked against
//! another: counters are stored twice, a cell's totals add up to the executions (in an import to no more than those),
//! and the mark carries the hash of its bytes.

mod snapshot;

pub use snapshot::{Death, Totals};
pub(crate) use snapshot::{LeftMark, Snapshot};

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
