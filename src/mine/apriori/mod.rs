//! The miner `apriori`: every rule that is frequent and reliable enough, as the paper has them.
//!
//! [`verdict_rules`] has a verdict as the consequence; [`rules`] has all that efficient-apriori finds, with several items
//! on either side; [`rules_for`] has one item of some as the consequence. All rules come in one order: shorter ones
//! first, then by the items of `when`, then by those of `then`. That does not depend on the order of rows.

mod frequent;
mod measures;

pub use measures::Counts;

use super::table::{Attributes, Side, Table};
use frequent::{Group, Mask, Rows, search};
use measures::share;
use std::{collections::HashMap, ops::Range};

/// What a rule needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// At least this share of all rows has all items of the rule. One row is the least in any case.
    pub min_support: f64,
    /// At least this share of the rows with the left side has the right side.
    pub min_confidence: f64,
    /// At most so many items, on both sides together. A verdict counts as an item.
    pub max_len: usize,
}

impl Thresholds {
    /// The least number of rows that is support enough.
    pub(crate) fn least(&self, rows: u64) -> u64 {
        // Asked as it is defined: `min_support * rows` may be rounded to the wrong side of a whole number.
        let (mut below, mut enough) = (0, rows.saturating_add(1));
        while below + 1 < enough {
            let middle = below.midpoint(enough);
            *(if share(middle, rows) >= self.min_support { &mut enough } else { &mut below }) = middle;
        }
        enough
    }

    fn is_reliable(&self, both: u64, when: u64) -> bool {
        share(both, when) >= self.min_confidence
    }
}

/// If all items of `when` are true, so are all items of `then`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The items on the left side, ascending.
    pub when: Vec<usize>,
    /// The items on the right side, ascending.
    pub then: Vec<usize>,
    /// How often they occur.
    pub counts: Counts,
}

/// If all items of `when` are true, the row violates, or holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictRule {
    /// The items, ascending.
    pub when: Vec<usize>,
    /// What follows.
    pub is_violated: bool,
    /// How often they occur.
    pub counts: Counts,
}

/// All rules whose consequence is a verdict; of two with the same items, the violated one comes first.
pub fn verdict_rules(table: &Table, thresholds: &Thresholds) -> Vec<VerdictRule> {
    let all = |side| Rows { side, mask: Mask::All };
    let rows = table.violated.rows() + table.held.rows();
    let items = 0..table.attributes.items();
    let mut rules = Vec::new();
    for (is_violated, own, other) in [(true, &table.violated, &table.held), (false, &table.held, &table.violated)] {
        let consequence = Consequence { own: all(own), other: all(other), then: own.rows(), rows };
        consequence.visit_rules(&table.attributes, items.clone(), thresholds, |when, counts| {
            rules.push(VerdictRule { when, is_violated, counts });
        });
    }
    rules.sort_by(|a, b| (a.when.len(), &a.when, b.is_violated).cmp(&(b.when.len(), &b.when, a.is_violated)));
    rules
}

/// All rules whose consequence is one of these items, and whose other items are none of these.
pub fn rules_for(
    consequences: Range<usize>,
    side: &Side,
    attributes: &Attributes,
    thresholds: &Thresholds,
) -> Vec<Rule> {
    let items = (0..attributes.items()).filter(|item| !consequences.contains(item));
    let mut rules = Vec::new();
    for item in consequences.clone() {
        let consequence = Consequence {
            own: Rows { side, mask: Mask::With(item) },
            other: Rows { side, mask: Mask::Without(item) },
            then: side.count(&[item]),
            rows: side.rows(),
        };
        consequence.visit_rules(attributes, items.clone(), thresholds, |when, counts| {
            rules.push(Rule { when, then: vec![item], counts });
        });
    }
    sort(&mut rules);
    rules
}

fn sort(rules: &mut [Rule]) {
    let key = |rule: &Rule| rule.when.len() + rule.then.len();
    rules.sort_unstable_by(|a, b| (key(a), &a.when, &a.then).cmp(&(key(b), &b.when, &b.then)));
}

/// What may follow, and the rows where it does and where it does not.
struct Consequence<'a> {
    own: Rows<'a>,
    other: Rows<'a>,
    then: u64,
    rows: u64,
}

impl Consequence<'_> {
    fn visit_rules(
        &self,
        attributes: &Attributes,
        items: impl Iterator<Item = usize>,
        thresholds: &Thresholds,
        mut visit: impl FnMut(Vec<usize>, Counts),
    ) {
        let least = thresholds.least(self.rows);
        // No set can be frequent, and the rows need not be looked at.
        if self.then < least {
            return;
        }
        let longest = thresholds.max_len.saturating_sub(1);
        search(self.own, attributes, items, (least, longest), |found| {
            for group in self.reliable(found, thresholds) {
                for tail in &group.tails {
                    let (both, when) = (tail.earlier, tail.earlier + tail.count);
                    visit(group.set(tail), Counts { rows: self.rows, when, then: self.then, both });
                }
            }
        });
    }

    /// The sets after which this follows often enough; most others are given up in the first shard.
    fn reliable(&self, found: &[Group], thresholds: &Thresholds) -> Vec<Group> {
        let again = |group: &Group| Group {
            prefix: group.prefix.clone(),
            tails: group.tails.iter().map(|t| t.again()).collect(),
        };
        let mut groups = found.iter().map(again).collect();
        self.other.count(&mut groups, |tail, _| thresholds.is_reliable(tail.earlier, tail.earlier + tail.count));
        groups
    }
}

/// All rules: every frequent set, divided in every way that is reliable enough.
pub fn rules(side: &Side, attributes: &Attributes, thresholds: &Thresholds) -> Vec<Rule> {
    let rows = side.rows();
    let mut counts: HashMap<Vec<usize>, u64> = HashMap::new();
    let limits = (thresholds.least(rows), thresholds.max_len);
    search(Rows { side, mask: Mask::All }, attributes, 0..attributes.items(), limits, |found| {
        let sets = found.iter().flat_map(|group| group.tails.iter().map(|tail| (group.set(tail), tail.count)));
        counts.extend(sets);
    });
    let mut rules = Vec::new();
    for (set, &both) in counts.iter().filter(|(set, _)| set.len() > 1) {
        Division { set, both, rows, counts: &counts, thresholds }.divide(&mut Vec::new(), 0, &mut rules);
    }
    sort(&mut rules);
    rules
}

/// A frequent set, to be divided into two sides.
struct Division<'a> {
    set: &'a [usize],
    both: u64,
    rows: u64,
    counts: &'a HashMap<Vec<usize>, u64>,
    thresholds: &'a Thresholds,
}

impl Division<'_> {
    /// Adds the rules whose right side is `then` and at least one of the items from number `from` on.
    fn divide(&self, then: &mut Vec<usize>, from: usize, rules: &mut Vec<Rule>) {
        for at in from..self.set.len() {
            then.push(self.set[at]);
            let when: Vec<usize> = self.set.iter().copied().filter(|item| !then.contains(item)).collect();
            // Whatever else moves to the right makes the left side more frequent, and the rule less reliable.
            if !when.is_empty() && self.thresholds.is_reliable(self.both, self.counts[&when]) {
                let counts = Counts {
                    rows: self.rows,
                    when: self.counts[&when],
                    then: self.counts[then.as_slice()],
                    both: self.both,
                };
                rules.push(Rule { when, then: then.clone(), counts });
                self.divide(then, at + 1, rules);
            }
            then.pop();
        }
    }
}

#[cfg(test)]
mod tests;
