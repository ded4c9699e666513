//! The inputs that two logs have in common, with what the rows of either agree on. Like cleaning, in as many passes over
//! both as the memory asks for.

use super::{
    Campaign, Options,
    pass::{Inputs, Pass, Sorter},
    vector,
};
use crate::{Verdict, log::scan};
use std::sync::Arc;

/// The verdicts of all cells, where all rows of an input agree on them.
pub(crate) type Agreed = Arc<[Option<Verdict>]>;

/// Visits every input that both logs have: its identity, and its verdicts in the one and in the other. In no order that
/// means anything, and each once.
pub(crate) fn join(one: &Campaign, other: &Campaign, options: &Options, mut visit: impl FnMut(u64, &Agreed, &Agreed)) {
    let memory = usize::try_from(options.memory / 2).unwrap_or(usize::MAX);
    let read = |campaign: &Campaign, first: u64, width: u64| {
        let pass = Pass::new(first, width, memory, 0);
        let sorters = (0..options.workers.max(1)).map(|_| Sorter::new(&pass, &campaign.header, None)).collect();
        scan(&campaign.segments, sorters);
        pass.end()
    };
    let (mut first, mut width) = (0, u64::MAX);
    loop {
        let (mut ours, last) = read(one, first, width);
        let (mut theirs, last) = read(other, first, last - first);
        let (agreed, their_agreed) = (agreed(&mut ours), agreed(&mut theirs));
        for entry in theirs.table.entries() {
            if let Some(known) = ours.table.find(entry.identity) {
                visit(entry.identity, &agreed[known.vector as usize], &their_agreed[entry.vector as usize]);
            }
        }
        width = last - first;
        match last.checked_add(1) {
            Some(next) => first = next,
            None => break,
        }
    }
}

fn agreed(inputs: &mut Inputs) -> Vec<Agreed> {
    inputs.pool.get_mut().vectors().iter().map(|vector| vector::agreed(vector)).collect()
}
