//! Blocks of records: committed by one store, in a window of the file that grows as long as there is room.

use super::{Room, Writer, segment::reserve};
use crate::log::{
    block::{BLOCK_HEAD, Head, Kind, PAGE, ROW_BLOCK, STATE_AT, capacity_for, state},
    codec,
    live::Count,
};
use memmap2::MmapOptions;
use std::{
    fs,
    sync::atomic::{AtomicU64, Ordering, compiler_fence},
};

/// The least and most a segment grows by at once.
const CHUNKS: (u64, u64) = (64 << 10, 16 << 20);

/// The block that records are committed to.
pub(super) struct OpenBlock {
    /// Where it stands in the window.
    at: usize,
    capacity: usize,
    length: usize,
    pub(super) sequence: u32,
    checksum: crc32fast::Hasher,
    pub(super) last_id: u64,
    pub(super) shapes: Vec<u32>,
}

impl Writer {
    #[unsafe(export_name = "__sanitizer_bugornot_writer_append_anywhere")]
    pub(super) fn append_anywhere(&mut self, bytes: &[u8]) {
        if bytes.len() <= codec::MAX_RECORD && !self.append(bytes) && self.open_block(bytes.len()) {
            self.append(bytes);
        }
    }

    /// Commits whole records to the open block; false if they do not fit.
    #[unsafe(export_name = "__sanitizer_bugornot_writer_append")]
    pub(super) fn append(&mut self, records: &[u8]) -> bool {
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
    pub(super) fn open_block(&mut self, payload: usize) -> bool {
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
