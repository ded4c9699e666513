//! What `fuzz!` expands to: the same line is a libFuzzer target, an AFL target or a replayer, by how it is built.

use super::{Callbacks, Execute, Facts, Settings, Step, Target, plain, serve};
use crate::{Input, Output, Suite, log::Phase};
use std::{
    ffi::c_void,
    sync::{
        OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

/// libFuzzer's target. Nothing is dropped at exit, and the leak sanitizer sees that all is still in use.
static TARGET: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static EXECUTE: OnceLock<ExecuteRaw> = OnceLock::new();

/// Executes an input; whether it was judged.
type ExecuteRaw = unsafe extern "C" fn(target: *mut c_void, bytes: *const u8, length: usize) -> bool;

/// What runs in a target whose types are forgotten, in functions that LLVM's coverage instrumentation leaves alone.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Quiet {
    pub execute: ExecuteRaw,
    pub callbacks: Callbacks,
}

/// What a quiet function of `fuzz!` does; the suite is passed for its types alone.
///
/// # Safety
/// `target` must be the [`Target`] of this suite, nobody else may use it, and `length` bytes must be readable.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn execute<In: Input, Out: Output>(
    _: fn(&mut Suite<In, Out>),
    target: *mut c_void,
    bytes: *const u8,
    length: usize,
) -> bool {
    // SAFETY: the caller's promise.
    let (target, bytes) =
        unsafe { (&mut *target.cast::<Target<In, Out>>(), std::slice::from_raw_parts(bytes, length)) };
    target.step_inline(bytes, Phase::Fuzz) == Step::Judged
}

/// The [`Quiet`] functions of a suite, with all that the judge does inlined. Generic functions cannot have the names
/// that keep them quiet, so they are made where the types are known.
#[doc(hidden)]
#[macro_export]
macro_rules! __quiet {
    ($suite:path) => {{
        #[unsafe(export_name = "__sanitizer_bugornot_execute")]
        #[inline(never)]
        unsafe extern "C" fn execute(target: *mut ::std::ffi::c_void, bytes: *const u8, length: usize) -> bool {
            // SAFETY: the caller's promise is the same.
            unsafe { $crate::engine::execute($suite, target, bytes, length) }
        }
        #[unsafe(export_name = "__sanitizer_bugornot_open")]
        #[inline(never)]
        unsafe extern "C" fn open(target: *mut ::std::ffi::c_void) {
            // SAFETY: as above.
            unsafe { $crate::engine::open($suite, target) }
        }
        #[unsafe(export_name = "__sanitizer_bugornot_unseen")]
        #[inline(never)]
        unsafe extern "C" fn unseen(target: *mut ::std::ffi::c_void) {
            // SAFETY: as above.
            unsafe { $crate::engine::unseen($suite, target) }
        }
        $crate::engine::Quiet { execute, callbacks: $crate::engine::Callbacks { open, unseen } }
    }};
}

/// Makes a suite a fuzz target: one line after `#![no_main]`.
///
/// Built by `cargo fuzz` it is a libFuzzer target, by `cargo afl build` an AFL target, and by plain `cargo build` a
/// program that replays the files it is given.
#[cfg(bugornot_engine = "libfuzzer")]
#[macro_export]
macro_rules! fuzz {
    ($suite:path) => {
        $crate::__needs_unwinding!();
        ::libfuzzer_sys::fuzz_target!(
            init: {
                #[unsafe(export_name = "__sanitizer_bugornot_start")]
                fn start() {
                    $crate::engine::libfuzzer_start(
                        stringify!($suite),
                        $suite,
                        &$crate::__facts!(),
                        $crate::__quiet!($suite),
                    )
                }
                start()
            },
            |bytes: &[u8]| -> ::libfuzzer_sys::Corpus {
                if $crate::engine::libfuzzer_step(bytes) {
                    ::libfuzzer_sys::Corpus::Keep
                } else {
                    ::libfuzzer_sys::Corpus::Reject
                }
            }
        );
    };
}

/// Makes a suite a fuzz target: one line after `#![no_main]`.
///
/// Built by `cargo fuzz` it is a libFuzzer target, by `cargo afl build` an AFL target, and by plain `cargo build` a
/// program that replays the files it is given.
#[cfg(bugornot_engine = "afl")]
#[macro_export]
macro_rules! fuzz {
    ($suite:path) => {
        $crate::__needs_unwinding!();
        #[doc(hidden)]
        #[unsafe(no_mangle)]
        pub extern "C" fn main(_: i32, _: *const *const u8) -> i32 {
            let quiet = $crate::__quiet!($suite);
            $crate::engine::afl_main(stringify!($suite), $suite, &$crate::__facts!(), quiet, |step| {
                let mut step = ::std::panic::AssertUnwindSafe(step);
                ::afl::fuzz(false, move |bytes: &[u8]| {
                    let step = &mut step;
                    (step.0)(bytes)
                })
            })
        }
    };
}

/// Makes a suite a fuzz target: one line after `#![no_main]`.
///
/// Built by `cargo fuzz` it is a libFuzzer target, by `cargo afl build` an AFL target, and by plain `cargo build` a
/// program that replays the files it is given.
#[cfg(not(any(bugornot_engine = "libfuzzer", bugornot_engine = "afl")))]
#[macro_export]
macro_rules! fuzz {
    ($suite:path) => {
        $crate::__needs_unwinding!();
        // A test that takes in the file of a target, for the suite in it, has a `main` of its own.
        #[cfg(not(test))]
        #[doc(hidden)]
        #[unsafe(no_mangle)]
        pub extern "C" fn main(_: i32, _: *const *const u8) -> i32 {
            $crate::engine::plain_main(stringify!($suite), $suite, &$crate::__facts!())
        }
    };
}

/// Adds a feature of the user's own to a suite: a true/false statement about the source input, named by its text.
///
/// ```
/// # use bugornot::{observe, Draws, Equal, Suite};
/// # Suite::declare("s", Draws::seeded(0), |suite: &mut Suite<(i32, i32), i32>| {
/// # suite.function("f", |p| p.0); suite.relation("r", |p| *p, Equal);
/// observe!(suite, |p| p.0 % 2 == p.1 % 2);
/// # }).unwrap();
/// ```
#[macro_export]
macro_rules! observe {
    ($suite:expr, |$input:pat_param| $test:expr) => {
        $suite.feature(stringify!($test), |$input| $test)
    };
    ($suite:expr, move |$input:pat_param| $test:expr) => {
        $suite.feature(stringify!($test), move |$input| $test)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __needs_unwinding {
    () => {
        #[cfg(not(panic = "unwind"))]
        compile_error!("bugornot has to catch panics: remove `panic = \"abort\"` from the profile of the fuzz crate");
    };
}

/// The facts of the crate that this expands in.
#[doc(hidden)]
#[macro_export]
macro_rules! __facts {
    () => {
        $crate::engine::Facts {
            debug_assertions: cfg!(debug_assertions),
            overflow_checks: {
                // Only trying tells; the sum is made here, because each crate can be built differently.
                fn __bugornot_overflows() -> u8 {
                    ::std::hint::black_box(u8::MAX) + ::std::hint::black_box(1)
                }
                $crate::engine::panics(__bugornot_overflows)
            },
            manifest: env!("CARGO_MANIFEST_DIR"),
        }
    };
}

/// Whether a function panics, found out silently.
#[doc(hidden)]
pub fn panics(function: fn() -> u8) -> bool {
    crate::judge::install_hook();
    let _guarded = crate::judge::Guarded::begin();
    std::panic::catch_unwind(function).is_err()
}

/// The suite's name: the last part of the path it was given by.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// Declares the suite under the settings of the environment, or says what is wrong and exits.
#[inline(always)]
#[expect(clippy::print_stderr, reason = "a target that cannot start has no other way to say why")]
fn prepare<In: Input, Out: Output>(
    path: &str,
    declare: fn(&mut Suite<In, Out>),
    facts: &Facts,
    callbacks: Callbacks,
) -> (Target<In, Out>, Settings) {
    let name = name_of(path);
    let refuse = |error: &dyn std::fmt::Display| -> ! {
        eprintln!("error: {error}");
        std::process::exit(1)
    };
    let settings = Settings::from_environment(name, facts).unwrap_or_else(|error| refuse(&error));
    let target = Target::with(callbacks, name, declare, settings.clone(), facts).unwrap_or_else(|error| refuse(&error));
    for (pin, _) in &settings.pins {
        if !target.header().constants.iter().any(|(name, _)| name == pin) {
            eprintln!("bugornot: warning: BUGORNOT_CONST_{pin} is set, and suite `{name}` has no constant `{pin}`");
        }
    }
    (target, settings)
}

/// Called once, after libFuzzer has installed its panic hook.
#[doc(hidden)]
#[inline(always)]
pub fn libfuzzer_start<In: Input, Out: Output>(
    path: &str,
    declare: fn(&mut Suite<In, Out>),
    facts: &Facts,
    quiet: Quiet,
) {
    let (target, _) = prepare(path, declare, facts, quiet.callbacks);
    let target = Box::into_raw(Box::new(target));
    TARGET.store(target.cast(), Ordering::Release);
    let _ = EXECUTE.set(quiet.execute);
    if serve::is_asked() {
        // SAFETY: the target is never dropped, and libFuzzer has not begun to use it.
        unsafe { serve::run(target, &mut libfuzzer_step) }
    }
}

/// Called for each input; whether it is worth keeping.
#[doc(hidden)]
pub fn libfuzzer_step(bytes: &[u8]) -> bool {
    let execute = EXECUTE.get().expect("libFuzzer calls the initialisation first");
    // SAFETY: libFuzzer executes in one thread, and `fuzz!` gives the initialisation one suite.
    unsafe { execute(TARGET.load(Ordering::Acquire), bytes.as_ptr(), bytes.len()) }
}

/// The `main` of an AFL target: fuzzes under `afl-fuzz`, replays when it is given files.
#[doc(hidden)]
pub fn afl_main<In: Input, Out: Output>(
    path: &str,
    declare: fn(&mut Suite<In, Out>),
    facts: &Facts,
    quiet: Quiet,
    fuzz: impl FnOnce(&mut dyn FnMut(&[u8])),
) -> i32 {
    let (mut target, settings) = prepare(path, declare, facts, quiet.callbacks);
    if std::env::args().len() > 1 {
        return plain::run(&mut target, settings.seed, std::env::args().skip(1));
    }
    let target = (&raw mut target).cast();
    fuzz(&mut |bytes| {
        // SAFETY: `fuzz!` made it for this suite, and only one input is executed at a time.
        unsafe { (quiet.execute)(target, bytes.as_ptr(), bytes.len()) };
    });
    0
}

/// The `main` of a target built without an engine.
#[doc(hidden)]
pub fn plain_main<In: Input, Out: Output>(path: &str, declare: fn(&mut Suite<In, Out>), facts: &Facts) -> i32 {
    let (mut target, settings) = prepare(path, declare, facts, Callbacks::of::<In, Out>());
    if serve::is_asked() {
        let target = &raw mut target;
        // SAFETY: the target outlives the process's last step, and only the closure steps it.
        unsafe { serve::run(target, &mut |bytes| (*target).step(bytes, Phase::Replay) == Step::Judged) }
    }
    plain::run(&mut target, settings.seed, std::env::args().skip(1))
}
