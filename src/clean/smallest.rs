//! The smallest of many keys, so that what is kept of a log neither grows with it nor depends on its order.

use std::collections::BTreeMap;

/// What belongs to a key in a map of the `most` smallest ones, made if the key is new; nothing if the map is full of
/// smaller ones.
pub(crate) fn among_smallest<K: Ord, V>(
    map: &mut BTreeMap<K, V>,
    most: usize,
    key: K,
    make: impl FnOnce() -> V,
) -> Option<&mut V> {
    if map.len() >= most {
        let (last, _) = map.last_key_value().filter(|(last, _)| key <= **last)?;
        if key != *last && !map.contains_key(&key) {
            map.pop_last();
        }
    }
    Some(map.entry(key).or_insert_with(make))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_stay_in_whatever_order_they_come() {
        for keys in [[3, 1, 2, 5, 1, 4], [5, 4, 3, 2, 1, 1], [1, 1, 2, 3, 4, 5]] {
            let mut map = BTreeMap::new();
            for key in keys {
                if let Some(count) = among_smallest(&mut map, 3, key, || 0) {
                    *count += 1;
                }
            }
            assert_eq!(map, BTreeMap::from([(1, 2), (2, 1), (3, 1)]), "{keys:?}");
        }
    }
}
