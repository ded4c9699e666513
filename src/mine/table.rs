//! Rows as bit columns, split by verdict first.
//!
//! An attribute has exclusive values, and each value is an item: a column of one bit per row. Columns are kept in
//! shards of [`SHARD_ROWS`] rows, so that a search can give a candidate up after a shard, and counts are sums over
//! shards that do not depend on their order.

mod codes;
mod truths;

/// How many rows a shard holds.
pub const SHARD_ROWS: usize = 1 << 14;
/// How many words a column has in one shard.
pub const SHARD_WORDS: usize = SHARD_ROWS / 64;

/// No value: none of the attribute's items is true in this row.
pub const NO_VALUE: u8 = u8::MAX;

/// The items of each attribute, numbered through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Where the items of each attribute begin, and where the last one's end.
    starts: Vec<usize>,
}

impl Attributes {
    /// Attributes with so many values each.
    pub fn new(values: impl IntoIterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        for count in values {
            starts.push(starts[starts.len() - 1] + count);
        }
        Self { starts }
    }

    /// How many attributes there are.
    pub fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The items of an attribute.
    pub fn items_of(&self, attribute: usize) -> std::ops::Range<usize> {
        self.starts[attribute]..self.starts[attribute + 1]
    }

    /// The attribute an item belongs to.
    pub fn attribute_of(&self, item: usize) -> usize {
        self.starts.partition_point(|&start| start <= item) - 1
    }
}

/// A column, placed so that no wide load touches two lines of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Words(pub(crate) [u64; SHARD_WORDS]);

impl AsRef<[u64]> for Words {
    #[inline(always)]
    fn as_ref(&self) -> &[u64] {
        &self.0
    }
}

/// Some rows of one verdict, as columns.
#[derive(Clone, Debug)]
pub struct Shard {
    rows: usize,
    /// How many inputs each of its rows stands for.
    weight: u64,
    columns: Vec<Words>,
}

impl Shard {
    fn new(items: usize) -> Self {
        Self { rows: 0, weight: 1, columns: vec![Words([0; SHARD_WORDS]); items] }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many inputs each of its rows stands for.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// The column of an item; bits behind the last row are zero.
    pub fn column(&self, item: usize) -> &[u64; SHARD_WORDS] {
        &self.columns[item].0
    }

    pub(crate) fn words(&self, item: usize) -> &Words {
        &self.columns[item]
    }
}

/// All rows of one verdict.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The rows, in the order they came.
    pub shards: Vec<Shard>,
}

impl Side {
    /// How many rows there are, each as often as its weight says.
    pub fn rows(&self) -> u64 {
        self.shards.iter().map(|shard| shard.weight * shard.rows as u64).sum()
    }

    /// How many rows have all of these items, each as often as its weight says.
    pub fn count(&self, items: &[usize]) -> u64 {
        self.shards.iter().map(|shard| shard.weight * count(shard, items)).sum()
    }
}

fn count(shard: &Shard, items: &[usize]) -> u64 {
    let Some((&first, rest)) = items.split_first() else { return shard.rows as u64 };
    let mut total = 0;
    for word in 0..SHARD_WORDS {
        let all = rest.iter().fold(shard.column(first)[word], |all, &item| all & shard.column(item)[word]);
        total += u64::from(all.count_ones());
    }
    total
}

/// The rows of one cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the items are.
    pub attributes: Attributes,
    /// The rows that violate.
    pub violated: Side,
    /// The rows that hold.
    pub held: Side,
}

impl Table {
    /// A table without rows.
    pub fn new(attributes: Attributes) -> Self {
        Self { attributes, violated: Side::default(), held: Side::default() }
    }

    /// Adds a row: the value of each attribute, or [`NO_VALUE`].
    ///
    /// # Panics
    /// If there are not as many values as attributes.
    pub fn push(&mut self, values: &[u8], is_violated: bool) {
        assert_eq!(values.len(), self.attributes.count(), "one value per attribute");
        let side = if is_violated { &mut self.violated } else { &mut self.held };
        if side.shards.last().is_none_or(|shard| shard.rows == SHARD_ROWS) {
            side.shards.push(Shard::new(self.attributes.items()));
        }
        let Some(shard) = side.shards.last_mut() else { return };
        let (word, bit) = (shard.rows / 64, shard.rows % 64);
        for (attribute, &value) in values.iter().enumerate() {
            let items = self.attributes.items_of(attribute);
            let item = items.start + usize::from(value);
            if item < items.end {
                shard.columns[item].0[word] |= 1 << bit;
            }
        }
        shard.rows += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_rows_by_items_and_verdict() {
        let mut table = Table::new(Attributes::new([2, 3]));
        for row in 0..40_000u32 {
            table.push(&[(row % 2) as u8, (row % 4) as u8], row % 3 == 0);
        }
        assert_eq!((table.violated.rows(), table.held.rows()), (13_334, 26_666));
        // The value 3 of the second attribute is no item.
        assert_eq!(table.violated.count(&[1]) + table.held.count(&[1]), 20_000);
        assert_eq!(table.violated.count(&[1, 3]) + table.held.count(&[1, 3]), 10_000);
        assert_eq!(table.violated.count(&[0, 3]), 0);
        assert_eq!(table.attributes.attribute_of(3), 1);
    }
}
