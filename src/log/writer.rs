//! Writes one segment through a mapped file, so that what was written outlives the process.
//!
//! A process takes over a segment whose process has ended and whose header is its own, before it makes a new one: a
//! campaign that dies and restarts thousands of times leaves as many files as it has processes at once.

use super::{
    EXTENSION, Header, Phase, Template,
    block::{BLOCK_HEAD, Head, Kind, PAGE, ROW_BLOCK, STATE_AT, capacity_for, state},
    codec,
    encode::{Encoder, Shapes},
    live::{self, Count, LeftMark, Live, Snapshot, Totals},
    record::notice,
    strata::Strata,
};
use crate::hash;
use memmap2::{MmapMut, MmapOptions};
use serde::Serialize;
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    hash::{BuildHasherDefault, Hasher},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering, compiler_fence},
    time::{SystemTime, UNIX_EPOCH},
};

/// The least and most a segment grows by at once.
const CHUNKS: (u64, u64) = (64 << 10, 16 << 20);
/// Strata of up to this many distinct inputs keep every row, whatever the budget.
const RARE: u64 = 4096;
/// The first rows of each stratum carry a detail, and of the others one in this many.
const DETAILED: u64 = 256;
const DETAIL_EVERY: u64 = 256;
/// How many templates are remembered at once.
const MAX_TEMPLATES: usize = 1 << 14;
/// How many segments of ended processes are tried before a new one is made.
const MAX_TAKEOVERS: usize = 64;

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

struct OpenBlock {
    /// Where it stands in the window.
    at: usize,
    capacity: usize,
    length: usize,
    sequence: u32,
    checksum: crc32fast::Hasher,
    last_id: u64,
    shapes: Vec<u32>,
}

/// Templates by what they say, each with the block that last explained it.
#[derive(Default)]
struct Templates {
    numbers: HashMap<u64, usize, BuildHasherDefault<AlreadyHashed>>,
    known: Vec<(Template, Option<u32>)>,
}

/// Keys that are hashes need none.
#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::of_bytes(bytes, self.0);
    }
}

impl Templates {
    #[unsafe(export_name = "__sanitizer_bugornot_writer_number")]
    fn number(&mut self, row: &RowParts<'_>, weight: u8, detailed: bool) -> usize {
        let context =
            u64::from(row.shape) << 32 | u64::from(weight) << 16 | u64::from(detailed) << 8 | row.phase as u64;
        let key = hash::of_bytes(row.verdicts, context);
        if let Some(&number) = self.numbers.get(&key) {
            let (known, _) = &self.known[number];
            let is_it = known.shape == row.shape && known.phase == row.phase && known.weight == weight;
            let is_it = is_it && known.detailed == detailed;
            let codes = row.verdicts.iter().map(|&code| live::number(code));
            if is_it && codes.eq(known.verdicts.iter().copied()) {
                return number;
            }
        }
        if self.known.len() >= MAX_TEMPLATES {
            self.numbers.clear();
            self.known.clear();
        }
        let number = self.known.len();
        let verdicts = row.verdicts.iter().map(|&code| live::number(code)).collect();
        let template =
            Template { number: number as u32 + 1, shape: row.shape, phase: row.phase, weight, detailed, verdicts };
        self.known.push((template, None));
        self.numbers.insert(key, number);
        number
    }
}

/// The number of a verdict's code; rows of other tools may lack a verdict.
/// Asks the file system for room, so that a full disk is an error now and not a signal later.
pub(crate) fn reserve(file: &File, at: u64, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is open for as long as `file` lives.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), at as libc::off_t, length as libc::off_t) } {
            0 => Ok(()),
            code => Err(io::Error::from_raw_os_error(code)),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let wanted = at + length;
        if file.metadata()?.len() < wanted { file.set_len(wanted) } else { Ok(()) }
    }
}

/// This host's name, fit for a file name.
fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is writable and one byte longer than the length given, so it ends with a zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let length = if failed { 0 } else { name.iter().position(|&byte| byte == 0).unwrap_or(0) };
    let shown: String = String::from_utf8_lossy(&name[..length])
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .take(40)
        .collect();
    if shown.is_empty() { "host".into() } else { shown }
}

fn nanoseconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
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

    #[unsafe(export_name = "__sanitizer_bugornot_writer_append_anywhere")]
    fn append_anywhere(&mut self, bytes: &[u8]) {
        if bytes.len() <= codec::MAX_RECORD && !self.append(bytes) && self.open_block(bytes.len()) {
            self.append(bytes);
        }
    }

    /// Commits whole records to the open block; false if they do not fit.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_append")]
    fn append(&mut self, records: &[u8]) -> bool {
        let (Some(block), Some(window)) = (&mut self.block, &mut self.window) else { return false };
        let from = block.at + BLOCK_HEAD + block.length;
        if block.length + records.len() > block.capacity - BLOCK_HEAD {
            return false;
        }
        window[from..][..records.len()].copy_from_slice(records);
        block.checksum.update(records);
        block.length += records.len();
        let state = state(block.length, &block.checksum);
        // SAFETY: the block begins on a page boundary inside the window, so the state is inside it and aligned.
        let stored = unsafe { &*window.as_ptr().add(block.at + STATE_AT).cast::<AtomicU64>() };
        // One store, after the records: a killed process leaves either all of them or none.
        stored.store(state.to_le(), Ordering::Release);
        true
    }

    /// Begins a block that can hold `payload` bytes; false if there is no room on the disk or in the budget.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_open_block")]
    fn open_block(&mut self, payload: usize) -> bool {
        let capacity = capacity_for(payload).max(ROW_BLOCK);
        let end = self.live().get(Count::End);
        let sequence = self.live().get(Count::Sequence) as u32;
        let window_end = self.window_at + self.window.as_ref().map_or(0, |window| window.len() as u64);
        if end + capacity as u64 > window_end && !self.grow(end, capacity as u64) {
            self.block = None;
            return false;
        }
        let at = (end - self.window_at) as usize;
        let head = Head { kind: Kind::Rows, capacity: capacity as u32, sequence, nonce: self.nonce };
        let checksum = head.checksum();
        let window = self.window.as_mut().expect("the window was just made to hold the block");
        window[at + STATE_AT..at + BLOCK_HEAD].copy_from_slice(&state(0, &checksum).to_le_bytes());
        window[at..at + STATE_AT].copy_from_slice(&head.to_bytes());
        // The number comes last, so that it only counts blocks that are there.
        compiler_fence(Ordering::SeqCst);
        self.live().set(Count::End, end + capacity as u64);
        compiler_fence(Ordering::SeqCst);
        self.live().set(Count::Sequence, u64::from(sequence) + 1);
        self.block = Some(OpenBlock { at, capacity, length: 0, sequence, checksum, last_id: 0, shapes: Vec::new() });
        true
    }

    /// Maps more of the file, beginning at `end`.
    fn grow(&mut self, end: u64, capacity: u64) -> bool {
        // After a refusal, not every row asks again.
        self.refused += 1;
        if self.refused > 1 && !self.refused.is_power_of_two() {
            return false;
        }
        let used = self.directory_size();
        let most = CHUNKS.1.min(self.budget / 16).max(CHUNKS.0);
        let chunk = (end / 4).clamp(CHUNKS.0, most).max(capacity).next_multiple_of(PAGE as u64);
        if used + chunk > self.budget {
            self.complain(&format!("the budget of {} bytes is used up", self.budget));
            return false;
        }
        self.room = if used + chunk > self.budget / 4 * 3 { Room::Scarce } else { Room::Ample };
        // SAFETY: only the process that holds the file's lock writes to it, and readers do not map it.
        let map = || unsafe { MmapOptions::new().offset(end).len(chunk as usize).map_mut(&self.file) };
        match reserve(&self.file, end, chunk).and_then(|()| map()) {
            Ok(map) => {
                self.window = Some(map);
                self.window_at = end;
                self.refused = 0;
                true
            }
            Err(error) => {
                self.complain(&error.to_string());
                false
            }
        }
    }

    #[expect(
        clippy::print_stderr,
        reason = "the engine owns the terminal, and a fuzz target has no other way to say it"
    )]
    #[unsafe(export_name = "__sanitizer_bugornot_writer_complain")]
    fn complain(&self, why: &str) {
        if self.refused == 1 {
            eprintln!(
                "bugornot: warning: no more rows are logged to `{}`: {why}; totals go on, and what is lost is counted; \
                 free some room, or raise BUGORNOT_BUDGET",
                self.directory.display()
            );
        }
    }

    /// What this host's files take on the disk.
    fn directory_size(&self) -> u64 {
        let Ok(entries) = fs::read_dir(&self.directory) else { return 0 };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&self.host))
            .filter_map(|entry| entry.metadata().ok())
            .map(|metadata| metadata.len())
            .sum()
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

/// Makes a new segment and locks it.
fn create(directory: &Path, host: &str, front: u64) -> io::Result<File> {
    let name = format!("{host}-{:x}-{}.{EXTENSION}", nanoseconds(), std::process::id());
    let path = directory.join(name);
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    // Waits: another process may be looking whether it can take the file over.
    let made = file.lock().and_then(|()| reserve(&file, 0, front));
    if let Err(error) = made {
        // A segment without a front is of no use to anyone.
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    Ok(file)
}

/// Finds a segment of this host with the same header, whose process has ended, and locks it.
fn take_over(directory: &Path, host: &str, header: &[u8], cells: usize) -> Option<File> {
    let prefix = format!("{host}-");
    let mut paths = fs::read_dir(directory)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
        .take(MAX_TAKEOVERS);
    paths.find_map(|path| {
        let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
        file.try_lock().ok()?;
        is_sound(&file, header, cells).then_some(file)
    })
}

/// Whether a segment can be written on: its header is ours, and its end is where a block can begin.
fn is_sound(mut file: &File, header: &[u8], cells: usize) -> bool {
    use io::Read;
    let capacity = capacity_for(header.len());
    let front = 2 * capacity + live::size(cells);
    let mut bytes = vec![0; front];
    if file.read_exact(&mut bytes).is_err() {
        return false;
    }
    let is_ours = Head::read(&bytes)
        .filter(|head| head.kind == Kind::Header && head.capacity as usize == capacity)
        .and_then(|head| super::block::payload(head, &bytes))
        .is_some_and(|payload| payload == header);
    let Ok(length) = file.metadata().map(|metadata| metadata.len()) else { return false };
    is_ours
        && Snapshot::read(&bytes[2 * capacity..], cells)
            .and_then(|snapshot| {
                snapshot.totals()?;
                snapshot.counter(Count::Sequence)?;
                snapshot.counter(Count::End)
            })
            .is_some_and(|end| end >= front as u64 && end <= length && end.is_multiple_of(PAGE as u64))
}
