//! The log: a directory of segments, one per running process, that survives whatever happens to the process.
//!
//! # A segment
//! A file of whole pages (4096 bytes), all numbers little-endian:
//!
//! | part | holds |
//! |---|---|
//! | two header blocks | the same bincode [`Header`] twice, so that one damaged byte does not cost the file |
//! | the live page(s) | counters, totals per cell and verdict, and the write-ahead mark (see `live.rs`); magic `BnB-live`, or `BnB-gaps` where executions need not have a verdict in every cell |
//! | row blocks | bincode records, each with its length before it |
//!
//! A **block** begins on a page boundary with 32 bytes: magic `BnB1`, kind, capacity (all `u32`), sequence number
//! (`u32`), the segment's nonce (`u64`), and, stored last and in one piece, the length of what is committed and the
//! CRC-32 of the first 24 bytes and of those (`u32` each). A process killed between two instructions therefore leaves
//! every committed record whole. Each block explains itself: it repeats the [`Shape`]s and [`Template`]s its rows
//! use, so that a damaged block costs nothing but itself.
//!
//! A **record** is a varint template number and then, for 0, a [`Notice`]; otherwise a row: how far its execution id is
//! beyond the last one's in the block, the raw bytes, the values (fields, parameters, own features), and the
//! [`Detail`] if the template says so. In a template, the number 255 stands for no verdict.
//!
//! Segments need no locks between them and no index: copying directories together merges them.

mod block;
mod check;
pub(crate) mod codec;
pub(crate) mod encode;
mod error;
mod header;
#[cfg(feature = "replay")]
mod identity;
#[cfg(feature = "cli")]
pub(crate) mod import;
mod leaf;
pub(crate) mod live;
mod reader;
mod record;
#[cfg(feature = "cli")]
mod skim;
mod strata;
pub(crate) mod told;
pub mod value;
mod writer;

pub use check::Check;
pub use error::{Error, Result};
pub use header::{Build, Header, IMPORT, RelationInfo};
#[cfg(feature = "replay")]
pub use identity::identity_of;
pub(crate) use leaf::{Leaf, leaves};
pub use live::{Death, Stage, Totals};
pub use reader::{Log, Loss, Row, Rows, Segment};
#[cfg(feature = "cli")]
pub(crate) use reader::{Outline, Worker, scan};
pub use record::{CellDetail, Detail, Notice, Outcome, PanicInfo, Phase, Shape, Soundness, SoundnessKind, Template};
pub use value::Value;
pub(crate) use writer::{RowParts, Writer};

/// The version of the format this build writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// How the name of a segment ends.
pub const EXTENSION: &str = "verdicts";
