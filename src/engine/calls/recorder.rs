//! The runtime of LLVM's coverage instrumentation, for one thread: it is called back at each block and each comparison.
//!
//! This crate is instrumented as well, so what a callback calls may call back: nothing is recorded meanwhile. What the
//! code under test does in threads of its own is not seen.

use super::{Block, Distance, Opening, Range, Run, distance};
use std::{
    collections::{HashMap, HashSet},
    ffi::c_void,
};

/// The thread whose code is recorded; 0 while nothing is. Not an atomic, whose functions may be instrumented: other
/// threads never find themselves in it, whatever they read.
static mut OWNER: libc::pthread_t = 0;
static mut RECORDER: *mut Recorder = std::ptr::null_mut();
/// All blocks: LLVM's pairs of address and flags.
static mut TABLE: (*const [usize; 2], usize) = (std::ptr::null(), 0);

/// Whose code an address belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Whose {
    Other,
    Dependency,
    Own,
}

/// A function under way: where its frame is, and the block it is in.
struct Frame {
    at: usize,
    block: u32,
}

struct Recorder {
    /// The address at which the executable was loaded, against the one it was linked for.
    bias: usize,
    ours: Vec<Range>,
    frames: Vec<Frame>,
    /// The blocks in the order in which they were first run.
    order: Vec<u32>,
    counts: HashMap<u32, u32>,
    steps: HashSet<(u32, u32)>,
    called: HashSet<(u32, u64)>,
    compared: HashSet<(u64, Distance)>,
}

/// Gets ready to record, and tells all blocks there are.
pub(crate) fn open(opening: Opening) -> Vec<Block> {
    let bias = bias();
    let recorder = Recorder {
        bias,
        ours: opening.ours,
        frames: Vec::new(),
        order: Vec::new(),
        counts: HashMap::new(),
        steps: HashSet::new(),
        called: HashSet::new(),
        compared: HashSet::new(),
    };
    // SAFETY: the recorder lives as long as the process; the table is as LLVM's constructors have told it.
    let table = unsafe {
        RECORDER = Box::into_raw(Box::new(recorder));
        let (start, length) = TABLE;
        if start.is_null() { &[][..] } else { std::slice::from_raw_parts(start, length) }
    };
    let block =
        |&[address, flags]: &[usize; 2]| Block { address: address.wrapping_sub(bias) as u64, is_entry: flags & 1 == 1 };
    table.iter().map(block).collect()
}

/// Runs a call that does not unwind; what it has run.
pub(crate) fn watch(call: &mut dyn FnMut()) -> Run {
    // SAFETY: one thread executes inputs, and while it is the owner only the callbacks touch the recorder.
    unsafe {
        let Some(recorder) = RECORDER.as_mut() else { return Run::default() };
        recorder.forget();
        OWNER = libc::pthread_self();
        call();
        OWNER = 0;
        (*RECORDER).run()
    }
}

/// Where the executable was loaded.
fn bias() -> usize {
    unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, bias: *mut c_void) -> i32 {
        // SAFETY: the linker hands over the executable itself first, and `bias` is ours.
        unsafe { *bias.cast::<usize>() = (*info).dlpi_addr as usize };
        1
    }
    let mut bias = 0usize;
    // SAFETY: `first` expects this pointer.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut bias).cast()) };
    bias
}

/// The address of the frame of the function it stands in: this build keeps frame pointers.
macro_rules! frame {
    () => {{
        let frame: usize;
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!("mov {}, x29", out(reg) frame, options(nomem, nostack, preserves_flags));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        compile_error!("`bugornot locate` knows the stack frames of x86-64 and of aarch64 only");
        frame as *const usize
    }};
}

/// The frame of the caller, and the address that a function returns to.
///
/// # Safety
/// `frame` must be the frame of a function under way.
unsafe fn caller(frame: *const usize) -> (usize, usize) {
    // SAFETY: a frame begins with these two words.
    unsafe { (*frame, *frame.wrapping_add(1)) }
}

/// Records what a callback was told, if the code under test is under way in this thread.
macro_rules! record {
    (|$recorder:ident, $frame:ident, $address:ident| $what:expr) => {
        // SAFETY: only the owner comes here, and nothing that it calls from here does.
        unsafe {
            if OWNER != 0 && OWNER == libc::pthread_self() {
                let own = OWNER;
                OWNER = 0;
                let ($frame, $address) = caller(frame!());
                let $recorder = &mut *RECORDER;
                $what;
                OWNER = own;
            }
        }
    };
}

#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __sanitizer_cov_trace_pc_guard(guard: *mut u32) {
    record!(|recorder, frame, _address| recorder.block(*guard, frame));
}

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_guard_init(start: *mut u32, stop: *mut u32) {
    // SAFETY: LLVM's constructors give the guards of the whole executable, more than once.
    unsafe {
        let mut guard = start;
        let mut number = 0u32;
        while guard < stop {
            *guard = number;
            number = number.wrapping_add(1);
            guard = guard.wrapping_add(1);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_pcs_init(start: *const [usize; 2], stop: *const [usize; 2]) {
    let bytes = (stop as usize).wrapping_sub(start as usize);
    // SAFETY: constructors run one after the other, before anything reads it.
    unsafe { TABLE = (start, bytes / size_of::<[usize; 2]>()) };
}

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_switch(_value: u64, _cases: *const u64) {}

macro_rules! compare {
    ($($name:ident($unsigned:ty, $signed:ty))*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        extern "C" fn $name(one: $unsigned, other: $unsigned) {
            record!(|recorder, frame, address| {
                // As many bits as were compared: a neighbour is one whether or not the type has a sign.
                recorder.compare(address, frame, distance((one.wrapping_sub(other) as $signed).into()))
            });
        }
    )*};
}

compare! {
    __sanitizer_cov_trace_cmp1(u8, i8)
    __sanitizer_cov_trace_cmp2(u16, i16)
    __sanitizer_cov_trace_cmp4(u32, i32)
    __sanitizer_cov_trace_cmp8(u64, i64)
    __sanitizer_cov_trace_const_cmp1(u8, i8)
    __sanitizer_cov_trace_const_cmp2(u16, i16)
    __sanitizer_cov_trace_const_cmp4(u32, i32)
    __sanitizer_cov_trace_const_cmp8(u64, i64)
}

impl Recorder {
    fn forget(&mut self) {
        self.frames.clear();
        self.order.clear();
        self.counts.clear();
        self.steps.clear();
        self.called.clear();
        self.compared.clear();
    }

    fn run(&self) -> Run {
        fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
            let mut items: Vec<T> = items.collect();
            items.sort_unstable();
            items
        }
        Run {
            blocks: self.order.iter().map(|block| (*block, self.counts[block])).collect(),
            steps: sorted(self.steps.iter().copied()),
            called: sorted(self.called.iter().copied()),
            compared: sorted(self.compared.iter().copied()),
        }
    }

    fn address_of(&self, block: u32) -> Option<(usize, bool)> {
        // SAFETY: the table is as LLVM's constructors have told it, and never changes.
        let (start, length) = unsafe { TABLE };
        if block as usize >= length {
            return None;
        }
        // SAFETY: as above, and the block is one of them.
        let [address, flags] = unsafe { *start.add(block as usize) };
        Some((address.wrapping_sub(self.bias), flags & 1 == 1))
    }

    /// Whose code an address of the executable belongs to.
    fn whose(&self, address: usize) -> Whose {
        let address = address as u64;
        let behind = self.ours.partition_point(|range| range.from <= address);
        match self.ours[..behind].last().filter(|range| address < range.to) {
            None => Whose::Other,
            Some(range) if range.is_own => Whose::Own,
            Some(_) => Whose::Dependency,
        }
    }

    /// A block begins in the function whose frame it is.
    fn block(&mut self, block: u32, frame: usize) {
        let Some((address, is_entry)) = self.address_of(block) else { return };
        let count = self.counts.entry(block).or_default();
        if *count == 0 {
            self.order.push(block);
        }
        *count = count.saturating_add(1);
        // Stacks grow downwards: frames below have been left, and so has this one if a function begins in it.
        while self.frames.last().is_some_and(|last| last.at < frame || is_entry && last.at == frame) {
            self.frames.pop();
        }
        match self.frames.last_mut().filter(|last| last.at == frame) {
            Some(last) => {
                self.steps.insert((last.block, block));
                last.block = block;
            }
            None => self.frames.push(Frame { at: frame, block }),
        }
        for caller in self.callers(self.whose(address)) {
            self.called.insert((block, caller));
        }
    }

    /// Two integers are compared at an address of the function whose frame it is.
    fn compare(&mut self, returns_to: usize, frame: usize, distance: Distance) {
        let address = returns_to.wrapping_sub(self.bias);
        let whose = self.whose(address.wrapping_sub(1));
        if whose != Whose::Other {
            self.compared.insert((address as u64 - 1, distance));
        }
        if self.frames.last().is_some_and(|last| last.at == frame) {
            for caller in self.callers(whose) {
                self.compared.insert((caller, distance));
            }
        }
    }

    /// The nearest callers of the function under way that are more ours than it is: one in a dependency, one of the
    /// user's own.
    fn callers(&self, mut whose: Whose) -> Vec<u64> {
        let mut found = Vec::new();
        let mut frames = self.frames.iter().rev().peekable();
        while let Some(frame) = frames.next().filter(|_| whose < Whose::Own) {
            // SAFETY: the frame is above all that is under way, on the stack of this thread.
            let returns_to = unsafe { caller(frame.at as *const usize).1 };
            let address = returns_to.wrapping_sub(self.bias).wrapping_sub(1);
            // Where code that is not instrumented stands between the two, only the block is known.
            let block = frames.peek().and_then(|next| self.address_of(next.block)).map(|(address, _)| address);
            for address in [Some(address), block].into_iter().flatten() {
                if self.whose(address) > whose {
                    whose = self.whose(address);
                    found.push(address as u64);
                }
            }
        }
        found
    }
}
