//! Regression tests of what was decided: what they run with, and how `bugornot generate` writes them.
//!
//! A generated test names a cell of a suite with [`cell!`](crate::cell!), and says of it what must stay: that it holds
//! for some inputs and is violated for others ([`CellTest::holds`], [`CellTest::is_violated`]), and under which condition
//! it does so for fresh ones ([`CellTest::is_violated_just_when`] and the like). It is plain Rust, and can be written by
//! hand as well. `BUGORNOT_CASES` says how many fresh inputs are drawn (1000), `BUGORNOT_SEED` draws others.
//!
//! | file | does |
//! |---|---|
//! | `cell` | one cell under test |
//! | `fresh` | the same, held against inputs that nobody has seen |
//! | `seen` | what a condition can ask beside the typed input |
//! | `wide` | numbers that do not overflow |
//! | `macros` | `cell!` |
//! | `plan` | decisions, corpus and suite -> what is tested |
//! | `types` | what logged values can be read as |
//! | `code` | a condition as it is decided -> Rust over the typed input |
//! | `syntax` | what parts of a condition look like |
//! | `names` | names and texts of others, fit for code |
//! | `write` | a plan -> a file of tests |
//! | `seal` | whether a file is as it was generated |

mod cell;
#[cfg(feature = "cli")]
mod code;
mod fresh;
mod macros;
#[cfg(feature = "cli")]
mod names;
#[cfg(feature = "cli")]
mod plan;
#[cfg(feature = "cli")]
mod seal;
mod seen;
#[cfg(feature = "cli")]
mod syntax;
#[cfg(feature = "cli")]
mod types;
mod wide;
#[cfg(feature = "cli")]
mod write;

#[doc(hidden)]
pub use cell::Origin;
pub use cell::{CellTest, Example};
#[cfg(feature = "cli")]
pub(crate) use code::Form;
#[cfg(feature = "cli")]
pub(crate) use plan::{Known, Plan, plan};
#[cfg(feature = "cli")]
pub(crate) use seal::{Seal, sealed};
pub use seen::{FromValue, Seen};
pub use wide::{Wide, wide};
#[cfg(feature = "cli")]
pub(crate) use write::{Home, Shape, Written, write};
