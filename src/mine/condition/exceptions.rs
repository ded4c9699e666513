//! The rows that a condition gets wrong.

use super::{
    Condition, When, bits,
    data::{self},
};
use crate::mine::table::{SHARD_ROWS, Side, Table};

/// Rows that a condition gets wrong, by their position within their side, counted through the shards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    /// Held rows where the condition says violated.
    pub false_alarms: Vec<usize>,
    /// Violated rows where the condition says held.
    pub missed: Vec<usize>,
}

/// At most `limit` exceptions of each kind, spread evenly over the rows.
pub fn exceptions(table: &Table, condition: &Condition, limit: usize) -> Exceptions {
    let says_violated = |side: &Side| {
        let everything = bits::all(side);
        let mut covered = vec![0; everything.len()];
        for term in &condition.terms {
            bits::add(&mut covered, &data::with(side, &everything, term));
        }
        if condition.when == When::Held {
            let mut rest = everything;
            bits::remove(&mut rest, &covered);
            covered = rest;
        }
        covered
    };
    let mut missed = bits::all(&table.violated);
    bits::remove(&mut missed, &says_violated(&table.violated));
    Exceptions {
        false_alarms: positions(&table.held, &says_violated(&table.held), limit),
        missed: positions(&table.violated, &missed, limit),
    }
}

/// Bits of a mask as positions of rows: shards need not be full.
fn positions(side: &Side, mask: &[u64], limit: usize) -> Vec<usize> {
    let starts: Vec<usize> = side
        .shards
        .iter()
        .scan(0, |next, shard| {
            let start = *next;
            *next += shard.rows();
            Some(start)
        })
        .collect();
    bits::ones_of(mask, limit).into_iter().map(|bit| starts[bit / SHARD_ROWS] + bit % SHARD_ROWS).collect()
}
