//! How many distinct inputs each stratum (the verdicts of all cells, and the panics) has had so far, on this host,
//! over all processes of the campaign: what is rare decides which rows are kept and which carry a detail.

use super::writer::reserve;
use memmap2::MmapMut;
use std::{
    fs::File,
    path::Path,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

const SLOTS: usize = 1 << 14;
const BYTES: usize = SLOTS * 16;
/// How far from its place a stratum may be found.
const REACH: usize = 32;

/// A table shared by all processes of a host. Losing it costs only a few rows too many.
pub(crate) struct Strata {
    map: MmapMut,
}

impl Strata {
    /// Opens or makes the table; kept in memory alone where the file cannot be had.
    #[unsafe(export_name = "__sanitizer_bugornot_strata_open")]
    pub(crate) fn open(path: &Path) -> Option<Self> {
        Self::shared(path).or_else(|_| MmapMut::map_anon(BYTES)).ok().map(|map| Self { map })
    }

    fn shared(path: &Path) -> std::io::Result<MmapMut> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        reserve(&file, 0, BYTES as u64)?;
        // SAFETY: the file is written through atomics alone, by processes that all map it like this.
        unsafe { memmap2::MmapOptions::new().len(BYTES).map_mut(&file) }
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        debug_assert!(index < SLOTS * 2);
        // SAFETY: the index is inside the map, which is aligned to pages, and is only used through atomics.
        unsafe { &*self.map.as_ptr().cast::<AtomicU64>().add(index) }
    }

    /// Counts one more distinct input in this stratum, and says how many that makes.
    #[unsafe(export_name = "__sanitizer_bugornot_strata_count")]
    pub(crate) fn count(&self, stratum: u64) -> u64 {
        let stratum = stratum.max(1);
        for step in 0..REACH {
            let slot = (stratum as usize).wrapping_add(step) % SLOTS;
            let key = self.word(slot * 2);
            let found = match key.load(Relaxed) {
                0 => key.compare_exchange(0, stratum, Relaxed, Relaxed).map_or_else(|other| other == stratum, |_| true),
                other => other == stratum,
            };
            if found {
                return self.word(slot * 2 + 1).fetch_add(1, Relaxed) + 1;
            }
        }
        // A suite with more strata than fit: the rest share one count.
        self.word((stratum as usize % SLOTS) * 2 + 1).fetch_add(1, Relaxed) + 1
    }
}
