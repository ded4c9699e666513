//! All inputs that can be chosen from, judged.

use super::{Ask, Book, candidates::size};
use crate::{
    corpus::Expected,
    hash,
    log::{Row, identity_of},
    replay::value_of,
};
use anyhow::Result;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How often it is told how many inputs are judged.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// What can be chosen from.
pub(crate) struct Pool {
    /// The committed inputs, with what is expected of them if that is known: they stay as long as they are needed.
    pub(crate) committed: Vec<(Vec<u8>, Option<Expected>)>,
    /// All others.
    pub(crate) candidates: Vec<Vec<u8>>,
}

impl Pool {
    /// libFuzzer and AFL skip files without a byte, so such an input gets one. Decoding sees zeroes behind the end: the
    /// input is nearly always the same.
    pub(crate) fn new(mut committed: Vec<(Vec<u8>, Option<Expected>)>, mut candidates: Vec<Vec<u8>>) -> Self {
        let all = committed.iter_mut().map(|(bytes, _)| bytes).chain(&mut candidates);
        all.filter(|bytes| bytes.is_empty()).for_each(|bytes| bytes.push(0));
        candidates.sort();
        candidates.dedup();
        Self { committed, candidates }
    }
}

/// An input that was judged.
pub(super) struct Judged {
    pub(super) bytes: Vec<u8>,
    pub(super) row: Row,
    pub(super) edges: Vec<u32>,
    pub(super) is_committed: bool,
}

/// What inputs have in common of which one is enough: their value, and the edges they reach.
type Likeness = (u64, u64);

impl Judged {
    fn likeness(&self) -> Likeness {
        let edges: Vec<u8> = self.edges.iter().flat_map(|edge| edge.to_le_bytes()).collect();
        (identity_of(&self.row), hash::of_bytes(&edges, 0))
    }
}

/// Judges all inputs, and tells the book which of the candidates are nearest to the opposite verdict. One of those that
/// decode to the same, and reach the same edges on the way, is kept: the committed one, else the smallest. They come in the
/// order of their sizes.
pub(super) fn judge_all(
    pool: Pool,
    book: &mut Book,
    ask: &mut dyn Ask,
    say: &mut dyn FnMut(&str),
) -> Result<Vec<Judged>> {
    let mut last_told = Instant::now();
    let mut judged: BTreeMap<Likeness, Judged> = BTreeMap::new();
    for (position, bytes) in pool.candidates.iter().enumerate() {
        if last_told.elapsed() > TELL_EVERY {
            last_told = Instant::now();
            say(&format!("replayed {position}"));
        }
        let Some((row, edges)) = ask.ask(bytes)? else { continue };
        let found = Judged { bytes: row.bytes.clone(), row, edges, is_committed: false };
        let known = judged.get(&found.likeness());
        if known.is_none_or(|known| size(&found.bytes) < size(&known.bytes)) {
            judged.insert(found.likeness(), found);
        }
    }
    let candidates: Vec<Row> = judged.values().map(|judged| without_detail(&judged.row)).collect();
    for (bytes, expected) in &pool.committed {
        let Some((row, edges)) = ask.ask(bytes)? else { continue };
        if let Some(expected) = expected.as_ref().filter(|expected| expected.value == value_of(&row)) {
            book.add_recorded(&without_detail(&row), &expected.keeps);
            if edges.is_empty() && expected.edges > 0 {
                book.add_recorded_edges(&row, expected.edges);
            }
        }
        let found = Judged { bytes: row.bytes.clone(), row, edges, is_committed: true };
        judged.insert(found.likeness(), found);
    }
    book.add_boundaries(&candidates);
    let mut judged: Vec<Judged> = judged.into_values().collect();
    judged.sort_by(|one, other| size(&one.bytes).cmp(&size(&other.bytes)));
    Ok(judged)
}

/// The input and the verdicts of a row: the rest takes most of the memory.
fn without_detail(row: &Row) -> Row {
    Row {
        bytes: row.bytes.clone(),
        names: row.names.clone(),
        fields: row.fields.clone(),
        parameters: row.parameters.clone(),
        features: row.features.clone(),
        verdicts: row.verdicts.clone(),
        death: row.death.clone(),
        detail: None,
        ..*row
    }
}
