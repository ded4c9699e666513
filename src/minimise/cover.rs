//! Few inputs that together meet all obligations: a greedy set cover, the smaller input first where two do as much.

use std::collections::BinaryHeap;

/// Chooses sets, each in order, so that every element of any set is in a chosen one; those with `is_kept` are chosen beforehand. Sets
/// stand in the order of their sizes, the smallest first. The positions that are chosen, in order.
pub(crate) fn cover(sets: &[Vec<u32>], is_kept: &[bool]) -> Vec<usize> {
    let elements = sets.iter().flatten().max().map_or(0, |&last| last as usize + 1);
    let mut is_covered = vec![false; elements];
    let mut chosen: Vec<usize> = (0..sets.len()).filter(|&set| is_kept[set]).collect();
    for &set in &chosen {
        sets[set].iter().for_each(|&element| is_covered[element as usize] = true);
    }
    let new = |set: usize, is_covered: &[bool]| sets[set].iter().filter(|&&at| !is_covered[at as usize]).count();
    // How much a set adds can only become less: whoever still leads after counting again is the best.
    let mut heap: BinaryHeap<(usize, std::cmp::Reverse<usize>)> =
        (0..sets.len()).map(|set| (new(set, &is_covered), std::cmp::Reverse(set))).collect();
    while let Some((claimed, std::cmp::Reverse(set))) = heap.pop() {
        match new(set, &is_covered) {
            0 => {}
            adds if adds < claimed => heap.push((adds, std::cmp::Reverse(set))),
            _ => {
                sets[set].iter().for_each(|&element| is_covered[element as usize] = true);
                chosen.push(set);
            }
        }
    }
    chosen.sort_unstable();
    prune(sets, &mut chosen);
    exchange(sets, is_kept, &mut chosen);
    chosen
}

/// Puts a smaller set in the place of one that it can stand for, the largest first.
fn exchange(sets: &[Vec<u32>], is_kept: &[bool], chosen: &mut Vec<usize>) {
    let mut counts = count(chosen.iter().map(|&set| &sets[set]));
    for position in (0..chosen.len()).rev().filter(|&position| !is_kept[chosen[position]]).collect::<Vec<_>>() {
        let old = chosen[position];
        let alone: Vec<u32> = sets[old].iter().copied().filter(|&element| counts[element as usize] == 1).collect();
        let has_all = |set: &usize| alone.iter().all(|element| sets[*set].binary_search(element).is_ok());
        if let Some(new) = (0..old).find(has_all) {
            sets[old].iter().for_each(|&element| counts[element as usize] -= 1);
            sets[new].iter().for_each(|&element| counts[element as usize] += 1);
            chosen[position] = new;
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    prune(sets, chosen);
}

/// Drops what the others make needless, the largest first.
fn prune(sets: &[Vec<u32>], chosen: &mut Vec<usize>) {
    let mut counts = count(chosen.iter().map(|&set| &sets[set]));
    for position in (0..chosen.len()).rev() {
        let set = &sets[chosen[position]];
        if set.iter().all(|&element| counts[element as usize] > 1) {
            set.iter().for_each(|&element| counts[element as usize] -= 1);
            chosen.remove(position);
        }
    }
}

/// How many of the sets each element is in.
pub(super) fn count<'sets>(sets: impl Iterator<Item = &'sets Vec<u32>> + Clone) -> Vec<u32> {
    let elements = sets.clone().flatten().max().map_or(0, |&last| last as usize + 1);
    let mut counts = vec![0; elements];
    sets.flatten().for_each(|&element| counts[element as usize] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_smaller_of_two_that_do_as_much_is_chosen_and_none_that_is_needless() {
        let sets = [vec![0, 1], vec![2, 3], vec![0, 1, 2], vec![2, 3]];
        assert_eq!(cover(&sets, &[false; 4]), [0, 1]);
        assert_eq!(cover(&sets, &[false, false, false, true]), [0, 3]);
        assert_eq!(cover(&[], &[]), [0; 0]);
    }

    proptest! {
        #[test]
        fn all_is_covered_and_nothing_can_be_left_out(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..12, 0..6), 0..12),
            kept in prop::collection::vec(any::<bool>(), 12),
        ) {
            let sets: Vec<Vec<u32>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let chosen = cover(&sets, &kept[..sets.len()]);
            let counts = count(chosen.iter().map(|&set| &sets[set]));
            let is_in = |element: u32| counts.get(element as usize).is_some_and(|&count| count > 0);
            prop_assert!(sets.iter().flatten().all(|&element| is_in(element)));
            for &set in &chosen {
                prop_assert!(sets[set].iter().any(|&element| counts[element as usize] == 1));
            }
            // Choosing again among the same, with the choice kept, changes nothing.
            let again: Vec<bool> = (0..sets.len()).map(|set| chosen.contains(&set)).collect();
            prop_assert_eq!(cover(&sets, &again), chosen);
        }
    }
}
