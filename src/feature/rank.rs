//! Ranks: the order of a form's values, found once for all cells and all parts of the rows.

use super::{
    bits::Bits,
    form::{At, Form, Values},
    term::Terms,
};

/// The rank of a row for which the form has no value.
const NONE: u32 = u32::MAX;

/// The rows by the value that a form has there.
pub(crate) struct Ranked {
    /// How many smaller values there are than a row's.
    ranks: Vec<u32>,
    /// A row that has the value of each rank.
    examples: Vec<u32>,
}

/// How many rows of either verdict have a value, by its rank.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    pub(crate) rank: usize,
    pub(crate) violated: u32,
    pub(crate) held: u32,
}

impl Ranked {
    pub(crate) fn new(form: &Form, terms: &Terms, rows: usize) -> Self {
        let keys: Vec<Option<i128>> = match form.values(terms, rows) {
            Values::Integers(integers) => integers,
            Values::Floats(floats) => floats.into_iter().map(|float| float.map(key_of)).collect(),
        };
        let mut ranked = Self { ranks: vec![NONE; rows], examples: Vec::new() };
        let mut last = None;
        for row in in_order(&keys) {
            let key = keys[row as usize];
            if last != Some(key) {
                ranked.examples.push(row);
                last = Some(key);
            }
            ranked.ranks[row as usize] = ranked.examples.len() as u32 - 1;
        }
        ranked
    }

    /// The values that these rows have, in order.
    pub(crate) fn groups(&self, violated: &[u32], held: &[u32]) -> Vec<Group> {
        let mut counts = vec![(0, 0); self.examples.len()];
        let mut known = |rows: &[u32], add: fn(&mut (u32, u32))| {
            for &row in rows {
                if let Some(count) = counts.get_mut(self.ranks[row as usize] as usize) {
                    add(count);
                }
            }
        };
        known(violated, |count| count.0 += 1);
        known(held, |count| count.1 += 1);
        let groups = counts.into_iter().enumerate().filter(|(_, count)| *count != (0, 0));
        groups.map(|(rank, (violated, held))| Group { rank, violated, held }).collect()
    }

    /// The value of a rank: a whole number, or a float's place among all floats.
    pub(crate) fn key(&self, form: &Form, terms: &Terms, rank: usize) -> i128 {
        self.examples.get(rank).and_then(|&row| key(form, terms, row as usize)).unwrap_or_default()
    }

    /// The first rank whose value is above a key.
    pub(crate) fn first_above(&self, form: &Form, terms: &Terms, bound: i128) -> usize {
        self.examples.partition_point(|&row| key(form, terms, row as usize).is_some_and(|key| key <= bound))
    }

    /// The rows with a rank from `ranks`.
    pub(crate) fn within(&self, ranks: std::ops::Range<usize>) -> Bits {
        Bits::from_fn(self.ranks.len(), |row| ranks.contains(&(self.ranks[row] as usize)))
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.examples.len()
    }
}

/// The rows with a key, by their keys.
fn in_order(keys: &[Option<i128>]) -> Vec<u32> {
    let keyed = || keys.iter().enumerate().filter_map(|(row, key)| Some(((*key)?, row as u32)));
    let (Some(least), Some(most)) = (keyed().map(|(key, _)| key).min(), keyed().map(|(key, _)| key).max()) else {
        return Vec::new();
    };
    // Nearly always a key and its row are one word, which is sorted several times as fast.
    let is_narrow = most.checked_sub(least).is_some_and(|span| u32::try_from(span).is_ok());
    if is_narrow {
        let mut words: Vec<u64> = keyed().map(|(key, row)| ((key - least) as u64) << 32 | u64::from(row)).collect();
        words.sort_unstable();
        words.into_iter().map(|word| word as u32).collect()
    } else {
        let mut keyed: Vec<(i128, u32)> = keyed().collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, row)| row).collect()
    }
}

fn key(form: &Form, terms: &Terms, row: usize) -> Option<i128> {
    let at = At(terms, row);
    if form.is_float(&terms.terms) { form.float(&at).map(key_of) } else { form.integer(&at) }
}

/// A float's place among all floats.
pub(crate) fn key_of(float: f64) -> i128 {
    // Zero has one place, whatever its sign.
    let bits = (if float == 0.0 { 0.0 } else { float }).to_bits() as i64;
    (if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }).into()
}

/// The float at a place.
pub(crate) fn float_of(key: i128) -> f64 {
    let key = key as i64;
    f64::from_bits((if key < 0 { i64::MIN.wrapping_sub(key) } else { key }) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_keys_however_far_apart_these_are() {
        for far in [9, i128::from(u32::MAX), i128::from(u32::MAX) + 1, i128::MAX] {
            let keys = [Some(far), None, Some(3), Some(-far), Some(far), Some(3)];
            assert_eq!(in_order(&keys), [3, 2, 5, 0, 4]);
        }
        assert!(in_order(&[None]).is_empty());
    }

    #[test]
    fn floats_keep_their_order_as_keys() {
        let floats = [f64::NEG_INFINITY, -2.5, -f64::MIN_POSITIVE, 0.0, 1e-300, 0.1, 7.0, f64::INFINITY];
        assert!(floats.map(key_of).is_sorted());
        assert_eq!(floats.map(|float| float_of(key_of(float))), floats);
        assert_eq!(key_of(-0.0), key_of(0.0));
    }
}
