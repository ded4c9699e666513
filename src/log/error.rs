//! What can be wrong with a log as a whole. Damage inside one is not an error: it is counted in a [`Loss`](super::Loss).

use super::EXTENSION;
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// A result of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a log could not be opened; says which file, what is wrong, and what to do.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(io::Error),
    Foreign,
    Newer(u32),
    Header,
    Unborn,
    Empty,
}

impl Error {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), kind: Kind::Io(error) }
    }
    pub(crate) fn foreign(path: &Path) -> Self {
        Self { path: path.to_owned(), kind: Kind::Foreign }
    }
    pub(crate) fn newer(path: &Path, format: u32) -> Self {
        Self { path: path.to_owned(), kind: Kind::Newer(format) }
    }
    pub(crate) fn header(path: &Path) -> Self {
        Self { path: path.to_owned(), kind: Kind::Header }
    }
    pub(crate) fn unborn(path: &Path) -> Self {
        Self { path: path.to_owned(), kind: Kind::Unborn }
    }
    pub(crate) fn empty(path: &Path) -> Self {
        Self { path: path.to_owned(), kind: Kind::Empty }
    }

    /// The file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is no segment at all.
    pub fn is_foreign(&self) -> bool {
        matches!(self.kind, Kind::Foreign)
    }

    /// Whether the segment is of a format this build cannot read.
    pub fn is_version(&self) -> bool {
        matches!(self.kind, Kind::Newer(_))
    }

    /// Whether both copies of the segment's header are damaged or cut off.
    pub fn is_damaged(&self) -> bool {
        matches!(self.kind, Kind::Header | Kind::Unborn)
    }

    /// Whether the segment's process ended before it wrote anything.
    pub fn is_unborn(&self) -> bool {
        matches!(self.kind, Kind::Unborn)
    }

    /// Whether the directory holds no segment.
    pub fn is_empty(&self) -> bool {
        matches!(self.kind, Kind::Empty)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            Kind::Io(_) => write!(f, "failed to read log `{path}`"),
            Kind::Foreign => write!(
                f,
                "`{path}` is no segment of a bugornot log: byte 0 does not begin with `BnB1`; \
                 name the directory that `BUGORNOT_LOG` named, or move the file away"
            ),
            Kind::Newer(format) => write!(
                f,
                "`{path}` has log format {format}, and this bugornot reads up to {}: \
                 install the bugornot that wrote it, or a newer one",
                super::FORMAT
            ),
            Kind::Header => write!(
                f,
                "`{path}` is damaged: both copies of its header, from byte 0, are cut off or fail their checksum; \
                 restore the file, or move it away to read the other segments"
            ),
            Kind::Unborn => write!(
                f,
                "`{path}` is damaged: from byte 0 on it holds nothing, because its process ended before it wrote the \
                 header; remove the file"
            ),
            Kind::Empty => match logs_below(&self.path) {
                logs if logs.is_empty() => {
                    write!(f, "`{path}` holds no segment (`*.{EXTENSION}`): run a campaign first, `bugornot run SUITE`")
                }
                logs => {
                    write!(f, "`{path}` holds no segment (`*.{EXTENSION}`) itself: name a folder that does, {logs}")
                }
            },
        }
    }
}

/// A few of the folders in a folder that have segments, in words.
fn logs_below(folder: &Path) -> String {
    const NAMED: usize = 3;
    let below = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<PathBuf>>()
    };
    let is_segment = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut logs: Vec<PathBuf> = below(folder).into_iter().filter(|path| below(path).iter().any(is_segment)).collect();
    logs.sort();
    let named: Vec<String> = logs.iter().take(NAMED).map(|log| format!("`{}`", log.display())).collect();
    named.join(" or ") + if logs.len() > NAMED { " or another" } else { "" }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io(error) => Some(error),
            _ => None,
        }
    }
}
