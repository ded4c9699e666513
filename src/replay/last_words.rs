//! What a test process says when the code under test ends it: which input it was. Otherwise a test run that aborts
//! tells nothing but a signal.

use std::{
    ptr,
    sync::{
        Mutex, MutexGuard, Once, OnceLock, PoisonError,
        atomic::{AtomicPtr, Ordering},
    },
};

/// What is said, if the process ends now.
static WORDS: AtomicPtr<Vec<u8>> = AtomicPtr::new(ptr::null_mut());
/// One replay at a time: the words have to be those of the input that ended the process.
static REPLAYING: Mutex<()> = Mutex::new(());

/// What was done about each signal before.
static OLD: OnceLock<[(libc::c_int, libc::sigaction); SIGNALS.len()]> = OnceLock::new();

const SIGNALS: [libc::c_int; 5] = [libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];

/// While it lives, the process has last words.
pub(crate) struct LastWords {
    _one: MutexGuard<'static, ()>,
}

impl LastWords {
    pub(crate) fn begin() -> Self {
        static ONCE: Once = Once::new();
        let one = REPLAYING.lock().unwrap_or_else(PoisonError::into_inner);
        ONCE.call_once(listen);
        Self { _one: one }
    }

    /// From now on, this is what is said.
    pub(crate) fn set(&self, words: String) {
        let words = Box::into_raw(Box::new(words.into_bytes()));
        forget(WORDS.swap(words, Ordering::SeqCst));
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        forget(WORDS.swap(ptr::null_mut(), Ordering::SeqCst));
    }
}

fn forget(words: *mut Vec<u8>) {
    if !words.is_null() {
        // SAFETY: it came from a box, and whoever swaps it out owns it.
        drop(unsafe { Box::from_raw(words) });
    }
}

/// Says the words, once. Nothing but a system call: the process is in no state for more.
extern "C" fn say() {
    let words = WORDS.swap(ptr::null_mut(), Ordering::SeqCst);
    if !words.is_null() {
        // SAFETY: as in `forget`; it is leaked, because freeing is not allowed in a signal handler.
        unsafe { libc::write(2, (*words).as_ptr().cast(), (*words).len()) };
    }
}

extern "C" fn on_signal(signal: libc::c_int) {
    say();
    let old = OLD.get().and_then(|old| old.iter().find(|(of, _)| *of == signal));
    // SAFETY: what was there before is put back. An abort is raised again; a fault happens again when this returns, and
    // then std says what it has to say about a stack that overflowed.
    unsafe {
        match old {
            Some((_, old)) => _ = libc::sigaction(signal, old, ptr::null_mut()),
            None => _ = libc::signal(signal, libc::SIG_DFL),
        }
        if signal == libc::SIGABRT {
            libc::raise(signal);
        }
    }
}

fn listen() {
    let listen_to = |signal: libc::c_int| {
        // SAFETY: the handler only makes system calls, and runs on the stack that std prepares for overflows.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &action, &mut old);
            (signal, old)
        }
    };
    let _ = OLD.set(SIGNALS.map(listen_to));
    // SAFETY: code under test that exits calls it on the way.
    unsafe { libc::atexit(say) };
}
