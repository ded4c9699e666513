//! The working set: a bounded sample of the distinct rows that keeps all of what is rare.
//!
//! Rows are sampled per stratum: the verdicts of all cells, and about how much memory the row takes. Each stratum keeps
//! the rows with the smallest identities, all strata at most the same number of them (the quota), which is the largest
//! for which everything fits. So the result depends on which rows there are, and not on the order in which they come or
//! on who reads them: both what a stratum would like to keep and its cost only ever grow.

use super::size;
use crate::{
    Verdict,
    log::{Row, Value},
};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// Rows take at most 2 to the power of this many bytes, and of each more up to the last.
const SMALLEST: u32 = 9;
pub(super) const CLASSES: usize = 18;

/// How many different lists of names are shared between rows.
const MOST_NAMES: usize = 1024;

/// A bounded sample of rows.
pub(super) struct Sample {
    most_rows: usize,
    most_bytes: usize,
    /// How many rows a stratum may have.
    quota: usize,
    /// No row from this identity on is kept: there are more strata than rows that fit.
    cut: u64,
    strata: HashMap<Arc<[u8]>, [Stratum; CLASSES]>,
    rows: usize,
    bytes: usize,
    names: HashSet<Arc<[String]>>,
}

#[derive(Default)]
struct Stratum {
    /// Boxed, because they are moved about.
    rows: BTreeMap<u64, Box<Row>>,
    /// The smallest identity that was left out.
    left_out: Option<u64>,
}

/// One row of the working set.
pub(super) struct Sampled {
    pub(super) identity: u64,
    pub(super) row: Row,
    /// The share of the rows like it that are kept.
    pub(super) share: f64,
}

/// The class of a row whose values take so much memory.
pub(super) fn class(values: usize) -> usize {
    let bits = (values + size::OF_ANY_ROW).next_power_of_two().ilog2();
    (bits.saturating_sub(SMALLEST) as usize).min(CLASSES - 1)
}

/// What a row of a class is counted as.
fn cost(class: usize) -> usize {
    1 << (SMALLEST as usize + class)
}

/// What the strata of a vector cost beside their rows.
fn vector_cost(vector: &[u8]) -> usize {
    size_of::<[Stratum; CLASSES]>() + 3 * vector.len() + 100
}

impl Sample {
    pub(super) fn new(most_rows: usize, most_bytes: usize) -> Self {
        let (quota, cut) = (usize::MAX, u64::MAX);
        let (strata, names) = (HashMap::new(), HashSet::new());
        Self { most_rows, most_bytes, quota, cut, strata, rows: 0, bytes: 0, names }
    }

    /// From which identity on rows of a stratum need not be offered.
    pub(super) fn limit(&self, vector: &[u8], class: usize) -> u64 {
        let stratum = self.strata.get(vector).map(|strata| &strata[class]);
        let full = stratum.filter(|stratum| stratum.rows.len() >= self.quota);
        let last = full.and_then(|stratum| stratum.rows.last_key_value());
        last.map_or(self.cut, |(&last, _)| last.saturating_add(1).min(self.cut))
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes in a row.
    pub(super) fn offer(&mut self, vector: &Arc<[u8]>, class: usize, identity: u64, mut row: Box<Row>) {
        if identity >= self.cut {
            return;
        }
        if !self.strata.contains_key(vector) {
            self.bytes += vector_cost(vector);
            self.strata.insert(vector.clone(), Default::default());
        }
        let Some(strata) = self.strata.get_mut(vector) else { return };
        let stratum = &mut strata[class];
        if let Some(kept) = stratum.rows.get_mut(&identity) {
            if order(&row, kept) == Ordering::Less {
                make_thrifty(&mut row, &kept.verdicts, &mut self.names);
                *kept = row;
            }
            return;
        }
        let is_full = stratum.rows.len() >= self.quota;
        if is_full && stratum.rows.last_key_value().is_none_or(|(&last, _)| identity > last) {
            stratum.leave_out(identity);
            return;
        }
        let verdicts = stratum.rows.values().next().map_or_else(|| row.verdicts.clone(), |row| row.verdicts.clone());
        make_thrifty(&mut row, &verdicts, &mut self.names);
        stratum.rows.insert(identity, row);
        if is_full {
            stratum.drop_last();
            return;
        }
        self.rows += 1;
        self.bytes += cost(class);
        // Now and then is enough, as long as it is done exactly in the end.
        if self.rows > self.most_rows + self.most_rows / 8 || self.bytes > self.most_bytes + self.most_bytes / 8 {
            self.trim();
        }
    }

    /// Notes that a row was not even offered.
    pub(super) fn leave_out(&mut self, vector: &[u8], class: usize, identity: u64) {
        // Where there is no such stratum any more, the cut says so.
        if let Some(strata) = self.strata.get_mut(vector) {
            strata[class].leave_out(identity);
        }
    }

    /// Lowers the quota until everything fits.
    pub(super) fn trim(&mut self) {
        if self.rows <= self.most_rows && self.bytes <= self.most_bytes {
            return;
        }
        let longest = self.strata.values().flatten().map(|stratum| stratum.rows.len()).max().unwrap_or(0);
        // `low` fits, or is none at all; `high` is what there is now, and too much.
        let (mut low, mut high) = (0, longest.min(self.quota));
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.fits(middle) { low = middle } else { high = middle }
        }
        self.quota = low.max(1);
        let quota = self.quota;
        self.drop_while(|stratum| stratum.rows.len() > quota);
        self.lower_cut();
    }

    fn fits(&self, quota: usize) -> bool {
        let (mut rows, mut bytes) = (0, 0);
        for (vector, strata) in &self.strata {
            bytes += vector_cost(vector);
            for (class, stratum) in strata.iter().enumerate() {
                let kept = stratum.rows.len().min(quota);
                rows += kept;
                bytes += kept * cost(class);
            }
        }
        rows <= self.most_rows && bytes <= self.most_bytes
    }

    fn drop_while(&mut self, is_too_much: impl Fn(&Stratum) -> bool) {
        for strata in self.strata.values_mut() {
            for (class, stratum) in strata.iter_mut().enumerate() {
                while is_too_much(stratum) && stratum.drop_last() {
                    self.rows -= 1;
                    self.bytes -= cost(class);
                }
            }
        }
    }

    /// With one row per stratum and still too many, only those with the smallest identities stay.
    fn lower_cut(&mut self) {
        if self.rows <= self.most_rows && self.bytes <= self.most_bytes {
            return;
        }
        let mut firsts = Vec::new();
        for (vector, strata) in &self.strata {
            let first = |(class, stratum): (usize, &Stratum)| {
                stratum.rows.keys().next().map(|&identity| (identity, cost(class) + vector_cost(vector)))
            };
            firsts.extend(strata.iter().enumerate().filter_map(first));
        }
        firsts.sort_unstable();
        let (mut rows, mut bytes) = (0, 0);
        let too_much = firsts.iter().find(|(_, more)| {
            rows += 1;
            bytes += more;
            rows > self.most_rows || bytes > self.most_bytes
        });
        let Some(&(cut, _)) = too_much else { return };
        self.cut = cut;
        self.drop_while(|stratum| stratum.rows.last_key_value().is_some_and(|(&identity, _)| identity >= cut));
        self.strata.retain(|vector, strata| {
            let is_used = strata.iter().any(|stratum| !stratum.rows.is_empty());
            self.bytes -= if is_used { 0 } else { vector_cost(vector) };
            is_used
        });
    }

    /// Whether every row is in it.
    pub(super) fn is_complete(&self) -> bool {
        self.cut == u64::MAX && self.strata.values().flatten().all(|stratum| stratum.left_out.is_none())
    }

    /// The identities of all rows in it.
    pub(super) fn identities(&self) -> impl Iterator<Item = u64> {
        self.strata.values().flatten().flat_map(|stratum| stratum.rows.keys().copied())
    }

    /// The rows of an input.
    pub(super) fn rows_of(&self, identity: u64) -> impl Iterator<Item = (&Arc<[u8]>, &Row)> {
        let rows = self.strata.iter().flat_map(|(vector, strata)| strata.iter().map(move |stratum| (vector, stratum)));
        rows.filter_map(move |(vector, stratum)| stratum.rows.get(&identity).map(|row| (vector, &**row)))
    }

    /// The best row of each input, in the order of their identities.
    pub(super) fn into_rows(self) -> Vec<Sampled> {
        let mut best: BTreeMap<u64, Sampled> = BTreeMap::new();
        for stratum in self.strata.into_values().flatten() {
            let left_out = stratum.left_out.map_or(self.cut, |left_out| left_out.min(self.cut));
            let share = left_out as f64 / u64::MAX as f64;
            for (identity, row) in stratum.rows {
                let sampled = Sampled { identity, row: *row, share };
                match best.get_mut(&identity) {
                    None => _ = best.insert(identity, sampled),
                    Some(known) => {
                        let share = known.share.max(share);
                        if order(&sampled.row, &known.row) == Ordering::Less {
                            *known = sampled;
                        }
                        known.share = share;
                    }
                }
            }
        }
        best.into_values().collect()
    }
}

impl Stratum {
    fn leave_out(&mut self, identity: u64) {
        self.left_out = Some(self.left_out.map_or(identity, |known| known.min(identity)));
    }

    fn drop_last(&mut self) -> bool {
        let last = self.rows.pop_last();
        last.as_ref().into_iter().for_each(|&(identity, _)| self.leave_out(identity));
        last.is_some()
    }
}

/// Which of two rows of one input is shown: one that tells more, then the simpler one.
pub(super) fn order(one: &Row, other: &Row) -> Ordering {
    let key = |row: &Row| {
        let (is_dead, is_bare) = (row.death.is_some(), row.detail.is_none());
        (is_dead, is_bare, row.weight, !row.has_bytes(), row.phase, row.bytes.len(), row.id)
    };
    let last = || {
        let text = |row: &Row| format!("{:?} {:?} {:?}", row.features, row.detail, row.verdicts);
        text(one).cmp(&text(other))
    };
    key(one).cmp(&key(other)).then_with(|| one.bytes.cmp(&other.bytes)).then_with(last)
}

/// Makes a row fit to be kept: without room for more, and with the same names and verdicts as the others.
fn make_thrifty(row: &mut Row, verdicts: &Arc<[Option<Verdict>]>, known: &mut HashSet<Arc<[String]>>) {
    row.bytes.shrink_to_fit();
    row.fields.shrink_to_fit();
    row.parameters.shrink_to_fit();
    row.features.shrink_to_fit();
    row.fields.iter_mut().chain(&mut row.parameters).for_each(shrink);
    row.verdicts = verdicts.clone();
    match known.get(&row.names) {
        Some(names) => row.names = names.clone(),
        None => {
            // There are few, unless someone means harm.
            if known.len() >= MOST_NAMES {
                known.clear();
            }
            known.insert(row.names.clone());
        }
    }
}

fn shrink(value: &mut Value) {
    match value {
        Value::Some(value) | Value::Variant(value, _) => shrink(value),
        Value::List(values) | Value::Tuple(values) | Value::Struct(values, _) => {
            values.shrink_to_fit();
            values.iter_mut().for_each(shrink);
        }
        Value::Map(entries) => entries.shrink_to_fit(),
        _ => {}
    }
}
