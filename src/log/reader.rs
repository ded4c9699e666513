//! Reads logs that may be damaged, cut off, hostile, or still being written: never panics, never allocates what a
//! length merely claims, and says what was lost.

mod blocks;
mod decode;
#[cfg(feature = "cli")]
mod scan;

use super::{
    Death, Detail, EXTENSION, Error, FORMAT, Header, Phase, Result, Totals, Value,
    block::{self, Head, Kind, MAGIC, PAGE},
    codec,
    live::{self, Count, LeftMark, Snapshot},
};
use crate::Verdict;
use blocks::Blocks;
use decode::Decoder;
pub(super) use decode::split;
#[cfg(feature = "cli")]
pub(crate) use scan::{Outline, Worker, scan};
use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

/// How many losses are described one by one.
const MAX_REASONS: usize = 16;
/// How often totals that contradict each other are read.
const TOTALS_TRIES: usize = 100;
/// How far a file is searched for the header's second copy.
const MAX_FRONT: usize = 16 << 20;

/// A directory of segments.
#[derive(Debug)]
pub struct Log {
    /// The segments, in the order of their names.
    pub segments: Vec<Segment>,
    /// Files that look like segments and cannot be read.
    pub unreadable: Vec<Error>,
}

impl Log {
    /// Opens a directory of segments, or a single one.
    pub fn open(path: &Path) -> Result<Self> {
        let metadata = fs::metadata(path).map_err(|error| Error::io(path, error))?;
        if !metadata.is_dir() {
            return Ok(Self { segments: vec![Segment::open(path)?], unreadable: Vec::new() });
        }
        let entries = fs::read_dir(path).map_err(|error| Error::io(path, error))?;
        let mut paths: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
            .collect();
        paths.sort();
        let (mut segments, mut unreadable) = (Vec::new(), Vec::new());
        for path in paths {
            match Segment::open(&path) {
                Ok(segment) => segments.push(segment),
                // Its process ended before it wrote anything.
                Err(error) if error.is_unborn() => {}
                Err(error) => unreadable.push(error),
            }
        }
        if segments.is_empty() {
            return Err(unreadable.into_iter().next().unwrap_or_else(|| Error::empty(path)));
        }
        Ok(Self { segments, unreadable })
    }
}

/// One process's log file.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    header: Arc<Header>,
    nonce: u64,
    live_at: u64,
}

/// What could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Blocks that are missing or fail their checksum.
    pub blocks: u64,
    /// Records inside sound blocks that make no sense.
    pub records: u64,
    /// Bytes that were skipped.
    pub bytes: u64,
    /// Bytes that the file had once and that are missing at its end.
    pub cut_off: u64,
    /// Where and why, for the first few.
    pub reasons: Vec<(u64, &'static str)>,
}

impl Loss {
    fn note(&mut self, at: u64, why: &'static str) {
        if self.reasons.len() < MAX_REASONS {
            self.reasons.push((at, why));
        }
    }

    fn lose(&mut self, at: u64, why: &'static str, bytes: u64) {
        self.blocks += 1;
        self.bytes += bytes;
        self.note(at, why);
    }

    /// Adds what else was lost; of the reasons, those that stand first in the file are kept.
    #[cfg(feature = "cli")]
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.blocks, other.blocks),
            (&mut self.records, other.records),
            (&mut self.bytes, other.bytes),
            (&mut self.cut_off, other.cut_off),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.reasons.extend_from_slice(&other.reasons);
        self.reasons.sort_unstable();
        self.reasons.truncate(MAX_REASONS);
    }

    /// Whether nothing was lost.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// One judged input.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The execution, counted over the life of the segment.
    pub id: u64,
    /// What the input was judged for.
    pub phase: Phase,
    /// The raw bytes; they decode to the same input in every engine. Empty for examples and imports.
    pub bytes: Vec<u8>,
    /// The names of the fields.
    pub names: Arc<[String]>,
    /// The source input. Empty if the process died and the input could not be decoded again.
    pub fields: Vec<Value>,
    /// The parameters drawn, in the order of [`Header::parameters`].
    pub parameters: Vec<Value>,
    /// The user's own features, in the order of [`Header::features`]; `None` where one panicked.
    pub features: Vec<Option<bool>>,
    /// The verdict of every cell; `None` where a process died before it was reached, or an imported table has none.
    pub verdicts: Arc<[Option<Verdict>]>,
    /// How many distinct inputs the row stands for.
    pub weight: u64,
    /// Follow-ups and outputs, where they were kept.
    pub detail: Option<Box<Detail>>,
    /// Set if the process did not survive this execution.
    pub death: Option<Death>,
}

impl Row {
    /// The input in one line: its fields and parameters.
    pub(crate) fn input_text(&self, header: &Header) -> String {
        let parameters = header.parameters.iter().zip(&self.parameters);
        let parts = self.names.iter().zip(&self.fields).chain(parameters);
        parts.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// The verdict of a cell, if the row has one.
    #[cfg(feature = "replay")]
    pub(crate) fn verdict(&self, cell: usize) -> Option<Verdict> {
        self.verdicts.get(cell).copied().flatten()
    }

    /// Whether it is violated in a cell; nothing if it is neither that nor held.
    #[cfg(feature = "cli")]
    pub(crate) fn is_violated(&self, cell: usize) -> Option<bool> {
        match self.verdict(cell)? {
            Verdict::Violated => Some(true),
            Verdict::Held => Some(false),
            _ => None,
        }
    }

    /// Whether the raw bytes are there, all of them: an example has none, and a mark holds only so many.
    #[cfg(feature = "cli")]
    pub(crate) fn has_bytes(&self) -> bool {
        let is_whole = self.death.as_ref().is_none_or(|death| death.length == self.bytes.len() as u64);
        is_whole && !matches!(self.phase, Phase::Example | Phase::Import)
    }

    /// How much room the input takes when it is written: the less, the easier it is to understand.
    #[cfg(feature = "cli")]
    pub(crate) fn room(&self) -> usize {
        self.fields.iter().chain(&self.parameters).map(|value| value.to_string().len()).sum()
    }

    /// The least is the row that is the easiest to understand.
    #[cfg(feature = "cli")]
    pub(crate) fn simplicity(&self) -> impl Ord + use<> {
        (self.room(), self.bytes.len(), self.id)
    }
}

impl Segment {
    /// Opens a segment and reads its header.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |error| Error::io(path, error);
        let file = File::open(path).map_err(failed)?;
        let mut front = Vec::new();
        // Most headers are short; only if neither copy is found is more read.
        for most in [4 * PAGE, MAX_FRONT] {
            (&file).take((most - front.len()) as u64).read_to_end(&mut front).map_err(failed)?;
            if let Some(found) = Self::from_front(path, &front) {
                return found;
            }
        }
        let is_foreign = front.get(..4).is_some_and(|magic| magic != MAGIC) && !has_block(&front);
        Err(match front.iter().all(|&byte| byte == 0) {
            true => Error::unborn(path),
            false if is_foreign => Error::foreign(path),
            false => Error::header(path),
        })
    }

    /// Finds the header in either of its copies.
    fn from_front(path: &Path, front: &[u8]) -> Option<Result<Self>> {
        for at in (0..front.len()).step_by(PAGE) {
            let Some(head) = Head::read(&front[at..]).filter(|head| head.kind == Kind::Header) else { continue };
            let Some(payload) = block::payload(head, &front[at..]) else { continue };
            let Some(format) = codec::take::<u32>(&mut &*payload) else { continue };
            if format > FORMAT {
                return Some(Err(Error::newer(path, format)));
            }
            let Some(header) = codec::decode::<Header>(payload) else { continue };
            let copies_left = u64::from(2u32.saturating_sub(head.sequence));
            let live_at = at as u64 + copies_left * u64::from(head.capacity);
            return Some(Ok(Self { path: path.to_owned(), header: Arc::new(header), nonce: head.nonce, live_at }));
        }
        None
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the segment says about itself.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Whether a process is writing it now.
    pub fn is_live(&self) -> bool {
        File::open(&self.path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }

    /// The exact totals; `None` if they are damaged or cut off.
    pub fn totals(&self) -> Option<Totals> {
        // A process that is adding to them meanwhile is caught in the act now and then: look again.
        (0..TOTALS_TRIES).find_map(|_| Snapshot::read(&self.live_pages()?, self.header.cells.len())?.totals())
    }

    fn live_pages(&self) -> Option<Vec<u8>> {
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(self.live_at)).ok()?;
        let mut pages = Vec::new();
        file.take(live::size(self.header.cells.len()) as u64).read_to_end(&mut pages).ok()?;
        Some(pages)
    }

    /// The rows, oldest first; last the execution that the process did not survive, if there is one.
    pub fn rows(&self) -> Result<Rows> {
        let (blocks, mark) = self.blocks()?;
        Ok(Rows { blocks, decoder: Decoder::new(self.header.clone()), mark, last_id: None })
    }

    /// The row blocks, and the mark of the execution under way when the process ended.
    fn blocks(&self) -> Result<(Blocks, Option<LeftMark>)> {
        let failed = |error| Error::io(&self.path, error);
        let mut file = File::open(&self.path).map_err(failed)?;
        let live_size = live::size(self.header.cells.len()) as u64;
        let length = file.metadata().map_err(failed)?.len();
        let at = self.live_at + live_size;
        file.seek(SeekFrom::Start(at.min(length))).map_err(failed)?;
        let mut blocks = Blocks::new(file, at, length, self.nonce);
        let mut left = None;
        // Asked before and after: a process that begins or ends meanwhile is no death, and may be changing the pages.
        let was_live = self.is_live();
        let pages = self.live_pages().unwrap_or_default();
        let is_settled = !was_live && !self.is_live();
        let loss = &mut blocks.loss;
        match Snapshot::read(&pages, self.header.cells.len()) {
            None => {
                loss.cut_off = at.saturating_sub(length);
                loss.lose(self.live_at, "the live pages are damaged or cut off", pages.len() as u64);
            }
            Some(snapshot) if is_settled => {
                if snapshot.totals().is_none() {
                    loss.lose(self.live_at, "the totals contradict each other", live_size);
                }
                match snapshot.mark() {
                    Ok(mark) => left = mark,
                    Err(()) => loss.lose(self.live_at, "the write-ahead mark is damaged", 0),
                }
                loss.cut_off = snapshot.counter(Count::End).map_or(0, |end| end.saturating_sub(length));
                blocks.end = snapshot.counter(Count::Sequence).and_then(|number| u32::try_from(number).ok());
            }
            Some(_) => {}
        }
        Ok((blocks, left))
    }
}

/// Whether any page of `bytes` begins with a block.
fn has_block(bytes: &[u8]) -> bool {
    (0..bytes.len()).step_by(PAGE).any(|at| Head::read(&bytes[at..]).is_some())
}

/// The rows of one segment.
pub struct Rows {
    blocks: Blocks,
    decoder: Decoder,
    mark: Option<LeftMark>,
    /// The execution of the last row.
    last_id: Option<u64>,
}

impl Rows {
    /// What was lost so far.
    pub fn loss(&self) -> &Loss {
        &self.blocks.loss
    }
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        loop {
            while let Some(row) = self.decoder.next(&mut self.blocks.loss) {
                // An execution whose row was written is no death: only its mark was not taken back.
                if row.death.is_some() && self.last_id == Some(row.id) {
                    continue;
                }
                self.last_id = Some(row.id);
                self.mark.take_if(|mark| mark.id == row.id);
                return Some(row);
            }
            if !self.blocks.next_into(self.decoder.begin()) {
                return self.mark.take().map(|mark| self.decoder.death(mark));
            }
        }
    }
}
