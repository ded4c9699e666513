//! Learns constants from verdicts: where a form has to be cut, and which of its values stand out.

use super::{
    bits::Bits,
    form::{At, Bound, Comparison, Form, Op, Values},
    frame::Frame,
    predicate::Predicate,
    text::nicest,
};

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

/// A value of a form, or a float's place among all floats, with how many rows of either verdict have it.
#[derive(Clone, Copy, Debug)]
struct Group {
    key: i128,
    violated: u64,
    held: u64,
}

/// A way to part the rows by a form.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Above the first key, which has the second as its neighbour.
    Above(i128, i128),
    /// Just this key.
    At(i128),
}

/// Learns comparisons that part the violated from the held rows.
pub(crate) fn learn(frame: &Frame, violated: &Bits, held: &Bits) -> Learned {
    let forms = &frame.forms;
    let mut learned = Learned::default();
    let (few_violated, few_held) = (sample(violated), sample(held));
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (position, form) in forms.iter().enumerate() {
        let groups = group(frame, form, &few_violated, &few_held);
        learned.tried += 2 * groups.len() as u64;
        let best = form.cuts(&groups).into_iter().map(|(gain, _)| gain).fold(0.0, f64::max);
        // The simpler form first, where both say the same.
        ranked.push((best - f64::from(form.cost()) * 1e-6, position));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let is_all = violated.count() as usize <= SAMPLE && held.count() as usize <= SAMPLE;
    let (all_violated, all_held): (Vec<usize>, Vec<usize>) =
        if is_all { (few_violated, few_held) } else { (violated.ones().collect(), held.ones().collect()) };
    for &(_, position) in ranked.iter().take(CHOSEN) {
        let form = &forms[position];
        let values = form.values(&frame.terms, frame.rows);
        for (_, cut) in form.cuts(&group(frame, form, &all_violated, &all_held)) {
            learned.add(frame, form, &values, cut);
        }
    }
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

    fn add(&mut self, frame: &Frame, form: &Form, values: &Values, cut: Cut) {
        let is_float = form.is_float(&frame.terms.terms);
        let (op, bound) = match (cut, is_float) {
            (Cut::At(key), false) => (Op::Equal, Bound::Integer(key)),
            (Cut::At(key), true) => (Op::Equal, Bound::Float(float_of(key))),
            (Cut::Above(low, high), false) => (Op::Greater, Bound::Integer(nicest(low, high - 1))),
            (Cut::Above(low, high), true) => between(float_of(low), float_of(high)),
        };
        self.push(values, Comparison { form: form.clone(), op, bound });
        let opposite = match op {
            Op::Greater => Op::AtMost,
            Op::AtLeast => Op::Less,
            _ => return,
        };
        if !form.is_total(&frame.terms.terms) {
            self.push(values, Comparison { form: form.clone(), op: opposite, bound });
        }
    }

    fn push(&mut self, values: &Values, comparison: Comparison) {
        let predicate = Predicate::Compare(comparison.clone());
        if self.predicates.iter().any(|(known, _)| *known == predicate) {
            return;
        }
        let bits = comparison.bits(values);
        if bits.count() > 0 {
            self.predicates.push((predicate, bits));
        }
    }
}

/// Some rows, evenly spread.
fn sample(rows: &Bits) -> Vec<usize> {
    let step = (rows.count() as usize).div_ceil(SAMPLE).max(1);
    rows.ones().step_by(step).collect()
}

/// The values that a form has in these rows, in order.
fn group(frame: &Frame, form: &Form, violated: &[usize], held: &[usize]) -> Vec<Group> {
    let is_float = form.is_float(&frame.terms.terms);
    let key = |&row: &usize| {
        let at = At(&frame.terms, row);
        if is_float { form.float(&at).map(key_of) } else { form.integer(&at) }
    };
    let violated = violated.iter().filter_map(key).map(|key| (key, true));
    let mut keys: Vec<(i128, bool)> = violated.chain(held.iter().filter_map(key).map(|key| (key, false))).collect();
    keys.sort_unstable();
    let mut groups: Vec<Group> = Vec::new();
    for (key, is_violated) in keys {
        if groups.last().is_none_or(|group| group.key != key) {
            groups.push(Group { key, violated: 0, held: 0 });
        }
        let Some(group) = groups.last_mut() else { continue };
        *(if is_violated { &mut group.violated } else { &mut group.held }) += 1;
    }
    groups
}

impl Form {
    fn cuts(&self, groups: &[Group]) -> Vec<(f64, Cut)> {
        let mut cuts = cuts(groups);
        cuts.retain(|(_, cut)| self.is_ordered() || matches!(cut, Cut::At(_)));
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
    for (position, group) in groups[..groups.len() - 1].iter().enumerate() {
        below = (below.0 + group.violated, below.1 + group.held);
        let gain = gain(below, total);
        if best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, position));
        }
    }
    let above = |position: usize| Cut::Above(groups[position].key, groups[position + 1].key);
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
        .map(|group| (gain((group.violated, group.held), total), Cut::At(group.key)))
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

/// What a part of the rows tells about the verdict, both verdicts weighing alike: bits per row.
fn gain(part: (u64, u64), total: (u64, u64)) -> f64 {
    let share = |count: u64, of: u64| if of == 0 { 0.0 } else { count as f64 / of as f64 };
    let (violated, held) = (share(part.0, total.0), share(part.1, total.1));
    let entropy = |one: f64, other: f64| {
        let all = one + other;
        if one <= 0.0 || other <= 0.0 { 0.0 } else { -(one * (one / all).log2() + other * (other / all).log2()) }
    };
    2.0 - entropy(violated, held) - entropy(1.0 - violated, 1.0 - held)
}

/// A float's place among all floats.
fn key_of(float: f64) -> i128 {
    // Zero has one place, whatever its sign.
    let bits = (if float == 0.0 { 0.0 } else { float }).to_bits() as i64;
    (if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }).into()
}

fn float_of(key: i128) -> f64 {
    let key = key as i64;
    f64::from_bits((if key < 0 { i64::MIN.wrapping_sub(key) } else { key }) as u64)
}

/// The shortest constant that parts two floats.
fn between(low: f64, high: f64) -> (Op, Bound) {
    if high == 0.0 {
        return (Op::AtLeast, Bound::Float(0.0));
    }
    for digits in 0..17usize {
        for candidate in [low, f64::midpoint(low, high), high] {
            let Ok(rounded) = format!("{candidate:.digits$}").parse::<f64>() else { continue };
            if rounded >= low && rounded < high {
                return (Op::Greater, Bound::Float(if rounded == 0.0 { 0.0 } else { rounded }));
            }
        }
    }
    (Op::Greater, Bound::Float(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_order_as_keys() {
        let floats = [f64::NEG_INFINITY, -2.5, -f64::MIN_POSITIVE, 0.0, 1e-300, 0.1, 7.0, f64::INFINITY];
        assert!(floats.map(key_of).is_sorted());
        assert_eq!(floats.map(|float| float_of(key_of(float))), floats);
        assert_eq!(key_of(-0.0), key_of(0.0));
    }

    #[test]
    fn the_constant_between_two_floats_is_short() {
        assert_eq!(between(0.4999, 0.5001), (Op::Greater, Bound::Float(0.5)));
        assert_eq!(between(-3.0, 0.0), (Op::AtLeast, Bound::Float(0.0)));
        assert_eq!(between(0.0, 17.3), (Op::Greater, Bound::Float(0.0)));
    }
}
