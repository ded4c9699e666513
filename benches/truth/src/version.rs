//! All versions of the functions in one build: mutants stand beside the originals, and a number says which run.
//!
//! `TRUTH_VERSION` chooses the version of a fuzz target: 0, the original, if it is not set. Tests choose it by a call.

use std::cell::Cell;

thread_local! {
    static VERSION: Cell<u32> = const { Cell::new(0) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
    static LEFT: Cell<bool> = const { Cell::new(false) };
}

/// The original, or in the version of this number the other one; each on a line of its own, so that it is known where a
/// bug is: the switch itself has no line, as it would have none in a mutant that is written down.
#[collapse_debuginfo(yes)]
macro_rules! pick {
    ($version:literal, $original:expr, $mutant:expr) => {
        if $crate::version::is($version) { $mutant } else { $original }
    };
}
pub(crate) use pick;

/// Whether this version runs. Not inlined, so that its comparison is one for the fuzzer, and not one per mutant.
#[inline(never)]
pub(crate) fn is(version: u32) -> bool {
    VERSION.get() == version
}

/// Chooses the version that runs in this thread.
pub fn choose(version: u32) {
    VERSION.set(version);
}

/// Chooses the version that the environment names, if it names one.
pub(crate) fn choose_from_environment() {
    if let Some(version) = std::env::var("TRUTH_VERSION").ok().and_then(|number| number.parse().ok()) {
        choose(version);
    }
}

/// How often this was called: state that no input shows.
pub(crate) fn calls() -> u32 {
    CALLS.set(CALLS.get().wrapping_add(1));
    CALLS.get()
}

/// Leaves something behind for the next call of a function: state that leaks from a relation.
pub(crate) fn leave(something: bool) {
    LEFT.set(something);
}

/// Whether something was left behind.
pub(crate) fn take() -> bool {
    LEFT.take()
}
