//! Reads segments with several threads at once, also where there is only one segment: blocks explain themselves, so
//! whoever is free takes the next few.

use super::{Loss, Row, Segment, blocks::Block, blocks::Blocks, decode::Decoder};
use crate::{
    Verdict,
    log::{Phase, live::LeftMark},
};
use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// How many bytes of blocks a thread takes at once; in tests a single block, so that there are many edges.
const BATCH: usize = if cfg!(test) { 1 } else { 1 << 20 };

/// What a row is about, before its values are decoded. Rows with a detail and deaths have none.
pub(crate) struct Outline<'block> {
    /// As in [`Row`].
    pub(crate) id: u64,
    pub(crate) phase: Phase,
    pub(crate) verdicts: &'block Arc<[Option<Verdict>]>,
    pub(crate) weight: u64,
    /// The identity of the input.
    pub(crate) identity: u64,
    /// About how much memory the values take.
    pub(crate) memory: usize,
}

/// What a thread does with rows.
pub(crate) trait Worker: Send {
    /// Takes in what a row is about; says whether it is to be decoded, and then comes to `row` next.
    fn outline(&mut self, _outline: &Outline<'_>) -> bool {
        true
    }
    /// Takes in one row. Which worker gets it, and when, is a matter of luck.
    fn row(&mut self, row: Row);
    /// Called now and then between rows, and after the last.
    fn pause(&mut self) {}
}

/// What reading came to.
pub(crate) struct Scanned<W> {
    pub(crate) workers: Vec<W>,
    /// What was lost, per segment that could be read.
    pub(crate) losses: Vec<Loss>,
    /// Segments that could not be read at all.
    pub(crate) unreadable: Vec<String>,
}

/// A segment that several threads read.
struct Shared {
    taken: Mutex<Taken>,
    mark: Option<LeftMark>,
    decoded: Mutex<Decoded>,
}

struct Taken {
    /// None when all were taken: a log may have more segments than a process may have open files.
    blocks: Option<Blocks>,
    batches: usize,
}

/// What is known of a segment once its batches are decoded.
#[derive(Default)]
struct Decoded {
    loss: Loss,
    edges: Vec<Edge>,
    is_marked: bool,
}

/// The end of a batch that matters to the next: a death that follows a row of the same execution is none, also where
/// another thread reads the row.
struct Edge {
    batch: usize,
    first: Option<Row>,
    last_id: u64,
}

/// Hands every row of some segments to workers, one per thread.
pub(crate) fn scan<W: Worker>(segments: &[Segment], workers: Vec<W>) -> Scanned<W> {
    let shared: Vec<OnceLock<Result<Shared, String>>> = segments.iter().map(|_| OnceLock::new()).collect();
    let current = AtomicUsize::new(0);
    let work = |mut worker: W| {
        let mut blocks = Vec::new();
        loop {
            let index = current.load(Ordering::Relaxed);
            let Some(segment) = segments.get(index) else { break };
            let shared = shared[index].get_or_init(|| Shared::open(segment));
            let has_more = shared.as_ref().is_ok_and(|shared| shared.batch(segment, &mut blocks, &mut worker));
            if !has_more {
                // Another thread may have gone on already.
                let _ = current.compare_exchange(index, index + 1, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
        worker
    };
    let mut workers = in_threads(workers, work);
    let (mut losses, mut unreadable) = (Vec::new(), Vec::new());
    for (segment, shared) in segments.iter().zip(shared) {
        match (shared.into_inner(), workers.first_mut()) {
            (Some(Ok(shared)), Some(worker)) => losses.push(shared.end(segment, worker)),
            (Some(Err(error)), _) => unreadable.push(error),
            _ => {}
        }
    }
    workers.iter_mut().for_each(Worker::pause);
    Scanned { workers, losses, unreadable }
}

/// Runs one thread per worker, and the last one here.
fn in_threads<W: Send>(mut workers: Vec<W>, work: impl Fn(W) -> W + Sync) -> Vec<W> {
    let Some(own) = workers.pop() else { return workers };
    thread::scope(|scope| {
        let threads: Vec<_> = workers.into_iter().map(|worker| scope.spawn(|| work(worker))).collect();
        let own = work(own);
        let others = threads.into_iter().map(|thread| match thread.join() {
            Ok(worker) => worker,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        let mut workers: Vec<W> = others.collect();
        workers.push(own);
        workers
    })
}

impl Shared {
    fn open(segment: &Segment) -> Result<Self, String> {
        let (blocks, mark) = segment.blocks().map_err(|error| error.to_string())?;
        let taken = Mutex::new(Taken { blocks: Some(blocks), batches: 0 });
        Ok(Self { taken, mark, decoded: Mutex::default() })
    }

    /// Reads the next few blocks, into the memory of earlier ones; false if there are none.
    fn batch(&self, segment: &Segment, blocks: &mut Vec<Block>, worker: &mut impl Worker) -> bool {
        let Some((batch, count)) = self.take(blocks) else { return false };
        let mut decoder = Decoder::new(segment.header().clone());
        let mut loss = Loss::default();
        let (mut first, mut last_id, mut is_marked) = (None, None, false);
        for block in &mut blocks[..count] {
            std::mem::swap(decoder.begin(), block);
            while let Some((id, row)) = decoder.skim(&mut loss, |outline| worker.outline(outline)) {
                is_marked |= self.mark.as_ref().is_some_and(|mark| mark.id == id);
                let before = last_id.replace(id);
                let Some(row) = row else { continue };
                match (row.death.is_some(), before) {
                    // Whether it is one is only known with the batch before.
                    (true, None) => first = Some(row),
                    (true, Some(before)) if before == id => {}
                    _ => worker.row(row),
                }
            }
        }
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        decoded.loss.add(&loss);
        decoded.is_marked |= is_marked;
        decoded.edges.extend(last_id.map(|last_id| Edge { batch, first, last_id }));
        drop(decoded);
        worker.pause();
        true
    }

    /// Takes the next few blocks: the number of the batch, and how many they are.
    fn take(&self, blocks: &mut Vec<Block>) -> Option<(usize, usize)> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = taken.blocks.as_mut()?;
        let (mut count, mut bytes) = (0, 0);
        while bytes < BATCH {
            if blocks.len() == count {
                blocks.push(Block::default());
            }
            if !reader.next_into(&mut blocks[count]) {
                break;
            }
            bytes += blocks[count].payload.len();
            count += 1;
        }
        if bytes < BATCH
            && let Some(reader) = taken.blocks.take()
        {
            self.decoded.lock().unwrap_or_else(PoisonError::into_inner).loss.add(&reader.loss);
        }
        taken.batches += 1;
        (count > 0).then_some((taken.batches, count))
    }

    /// What is left to do when all batches are decoded.
    fn end(self, segment: &Segment, worker: &mut impl Worker) -> Loss {
        let Decoded { loss, mut edges, is_marked } = self.decoded.into_inner().unwrap_or_else(PoisonError::into_inner);
        edges.sort_by_key(|edge| edge.batch);
        let mut last_id = None;
        for edge in edges {
            edge.first.filter(|row| last_id != Some(row.id)).into_iter().for_each(|row| worker.row(row));
            last_id = Some(edge.last_id);
        }
        if let Some(mark) = self.mark.filter(|_| !is_marked) {
            worker.row(Decoder::new(segment.header().clone()).death(mark));
        }
        loss
    }
}
