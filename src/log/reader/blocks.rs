//! The row blocks of a segment, one after the other: what is damaged is skipped and counted.

use super::Loss;
use crate::log::{
    block::{self, BLOCK_HEAD, Head, Kind, PAGE},
    codec,
};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// Reads blocks.
pub(super) struct Blocks {
    file: File,
    /// Where the next block is looked for.
    at: u64,
    length: u64,
    nonce: u64,
    next_sequence: u32,
    buffer: Vec<u8>,
    pub(super) loss: Loss,
    /// The number behind the last block, if the live pages say so.
    pub(super) end: Option<u32>,
    /// Whether the bytes before `at` were skipped and not yet accounted to a block.
    gap: bool,
}

/// A sound block.
#[derive(Default)]
pub(super) struct Block {
    /// Where it stands in the file.
    pub(super) at: u64,
    pub(super) payload: Vec<u8>,
}

impl Blocks {
    /// The blocks of a file of this length, from `at` on.
    pub(super) fn new(file: File, at: u64, length: u64, nonce: u64) -> Self {
        let (buffer, loss) = (Vec::new(), Loss::default());
        Self { file, at, length, nonce, next_sequence: 2, buffer, loss, end: None, gap: false }
    }

    /// Replaces `block` by the next one that is sound; false at the end of the file.
    pub(super) fn next_into(&mut self, block: &mut Block) -> bool {
        loop {
            if self.at >= self.length {
                self.close_gap(self.end);
                return false;
            }
            let Ok(page) = self.read_at(self.at, PAGE) else {
                self.loss.lose(self.at, "the file cannot be read", self.length - self.at);
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
                block.at = self.at;
                block.payload.clear();
                block.payload.extend_from_slice(&self.buffer[BLOCK_HEAD..BLOCK_HEAD + payload]);
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
}
