//! Learns constants from verdicts: where a form has to be cut, and which of its values stand out.

use super::{
    bits::Bits,
    form::{Bound, Comparison, Form, Op},
    frame::Frame,
    predicate::Predicate,
    rank::{Group, Ranked, float_of, key_of},
    term::Terms,
    text::nicest,
};
use std::ops::Range;

/// How many rows of each verdict are looked at to choose the forms.
const SAMPLE: usize = 4096;
/// How many forms are looked at in full.
const CHOSEN: usize = 32;
/// How many values of a form are compared for equality.
const EQUAL: usize = 3;

/// What was learned from some rows.
#[derive(Default)]
pub(crate) struct Learned {
    pub(crate) predicates: Vec<(Predicate, Bits)>,
    /// How many comparisons were looked at.
    pub(crate) tried: u64,
}

/// A way to part the rows by a form, whose values are given by their ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Above the first value, which has the second as its neighbour.
    Above(usize, usize),
    /// Just this value.
    At(usize),
}

impl Cut {
    /// The same, where it parts one value from all others: a remainder above 98 of 100 is 99.
    fn of_one(self, groups: &[Group]) -> Self {
        let is_at = |group: Option<&Group>, rank: usize| group.is_some_and(|group| group.rank == rank);
        match self {
            Self::Above(_, high) if is_at(groups.last(), high) => Self::At(high),
            Self::Above(low, _) if is_at(groups.first(), low) => Self::At(low),
            _ => self,
        }
    }
}

/// Learns comparisons that part the violated from the held rows.
pub(crate) fn learn(frame: &Frame, violated: &Bits, held: &Bits) -> Learned {
    let mut learned = Learned::default();
    let (few_violated, few_held) = (spread(violated, SAMPLE), spread(held, SAMPLE));
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (position, (form, ranks)) in frame.forms.iter().enumerate() {
        let groups = ranks.groups(&few_violated, &few_held);
        learned.tried += 2 * groups.len() as u64;
        let best = form.cuts(&groups).into_iter().map(|(gain, _)| gain).fold(0.0, f64::max);
        // The simpler form first, where both say the same.
        ranked.push((best - f64::from(form.cost()) * 1e-6, position));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let all = |rows: &Bits| rows.ones().map(|row| row as u32).collect::<Vec<u32>>();
    let (all_violated, all_held) = (all(violated), all(held));
    for &(_, position) in ranked.iter().take(CHOSEN) {
        let (form, ranks) = &frame.forms[position];
        for (_, cut) in form.cuts(&ranks.groups(&all_violated, &all_held)) {
            learned.add(frame, form, ranks, cut);
        }
    }
    learned.join(frame.texts.learn(violated, held));
    learned
}

impl Learned {
    /// Adds what was learned elsewhere.
    pub(crate) fn join(&mut self, other: Self) {
        self.tried += other.tried;
        for (predicate, bits) in other.predicates {
            if !self.predicates.iter().any(|(known, _)| *known == predicate) {
                self.predicates.push((predicate, bits));
            }
        }
    }

    fn add(&mut self, frame: &Frame, form: &Form, ranks: &Ranked, cut: Cut) {
        let is_float = form.is_float(&frame.terms.terms);
        let key = |rank: usize| ranks.key(form, &frame.terms, rank);
        let (op, bound) = match (cut, is_float) {
            (Cut::At(rank), false) => (Op::Equal, Bound::Integer(key(rank))),
            (Cut::At(rank), true) => (Op::Equal, Bound::Float(float_of(key(rank)))),
            (Cut::Above(low, high), false) => (Op::Greater, Bound::Integer(above(key(low), key(high)))),
            (Cut::Above(low, high), true) => between(float_of(key(low)), float_of(key(high))),
        };
        // Of equal infinities can be said that they are equal, but not how far they are apart.
        if bound != Bound::Float(0.0) && form.meets_infinities(&frame.terms.terms) {
            return;
        }
        let comparison = Comparison { form: form.clone(), op, bound };
        let range = ranks.range(&comparison, &frame.terms);
        self.push(comparison.clone(), ranks, range.clone());
        let opposite = match op {
            Op::Greater => Op::AtMost,
            Op::AtLeast => Op::Less,
            _ => return,
        };
        if !form.is_total(&frame.terms.terms) {
            self.push(Comparison { op: opposite, ..comparison }, ranks, 0..range.start);
        }
    }

    fn push(&mut self, comparison: Comparison, ranks: &Ranked, range: Range<usize>) {
        let predicate = Predicate::Compare(comparison);
        if !range.is_empty() && !self.predicates.iter().any(|(known, _)| *known == predicate) {
            self.predicates.push((predicate, ranks.within(range)));
        }
    }
}

impl Ranked {
    /// The ranks of the values for which a comparison is true, as learned ones are: one, or all above a bound.
    fn range(&self, comparison: &Comparison, terms: &Terms) -> Range<usize> {
        let key = match comparison.bound {
            Bound::Integer(bound) => bound,
            Bound::Float(bound) => key_of(bound),
        };
        let above = |bound| self.first_above(&comparison.form, terms, bound);
        match comparison.op {
            Op::Equal => above(key - 1)..above(key),
            Op::AtLeast => above(key - 1)..self.len(),
            _ => above(key)..self.len(),
        }
    }
}

/// At most so many rows, evenly spread.
pub(super) fn spread(rows: &Bits, most: usize) -> Vec<u32> {
    let step = (rows.count() as usize).div_ceil(most).max(1);
    rows.ones().step_by(step).map(|row| row as u32).collect()
}

/// The whole number that is best named as what parts two: those above it are on the other side.
fn above(low: i128, high: i128) -> i128 {
    // What is written may be the lower neighbour of the other side: `>= 1000` is above 999.
    let best = nicest(low, high);
    if best == high { high - 1 } else { best }
}

impl Form {
    fn cuts(&self, groups: &[Group]) -> Vec<(f64, Cut)> {
        let mut cuts = cuts(groups);
        cuts.retain(|(_, cut)| self.is_ordered() || matches!(cut, Cut::At(_)));
        if matches!(self, Self::Remainder(..)) {
            cuts.iter_mut().for_each(|(_, cut)| *cut = cut.of_one(groups));
        }
        cuts
    }
}

/// The cuts worth a try, with how much each tells about the verdict.
fn cuts(groups: &[Group]) -> Vec<(f64, Cut)> {
    if groups.len() < 2 {
        return Vec::new();
    }
    let total = groups.iter().fold((0, 0), |(violated, held), group| (violated + group.violated, held + group.held));
    let mut found: Vec<(f64, Cut)> = Vec::new();
    let mut best: Option<(f64, usize)> = None;
    let mut below = (0, 0);
    for (position, pair) in groups.windows(2).enumerate() {
        below = (below.0 + pair[0].violated, below.1 + pair[0].held);
        // Between values of one and the same verdict there is never the best cut.
        let is_same = |count: fn(&Group) -> u32| pair.iter().all(|group| count(group) == 0);
        if is_same(|group| group.violated) || is_same(|group| group.held) {
            continue;
        }
        let gain = gain(below, total);
        if best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, position));
        }
    }
    let above = |position: usize| Cut::Above(groups[position].rank, groups[position + 1].rank);
    found.extend(best.map(|(gain, position)| (gain, above(position))));
    // Where rows of one verdict end: the side of an AND or of an OR.
    let has_violated = |group: &Group| group.violated > 0;
    let has_held = |group: &Group| group.held > 0;
    for edge in [edges(groups, has_violated), edges(groups, has_held)].into_iter().flatten() {
        let below = groups[..=edge].iter().fold((0, 0), |sum, group| (sum.0 + group.violated, sum.1 + group.held));
        found.push((gain(below, total), above(edge)));
    }
    let mut equal: Vec<(f64, Cut)> = groups
        .iter()
        .filter(|group| group.violated + group.held > 1)
        .map(|group| (gain((group.violated, group.held), total), Cut::At(group.rank)))
        .collect();
    equal.sort_by(|one, other| other.0.total_cmp(&one.0));
    equal.truncate(EQUAL);
    found.extend(equal);
    let mut seen: Vec<Cut> = Vec::new();
    found.retain(|(_, cut)| {
        let is_new = !seen.contains(cut);
        seen.push(*cut);
        is_new
    });
    found
}

/// The positions before the first and after the last group of a kind, where there are others beyond.
fn edges(groups: &[Group], is_it: impl Fn(&Group) -> bool) -> Vec<usize> {
    let first = groups.iter().position(&is_it).and_then(|first| first.checked_sub(1));
    let last = groups.iter().rposition(&is_it).filter(|&last| last + 1 < groups.len());
    [first, last].into_iter().flatten().collect()
}

/// What a part of the rows tells about the verdict, both verdicts weighing alike: how much purer the two parts are.
pub(super) fn gain(part: (u32, u32), total: (u32, u32)) -> f64 {
    let share = |count: u32, of: u32| if of == 0 { 0.0 } else { f64::from(count) / f64::from(of) };
    let (violated, held) = (share(part.0, total.0), share(part.1, total.1));
    let mixed = |one: f64, other: f64| if one <= 0.0 || other <= 0.0 { 0.0 } else { one * other / (one + other) };
    0.5 - mixed(violated, held) - mixed(1.0 - violated, 1.0 - held)
}

/// The shortest constant that parts two floats.
fn between(low: f64, high: f64) -> (Op, Bound) {
    if high == 0.0 {
        return (Op::AtLeast, Bound::Float(0.0));
    }
    let are_single = [low, high].iter().all(|&float| f64::from(float as f32) == float);
    for digits in 0..17usize {
        for candidate in [low, f64::midpoint(low, high), high] {
            let Ok(rounded) = format!("{candidate:.digits$}").parse::<f64>() else { continue };
            let bound = Bound::Float(if rounded == 0.0 { 0.0 } else { rounded });
            // Beside an `f32` it is read as one, which must be on the same side of it: it may be a row's.
            let narrow = f64::from(rounded as f32);
            if are_single && narrow > rounded && rounded > low && narrow <= high {
                return (Op::AtLeast, bound);
            }
            if rounded >= low && rounded < high && !(are_single && narrow > rounded) {
                return (Op::Greater, bound);
            }
        }
    }
    (Op::Greater, Bound::Float(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_a_number_that_a_person_would_write() {
        assert_eq!((above(997, 1000), above(127, 128), above(0, 1), above(93, 104)), (999, 127, 0, 100));
    }

    #[test]
    fn the_constant_between_two_floats_is_short() {
        assert_eq!(between(0.4999, 0.5001), (Op::Greater, Bound::Float(0.5)));
        assert_eq!(between(-3.0, 0.0), (Op::AtLeast, Bound::Float(0.0)));
        assert_eq!(between(0.0, 17.3), (Op::Greater, Bound::Float(0.0)));
    }

    #[test]
    fn a_constant_between_two_floats_says_the_same_beside_every_f32() {
        let singles = [-7.3f32, -0.7, -0.1, 0.05, 0.1, 0.1f32.next_up(), 0.3, 1.5, 16_777_216.0, 3.3e9];
        for pair in singles.windows(2) {
            let (op, Bound::Float(bound)) = between(pair[0].into(), pair[1].into()) else { unreachable!() };
            let narrow = bound as f32;
            for single in [pair[0], narrow.next_down(), narrow, narrow.next_up(), pair[1]] {
                let (is_met, wide) = match op {
                    Op::AtLeast => (single >= narrow, f64::from(single) >= bound),
                    _ => (single > narrow, f64::from(single) > bound),
                };
                assert_eq!(is_met, wide, "{single} {op:?} {bound}");
            }
            let is_met = |single: f32| if op == Op::AtLeast { single >= narrow } else { single > narrow };
            assert!(!is_met(pair[0]) && is_met(pair[1]), "{pair:?} {op:?} {bound}");
        }
        assert_eq!(between(0.05f32.into(), 0.2f32.into()), (Op::AtLeast, Bound::Float(0.1)));
    }
}
