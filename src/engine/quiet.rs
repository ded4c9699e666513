//! What the logger does in every execution, out of sight of coverage instrumentation.
//!
//! The flags that instrument a fuzz target instrument this crate too, and a logger whose branches count as coverage
//! fills corpora with noise, ruins AFL's stability and makes libFuzzer look through thousands of counters after every
//! execution. LLVM skips functions whose symbol begins with `__sanitizer_`, so that is what functions on the way from
//! bytes to log are called, here and in the other rooms; what is inlined into them is quiet too. Generic functions
//! cannot have a name of their own: they are inlined into the quiet functions that `fuzz!` makes.
//!
//! What runs in every execution stands here, with plain loops, wrapping arithmetic and C's `memcpy`: what looks like a
//! harmless call into `core` can become an instrumented function. All else, and the user's `Serialize`, happens in a
//! callback, with the coverage counters put back afterwards (`coverage.rs`).

use super::coverage;
use crate::{
    Verdict, hash,
    log::live::{COMMITTING, Count, IDLE, Live, MARK_BYTES, NO_VERDICT, NUMBER_MASK, RUNNING, tie},
};
use std::{
    ffi::c_void,
    sync::atomic::{Ordering, compiler_fence},
};

/// What this process has seen, as hashes in buckets of one cache line: 4 MiB each for bytes and for decoded inputs.
const BUCKETS: usize = 1 << 16;
const WAYS: usize = 8;

fn table() -> *mut u64 {
    // Leaked: it lives as long as the process.
    let table = vec![0u64; BUCKETS * WAYS + WAYS].leak();
    table.as_mut_ptr().wrapping_add(table.as_ptr().align_offset(64))
}

/// All that the quiet functions work on: raw places in the live pages, or in memory that looks like them.
pub(crate) struct Desk {
    pub(crate) live: *mut Live,
    pub(crate) verdicts: *mut u8,
    pub(crate) totals: *mut u64,
    pub(crate) cells: usize,
    /// Hash of the bytes under way.
    key: u64,
    /// Whether the callback runs for repeats too: AFL runs every input several times and expects the same coverage.
    pub(crate) always: bool,
    is_open: bool,
    seen_bytes: *mut u64,
    seen_inputs: *mut u64,
}

impl Desk {
    pub(crate) fn new(always: bool) -> Self {
        Self {
            live: std::ptr::null_mut(),
            verdicts: std::ptr::null_mut(),
            totals: std::ptr::null_mut(),
            cells: 0,
            key: 0,
            always,
            is_open: false,
            seen_bytes: table(),
            seen_inputs: table(),
        }
    }
}

#[inline(always)]
fn bucket(table: *mut u64, key: u64) -> *mut u64 {
    table.wrapping_add((key as usize & (BUCKETS - 1)).wrapping_mul(WAYS))
}

/// Calls back once in the life of the desk, unseen by the instrumentation: the first execution must look like any other.
///
/// # Safety
/// The desk must be valid, and `open` must accept `context`.
#[unsafe(export_name = "__sanitizer_bugornot_open_once")]
#[inline(never)]
pub(crate) unsafe extern "C" fn open_once(
    desk: *mut Desk,
    open: unsafe extern "C" fn(*mut c_void),
    context: *mut c_void,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*desk).is_open {
            return;
        }
        (*desk).is_open = true;
        coverage::pause();
        open(context);
        coverage::resume();
    }
}

/// Notes that the execution of an input begins.
///
/// # Safety
/// The desk's places must be valid, and `length` bytes readable at `bytes`.
#[unsafe(export_name = "__sanitizer_bugornot_begin")]
#[inline(never)]
pub(crate) unsafe extern "C" fn begin(desk: *mut Desk, bytes: *const u8, length: usize, phase: u64, stage: u32) {
    // SAFETY: the caller's promise; at most `MARK_BYTES` are copied into the mark.
    unsafe {
        let key = hash::of_raw(bytes, length, 0);
        (*desk).key = key;
        prefetch(bucket((*desk).seen_bytes, key));
        let mark = &raw mut (*(*desk).live).mark;
        (*mark).id = (*mark).id.wrapping_add(1);
        (*mark).hash = key;
        (*mark).length = length as u64;
        (*mark).phase = phase | tie((*mark).id, length as u64, key);
        (*mark).stage = stage;
        let kept = if length < MARK_BYTES { length } else { MARK_BYTES };
        libc::memcpy((&raw mut (*mark).bytes).cast(), bytes.cast(), kept);
        libc::memset((*desk).verdicts.cast(), NO_VERDICT as i32, (*desk).cells);
        // A process can be killed between any two stores, and sees its own in order; only the compiler must not
        // reorder them.
        compiler_fence(Ordering::SeqCst);
        (*mark).state = RUNNING;
        compiler_fence(Ordering::SeqCst);
    }
}

#[inline(always)]
fn prefetch(at: *mut u64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that could fault.
    unsafe {
        std::arch::asm!("prefetcht0 [{}]", in(reg) at, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Notes that the input was not judged.
///
/// # Safety
/// The desk's places must be valid.
#[unsafe(export_name = "__sanitizer_bugornot_reject")]
#[inline(never)]
pub(crate) unsafe extern "C" fn reject(desk: *mut Desk) {
    // SAFETY: the caller's promise.
    unsafe {
        add((*desk).live, Count::Rejected);
        compiler_fence(Ordering::SeqCst);
        (*(*desk).live).mark.state = IDLE;
    }
}

/// Adds one to a counter, as [`Live::add`] does.
///
/// # Safety
/// `live` must be valid.
#[inline(always)]
unsafe fn add(live: *mut Live, count: Count) {
    // SAFETY: the caller's promise; a counter is two words, and `count` is its position.
    unsafe {
        let counter = (&raw mut (*live).counters).cast::<u64>().wrapping_add((count as usize).wrapping_mul(2));
        let value = (*counter).wrapping_add(1);
        *counter = value;
        *counter.wrapping_add(1) = !value;
    }
}

/// Adds the verdicts to the totals; then calls back, unseen by the instrumentation, unless the input is a repeat.
///
/// # Safety
/// The desk's places must be valid, every cell must have a verdict, and `unseen` must accept `context`.
#[unsafe(export_name = "__sanitizer_bugornot_commit")]
#[inline(never)]
pub(crate) unsafe extern "C" fn commit(
    desk: *mut Desk,
    unseen: unsafe extern "C" fn(*mut c_void),
    context: *mut c_void,
) {
    // SAFETY: the caller's promise; a verdict's number is less than `Verdict::COUNT`.
    unsafe {
        let Desk { live, verdicts, cells, key, always, .. } = *desk;
        (*live).mark.state = COMMITTING;
        compiler_fence(Ordering::SeqCst);
        tally(verdicts, (*desk).totals, cells);
        add(live, Count::Executions);
        let judged = hash::of_raw(verdicts, cells, key);
        let is_repeat = !remember(bucket((*desk).seen_bytes, key), judged);
        if !is_repeat || always {
            coverage::pause();
            unseen(context);
            coverage::resume();
        }
        compiler_fence(Ordering::SeqCst);
        (*live).mark.state = IDLE;
    }
}

/// Counts every cell's verdict in a table.
///
/// # Safety
/// `verdicts` must hold the codes of `cells` verdicts, `table` as many rows.
#[unsafe(export_name = "__sanitizer_bugornot_tally")]
#[inline(never)]
pub(crate) unsafe extern "C" fn tally(verdicts: *const u8, table: *mut u64, cells: usize) {
    let mut cell = 0usize;
    while cell < cells {
        // SAFETY: the caller's promise.
        unsafe {
            let verdict = (*verdicts.wrapping_add(cell) & NUMBER_MASK) as usize;
            let total = table.wrapping_add(cell.wrapping_mul(Verdict::COUNT).wrapping_add(verdict));
            *total = (*total).wrapping_add(1);
        }
        cell = cell.wrapping_add(1);
    }
}

/// Puts a hash into a bucket, in the place of some other if it is full; false if it was there.
///
/// # Safety
/// `bucket` must point to [`WAYS`] words.
#[inline(always)]
unsafe fn remember(bucket: *mut u64, hash: u64) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let mut place = bucket.wrapping_add((hash >> 61) as usize);
        let mut way = 0usize;
        while way < WAYS {
            let other = *bucket.wrapping_add(way);
            if other == hash {
                return false;
            }
            if other == 0 {
                place = bucket.wrapping_add(way);
            }
            way = way.wrapping_add(1);
        }
        *place = hash;
    }
    true
}

/// Remembers a decoded input with its verdicts; false if it is known.
#[unsafe(export_name = "__sanitizer_bugornot_quiet_is_new")]
pub(crate) fn is_new(desk: &mut Desk, fingerprint: u64) -> bool {
    // SAFETY: a bucket has `WAYS` words.
    unsafe { remember(bucket(desk.seen_inputs, fingerprint), fingerprint) }
}
