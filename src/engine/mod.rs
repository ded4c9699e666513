//! Engines: where bytes come from. One [`Target`] serves them all, so that the same bytes give the same record.
//!
//! bytes -> decode -> judge -> totals, guide and log.
//!
//! | file | does |
//! |---|---|
//! | `settings`, `describe` | what the environment says; what describes the suite and its build |
//! | `target` | a suite, ready to execute inputs; `opened`: what happens once, `unseen`: for an input not seen before |
//! | `quiet`, `callbacks` | what happens in every execution, and what it calls back |
//! | `coverage`, `guide` | coverage is paused; verdicts are made coverage |
//! | `examples` | which examples somebody has judged already |
//! | `macros`, `plain`, `builtin` | libFuzzer and AFL; no engine; the built-in one |
//! | `serve`, `calls` | executions for `bugornot`, one by one; what each call runs |

mod builtin;
mod callbacks;
#[cfg(any(bugornot_calls, feature = "cli"))]
pub(crate) mod calls;
pub(crate) mod coverage;
mod describe;
mod examples;
mod guide;
mod macros;
mod plain;
mod quiet;
pub(crate) mod serve;
mod settings;
mod target;

pub use builtin::{Builtin, Ended, Until};
#[doc(hidden)]
pub use callbacks::{Callbacks, open, unseen};
#[cfg(feature = "replay")]
pub(crate) use macros::name_of;
#[doc(hidden)]
pub use macros::{Quiet, afl_main, execute, libfuzzer_start, libfuzzer_step, panics, plain_main};
#[doc(hidden)]
pub use settings::Facts;
pub use settings::Settings;
#[cfg(feature = "cli")]
pub(crate) use settings::{SEED_FILE, parse_bytes};
pub use target::Target;

use crate::{
    Verdict,
    log::{Header, Phase},
};

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was judged.
    Judged,
    /// It could not be decoded, or is outside the domain.
    Rejected,
}

/// Executes inputs of a suite whose types are forgotten.
pub trait Execute {
    /// Executes one input.
    fn step(&mut self, bytes: &[u8], phase: Phase) -> Step;
    /// The verdicts of the last input that was judged, by cell.
    fn verdicts(&self) -> Vec<Verdict>;
    /// What describes the suite and the build.
    fn header(&self) -> &Header;
    /// How many bytes an input can take at the most, if that is bounded.
    fn takes(&self) -> Option<usize>;
    /// Opens the log and judges the examples that nobody has judged yet in this campaign. The first step does it too.
    fn begin(&mut self);
    /// From now on, hands out what each execution covers.
    fn watch(&mut self);
    /// What the last execution covered.
    fn covered(&mut self) -> Vec<usize>;
    /// From now on, hands out each execution in full.
    fn tell(&mut self);
    /// The last execution, encoded as `log/told.rs` says; nothing if the input was rejected.
    fn told(&mut self) -> Option<Vec<u8>>;
    /// What each call of one check of an input runs: an encoded list of `calls.rs`'s `Run`.
    #[cfg(bugornot_calls)]
    fn calls(&self, bytes: &[u8], cell: usize) -> Vec<u8>;
}
