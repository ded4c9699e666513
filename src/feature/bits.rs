//! One true/false value per row.

/// A truth for each row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// All false.
    pub(crate) fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// What a test says about each row.
    pub(crate) fn from_fn(len: usize, test: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::new(len);
        for (position, word) in bits.words.iter_mut().enumerate() {
            let rows = position * 64..len.min(position * 64 + 64);
            *word = rows.enumerate().fold(0, |word, (bit, row)| word | u64::from(test(row)) << bit);
        }
        bits
    }

    pub(crate) fn set(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    pub(crate) fn get(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// The rows where this is false.
    pub(crate) fn not(&self) -> Self {
        let mut bits = Self { words: self.words.iter().map(|word| !word).collect(), len: self.len };
        if let (Some(last), used @ 1..) = (bits.words.last_mut(), self.len % 64) {
            *last &= (1 << used) - 1;
        }
        bits
    }

    /// The rows where both are true.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(one, other)| one & other).collect();
        Self { words, len: self.len }
    }

    /// The rows where one is true.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(one, other)| one | other).collect();
        Self { words, len: self.len }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many rows are true in both.
    pub(crate) fn common(&self, other: &Self) -> u64 {
        self.words.iter().zip(&other.words).map(|(one, other)| u64::from((one & other).count_ones())).sum()
    }

    pub(crate) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The rows that are true, in order.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(position, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    position * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_leaves_what_is_behind_the_last_row_alone() {
        let bits = Bits::from_fn(70, |row| row % 3 == 0);
        assert_eq!(bits.count() + bits.not().count(), 70);
        assert_eq!(bits.ones().collect::<Vec<_>>(), (0..70).step_by(3).collect::<Vec<_>>());
        assert_eq!(bits.common(&bits.not()), 0);
        assert!(bits.get(69) && !bits.get(68));
    }
}
