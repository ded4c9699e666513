//! Verdicts guide the fuzzer: every (cell, verdict), and every combination of the verdicts with a simple feature of
//! the input, counts as coverage.
//!
//! A simple feature is the magnitude of a number the input holds, of a difference or sum of two, and of their distance
//! from a constant of the suite: steps that lead to `a == b` or `a + b == k`, where the code itself has no branch.

use crate::{
    Verdict, hash,
    log::{Leaf, leaves, live::NUMBER_MASK},
};

/// How many places there are for coverage of verdicts and features. The first are (cell, verdict) pairs.
pub(crate) const SLOTS: usize = 4096;
const CELL_SLOTS: usize = 1024;
/// How many parts of an input, and how many constants, are looked at.
const MAX_LEAVES: usize = 6;
const MAX_CONSTANTS: usize = 3;

/// Tells the engine every place that this execution covers, and adds them to `covered`.
#[unsafe(export_name = "__sanitizer_bugornot_guide_cover")]
pub(crate) fn cover(values: &[u8], verdicts: &[u8], constants: &[i64], mut covered: Option<&mut Vec<usize>>) {
    let judged = hash::of_bytes(verdicts, 0);
    let mut hit = |slot| {
        engine::hit(slot);
        if let Some(covered) = &mut covered {
            covered.push(slot);
        }
    };
    for (cell, &verdict) in verdicts.iter().enumerate() {
        hit((cell * Verdict::COUNT + usize::from(verdict & NUMBER_MASK)) % CELL_SLOTS);
    }
    let mut found = [Leaf::Number(0); MAX_LEAVES];
    let count = leaves(values, &mut found);
    let mut feature = |which: u64, magnitude: u64| {
        let place = hash::fold(judged ^ which << 8 ^ magnitude, 0xD6E8_FEB8_6659_FD93);
        hit(CELL_SLOTS + place as usize % (SLOTS - CELL_SLOTS));
    };
    for (i, one) in found[..count].iter().enumerate() {
        let which = i as u64 * 64;
        match *one {
            Leaf::Number(number) => near(number, which, constants, &mut feature),
            Leaf::Text(text) => feature(which, magnitude(text.len() as i64)),
        }
        for (j, other) in found[..i].iter().enumerate() {
            let which = 1024 + (i * MAX_LEAVES + j) as u64 * 64;
            match (*one, *other) {
                (Leaf::Number(a), Leaf::Number(b)) => {
                    near(a.saturating_sub(b), which, constants, &mut feature);
                    near(a.saturating_add(b), which + 32, constants, &mut feature);
                }
                (Leaf::Text(a), Leaf::Text(b)) => {
                    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
                    feature(which, shared as u64);
                    feature(which + 1, magnitude(a.len() as i64 - b.len() as i64));
                }
                _ => {}
            }
        }
    }
}

/// The magnitude of a number and of its distance from each constant.
#[inline(always)]
fn near(number: i64, which: u64, constants: &[i64], feature: &mut impl FnMut(u64, u64)) {
    feature(which, magnitude(number));
    for (position, constant) in constants.iter().take(MAX_CONSTANTS).enumerate() {
        feature(which + 1 + position as u64, magnitude(number.saturating_sub(*constant)));
    }
}

/// The sign and the number of bits: zero is the end of a staircase.
fn magnitude(number: i64) -> u64 {
    let bits = 64 - number.unsigned_abs().leading_zeros();
    u64::from(bits) | u64::from(number < 0) << 7
}

/// Tells the engine what an execution covered. Called while coverage is paused.
#[cfg(bugornot_engine = "libfuzzer")]
mod engine {
    use super::SLOTS;

    /// libFuzzer treats the bytes of this section like its own counters, and clears them before each execution.
    #[used]
    #[unsafe(link_section = "__libfuzzer_extra_counters")]
    static mut COUNTERS: [u8; SLOTS] = [0; SLOTS];

    pub(crate) fn prepare() {}

    #[inline(always)]
    pub(crate) fn hit(slot: usize) {
        // SAFETY: one thread executes inputs, and nobody keeps a reference.
        unsafe {
            let counter = (&raw mut COUNTERS).cast::<u8>().add(slot % SLOTS);
            // Volatile: this program never reads it.
            counter.write_volatile(1);
        }
    }
}

#[cfg(bugornot_engine = "afl")]
mod engine {
    use super::SLOTS;
    use crate::engine::coverage::paused_map;

    unsafe extern "C" {
        fn __sanitizer_cov_trace_pc_guard_init(start: *mut u32, stop: *mut u32);
    }

    /// As many edges as there are places; AFL numbers them like any module's.
    static mut GUARDS: [u32; SLOTS] = [0; SLOTS];

    /// Runs before `main`, when AFL has not yet fixed the size of its map.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static REGISTER: extern "C" fn() = {
        extern "C" fn register() {
            let start = (&raw mut GUARDS).cast::<u32>();
            // SAFETY: a range of words that lives for ever, as a module's guards do.
            unsafe { __sanitizer_cov_trace_pc_guard_init(start, start.wrapping_add(SLOTS)) };
        }
        register
    };

    pub(crate) fn prepare() {
        // Keeps the constructor: a linker drops what nobody mentions.
        std::hint::black_box(&REGISTER);
    }

    #[inline(always)]
    pub(crate) fn hit(slot: usize) {
        // SAFETY: AFL numbers guards below the size of its map, and one thread executes inputs.
        unsafe {
            let guard = *(&raw const GUARDS).cast::<u32>().add(slot % SLOTS);
            *paused_map().add(guard as usize) = 1;
        }
    }
}

#[cfg(not(any(bugornot_engine = "libfuzzer", bugornot_engine = "afl")))]
mod engine {
    pub(crate) fn prepare() {}
    pub(crate) fn hit(_: usize) {}
}

pub(crate) use engine::prepare;
