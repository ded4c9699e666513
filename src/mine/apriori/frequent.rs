//! Sets of items that occur often enough, level by level.
//!
//! Sets that differ in their last item only are a [`Group`]: what the others have in common is computed once per shard,
//! stays in the cache, and meets one column after the other. A set is given up as soon as it cannot become frequent.

use crate::mine::{
    bits,
    table::{Attributes, SHARD_WORDS, Shard, Side, Words},
};

/// How many sets are counted in one pass over the rows; bounds what is kept beside the frequent ones.
const BATCH: usize = 1 << 20;

/// The rows to count.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) side: &'a Side,
    pub(super) mask: Mask,
}

/// Which rows of a side.
#[derive(Clone, Copy)]
pub(super) enum Mask {
    All,
    With(usize),
    Without(usize),
}

/// Some sets that are equal but for their last item.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) prefix: Vec<usize>,
    pub(super) tails: Vec<Tail>,
}

/// The last item of a set.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    pub(super) item: usize,
    /// How many of the rows have the set.
    pub(super) count: u64,
    /// What an earlier count of other rows gave.
    pub(super) earlier: u64,
}

impl Tail {
    fn new(item: usize) -> Self {
        Self { item, count: 0, earlier: 0 }
    }

    /// The same item, to be counted in other rows.
    pub(super) fn again(self) -> Self {
        Self { item: self.item, count: 0, earlier: self.count }
    }
}

impl Group {
    pub(super) fn set(&self, tail: &Tail) -> Vec<usize> {
        let mut items = Vec::with_capacity(self.prefix.len() + 1);
        items.extend_from_slice(&self.prefix);
        items.push(tail.item);
        items
    }
}

impl Rows<'_> {
    /// Counts each set, and drops it as soon as it is no longer open; that is asked with the number of rows to come.
    pub(super) fn count(self, groups: &mut Vec<Group>, is_open: impl Fn(&Tail, u64) -> bool) {
        let count = bits::counter();
        let mut to_come = self.side.rows();
        for group in groups.iter_mut() {
            group.tails.retain(|tail| is_open(tail, to_come));
        }
        for shard in &self.side.shards {
            to_come -= shard.weight() * shard.rows() as u64;
            for group in groups.iter_mut().filter(|group| !group.tails.is_empty()) {
                let common = self.common(shard, &group.prefix);
                for tail in &mut group.tails {
                    tail.count += shard.weight() * count(&common, shard.words(tail.item));
                }
                group.tails.retain(|tail| is_open(tail, to_come));
            }
        }
        groups.retain(|group| !group.tails.is_empty());
    }

    /// A bit for each row that has all of these items, and maybe for rows behind the last.
    fn common(self, shard: &Shard, items: &[usize]) -> Words {
        let mut common = match self.mask {
            Mask::All => Words([u64::MAX; SHARD_WORDS]),
            Mask::With(item) => *shard.words(item),
            Mask::Without(item) => Words(shard.column(item).map(|word| !word)),
        };
        for &item in items {
            for (word, other) in common.0.iter_mut().zip(shard.column(item)) {
                *word &= other;
            }
        }
        common
    }
}

/// Visits all sets of at most `longest` of these items that at least `least` rows have, shorter ones first.
pub(super) fn search(
    rows: Rows<'_>,
    attributes: &Attributes,
    items: impl Iterator<Item = usize>,
    (least, longest): (u64, usize),
    mut visit: impl FnMut(&[Group]),
) {
    if longest == 0 {
        return;
    }
    let is_open = |tail: &Tail, to_come| tail.count + to_come >= least;
    let mut level = vec![Group { prefix: Vec::new(), tails: items.map(Tail::new).collect() }];
    rows.count(&mut level, is_open);
    visit(&level);
    let mut partners = Partners::of_different(attributes);
    for length in 2..=longest {
        let mut found = Vec::new();
        let mut candidates = candidates(&level, &partners).peekable();
        while candidates.peek().is_some() {
            let mut batch = take(&mut candidates);
            rows.count(&mut batch, is_open);
            visit(&batch);
            found.append(&mut batch);
        }
        drop(candidates);
        if length == 2 {
            partners = Partners::of_pairs(attributes, &found);
        }
        level = found;
    }
}

/// As many groups as are counted together.
fn take(candidates: &mut impl Iterator<Item = Group>) -> Vec<Group> {
    let (mut batch, mut sets) = (Vec::new(), 0);
    while let Some(group) = (sets < BATCH).then(|| candidates.next()).flatten() {
        sets += group.tails.len();
        batch.push(group);
    }
    batch
}

/// The sets with one more item that may be frequent: two that differ in the last item only are joined.
fn candidates<'a>(level: &'a [Group], partners: &'a Partners<'_>) -> impl Iterator<Item = Group> + 'a {
    level.iter().flat_map(move |group| {
        group.tails.iter().enumerate().filter_map(move |(at, tail)| {
            let after = group.tails[at + 1..].iter().filter(|next| partners.may_go_together(tail.item, next.item));
            let tails: Vec<Tail> = after.map(|next| Tail::new(next.item)).collect();
            (!tails.is_empty()).then(|| Group { prefix: group.set(tail), tails })
        })
    })
}

/// Which items may be in one set.
enum Partners<'a> {
    Different(&'a Attributes),
    /// For each item those behind it that it is frequent with.
    Pairs(Vec<Vec<usize>>),
}

impl<'a> Partners<'a> {
    /// Values of one attribute exclude each other.
    fn of_different(attributes: &'a Attributes) -> Self {
        Self::Different(attributes)
    }

    fn of_pairs(attributes: &Attributes, pairs: &[Group]) -> Self {
        let mut partners = vec![Vec::new(); attributes.items()];
        for group in pairs {
            partners[group.prefix[0]] = group.tails.iter().map(|tail| tail.item).collect();
        }
        Self::Pairs(partners)
    }

    fn may_go_together(&self, item: usize, later: usize) -> bool {
        match self {
            Self::Different(attributes) => !attributes.items_of(attributes.attribute_of(item)).contains(&later),
            Self::Pairs(partners) => partners[item].binary_search(&later).is_ok(),
        }
    }
}
