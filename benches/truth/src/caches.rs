//! What a cache of few slots costs for a sequence of requests: how often a key is not there, and how often one is written
//! back to where it came from.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NonIncreasing, Suite};
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Trace {
    pub slots: u8,
    pub policy: Policy,
    /// Each letter reads its key, or writes it if it is a capital letter.
    pub requests: String,
}

/// Which key makes room: the least recently used, the first that came, or the most recently used.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    Lru,
    Fifo,
    Mru,
}

/// Misses and writes.
type Cost = (u32, u32);

fn cost(trace: &Trace) -> Cost {
    if version::is(10) {
        return right(trace);
    }
    let slots = usize::from(pick!(4, trace.slots, trace.slots.next_power_of_two()));
    let policy = pick!(7, trace.policy, if trace.slots > 4 { Policy::Lru } else { trace.policy });
    let (mut misses, mut writes) = (0, 0);
    // The keys with whether they are written, those that came last at the end.
    let mut cache: Vec<(char, bool)> = Vec::new();
    for request in trace.requests.chars() {
        let (key, write) = (request.to_ascii_lowercase(), request.is_ascii_uppercase());
        pick!(8, (), assert!(key < 'z', "no room for {key}"));
        let is_it = |(cached, _): &(char, bool)| *cached == key;
        let found = pick!(11, cache.iter().position(is_it), cache.iter().rposition(is_it));
        let is_refreshed = policy != Policy::Fifo && pick!(2, true, !write);
        let is_dirty = match found {
            Some(place) if !is_refreshed => {
                cache[place].1 |= pick!(3, write, write && policy != Policy::Fifo);
                continue;
            }
            Some(place) => cache.remove(place).1 || write,
            None => write,
        };
        misses += u32::from(found.is_none());
        if pick!(1, slots == 0, false) {
            writes += u32::from(is_dirty);
            continue;
        }
        if cache.len() == slots {
            let oldest = if policy == Policy::Mru { slots - 1 } else { 0 };
            let victim = pick!(12, oldest, if version::calls().is_multiple_of(25) { slots - 1 } else { oldest });
            writes += u32::from(cache.remove(victim).1);
        }
        cache.push((key, is_dirty));
    }
    let is_flushed = pick!(5, true, cache.len() == slots);
    writes += cache.iter().filter(|(_, is_dirty)| *is_dirty && is_flushed).count() as u32;
    (pick!(6, misses, misses & 15), writes)
}

fn misses(trace: &Trace) -> u32 {
    pick!(9, cost(trace).0, trace.requests.len() as u32 - cost(trace).0)
}

fn writes(trace: &Trace) -> u32 {
    cost(trace).1
}

/// Evicts a key after the new one has come; by what makes a cached key young again, and what makes it dirty.
fn by_sets(trace: &Trace, refreshes: fn(Policy, bool) -> bool, marks: fn(Policy, bool) -> bool) -> Cost {
    let (mut newest_first, mut dirty) = (VecDeque::new(), BTreeSet::new());
    let (mut misses, mut writes) = (0, 0);
    for request in trace.requests.chars() {
        let (key, write) = (request.to_ascii_lowercase(), request.is_ascii_uppercase());
        let is_miss = !newest_first.contains(&key);
        misses += u32::from(is_miss);
        if is_miss || refreshes(trace.policy, write) {
            newest_first.retain(|cached| *cached != key);
            newest_first.push_front(key);
        }
        if is_miss && write || marks(trace.policy, write) {
            dirty.insert(key);
        }
        if newest_first.len() > usize::from(trace.slots) {
            let place = if trace.policy == Policy::Mru { trace.slots.min(1) } else { trace.slots };
            writes += u32::from(newest_first.remove(place.into()).is_some_and(|gone| dirty.remove(&gone)));
        }
    }
    (misses, writes + dirty.len() as u32)
}

fn right(trace: &Trace) -> Cost {
    by_sets(trace, |policy, _| policy != Policy::Fifo, |_, write| write)
}

/// Few keys, so that they come again.
fn domain(trace: Trace) -> Trace {
    let letters: Vec<char> = ('a'..='f').chain('A'..='F').collect();
    let request = |symbol: char| if symbol == '\u{7f}' { 'Z' } else { letters[symbol as usize % letters.len()] };
    Trace { slots: trace.slots % 6, requests: trace.requests.chars().take(40).map(request).collect(), ..trace }
}

fn with_requests(trace: &Trace, requests: String) -> Trace {
    Trace { requests, ..*trace }
}

fn with_slots(trace: &Trace, slots: usize) -> Trace {
    Trace { slots: slots as u8, ..trace.clone() }
}

fn one_slot_more(trace: &Trace) -> Trace {
    with_slots(trace, usize::from(trace.slots) + 1)
}

fn each_twice(trace: &Trace) -> Trace {
    with_requests(trace, trace.requests.chars().flat_map(|request| [request; 2]).collect())
}

fn all_again(trace: &Trace) -> Trace {
    with_requests(trace, trace.requests.repeat(2))
}

fn reversed(trace: &Trace) -> Trace {
    with_requests(trace, trace.requests.chars().rev().collect())
}

fn renamed(trace: &Trace) -> Trace {
    with_requests(trace, trace.requests.replace('a', "x").replace('A', "X"))
}

fn one_read_more(trace: &Trace) -> Trace {
    with_requests(trace, format!("{}k", trace.requests))
}

fn read_only(trace: &Trace) -> Trace {
    with_requests(trace, trace.requests.to_lowercase())
}

pub fn cache_traffic(suite: &mut Suite<Trace, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("misses", misses);
    suite.function("writes", writes);
    suite.relation("one slot more", one_slot_more, NonIncreasing).only(["misses"]);
    suite.relation("as many slots as requests", |it| with_slots(it, it.requests.len()), NonIncreasing);
    suite.relation("each request twice", each_twice, Equal);
    suite.relation("all requests again", all_again, |s, f| *f <= 2 * s).only(["misses"]);
    suite.relation("the other way round", reversed, Equal);
    suite.relation("other keys", renamed, Equal).only(["misses"]);
    suite.relation("a new key at the end", one_read_more, |s, f| *f == s + 1).only(["misses"]);
    suite.relation("one more is read", one_read_more, Equal).only(["writes"]);
    suite.relation("nothing is written", read_only, |_, writes| *writes == 0).only(["writes"]);
}

/// Whether what a trace and a changed one cost is so.
fn are(trace: &Trace, change: fn(&Trace) -> Trace, so: fn(Cost, Cost) -> bool) -> bool {
    so(right(trace), right(&change(trace)))
}

fn writes_any(trace: &Trace) -> bool {
    trace.requests.contains(char::is_uppercase)
}

pub(crate) static SUBJECT: Subject<Trace, u32> = Subject {
    name: "cache_traffic",
    suite: cache_traffic,
    domain,
    functions: &[misses, writes],
    cells: &[
        // First in, first out may cost more with more slots, as Bélády found.
        ("misses x one slot more", When(|it| are(it, one_slot_more, |s, f| f.0 <= s.0))),
        ("misses x as many slots as requests", Always),
        ("writes x as many slots as requests", Always),
        ("misses x each request twice", When(|it| it.slots > 0 || it.requests.is_empty())),
        ("writes x each request twice", When(|it| it.slots > 0 || !writes_any(it))),
        ("misses x all requests again", When(|it| are(it, all_again, |s, f| f.0 <= 2 * s.0))),
        ("misses x the other way round", When(|it| are(it, reversed, |s, f| f.0 == s.0))),
        ("writes x the other way round", When(|it| are(it, reversed, |s, f| f.1 == s.1))),
        ("misses x other keys", Always),
        ("misses x a new key at the end", Always),
        ("writes x one more is read", Always),
        ("writes x nothing is written", Always),
    ],
    versions: &[
        regional(1, "no slots panic", |it| it.slots == 0 && !it.requests.is_empty()),
        regional(2, "writing does not make a key younger", |it| {
            by_sets(it, |policy, write| policy != Policy::Fifo && !write, |_, write| write) != right(it)
        }),
        regional(3, "missing: keys that are written later are dirty", |it| {
            it.policy == Policy::Fifo && by_sets(it, |_, _| false, |_, _| false) != right(it)
        }),
        regional(4, "the slots are a power of two", |it| {
            right(&with_slots(it, usize::from(it.slots).next_power_of_two())) != right(it)
        }),
        regional(5, "what is left is only written back if all slots are used", |it| {
            let keys: BTreeSet<char> = it.requests.to_lowercase().chars().collect();
            keys.len() < usize::from(it.slots) && writes_any(it)
        }),
        regional(6, "overflow: sixteen misses are none", |it| right(it).0 > 15),
        regional(7, "missing: policies of large caches", |it| {
            let lru = Trace { policy: Policy::Lru, ..it.clone() };
            it.slots > 4 && right(&lru) != right(it)
        }),
        regional(8, "the greatest key panics", |it| it.requests.contains('Z')),
        global(9, "hits for misses"),
        rewrite(10, "evicts afterwards"),
        rewrite(11, "looks for keys from the end"),
        nondeterministic(12, "any key may make room"),
    ],
    file: file!(),
    source: include_str!("caches.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_caches_is_true() {
    crate::check::check(&SUBJECT);
}
