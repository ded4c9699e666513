//! A target that is asked: judges the inputs that another process sends, one after the other, and tells all it saw.
//!
//! `bugornot minimise` and `bugornot replay` set `BUGORNOT_SERVE=1` and talk to the target's stdin and stdout. A message
//! is its length (`u32`, little-endian) and as many bytes. The target begins with [`GREETING`] and its encoded
//! [`Header`]; after that, each message is an input, and its answer is [`REJECTED`], or [`JUDGED`], the edges that it
//! reached, with about how often (none without libFuzzer's instrumentation), and the execution in full (`log/told.rs`).
//! The end of stdin ends the target. What dies of an input has not answered it.
//!
//! The build that records calls (`calls.rs`) is first sent an `Opening` and answers with all blocks of code there are;
//! behind the edges it tells what each call of the cell has run.

use super::{Execute, coverage};
use crate::log::{Header, codec};
use std::{
    env,
    fs::File,
    io::{self, Read, Write},
    os::fd::FromRawFd,
};

/// The variable that asks for it.
pub(crate) const VARIABLE: &str = "BUGORNOT_SERVE";
/// How a target that understands this protocol begins.
pub(crate) const GREETING: &[u8] = b"bugornot serves 1\n";
/// The answer to an input that does not decode, or is outside the domain.
pub(crate) const REJECTED: u8 = 0;
/// How every other answer begins.
pub(crate) const JUDGED: u8 = 1;

/// Whether another process asks.
pub(super) fn is_asked() -> bool {
    env::var_os(VARIABLE).is_some_and(|value| value == "1")
}

/// Sends a message.
pub(crate) fn send(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).map_err(|_| io::Error::other("the message is too long"))?;
    to.write_all(&[&length.to_le_bytes(), message].concat())?;
    to.flush()
}

/// Receives a message; nothing at the end. Room is made for what comes, not for what is claimed.
pub(crate) fn receive(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from(u32::from_le_bytes(length));
    let mut message = Vec::new();
    from.by_ref().take(length).read_to_end(&mut message)?;
    Ok((message.len() as u64 == length).then_some(message))
}

/// Answers until nobody asks any more. `step` executes an input in the target; whether it was judged.
///
/// # Safety
/// `target` must be valid, and only `step` may use it meanwhile.
pub(super) unsafe fn run(target: *mut dyn Execute, step: &mut dyn FnMut(&[u8]) -> bool) -> ! {
    // SAFETY: the caller's promise.
    let served = unsafe { serve(target, step) };
    // Whoever asked has gone away: nobody is left to be told.
    std::process::exit(i32::from(served.is_err()))
}

unsafe fn serve(target: *mut dyn Execute, step: &mut dyn FnMut(&[u8]) -> bool) -> io::Result<()> {
    let (mut from, mut to) = streams()?;
    // SAFETY: the promise of `run`; nothing is stepping now.
    let greeting = unsafe {
        (*target).tell();
        greeting((*target).header())
    };
    send(&mut to, &greeting)?;
    let Some(cell) = recorded::begin(&mut from, &mut to)? else { return Ok(()) };
    while let Some(input) = receive(&mut from)? {
        coverage::forget();
        let is_judged = step(&input);
        let edges = coverage::reached();
        // SAFETY: as above.
        let told = unsafe { (*target).told() };
        // SAFETY: as above. After the step, so that what is done once in a process is done.
        let calls = unsafe { recorded::calls(&*target, &input, cell) };
        let answer = match told.filter(|_| is_judged) {
            Some(told) => [&[JUDGED][..], &codec::encode(&edges), &calls, &told].concat(),
            None => vec![REJECTED],
        };
        send(&mut to, &answer)?;
    }
    Ok(())
}

/// What the build that records calls tells as well.
#[cfg(bugornot_calls)]
mod recorded {
    use super::{Execute, File, codec, io, receive, send};
    use crate::engine::calls;

    /// Hears which cell is asked for; nothing if nobody asks.
    pub(super) fn begin(from: &mut File, to: &mut File) -> io::Result<Option<usize>> {
        let opening = receive(from)?.as_deref().and_then(codec::decode::<calls::Opening>);
        let Some(opening) = opening else { return Ok(None) };
        let cell = opening.cell as usize;
        send(to, &codec::encode(&calls::open(opening)))?;
        Ok(Some(cell))
    }

    pub(super) fn calls(target: &dyn Execute, input: &[u8], cell: usize) -> Vec<u8> {
        target.calls(input, cell)
    }
}

#[cfg(not(bugornot_calls))]
mod recorded {
    use super::{Execute, File, io};

    pub(super) fn begin(_: &mut File, _: &mut File) -> io::Result<Option<usize>> {
        Ok(Some(0))
    }

    pub(super) fn calls(_: &dyn Execute, _: &[u8], _: usize) -> [u8; 0] {
        []
    }
}

fn greeting(header: &Header) -> Vec<u8> {
    [GREETING, &codec::encode(header)].concat()
}

/// Takes stdin and stdout away from the code under test: what it prints goes to stderr, and it reads nothing.
fn streams() -> io::Result<(File, File)> {
    let nothing = File::open("/dev/null")?;
    // SAFETY: plain system calls on descriptors that are open; the copies belong to nobody else.
    unsafe {
        let (from, to) = (libc::dup(0), libc::dup(1));
        let is_moved = libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&nothing), 0) >= 0 && libc::dup2(2, 1) >= 0;
        if from < 0 || to < 0 || !is_moved {
            return Err(io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(from), File::from_raw_fd(to)))
    }
}
