//! Deciding cell after cell: which comes next, what a key does, and what is shown. Knows nothing of a terminal.
//!
//! | file | does |
//! |---|---|
//! | `proposal` | what a hint comes to as a decision |
//! | `flow` | the queue of cells, and keys |
//! | `editor` | one line that is edited |
//! | `screen` | one cell as text |
//! | `list` | all cells as text |

mod editor;
mod flow;
mod list;
mod proposal;
mod screen;

pub(crate) use editor::{Edited, Editor, Stroke};
pub(crate) use flow::{Flow, Step, has_undecided};
pub(crate) use list::list;
pub(crate) use proposal::{condition, exact_condition, held_back, is_explained, proposal, what_is_known};
pub(crate) use screen::{Shown, screen};
