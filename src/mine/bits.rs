//! Counting common bits, with the widest instructions that this processor has.

/// Counts the bits that two columns have in common.
pub(crate) type Count<Column> = fn(&Column, &Column) -> u64;

/// The fastest way to count here. A column whose length its type says is counted without a loop's end in the way.
pub(crate) fn counter<Column: AsRef<[u64]> + ?Sized>() -> Count<Column> {
    #[cfg(target_arch = "x86_64")]
    {
        let has_words = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        if has_words && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the processor has the instructions, as was just asked.
            return |one, other| unsafe { with_avx512(one, other) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instructions, as was just asked.
            return |one, other| unsafe { with_avx2(one, other) };
        }
    }
    plainly
}

/// How many bits two columns have in common.
pub(crate) fn count_and(one: &[u64], other: &[u64]) -> u64 {
    counter::<[u64]>()(one, other)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq")]
fn with_avx512<Column: AsRef<[u64]> + ?Sized>(one: &Column, other: &Column) -> u64 {
    plainly(one, other)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn with_avx2<Column: AsRef<[u64]> + ?Sized>(one: &Column, other: &Column) -> u64 {
    plainly(one, other)
}

// Inlined, so that it is compiled anew for the instructions of each caller.
#[inline(always)]
fn plainly<Column: AsRef<[u64]> + ?Sized>(one: &Column, other: &Column) -> u64 {
    one.as_ref().iter().zip(other.as_ref()).map(|(one, other)| u64::from((one & other).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mine::table::{SHARD_WORDS, Words};

    #[test]
    fn every_way_counts_the_same() {
        let column = |factor: u64| -> Words { Words(std::array::from_fn(|at| (at as u64 + 1).wrapping_mul(factor))) };
        let (one, other) = (column(0x9E37_79B9_7F4A_7C15), column(0xC2B2_AE3D_27D4_EB4F));
        let expected = (0..SHARD_WORDS).map(|at| u64::from((one.0[at] & other.0[at]).count_ones())).sum::<u64>();
        assert_eq!(counter()(&one, &other), expected);
        assert_eq!(count_and(&one.0, &other.0), expected);
        assert_eq!(plainly(&one, &other), expected);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instructions, as was just asked.
            assert_eq!(unsafe { with_avx2(&one, &other) }, expected);
        }
    }
}
