//! The smallest input that shows what the tester has called a bug: the one to debug with, and to fix it by.

use super::{Ask, Book, candidates::size, judged::Judged, shrunk};
use crate::log::{Row, identity_of};
use anyhow::Result;

/// Shrinks the smallest input of each bug, and tells the book. Inputs that end the process stay as they are: trying
/// smaller ones takes long, and nobody knows what they decode to.
pub(super) fn add_smallest(judged: &mut Vec<Judged>, book: &mut Book, ask: &mut dyn Ask) -> Result<()> {
    for (cell, wrong) in book.decided.bugs() {
        let is_bug =
            |row: &Row| row.death.is_none() && row.verdict(cell).is_some_and(|verdict| wrong.contains(&verdict));
        let Some(first) = judged.iter().find(|judged| is_bug(&judged.row)) else { continue };
        let verdict = first.row.verdict(cell);
        let found = shrunk(&first.bytes, ask, &mut |row, _| row.death.is_none() && row.verdict(cell) == verdict)?;
        let row = found.as_ref().map_or(&first.row, |(row, _)| row);
        book.add_bug(row, cell);
        let Some((row, edges)) = found else { continue };
        if !judged.iter().any(|judged| identity_of(&judged.row) == identity_of(&row)) {
            judged.push(Judged { bytes: row.bytes.clone(), row, edges, is_committed: false });
            judged.sort_by(|one, other| size(&one.bytes).cmp(&size(&other.bytes)));
        }
    }
    Ok(())
}
