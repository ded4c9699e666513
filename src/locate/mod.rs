//! From checks that were run again under coverage to the lines of code that tell violated ones from held ones, and those
//! in which the function panics from held ones.
//!
//! | file | does |
//! |---|---|
//! | `pick` | which rows of a log are run again |
//! | `code` | addresses of an executable -> lines of source |
//! | `spectrum` | what each check runs, and how often failed and held ones do |
//! | `rank` | the lines, the most suspicious first |
//! | `sources` | the text of lines |
//! | `text`, `json` | what is shown |
//!
//! Ochiai's score, the usual one of spectrum-based fault localisation, is taken on the source run, on the follow-up runs
//! and on the difference between them. A difference that chance explains is no evidence.

mod code;
mod json;
mod pick;
mod rank;
mod sources;
mod spectrum;
mod text;

pub(crate) use code::{Code, Package, Symbols, Whose};
pub(crate) use json::json;
pub(crate) use pick::{Picked, pick};
pub(crate) use rank::rank;
pub(crate) use sources::Sources;
pub(crate) use spectrum::{Check, End, Part, What};
pub(crate) use text::text;

use crate::log::PanicInfo;
use std::path::PathBuf;

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) path: PathBuf,
    pub(crate) number: u32,
    /// The function it stands in.
    pub(crate) function: String,
    pub(crate) whose: Whose,
}

/// A line that failed checks run otherwise than held ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) line: Line,
    /// Ochiai's score: 1 if all failed checks and no held ones do it.
    pub(crate) score: f64,
    /// What happens there that tells most.
    pub(crate) what: What,
    /// Whether it is only a part of the line that runs so: other parts of it run more often.
    pub(crate) is_part_of_line: bool,
    /// In which of the runs.
    pub(crate) part: Part,
    /// In how many failed checks, and in how many held ones.
    pub(crate) failed: u64,
    pub(crate) held: u64,
}

/// What was found out about a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Located {
    pub(crate) suite: String,
    pub(crate) function: String,
    pub(crate) relation: String,
    /// How many checks were run again.
    pub(crate) violated: u64,
    pub(crate) panicked: u64,
    pub(crate) held: u64,
    /// How many have another verdict now.
    pub(crate) changed: u64,
    /// How many ended their process.
    pub(crate) lost: u64,
    /// A panic of the function, if the log has one for this cell: nothing says more about where to look.
    pub(crate) panic: Option<PanicInfo>,
    /// The lines that tell checks in which it panics from held ones: those that lead there.
    pub(crate) panic_places: Vec<Place>,
    /// The lines that tell violated from held checks, the most suspicious first; none if both run the same code.
    pub(crate) places: Vec<Place>,
    /// The lines that all violated checks run: no evidence, and only there if `places` is empty.
    pub(crate) common: Vec<Place>,
}

impl Located {
    /// How many checks were run again that ended so.
    pub(crate) fn ended(&mut self, end: End) -> &mut u64 {
        match end {
            End::Held => &mut self.held,
            End::Violated => &mut self.violated,
            End::Panicked => &mut self.panicked,
        }
    }
}
