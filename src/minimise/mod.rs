//! The minimal corpus: few and small inputs that keep every obligation of a campaign.
//!
//! | file | does |
//! |---|---|
//! | `obligation` | what a corpus must keep, as a list |
//! | `book` | which obligations there are, and which of them an input meets |
//! | `decided` | what the tester's decisions ask for |
//! | `candidates` | the inputs that a log holds |
//! | `judged` | all that can be chosen from, judged |
//! | `cover` | few inputs that meet all obligations |
//! | `smallest` | the smallest input that shows a decided bug |
//! | `chosen` | the whole way, from candidates to a manifest |

mod book;
mod candidates;
mod chosen;
mod cover;
mod decided;
mod judged;
mod obligation;
mod smallest;

pub(crate) use book::Book;
pub(crate) use candidates::{candidates, is_about, not_reproduced};
pub(crate) use chosen::{Chosen, choose};
pub(crate) use cover::cover;
pub(crate) use decided::Decided;
pub(crate) use judged::Pool;
pub(crate) use obligation::{Obligation, is_kept_for};

use crate::{log::Row, shrink::shrink};
use anyhow::Result;
use std::time::{Duration, Instant};

/// How long an input is shrunk: one that hangs takes seconds for each try.
const SHRINK_TIME: Duration = Duration::from_secs(30);

/// Judges inputs.
pub(crate) trait Ask {
    /// What an input comes to, with the edges that it reaches; nothing if it is rejected.
    fn ask(&mut self, bytes: &[u8]) -> Result<Option<(Row, Vec<u32>)>>;
    /// From now on a new process judges.
    fn renew(&mut self);
}

/// What the smallest input found comes to that is good, with its edges; nothing if none is smaller. Never without a byte:
/// see [`Pool::new`].
fn shrunk(
    bytes: &[u8],
    ask: &mut dyn Ask,
    good: &mut dyn FnMut(&Row, &[u32]) -> bool,
) -> Result<Option<(Row, Vec<u32>)>> {
    let mut found = None;
    let begin = Instant::now();
    shrink::<anyhow::Error>(bytes, &mut |smaller| {
        if begin.elapsed() > SHRINK_TIME || smaller.is_empty() {
            return Ok(false);
        }
        let told = ask.ask(smaller)?.filter(|(row, edges)| good(row, edges));
        let is_good = told.is_some();
        found = told.or(found.take());
        Ok(is_good)
    })?;
    Ok(found)
}
