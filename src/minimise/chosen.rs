//! The whole way: judge the candidates, cover all obligations, shrink, replay, and write down what is expected.

use super::{
    Ask, Book,
    candidates::size,
    cover::{count, cover},
    judged::{Judged, Pool, judge_all},
    obligation::Obligation,
    shrunk,
    smallest::add_smallest,
};
use crate::{
    corpus::{ByCell, DecidedCell, Expectation, Expected, Kept, Verdicts, name_of},
    log::{Header, Row, identity_of},
    replay::{names_of, value_of},
};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How often inputs whose verdicts change from one replay to the next are left out, and others chosen.
const ROUNDS: usize = 8;
/// How often each chosen input is replayed, by a new process each time.
const REPLAYS: usize = 2;

/// A minimal corpus.
pub(crate) struct Chosen {
    /// The inputs, in the order of their names.
    pub(crate) inputs: Vec<(Kept, Expected)>,
    /// All that they meet.
    pub(crate) met: BTreeSet<Obligation>,
    /// What was decided about their cells.
    pub(crate) decided: ByCell<DecidedCell>,
    /// How many inputs were judged.
    pub(crate) judged: usize,
    /// How many inputs had verdicts that change from one replay to the next.
    pub(crate) unsteady: usize,
}

/// Finds the smallest corpus; `say` is told how far it is.
pub(crate) fn choose(
    pool: Pool,
    book: &mut Book,
    header: &Header,
    ask: &mut dyn Ask,
    say: &mut dyn FnMut(&str),
) -> Result<Chosen> {
    say(&format!("replaying {} inputs", pool.committed.len() + pool.candidates.len()));
    let mut judged = judge_all(pool, book, ask, say)?;
    add_smallest(&mut judged, book, ask)?;
    let total = judged.len();
    let mut minimiser = Minimiser { book, ask, numbers: BTreeMap::new(), judged, banned: HashSet::new() };
    for _ in 0..ROUNDS {
        let chosen = minimiser.select(say)?;
        say(&format!("replaying the {} that are left", chosen.len()));
        let unsteady = minimiser.unsteady(&chosen)?;
        if unsteady.is_empty() {
            let unsteady = minimiser.banned.len();
            let (inputs, met) = minimiser.written(&chosen, header);
            let decided = minimiser.book.decided.table(chosen.iter().map(|pick| &pick.row));
            return Ok(Chosen { inputs, met, decided, judged: total, unsteady });
        }
        minimiser.banned.extend(unsteady);
    }
    bail!(
        "verdicts change from one replay to the next for {} inputs: no corpus can expect them; make the functions \
         deterministic first",
        minimiser.banned.len()
    )
}

/// An input that is chosen.
struct Pick {
    bytes: Vec<u8>,
    /// The input that it was shrunk from.
    origin: u64,
    row: Row,
    set: Vec<u32>,
    is_committed: bool,
}

struct Minimiser<'run> {
    book: &'run Book,
    ask: &'run mut dyn Ask,
    /// The obligations met so far, numbered.
    numbers: BTreeMap<Obligation, u32>,
    judged: Vec<Judged>,
    /// The identities of inputs that cannot be relied on.
    banned: HashSet<u64>,
}

impl Minimiser<'_> {
    fn numbered(&mut self, met: BTreeSet<Obligation>) -> Vec<u32> {
        let mut set: Vec<u32> = Vec::with_capacity(met.len());
        for obligation in met {
            let next = self.numbers.len() as u32;
            set.push(*self.numbers.entry(obligation).or_insert(next));
        }
        set.sort_unstable();
        set
    }

    /// The obligations with these numbers.
    fn named(&self, numbers: &[u32]) -> Vec<Obligation> {
        let is_wanted = |number: &u32| numbers.binary_search(number).is_ok();
        self.numbers.iter().filter(|(_, number)| is_wanted(number)).map(|(named, _)| named.clone()).collect()
    }

    /// Covers all obligations, and shrinks what is not committed yet.
    fn select(&mut self, say: &mut dyn FnMut(&str)) -> Result<Vec<Pick>> {
        self.numbers.clear();
        let usable: Vec<usize> =
            (0..self.judged.len()).filter(|&at| !self.banned.contains(&identity_of(&self.judged[at].row))).collect();
        let mut sets = Vec::with_capacity(usable.len());
        for &at in &usable {
            let met = self.book.met(&self.judged[at].row, &self.judged[at].edges);
            sets.push(self.numbered(met));
        }
        let is_kept: Vec<bool> = usable.iter().map(|&at| self.judged[at].is_committed).collect();
        let mut picks: Vec<Pick> = Vec::new();
        for position in cover(&sets, &is_kept) {
            let Judged { bytes, row, is_committed, .. } = &self.judged[usable[position]];
            picks.push(Pick {
                bytes: bytes.clone(),
                origin: identity_of(row),
                row: row.clone(),
                set: std::mem::take(&mut sets[position]),
                is_committed: *is_committed,
            });
        }
        say(&format!("shrinking {} inputs", picks.iter().filter(|pick| !pick.is_committed).count()));
        self.shrink_all(&mut picks)?;
        Ok(needed(picks))
    }

    /// Shrinks the new inputs one after the other, the largest first: each keeps what no other one meets.
    fn shrink_all(&mut self, picks: &mut [Pick]) -> Result<()> {
        for at in (0..picks.len()).rev().filter(|&at| !picks[at].is_committed).collect::<Vec<_>>() {
            let counts = count(picks.iter().map(|pick| &pick.set));
            let alone = |number: &u32| counts[*number as usize] == 1;
            let required: Vec<u32> = picks[at].set.iter().copied().filter(alone).collect();
            let required: Vec<Obligation> = self.named(&required);
            let book = self.book;
            let found = shrunk(&picks[at].bytes, self.ask, &mut |row, edges| {
                let met = book.met(row, edges);
                required.iter().all(|obligation| met.contains(obligation))
            })?;
            if let Some((row, edges)) = found {
                let set = self.numbered(self.book.met(&row, &edges));
                let origin = picks[at].origin;
                picks[at] = Pick { bytes: row.bytes.clone(), origin, row, set, is_committed: false };
            }
        }
        Ok(())
    }

    /// Replays what is chosen by new processes; the identities of those that do not show the same again.
    fn unsteady(&mut self, picks: &[Pick]) -> Result<Vec<u64>> {
        let mut unsteady = BTreeSet::new();
        for _ in 0..REPLAYS {
            self.ask.renew();
            for pick in picks {
                let again = self.ask.ask(&pick.bytes)?;
                let is_same = again.is_some_and(|(row, _)| {
                    row.verdicts == pick.row.verdicts && identity_of(&row) == identity_of(&pick.row)
                });
                if !is_same {
                    unsteady.extend([pick.origin, identity_of(&pick.row)]);
                }
            }
        }
        Ok(unsteady.into_iter().collect())
    }

    /// What is expected of each input, and all that they meet. Each obligation is told with the smallest input that
    /// meets it.
    fn written(&self, picks: &[Pick], header: &Header) -> (Vec<(Kept, Expected)>, BTreeSet<Obligation>) {
        let mut met = BTreeSet::new();
        let mut inputs = Vec::new();
        for pick in picks {
            let mut new = self.named(&pick.set);
            new.retain(|obligation| !met.contains(obligation));
            let mut keeps: Vec<String> = new.iter().filter(|new| new.lasts()).map(ToString::to_string).collect();
            keeps.sort();
            let expected = Expected {
                input: pick.row.input_text(header),
                value: value_of(&pick.row),
                keeps,
                edges: new.iter().map(Obligation::edges).sum(),
                accepted: self.book.decided.accepted(&pick.row),
                verdicts: verdicts(&pick.row, header),
            };
            met.extend(new);
            inputs.push((Kept { name: name_of(&pick.bytes), bytes: pick.bytes.clone() }, expected));
        }
        inputs.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        (inputs, met)
    }
}

/// What is still needed after shrinking, in the order of sizes, each once.
fn needed(mut picks: Vec<Pick>) -> Vec<Pick> {
    picks.sort_by(|one, other| size(&one.bytes).cmp(&size(&other.bytes)));
    picks.dedup_by(|one, other| one.bytes == other.bytes);
    let sets: Vec<Vec<u32>> = picks.iter().map(|pick| pick.set.clone()).collect();
    let chosen: HashSet<usize> = cover(&sets, &vec![true; sets.len()]).into_iter().collect();
    picks.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, pick)| pick).collect()
}

fn verdicts(row: &Row, header: &Header) -> Verdicts {
    let mut verdicts = Verdicts::new();
    for (&cell, verdict) in header.cells.iter().zip(row.verdicts.iter()) {
        let (function, relation) = names_of(header, cell);
        if let Some(verdict) = *verdict {
            verdicts.entry(function.into()).or_default().insert(relation.into(), Expectation(verdict));
        }
    }
    verdicts
}
