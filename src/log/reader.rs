//! Reads logs that may be damaged, cut off, hostile, or still being written: never panics, never allocates what a
//! length merely claims, and says what was lost.

use super::{
    Death, Detail, EXTENSION, Error, FORMAT, Header, Notice, Phase, Result, Stage, Totals, Value,
    block::{self, BLOCK_HEAD, Head, Kind, MAGIC, PAGE},
    codec,
    live::{self, Count, LeftMark, Snapshot},
    value::{KnownShapes, with_shapes},
};
use crate::Verdict;
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
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
    /// Where and why, for the first few.
    pub reasons: Vec<(u64, &'static str)>,
}

impl Loss {
    fn note(&mut self, at: u64, why: &'static str) {
        if self.reasons.len() < MAX_REASONS {
            self.reasons.push((at, why));
        }
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
        let failed = |error| Error::io(&self.path, error);
        let mut file = File::open(&self.path).map_err(failed)?;
        let live_size = live::size(self.header.cells.len()) as u64;
        let length = file.metadata().map_err(failed)?.len();
        let at = self.live_at + live_size;
        file.seek(SeekFrom::Start(at.min(length))).map_err(failed)?;
        let mut rows = Rows {
            file,
            at,
            length,
            header: self.header.clone(),
            nonce: self.nonce,
            next_sequence: 2,
            buffer: Vec::new(),
            records: 0..0,
            context: Context::default(),
            loss: Loss::default(),
            mark: None,
            blocks_end: None,
            last_id: None,
            gap: false,
        };
        // Asked before and after: a process that begins or ends meanwhile is no death, and may be changing the pages.
        let was_live = self.is_live();
        let pages = self.live_pages().unwrap_or_default();
        let is_settled = !was_live && !self.is_live();
        match Snapshot::read(&pages, self.header.cells.len()) {
            None => rows.lose(self.live_at, "the live pages are damaged or cut off", pages.len() as u64),
            Some(snapshot) if is_settled => {
                if snapshot.totals().is_none() {
                    rows.lose(self.live_at, "the totals contradict each other", live_size);
                }
                rows.blocks_end = snapshot.counter(Count::Sequence).and_then(|number| u32::try_from(number).ok());
                match snapshot.mark() {
                    Ok(mark) => rows.mark = mark,
                    Err(()) => rows.lose(self.live_at, "the write-ahead mark is damaged", 0),
                }
            }
            Some(_) => {}
        }
        Ok(rows)
    }
}

/// Whether any page of `bytes` begins with a block.
fn has_block(bytes: &[u8]) -> bool {
    (0..bytes.len()).step_by(PAGE).any(|at| Head::read(&bytes[at..]).is_some())
}

/// What a block has explained so far.
#[derive(Default)]
struct Context {
    shapes: KnownShapes,
    templates: HashMap<u64, KnownTemplate>,
    last_id: u64,
}

struct KnownTemplate {
    shape: u32,
    phase: Phase,
    weight: u64,
    detailed: bool,
    verdicts: Arc<[Option<Verdict>]>,
}

/// The rows of one segment.
pub struct Rows {
    file: File,
    /// Where the next block is looked for.
    at: u64,
    length: u64,
    header: Arc<Header>,
    nonce: u64,
    next_sequence: u32,
    buffer: Vec<u8>,
    /// The records of the current block that are still to come, as a range of the buffer.
    records: std::ops::Range<usize>,
    context: Context,
    loss: Loss,
    mark: Option<LeftMark>,
    /// The number behind the last block, if the live pages say so.
    blocks_end: Option<u32>,
    /// The execution of the last row.
    last_id: Option<u64>,
    /// Whether the bytes before `at` were skipped and not yet accounted to a block.
    gap: bool,
}

impl Rows {
    /// What was lost so far.
    pub fn loss(&self) -> &Loss {
        &self.loss
    }

    fn lose(&mut self, at: u64, why: &'static str, bytes: u64) {
        self.loss.blocks += 1;
        self.loss.bytes += bytes;
        self.loss.note(at, why);
    }

    /// Reads the next block that is sound into the buffer; false at the end of the file.
    fn next_block(&mut self) -> bool {
        loop {
            if self.at >= self.length {
                self.close_gap(self.blocks_end);
                return false;
            }
            let Ok(page) = self.read_at(self.at, PAGE) else {
                self.lose(self.at, "the file cannot be read", self.length - self.at);
                self.at = self.length;
                return false;
            };
            // Free, or begun by a process that was killed before it wrote anything.
            if self.buffer[BLOCK_HEAD.min(page)..page].iter().all(|&byte| byte == 0) && !self.is_block(page) {
                self.at += page.max(1) as u64;
                continue;
            }
            let head = Head::read(&self.buffer).filter(|head| head.kind == Kind::Rows && head.nonce == self.nonce);
            if let Some(head) = head
                && let Some(payload) = self.read_payload(head)
            {
                self.close_gap(Some(head.sequence));
                self.records = BLOCK_HEAD..BLOCK_HEAD + payload;
                self.context = Context::default();
                self.next_sequence = head.sequence.wrapping_add(1);
                self.at += u64::from(head.capacity);
                return true;
            }
            if !self.gap {
                self.gap = true;
                self.loss.note(self.at, "a block is damaged or cut off");
            }
            self.loss.bytes += page.max(1) as u64;
            self.at += page.max(1) as u64;
        }
    }

    /// Whether the page in the buffer begins a block with something in it.
    fn is_block(&self, page: usize) -> bool {
        page >= BLOCK_HEAD && Head::read(&self.buffer).is_some_and(|head| head.kind == Kind::Rows)
    }

    /// Accounts skipped bytes to as many blocks as the sequence numbers say.
    fn close_gap(&mut self, found: Option<u32>) {
        let missing = found.map_or(0, |found| found.wrapping_sub(self.next_sequence));
        let is_plausible = missing <= 1 << 30;
        let missing = if is_plausible { u64::from(missing) } else { 0 };
        if missing > 0 && !self.gap {
            self.loss.note(self.at, "blocks are missing");
        }
        self.loss.blocks += missing.max(u64::from(self.gap));
        self.gap = false;
    }

    /// Reads the rest of a block and checks it; the payload's length if it is sound.
    fn read_payload(&mut self, head: Head) -> Option<usize> {
        // The capacity is only a claim: never read beyond the file.
        let left = usize::try_from(self.length - self.at).unwrap_or(usize::MAX);
        let capacity = (head.capacity as usize).min(left);
        if capacity > codec::MAX_RECORD + 4 * PAGE {
            return None;
        }
        self.read_at(self.at, capacity).ok()?;
        block::payload(head, &self.buffer[..capacity]).map(<[u8]>::len)
    }

    /// Fills the buffer from a place in the file; says how much there was.
    fn read_at(&mut self, at: u64, wanted: usize) -> io::Result<usize> {
        self.buffer.resize(wanted.max(self.buffer.len()), 0);
        self.file.seek(SeekFrom::Start(at))?;
        let mut had = 0;
        while had < wanted {
            match self.file.read(&mut self.buffer[had..wanted]) {
                Ok(0) => break,
                Ok(more) => had += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.buffer[had..wanted].fill(0);
        Ok(had)
    }

    /// Takes one record from the current block; a row, or nothing if it was a notice or makes no sense.
    fn next_record(&mut self) -> Option<Row> {
        let mut rest = &self.buffer[self.records.clone()];
        let before = rest.len();
        let length = codec::take::<u64>(&mut rest).and_then(|length| usize::try_from(length).ok());
        let Some(mut record) = length.and_then(|length| rest.split_off(..length)) else {
            self.loss.records += 1;
            self.records.start = self.records.end;
            return None;
        };
        self.records.start += before - rest.len();
        let row = match codec::take::<u64>(&mut record) {
            Some(0) => with_shapes(&mut self.context.shapes, || codec::decode(record))
                .map(|notice| self.context.notice(notice, &self.header)),
            Some(number) => self.context.row(number, record, &self.header).map(Some),
            None => None,
        };
        if row.is_none() {
            self.loss.records += 1;
            self.loss.note(self.at, "a record makes no sense");
        }
        row.flatten()
    }
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        loop {
            while !self.records.is_empty() {
                if let Some(row) = self.next_record() {
                    // An execution whose row was written is no death: only its mark was not taken back.
                    if row.death.is_some() && self.last_id == Some(row.id) {
                        continue;
                    }
                    self.last_id = Some(row.id);
                    self.mark.take_if(|mark| mark.id == row.id);
                    return Some(row);
                }
            }
            if !self.next_block() {
                let mark = self.mark.take()?;
                return Some(self.context.death(mark, 0, Vec::new(), &self.header));
            }
        }
    }
}

impl Context {
    /// Takes in a notice; a row if it tells of a death.
    fn notice(&mut self, notice: Notice, header: &Header) -> Option<Row> {
        match notice {
            Notice::Shape(shape) => {
                self.shapes.insert(shape.number, shape.names.into());
            }
            Notice::Template(template) => {
                let mut verdicts = template.verdicts();
                verdicts.resize(header.cells.len(), None);
                let known = KnownTemplate {
                    shape: template.shape,
                    phase: template.phase,
                    weight: 1u64.checked_shl(template.weight.into()).unwrap_or(1),
                    detailed: template.detailed,
                    verdicts: verdicts.into(),
                };
                self.templates.insert(u64::from(template.number), known);
            }
            Notice::Began { .. } => {}
            Notice::Died { id, stage, verdicts, phase, bytes, length, shape, values } => {
                let mark = LeftMark { id, stage, phase, length, bytes, verdicts, is_mourned: true };
                return Some(self.death(mark, shape, values, header));
            }
        }
        None
    }

    fn names(&self, shape: u32) -> Arc<[String]> {
        self.shapes.get(&shape).cloned().unwrap_or_default()
    }

    fn row(&mut self, number: u64, mut record: &[u8], header: &Header) -> Option<Row> {
        let template = self.templates.get(&number)?;
        let since: u64 = codec::take(&mut record)?;
        let bytes = codec::take(&mut record)?;
        let is_detailed = template.detailed;
        let (mut values, detail) = with_shapes(&mut self.shapes, || {
            let values: Vec<Value> = codec::take(&mut record)?;
            let detail = if is_detailed { Some(Box::new(codec::take(&mut record)?)) } else { None };
            Some((values, detail))
        })?;
        if !record.is_empty() {
            return None;
        }
        let (parameters, features) = split(&mut values, header)?;
        self.last_id = self.last_id.wrapping_add(since);
        Some(Row {
            id: self.last_id,
            phase: template.phase,
            bytes,
            names: self.names(template.shape),
            fields: values,
            parameters,
            features,
            verdicts: template.verdicts.clone(),
            weight: template.weight,
            detail,
            death: None,
        })
    }

    /// The row of an execution that was not survived: the cells it concerned have died, unless they were done.
    fn death(&self, mark: LeftMark, shape: u32, mut values: Vec<Value>, header: &Header) -> Row {
        let (parameters, features) = split(&mut values, header).unwrap_or_default();
        let stage = Stage::from_number(mark.stage).unwrap_or(Stage::Decode);
        let verdict = |(cell, &(function, relation)): (usize, &(u16, u16))| {
            let reached = mark.verdicts.get(cell).and_then(|&number| Verdict::from_number(number));
            let concerned = stage.concerns(cell, function.into(), relation.into());
            reached.or_else(|| concerned.then_some(Verdict::Died))
        };
        Row {
            id: mark.id,
            phase: mark.phase,
            // An example has no bytes; what the mark holds is its position.
            bytes: if mark.phase == Phase::Example { Vec::new() } else { mark.bytes },
            names: if values.is_empty() { Arc::default() } else { self.names(shape) },
            fields: values,
            parameters,
            features,
            verdicts: header.cells.iter().enumerate().map(verdict).collect(),
            weight: 1,
            detail: None,
            death: Some(Death { stage, length: mark.length }),
        }
    }
}

/// Takes the parameters and own features off the end of a row's values.
fn split(values: &mut Vec<Value>, header: &Header) -> Option<(Vec<Value>, Vec<Option<bool>>)> {
    let features_at = values.len().checked_sub(header.features.len())?;
    let parameters_at = features_at.checked_sub(header.parameters.len())?;
    let features = values.split_off(features_at).iter().map(Value::truth).collect();
    Some((values.split_off(parameters_at), features))
}
