//! Two builds of a target as one: it judges with one, and sees edges with the other.

use crate::{cli::oracle::Oracle, engine::coverage::RANGES, log::Row, minimise::Ask, replay::Answer};
use anyhow::Result;

/// Judges with one build, and sees edges with another: what is expected is what `cargo test` will see.
pub(super) struct Both {
    pub(super) plain: Oracle,
    pub(super) instrumented: Option<Oracle>,
}

impl Ask for Both {
    fn ask(&mut self, bytes: &[u8]) -> Result<Option<(Row, Vec<u32>)>> {
        let Answer::Judged(row) = self.plain.ask(bytes)?.answer else { return Ok(None) };
        let edges = match &mut self.instrumented {
            // A process that dies tells no edges, and takes long to find out where.
            Some(instrumented) if row.death.is_none() => steady_edges(instrumented, bytes)?,
            _ => Vec::new(),
        };
        Ok(Some((*row, edges)))
    }

    fn renew(&mut self) {
        self.plain.renew();
        self.instrumented.iter_mut().for_each(Oracle::renew);
    }
}

/// The edges that an input reaches twice in a row: what is reached only the first time in a process is no property of
/// the input, and nor is how often, where that differs.
fn steady_edges(instrumented: &mut Oracle, bytes: &[u8]) -> Result<Vec<u32>> {
    let (mut first, second) = (instrumented.ask(bytes)?.edges, instrumented.ask(bytes)?.edges);
    let is_reached = |edge: u32| second.binary_search_by_key(&edge, |reached| reached / RANGES).is_ok();
    first.retain(|reached| is_reached(reached / RANGES));
    for reached in &mut first {
        if second.binary_search(reached).is_err() {
            *reached -= *reached % RANGES;
        }
    }
    Ok(first)
}
