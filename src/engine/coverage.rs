//! Makes a stretch of code invisible to the engine's coverage: pause, run anything, resume.
//!
//! The two functions are quiet themselves, and can be nested.

/// How many ranges of counts are told apart, as libFuzzer and AFL do: an edge has as many numbers.
#[cfg(any(feature = "cli", bugornot_engine = "libfuzzer"))]
pub(crate) const RANGES: u32 = 8;

/// libFuzzer counts edges in a section of bytes and remembers how deep the stack went: both are put back.
#[cfg(bugornot_engine = "libfuzzer")]
mod engine {
    use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

    unsafe extern "C" {
        static mut __start___sancov_cntrs: u8;
        static mut __stop___sancov_cntrs: u8;
    }

    static SAVED: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static STACK: AtomicUsize = AtomicUsize::new(0);
    static DEPTH: AtomicUsize = AtomicUsize::new(0);

    fn counters() -> (*mut u8, usize) {
        let (start, stop) = (&raw mut __start___sancov_cntrs, &raw mut __stop___sancov_cntrs);
        (start, (stop as usize).wrapping_sub(start as usize))
    }

    /// Makes room for the saved counters.
    pub(crate) fn prepare() {
        let saved = vec![0u8; counters().1].leak();
        SAVED.store(saved.as_mut_ptr(), Ordering::Relaxed);
    }

    /// The address of the thread's `__sancov_lowest_stack`, which stable Rust cannot name.
    #[inline(always)]
    fn lowest_stack() -> *mut usize {
        let address: usize;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: computes the address of a thread-local of this executable, and touches nothing.
        unsafe {
            std::arch::asm!(
                "mov {0}, qword ptr fs:[0]",
                "lea {0}, [{0} + __sancov_lowest_stack@TPOFF]",
                out(reg) address,
                options(nostack, readonly, preserves_flags),
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            std::arch::asm!(
                "mrs {0}, tpidr_el0",
                "add {0}, {0}, #:tprel_hi12:__sancov_lowest_stack, lsl #12",
                "add {0}, {0}, #:tprel_lo12_nc:__sancov_lowest_stack",
                out(reg) address,
                options(nostack, readonly, preserves_flags),
            );
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            address = (&raw const STACK) as usize;
        }
        address as *mut usize
    }

    #[unsafe(export_name = "__sanitizer_bugornot_pause")]
    #[inline(never)]
    pub(crate) extern "C" fn pause() {
        let depth = DEPTH.load(Ordering::Relaxed);
        DEPTH.store(depth.wrapping_add(1), Ordering::Relaxed);
        if depth != 0 {
            return;
        }
        let (start, length) = counters();
        // SAFETY: `prepare` made as much room as there are counters; the stack's mark belongs to this thread.
        unsafe {
            libc::memcpy(SAVED.load(Ordering::Relaxed).cast(), start.cast(), length);
            STACK.store(*lowest_stack(), Ordering::Relaxed);
        }
    }

    #[unsafe(export_name = "__sanitizer_bugornot_resume")]
    #[inline(never)]
    pub(crate) extern "C" fn resume() {
        let depth = DEPTH.load(Ordering::Relaxed);
        DEPTH.store(depth.wrapping_sub(1), Ordering::Relaxed);
        if depth != 1 {
            return;
        }
        let (start, length) = counters();
        // SAFETY: as in `pause`.
        unsafe {
            libc::memcpy(start.cast(), SAVED.load(Ordering::Relaxed).cast(), length);
            *lowest_stack() = STACK.load(Ordering::Relaxed);
        }
    }

    /// Sets all counters to zero, as libFuzzer does before an execution.
    pub(crate) fn forget() {
        let (start, length) = counters();
        // SAFETY: the section belongs to this executable, and one thread executes inputs.
        unsafe { libc::memset(start.cast(), 0, length) };
    }

    /// The edges that were reached since [`forget`], each with about how often. Copied first: looking for them reaches edges as well.
    pub(crate) fn reached() -> Vec<u32> {
        let (start, length) = counters();
        let mut copy = vec![0u8; length];
        // SAFETY: as above, and the copy is as long.
        unsafe { libc::memcpy(copy.as_mut_ptr().cast(), start.cast(), length) };
        let reached = copy.iter().zip(0u32..).filter(|(count, _)| **count != 0);
        reached.map(|(count, edge)| edge * super::RANGES + range(*count)).collect()
    }

    /// In which range a count is.
    fn range(count: u8) -> u32 {
        match count {
            0..=3 => u32::from(count).saturating_sub(1),
            4..=7 => 3,
            8..=15 => 4,
            16..=31 => 5,
            32..=127 => 6,
            128.. => 7,
        }
    }
}

/// AFL finds its map through a pointer: it points elsewhere for a while.
#[cfg(bugornot_engine = "afl")]
mod engine {
    use std::{
        ffi::c_void,
        sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
    };

    unsafe extern "C" {
        static mut __afl_area_ptr: *mut u8;
        static mut __afl_cmp_map: *mut c_void;
        static __afl_map_size: u32;
        static __afl_final_loc: u32;
    }

    static ELSEWHERE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static MAP: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static COMPARES: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    static DEPTH: AtomicUsize = AtomicUsize::new(0);

    /// Makes a map to point to.
    pub(crate) fn prepare() {
        // SAFETY: all modules have numbered their edges before `main`.
        let size = unsafe { __afl_map_size.max(__afl_final_loc + 1) } as usize;
        ELSEWHERE.store(vec![0u8; size.max(1 << 16)].leak().as_mut_ptr(), Ordering::Relaxed);
    }

    #[unsafe(export_name = "__sanitizer_bugornot_pause")]
    #[inline(never)]
    pub(crate) extern "C" fn pause() {
        let depth = DEPTH.load(Ordering::Relaxed);
        DEPTH.store(depth.wrapping_add(1), Ordering::Relaxed);
        if depth != 0 {
            return;
        }
        // SAFETY: one thread executes inputs, and the other map is as large as AFL's.
        unsafe {
            MAP.store(__afl_area_ptr, Ordering::Relaxed);
            COMPARES.store(__afl_cmp_map, Ordering::Relaxed);
            __afl_area_ptr = ELSEWHERE.load(Ordering::Relaxed);
            __afl_cmp_map = std::ptr::null_mut();
        }
    }

    #[unsafe(export_name = "__sanitizer_bugornot_resume")]
    #[inline(never)]
    pub(crate) extern "C" fn resume() {
        let depth = DEPTH.load(Ordering::Relaxed);
        DEPTH.store(depth.wrapping_sub(1), Ordering::Relaxed);
        if depth != 1 {
            return;
        }
        // SAFETY: what `pause` saved.
        unsafe {
            __afl_area_ptr = MAP.load(Ordering::Relaxed);
            __afl_cmp_map = COMPARES.load(Ordering::Relaxed);
        }
    }

    /// AFL's own map, while it is paused.
    pub(crate) fn paused_map() -> *mut u8 {
        MAP.load(Ordering::Relaxed)
    }
}

#[cfg(not(any(bugornot_engine = "libfuzzer", bugornot_engine = "afl")))]
mod engine {
    pub(crate) fn prepare() {}
    pub(crate) extern "C" fn pause() {}
    pub(crate) extern "C" fn resume() {}
}

/// Only libFuzzer's counters are read one execution at a time.
#[cfg(not(bugornot_engine = "libfuzzer"))]
mod edges {
    pub(crate) fn forget() {}
    pub(crate) fn reached() -> Vec<u32> {
        Vec::new()
    }
}

#[cfg(not(bugornot_engine = "libfuzzer"))]
pub(crate) use edges::{forget, reached};
#[cfg(bugornot_engine = "afl")]
pub(crate) use engine::paused_map;
#[cfg(bugornot_engine = "libfuzzer")]
pub(crate) use engine::{forget, reached};
pub(crate) use engine::{pause, prepare, resume};
