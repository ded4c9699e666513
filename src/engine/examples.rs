//! The suite's examples, judged once per campaign: the first process to come does it, and when one of them kills it,
//! the next goes on behind that one.

use crate::hash;
use std::{
    fs::{File, OpenOptions},
    os::unix::fs::FileExt,
    path::Path,
};

/// The right to judge the examples.
pub(crate) struct Claim {
    file: File,
    /// The first one that nobody has begun.
    pub(crate) next: u64,
}

impl Claim {
    /// Claims what is left of the examples of the suite and build that `header` describes.
    #[unsafe(export_name = "__sanitizer_bugornot_examples_open")]
    pub(crate) fn open(directory: &Path, header: &[u8]) -> Option<Self> {
        let path = directory.join(format!("examples-{:016x}", hash::of_bytes(header, 0)));
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).ok()?;
        file.try_lock().ok()?;
        let mut next = [0; 8];
        let next = if file.read_exact_at(&mut next, 0).is_ok() { u64::from_le_bytes(next) } else { 0 };
        Some(Self { file, next })
    }

    /// Notes that an example is begun, before it is.
    #[unsafe(export_name = "__sanitizer_bugornot_examples_begin")]
    pub(crate) fn begin(&mut self, example: u64) {
        self.next = example + 1;
        // If the disk refuses, the worst is that an example is judged again.
        let _ = self.file.write_all_at(&self.next.to_le_bytes(), 0);
    }
}
