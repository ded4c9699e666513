//! The file of a segment: made, or taken over from a process that has ended.

use crate::log::{
    EXTENSION,
    block::{Head, Kind, PAGE, capacity_for, payload},
    live::{self, Count, Snapshot},
};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// How many segments of ended processes are tried before a new one is made.
const MAX_TAKEOVERS: usize = 64;

/// Asks the file system for room, so that a full disk is an error now and not a signal later.
pub(crate) fn reserve(file: &File, at: u64, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is open for as long as `file` lives.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), at as libc::off_t, length as libc::off_t) } {
            0 => Ok(()),
            code => Err(io::Error::from_raw_os_error(code)),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let wanted = at + length;
        if file.metadata()?.len() < wanted { file.set_len(wanted) } else { Ok(()) }
    }
}

/// This host's name, fit for a file name.
pub(super) fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is writable and one byte longer than the length given, so it ends with a zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    let length = if failed { 0 } else { name.iter().position(|&byte| byte == 0).unwrap_or(0) };
    let shown: String = String::from_utf8_lossy(&name[..length])
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .take(40)
        .collect();
    if shown.is_empty() { "host".into() } else { shown }
}

pub(super) fn nanoseconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Makes a new segment and locks it.
pub(super) fn create(directory: &Path, host: &str, front: u64) -> io::Result<File> {
    let name = format!("{host}-{:x}-{}.{EXTENSION}", nanoseconds(), std::process::id());
    let path = directory.join(name);
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    // Waits: another process may be looking whether it can take the file over.
    let made = file.lock().and_then(|()| reserve(&file, 0, front));
    if let Err(error) = made {
        // A segment without a front is of no use to anyone.
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    Ok(file)
}

/// Finds a segment of this host with the same header, whose process has ended, and locks it.
pub(super) fn take_over(directory: &Path, host: &str, header: &[u8], cells: usize) -> Option<File> {
    let prefix = format!("{host}-");
    let mut paths = fs::read_dir(directory)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
        .take(MAX_TAKEOVERS);
    paths.find_map(|path| {
        let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
        file.try_lock().ok()?;
        is_sound(&file, header, cells).then_some(file)
    })
}

/// Whether a segment can be written on: its header is ours, and its end is where a block can begin.
fn is_sound(mut file: &File, header: &[u8], cells: usize) -> bool {
    let capacity = capacity_for(header.len());
    let front = 2 * capacity + live::size(cells);
    let mut bytes = vec![0; front];
    if file.read_exact(&mut bytes).is_err() {
        return false;
    }
    let is_ours = Head::read(&bytes)
        .filter(|head| head.kind == Kind::Header && head.capacity as usize == capacity)
        .and_then(|head| payload(head, &bytes))
        .is_some_and(|payload| payload == header);
    let Ok(length) = file.metadata().map(|metadata| metadata.len()) else { return false };
    is_ours
        && Snapshot::read(&bytes[2 * capacity..], cells)
            .and_then(|snapshot| {
                snapshot.totals()?;
                snapshot.counter(Count::Sequence)?;
                snapshot.counter(Count::End)
            })
            .is_some_and(|end| end >= front as u64 && end <= length && end.is_multiple_of(PAGE as u64))
}
