//! Blocks: the unit of damage. See the [module](super) for the layout.

/// Blocks begin and end at multiples of this.
pub(crate) const PAGE: usize = 4096;

/// The usual capacity of a row block; one that holds a long record is larger.
pub(crate) const ROW_BLOCK: usize = 4 * PAGE;

/// What stands before the payload.
pub(crate) const BLOCK_HEAD: usize = 32;

/// Where the committed length and checksum stand in a block.
pub(crate) const STATE_AT: usize = 24;

/// What every block begins with.
pub(crate) const MAGIC: [u8; 4] = *b"BnB1";

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Header = 1,
    Rows = 2,
}

/// The part of a block's head that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) capacity: u32,
    pub(crate) sequence: u32,
    pub(crate) nonce: u64,
}

/// The smallest capacity that holds `payload` bytes.
pub(crate) fn capacity_for(payload: usize) -> usize {
    (payload + BLOCK_HEAD).next_multiple_of(PAGE)
}

impl Head {
    pub(crate) fn to_bytes(self) -> [u8; STATE_AT] {
        let mut bytes = [0; STATE_AT];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&(self.kind as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.capacity.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.nonce.to_le_bytes());
        bytes
    }

    /// The head at the front of `bytes`, if one is there; says nothing yet about its checksum.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes(word.try_into().expect("four")));
        if bytes.get(..4)? != MAGIC {
            return None;
        }
        let kind = match word(4)? {
            1 => Kind::Header,
            2 => Kind::Rows,
            _ => return None,
        };
        let nonce = u64::from_le_bytes(bytes.get(16..24)?.try_into().ok()?);
        let head = Self { kind, capacity: word(8)?, sequence: word(12)?, nonce };
        let capacity = head.capacity as usize;
        (capacity >= PAGE && capacity.is_multiple_of(PAGE)).then_some(head)
    }

    /// The checksum of an empty block with this head.
    #[unsafe(export_name = "__sanitizer_bugornot_block_checksum")]
    pub(crate) fn checksum(self) -> crc32fast::Hasher {
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&self.to_bytes());
        checksum
    }
}

/// The committed length and checksum, as they are stored in one piece.
pub(crate) fn state(length: usize, checksum: &crc32fast::Hasher) -> u64 {
    u64::from(checksum.clone().finalize()) << 32 | length as u64
}

/// The committed payload of the block that `bytes` begins with, if its checksum is right.
#[unsafe(export_name = "__sanitizer_bugornot_block_payload")]
pub(crate) fn payload(head: Head, bytes: &[u8]) -> Option<&[u8]> {
    let stored = u64::from_le_bytes(bytes.get(STATE_AT..BLOCK_HEAD)?.try_into().ok()?);
    let length = (stored & 0xffff_ffff) as usize;
    if length > head.capacity as usize - BLOCK_HEAD {
        return None;
    }
    let payload = bytes.get(BLOCK_HEAD..BLOCK_HEAD + length)?;
    let mut checksum = head.checksum();
    checksum.update(payload);
    (state(length, &checksum) == stored).then_some(payload)
}
