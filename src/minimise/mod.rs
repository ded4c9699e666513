//! The minimal corpus: few and small inputs that keep every obligation of a campaign.
//!
//! | file | does |
//! |---|---|
//! | `obligation` | what a corpus must keep, as a list |
//! | `book` | which obligations there are, and which of them an input meets |
//! | `candidates` | the inputs that a log holds |
//! | `judged` | all that can be chosen from, judged |
//! | `cover` | few inputs that meet all obligations |
//! | `shrink` | an input made smaller while it keeps what it is needed for |
//! | `chosen` | the whole way, from candidates to a manifest |

mod book;
mod candidates;
mod chosen;
mod cover;
mod judged;
mod obligation;
mod shrink;

pub(crate) use book::Book;
pub(crate) use candidates::{candidates, is_about, not_reproduced};
pub(crate) use chosen::{Chosen, choose};
pub(crate) use judged::Pool;
pub(crate) use shrink::shrink;

use crate::log::Row;

/// Judges inputs.
pub(crate) trait Ask {
    /// What an input comes to, with the edges that it reaches; nothing if it is rejected.
    fn ask(&mut self, bytes: &[u8]) -> anyhow::Result<Option<(Row, Vec<u32>)>>;
    /// From now on a new process judges.
    fn renew(&mut self);
}
