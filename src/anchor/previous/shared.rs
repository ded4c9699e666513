//! The inputs that both logs have, and whose verdict is another one now.

use super::{Known, Moved};
use crate::{
    Verdict,
    clean::{Options, among_smallest, for_each_row, join},
    log::Row,
    terminal::shorten,
};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

/// Of so many inputs of a cell that moved alike the simplest are chosen.
const CHOSEN_FROM: usize = 1 << 14;
/// How many of them are kept.
pub(super) const KEPT: usize = 100;
/// How much of each.
pub(super) const WIDTH: usize = 400;

/// One cell's inputs that both logs have.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    /// How many have a verdict in both.
    pub(super) inputs: u64,
    pub(super) moved: Vec<Moved>,
}

/// Inputs that moved alike.
#[derive(Default)]
struct Found {
    count: u64,
    identities: BTreeMap<u64, ()>,
}

/// The shared inputs of each of these cells, given by their positions in both logs.
pub(super) fn of_all(old: Known<'_>, new: Known<'_>, cells: &[(usize, usize)], options: &Options) -> Vec<Shared> {
    let mut shared = vec![Shared::default(); cells.len()];
    let mut moved: BTreeMap<(usize, Verdict, Verdict), Found> = BTreeMap::new();
    join(old.campaign, new.campaign, options, |identity, then, now| {
        for (position, &(old, new)) in cells.iter().enumerate() {
            let verdicts = then.get(old).copied().flatten().zip(now.get(new).copied().flatten());
            let Some((then, now)) = verdicts else { continue };
            if (then, now) == (Verdict::NotApplicable, Verdict::NotApplicable) {
                continue;
            }
            shared[position].inputs += 1;
            if then != now {
                let found = moved.entry((position, then, now)).or_default();
                found.count += 1;
                among_smallest(&mut found.identities, CHOSEN_FROM, identity, || ());
            }
        }
    });
    let simplest = simplest(new, &moved);
    for (((position, old, new), Found { count, .. }), kept) in moved.into_iter().zip(simplest) {
        let inputs = kept.inputs.into_keys().map(|(_, input)| input).collect();
        let row = kept.first.map(|(_, row)| row);
        shared[position].moved.push(Moved { old, new, count, inputs, row, is_again: false });
    }
    shared
}

/// The simplest of each kind, in the order of the kinds.
fn simplest(new: Known<'_>, moved: &BTreeMap<(usize, Verdict, Verdict), Found>) -> Vec<Kept> {
    let mut wanted: HashMap<u64, Vec<usize>> = HashMap::new();
    for (kind, found) in moved.values().enumerate() {
        found.identities.keys().for_each(|&identity| wanted.entry(identity).or_default().push(kind));
    }
    let kept: Mutex<Vec<Kept>> = Mutex::new(moved.iter().map(|_| Kept::default()).collect());
    if !wanted.is_empty() {
        for_each_row(new.campaign, |row, identity| {
            for &kind in wanted.get(&identity).into_iter().flatten() {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept[kind].add(row, (row.room(), row.input_text(&new.cleaned.header)));
            }
        });
    }
    kept.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The simplest inputs that moved alike: how much room they take, and their text.
#[derive(Default)]
struct Kept {
    inputs: BTreeMap<(usize, String), ()>,
    /// The simplest; of its rows, the one that shows the most.
    first: Option<((usize, String), Row)>,
}

impl Kept {
    fn add(&mut self, row: &Row, (room, input): (usize, String)) {
        among_smallest(&mut self.inputs, KEPT, (room, shorten(&input, WIDTH)), || ());
        let key = (room, input);
        let order = |(known, other): &((usize, String), Row)| key.cmp(known).then_with(|| by_what_it_shows(row, other));
        if self.first.as_ref().is_none_or(|first| order(first) == Ordering::Less) {
            self.first = Some((key, row.clone()));
        }
    }
}

/// What shows more comes first: bytes that can be replayed, outputs, and few bytes. The execution decides between equals.
fn by_what_it_shows(one: &Row, other: &Row) -> Ordering {
    let key = |row: &Row| (!row.has_bytes(), row.detail.is_none(), row.bytes.len());
    key(one).cmp(&key(other)).then_with(|| (&one.bytes, one.id).cmp(&(&other.bytes, other.id)))
}
