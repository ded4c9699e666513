//! One hash for identities: of inputs, verdicts, types. Fixed for ever, because logs carry it.
//!
//! It runs once per execution inside the engines, where coverage instrumentation must not see it (see
//! `engine/quiet.rs`): hence the exported name, and C's `memcpy` instead of slices and iterators.

/// Odd constants with well-spread bits.
const SPREAD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];

/// The hash of some bytes, for this seed.
pub(crate) fn of_bytes(bytes: &[u8], seed: u64) -> u64 {
    // SAFETY: the pointer and length are those of a slice.
    unsafe { of_raw(bytes.as_ptr(), bytes.len(), seed) }
}

/// The hash of `len` bytes at `bytes`, for this seed.
///
/// # Safety
/// `len` bytes must be readable at `bytes`.
#[unsafe(export_name = "__sanitizer_bugornot_hash")]
#[inline(never)]
pub(crate) unsafe extern "C" fn of_raw(bytes: *const u8, len: usize, seed: u64) -> u64 {
    // The seed is spread first: seeds and words that differ in the same few bits must not cancel out.
    let mut hash = fold(seed ^ SPREAD[0], SPREAD[1]) ^ (len as u64).wrapping_mul(SPREAD[0]);
    let mut at = 0;
    while at < len {
        let left = len.wrapping_sub(at);
        let mut word = 0u64;
        // SAFETY: at most `left` bytes are read from inside the range, at most 8 are written into `word`.
        unsafe {
            let from = bytes.wrapping_add(at).cast();
            let to = (&raw mut word).cast();
            if left >= 8 {
                libc::memcpy(to, from, 8)
            } else {
                libc::memcpy(to, from, left)
            };
        }
        hash = fold(hash ^ word, SPREAD[1]);
        at = at.wrapping_add(8);
    }
    fold(hash ^ SPREAD[0], SPREAD[1])
}

/// Multiplies to 128 bits and folds the halves: every bit of the input reaches every bit of the result.
#[inline(always)]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let wide = (a as u128).wrapping_mul(b as u128);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn equal_bytes_of_other_length_or_seed_hash_differently() {
        let zeros = [0u8; 40];
        let hashes: HashSet<u64> = (0..=40).map(|len| of_bytes(&zeros[..len], 0)).collect();
        assert_eq!(hashes.len(), 41);
        assert_ne!(of_bytes(b"k", 1), of_bytes(b"k", 2));
    }

    #[test]
    fn neighbouring_seeds_and_words_do_not_cancel_out() {
        let hashes = (0..64u64).flat_map(|seed| (0..64u64).map(move |word| of_bytes(&word.to_le_bytes()[..2], seed)));
        assert_eq!(hashes.collect::<HashSet<_>>().len(), 64 * 64);
    }

    #[test]
    fn small_numbers_spread_over_all_bits() {
        let low: HashSet<u64> = (0u32..4096).map(|n| of_bytes(&n.to_le_bytes(), 0) & 0xffff).collect();
        let high: HashSet<u64> = (0u32..4096).map(|n| of_bytes(&n.to_le_bytes(), 0) >> 48).collect();
        assert!(low.len() > 3900 && high.len() > 3900, "{} {}", low.len(), high.len());
    }
}
