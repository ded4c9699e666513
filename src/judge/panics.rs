//! Catches panics silently, with message and place, also where an engine would abort at the first one.

use crate::{
    hash,
    log::{PanicInfo, codec},
};
use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind},
    sync::{
        Once,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How much of a panic's message is kept.
const MAX_MESSAGE: usize = 256;

/// Under an engine a panic that is not caught is fatal, and the code under test may panic in threads of its own: then
/// an execution guards the whole process, otherwise only its thread.
const HAS_ENGINE: bool = cfg!(any(bugornot_engine = "libfuzzer", bugornot_engine = "afl"));

/// Executions under way in this process, under an engine.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Executions under way in this thread, without an engine: in a test binary, panics of other threads are other
    /// tests that fail.
    static GUARDED_HERE: Cell<usize> = const { Cell::new(0) };
    static LAST: RefCell<Option<PanicSite>> = const { RefCell::new(None) };
}

/// A caught panic.
#[derive(Clone, Debug, Default)]
pub(super) struct PanicSite(PanicInfo);

impl PanicSite {
    /// Tells places apart, whatever the message says.
    fn identity(&self) -> u64 {
        hash::of_bytes(self.0.location.as_bytes(), 0)
    }

    /// Appends an encoded [`PanicInfo`].
    pub(super) fn push(&self, bytes: &mut Vec<u8>) {
        codec::push_bytes(bytes, self.0.message.as_bytes());
        codec::push_bytes(bytes, self.0.location.as_bytes());
    }
}

/// Puts a silent hook in front of the one there is: both engines install hooks that abort before a panic can be
/// caught. Panics outside an execution still reach them.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let engine = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if Guarded::is_on() {
                let site = PanicSite(describe(info));
                LAST.with(|last| *last.borrow_mut() = Some(site));
            } else {
                engine(info);
            }
        }));
    });
}

fn describe(info: &PanicHookInfo<'_>) -> PanicInfo {
    let message = info.payload_as_str().unwrap_or("(no message)");
    let end = message.floor_char_boundary(MAX_MESSAGE);
    let location = info.location().map_or_else(String::new, ToString::to_string);
    PanicInfo { message: message[..end].to_owned(), location }
}

/// While it lives, panics are silent and can be caught.
pub(crate) struct Guarded;

impl Guarded {
    #[inline(always)]
    pub(crate) fn begin() -> Self {
        if HAS_ENGINE {
            GUARDED.fetch_add(1, Ordering::SeqCst);
        } else {
            GUARDED_HERE.set(GUARDED_HERE.get() + 1);
        }
        Self
    }

    fn is_on() -> bool {
        if HAS_ENGINE { GUARDED.load(Ordering::SeqCst) > 0 } else { GUARDED_HERE.get() > 0 }
    }
}

impl Drop for Guarded {
    #[inline(always)]
    fn drop(&mut self) {
        if HAS_ENGINE {
            GUARDED.fetch_sub(1, Ordering::SeqCst);
        } else {
            GUARDED_HERE.set(GUARDED_HERE.get() - 1);
        }
    }
}

/// The panics of one execution.
#[derive(Default)]
pub(super) struct Panics {
    any: bool,
    sites: u64,
}

impl Panics {
    /// Runs code that may panic, inside a [`Guarded`].
    #[inline(always)]
    pub(super) fn catch<T>(&mut self, run: impl FnOnce() -> T) -> Result<T, PanicSite> {
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(value) => Ok(value),
            Err(_) => Err(self.note()),
        }
    }

    /// Takes what the hook left.
    #[cold]
    fn note(&mut self) -> PanicSite {
        let site = LAST.with(|last| last.borrow_mut().take().unwrap_or_default());
        self.any = true;
        self.sites = self.sites.wrapping_add(site.identity());
        site
    }

    #[inline(always)]
    pub(super) fn are_any(&self) -> bool {
        self.any
    }

    /// The places, in one number.
    pub(super) fn sites(&self) -> u64 {
        self.sites
    }
}
