//! Mutation analysis: small changes to the code under test, and who notices them.
//!
//! | file | does |
//! |---|---|
//! | `outcome` | reads what cargo-mutants says about each mutant |
//! | `notice` | verdicts as they are, held against those of the code without a mutant |
//! | `record` | what the tests of one mutant noticed, from the process that ran them to the one that reports |
//! | `analysis` | who kills what, which relations add nothing, what survives |
//! | `text`, `json` | the same for people and for programs |

mod analysis;
mod json;
mod notice;
mod outcome;
mod record;
mod text;

pub(crate) use analysis::{Analysis, InputSet};
pub(crate) use json::json;
pub(crate) use notice::{Expected, Noticed};
pub(crate) use outcome::{Mutant, Scenario, Summary, scenarios};
pub(crate) use record::{Ended, Part, Record, Tests};
pub(crate) use text::text;
