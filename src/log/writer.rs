//! Writes one segment through a mapped file, so that what was written outlives the process.
//!
//! A process takes over a segment whose process has ended and whose header is its own, before it makes a new one: a
//! campaign that dies and restarts thousands of times leaves as many files as it has processes at once.

mod blocks;
mod segment;
mod templates;

pub(crate) use segment::reserve;

use super::{
    Header, Phase,
    block::{BLOCK_HEAD, Head, Kind, PAGE, STATE_AT, capacity_for, state},
    codec,
    encode::{Encoder, Shapes},
    live::{self, Count, LeftMark, Live, Snapshot, Totals},
    record::notice,
    strata::Strata,
};
use crate::hash;
use blocks::OpenBlock;
use memmap2::{MmapMut, MmapOptions};
use segment::{create, host_name, nanoseconds, take_over};
use serde::Serialize;
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};
use templates::Templates;

/// Strata of up to this many distinct inputs keep every row, whatever the budget.
const RARE: u64 = 4096;
/// The first rows of each stratum carry a detail, and of the others one in this many.
const DETAILED: u64 = 256;
const DETAIL_EVERY: u64 = 256;

/// One row, ready to be written.
pub(crate) struct RowParts<'row> {
    pub(crate) phase: Phase,
    pub(crate) bytes: &'row [u8],
    pub(crate) shape: u32,
    pub(crate) shapes: &'row Shapes,
    pub(crate) shapes_used: &'row [u32],
    /// How many values `values` holds.
    pub(crate) count: usize,
    pub(crate) values: &'row [u8],
    pub(crate) verdicts: &'row [u8],
}

/// The segment that this process writes.
pub(crate) struct Writer {
    file: File,
    front: MmapMut,
    live_at: usize,
    window: Option<MmapMut>,
    window_at: u64,
    host: String,
    directory: PathBuf,
    budget: u64,
    strata: Option<Strata>,
    block: Option<OpenBlock>,
    templates: Templates,
    room: Room,
    nonce: u64,
    /// Of the header: strata of other constants or builds are not ours.
    identity: u64,
    scratch: Vec<u8>,
    refused: u64,
}

/// How much may still be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Ample,
    /// Past three quarters of the budget: common strata are thinned.
    Scarce,
}

impl Writer {
    /// Takes over a segment or makes one; with it comes the mark its last process left, if it died.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_open")]
    pub(crate) fn open(directory: &Path, header: &Header, budget: u64) -> io::Result<(Self, Option<LeftMark>)> {
        fs::create_dir_all(directory)?;
        let host = host_name();
        let header_bytes = codec::encode(header);
        let capacity = capacity_for(header_bytes.len());
        let cells = header.cells.len();
        let front = 2 * capacity + live::size(cells);
        let taken = take_over(directory, &host, &header_bytes, cells);
        let (file, is_new) = match taken {
            Some(file) => (file, false),
            None => (create(directory, &host, front as u64)?, true),
        };
        // SAFETY: only the process that holds the file's lock writes to it, and readers do not map it.
        let map = unsafe { MmapOptions::new().len(front).map_mut(&file)? };
        let strata = Strata::open(&directory.join(format!("{host}.strata")));
        let mut writer = Self {
            file,
            front: map,
            live_at: 2 * capacity,
            window: None,
            window_at: 0,
            host,
            directory: directory.to_owned(),
            budget,
            strata,
            block: None,
            templates: Templates::default(),
            room: Room::Ample,
            nonce: 0,
            identity: hash::of_bytes(&header_bytes, 0),
            scratch: Vec::new(),
            refused: 0,
        };
        let mut left = None;
        if is_new {
            writer.write_front(&header_bytes, capacity, front as u64);
        } else {
            writer.nonce = Head::read(&writer.front).map_or(0, |head| head.nonce);
            let snapshot = Snapshot::read(&writer.front[writer.live_at..], cells);
            left = snapshot.as_ref().and_then(|snapshot| snapshot.mark().ok().flatten());
            // A commit that was cut off is finished.
            if let Some(totals) = snapshot.and_then(|snapshot| snapshot.totals()) {
                writer.restore(&totals);
            }
            // Kept until the death is written down: that may be deadly too, and is then not tried again.
            let mark = &mut writer.live().mark;
            if let Some(left) = &left {
                mark.stage = left.stage;
            }
            mark.state = if left.is_some() { live::MOURNED } else { live::IDLE };
        }
        let mut began = Vec::new();
        push_notice(&mut began, &(notice::BEGAN, std::process::id(), nanoseconds() / 1_000_000));
        writer.append_anywhere(&began);
        Ok((writer, left))
    }

    /// Puts totals into the live pages.
    fn restore(&mut self, totals: &Totals) {
        let live = self.live();
        for (count, value) in [
            (Count::Executions, totals.executions),
            (Count::Rejected, totals.rejected),
            (Count::Distinct, totals.distinct),
            (Count::Rows, totals.rows),
            (Count::Thinned, totals.thinned),
            (Count::Lost, totals.lost),
            (Count::Oversized, totals.oversized),
            (Count::Checks, totals.checks),
            (Count::Unsound, totals.unsound),
        ] {
            live.set(count, value);
        }
        let cells = totals.cells.len();
        for (at, table) in [(live::totals_at(cells), &totals.cells), (live::distinct_at(cells), &totals.distinct_cells)]
        {
            for (position, total) in table.iter().flatten().enumerate() {
                let at = self.live_at + at + position * 8;
                self.front[at..at + 8].copy_from_slice(&total.to_le_bytes());
            }
        }
    }

    fn write_front(&mut self, header: &[u8], capacity: usize, front: u64) {
        self.nonce = hash::fold(nanoseconds() | 1, u64::from(std::process::id()) | 1 << 40);
        self.live().begin();
        self.live().set(Count::End, front);
        self.live().set(Count::Sequence, 2);
        for copy in 0..2 {
            let head = Head { kind: Kind::Header, capacity: capacity as u32, sequence: copy, nonce: self.nonce };
            let mut checksum = head.checksum();
            checksum.update(header);
            let block = &mut self.front[copy as usize * capacity..][..capacity];
            block[..STATE_AT].copy_from_slice(&head.to_bytes());
            block[BLOCK_HEAD..][..header.len()].copy_from_slice(header);
            block[STATE_AT..BLOCK_HEAD].copy_from_slice(&state(header.len(), &checksum).to_le_bytes());
        }
    }

    /// The live pages, which stay where they are for as long as the writer lives.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_live")]
    pub(crate) fn live(&mut self) -> &mut Live {
        // SAFETY: the live pages begin on a page boundary inside the map, and `Live` is plain numbers.
        unsafe { &mut *self.front.as_mut_ptr().add(self.live_at).cast::<Live>() }
    }

    /// Adds an execution to the totals, and to those of distinct inputs if it is one; cells may be without a verdict.
    #[cfg(feature = "cli")]
    pub(super) fn tally(&mut self, verdicts: &[Option<crate::Verdict>], is_distinct: bool) {
        let cells = verdicts.len();
        let tables = [(live::totals_at(cells), true), (live::distinct_at(cells), is_distinct)];
        for at in tables.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(at, _)| self.live_at + at) {
            for (cell, verdict) in verdicts.iter().enumerate() {
                let Some(verdict) = verdict else { continue };
                let at = at + (cell * crate::Verdict::COUNT + *verdict as usize) * 8;
                let total = &mut self.front[at..at + 8];
                let more = u64::from_le_bytes(total.try_into().expect("eight bytes")) + 1;
                total.copy_from_slice(&more.to_le_bytes());
            }
        }
        self.live().add(Count::Executions, 1);
        self.live().add(Count::Distinct, u64::from(is_distinct));
    }

    /// Counts a distinct input in its stratum. Says whether a row should be written: none, or with which weight (as a
    /// power of two), and whether it should carry a detail.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_wanted")]
    pub(crate) fn wanted(&mut self, stratum: u64, fingerprint: u64) -> Option<(u8, bool)> {
        let seen = self.strata.as_ref().map_or(0, |strata| strata.count(stratum ^ self.identity));
        let weight = match self.room {
            Room::Ample => 0,
            Room::Scarce => (seen / RARE).checked_ilog2().unwrap_or(0),
        };
        if fingerprint & ((1 << weight) - 1) != 0 {
            self.live().add(Count::Thinned, 1);
            return None;
        }
        // Other bits than the sample's, or every sampled row would carry one.
        Some((weight as u8, seen <= DETAILED || (fingerprint >> 40).is_multiple_of(DETAIL_EVERY)))
    }

    /// Writes a row; `detail` is its encoded [`Detail`](super::Detail).
    #[unsafe(export_name = "__sanitizer_bugornot_writer_row")]
    pub(crate) fn row(&mut self, row: &RowParts<'_>, weight: u8, detail: Option<&[u8]>) {
        let id = self.live().mark.id;
        let number = self.templates.number(row, weight, detail.is_some());
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut is_written = false;
        // Twice at the most: a new block has to be told everything again.
        for _ in 0..2 {
            scratch.clear();
            self.explain(&mut scratch, row, number);
            let since = self.block.as_ref().map_or(0, |block| block.last_id);
            let start = scratch.len();
            codec::push_varint(&mut scratch, number as u64 + 1);
            codec::push_varint(&mut scratch, id.wrapping_sub(since));
            codec::push_bytes(&mut scratch, row.bytes);
            codec::push_varint(&mut scratch, row.count as u64);
            scratch.extend_from_slice(row.values);
            scratch.extend_from_slice(detail.unwrap_or_default());
            frame(&mut scratch, start);
            if scratch.len() > codec::MAX_RECORD {
                self.live().add(Count::Oversized, 1);
                self.scratch = Vec::new();
                return;
            }
            if self.append(&scratch) {
                is_written = true;
                break;
            }
            if !self.open_block(scratch.len() + 2 * PAGE) {
                break;
            }
        }
        self.scratch = scratch;
        if !is_written {
            self.live().add(Count::Lost, 1);
            return;
        }
        let block = self.block.as_mut().expect("a row was appended to it");
        block.last_id = id;
        let sequence = block.sequence;
        for &shape in row.shapes_used.iter().chain([&row.shape]) {
            if !block.shapes.contains(&shape) {
                block.shapes.push(shape);
            }
        }
        self.templates.known[number].1 = Some(sequence);
        self.live().add(Count::Rows, 1);
    }

    /// Appends the shapes and the template that the open block does not explain yet.
    fn explain(&self, scratch: &mut Vec<u8>, row: &RowParts<'_>, number: usize) {
        let explained = self.block.as_ref().map_or(&[][..], |block| &block.shapes);
        let mut told: Vec<u32> = Vec::new();
        for &shape in row.shapes_used.iter().chain([&row.shape]) {
            if !explained.contains(&shape) && !told.contains(&shape) {
                told.push(shape);
                push_shape(scratch, shape, row.shapes);
            }
        }
        let (template, told_in) = &self.templates.known[number];
        if told_in.is_none() || *told_in != self.block.as_ref().map(|block| block.sequence) {
            push_notice(scratch, &(notice::TEMPLATE, template));
        }
    }

    /// Writes down a death: the mark, and the input decoded again, whose `count` values use these shapes.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_death")]
    pub(crate) fn death(&mut self, mark: LeftMark, shape: u32, count: usize, encoder: &Encoder) {
        let mut bytes = Vec::new();
        for &shape in &encoder.shapes_used {
            push_shape(&mut bytes, shape, &encoder.shapes);
        }
        let LeftMark { id, stage, phase, length, bytes: raw, verdicts, .. } = mark;
        let start = bytes.len();
        codec::push_varint(&mut bytes, 0);
        let died = (notice::DIED, id, stage, verdicts, phase, raw, length, shape);
        bytes.extend_from_slice(&codec::encode(&died));
        codec::push_varint(&mut bytes, count as u64);
        bytes.extend_from_slice(&encoder.bytes);
        frame(&mut bytes, start);
        self.append_anywhere(&bytes);
        self.live().mark.state = live::IDLE;
    }
}

/// Appends a [`Notice`](super::Notice), given as its number and its parts.
fn push_notice(bytes: &mut Vec<u8>, notice: &impl Serialize) {
    let start = bytes.len();
    codec::push_varint(bytes, 0);
    bytes.extend_from_slice(&codec::encode(notice));
    frame(bytes, start);
}

#[unsafe(export_name = "__sanitizer_bugornot_writer_push_shape")]
fn push_shape(bytes: &mut Vec<u8>, shape: u32, shapes: &Shapes) {
    push_notice(bytes, &(notice::SHAPE, shape, shapes.names(shape)));
}

/// Puts the length of what stands from `start` before it.
#[unsafe(export_name = "__sanitizer_bugornot_writer_frame")]
fn frame(bytes: &mut Vec<u8>, start: usize) {
    let length = bytes.len() - start;
    codec::push_varint(bytes, length as u64);
    let behind = bytes.len() - start - length;
    bytes[start..].rotate_right(behind);
}

#[cfg(all(test, feature = "cli"))]
impl Writer {
    /// Writes a row without bytes, as an importer would; of its fields, the names of a tuple's parts are given.
    pub(crate) fn made_row(
        &mut self,
        encoder: &mut Encoder,
        (input, names): (&dyn super::encode::Encode, &[&'static str]),
        verdicts: &[u8],
        weight: u8,
    ) {
        self.live().mark.id += 1;
        encoder.clear();
        let (count, shape) = encoder.fields(input, names, &[]);
        let parts = RowParts {
            phase: super::Phase::Replay,
            bytes: &[],
            shape,
            shapes: &encoder.shapes,
            shapes_used: &encoder.shapes_used,
            count,
            values: &encoder.bytes,
            verdicts,
        };
        self.row(&parts, weight, None);
    }
}
