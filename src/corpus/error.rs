//! What can be wrong with a corpus as a whole. Each is one line: which file, what is wrong, and what to do.

use super::manifest::SCHEMA;
use crate::escape::{escape, shown};
use std::{fmt, io, path::Path};

/// A result of this room.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a corpus cannot be used.
#[derive(Debug)]
pub(crate) struct Error {
    path: String,
    suite: String,
    kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Io(io::Error),
    NoCorpus,
    NoManifest,
    NoInput,
    NotToml(String),
    Newer(u32),
    Foreign(String),
    Name(String),
    Content,
    TooLong,
    Empty,
}

impl Error {
    pub(super) fn new(path: &Path, suite: &str, kind: Kind) -> Self {
        Self { path: shown(path), suite: escape(suite), kind }
    }

    /// Whether there is nothing that could be lost.
    #[cfg(feature = "cli")]
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self.kind, Kind::NoCorpus | Kind::NoManifest | Kind::Empty)
    }

    /// Whether the corpus is sound and has no inputs.
    #[cfg(feature = "cli")]
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.kind, Kind::Empty)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, suite, kind } = self;
        let again = format!(
            "restore it from version control, or make the corpus again with `bugornot minimise {suite} --fresh`"
        );
        match kind {
            Kind::Io(error) => write!(f, "failed to read `{path}`: {error}"),
            Kind::NoCorpus => {
                write!(f, "there is no corpus `{path}`: make one with `bugornot minimise {suite}`, and commit it")
            }
            Kind::NoManifest => write!(f, "the manifest `{path}` is missing: {again}"),
            Kind::NoInput => write!(f, "the input `{path}` is missing, and the manifest lists it: {again}"),
            Kind::NotToml(why) => write!(f, "the manifest `{path}` is damaged: {why}; {again}"),
            Kind::Newer(schema) => write!(
                f,
                "the manifest `{path}` has schema {schema}, and this bugornot reads up to {SCHEMA}: use the bugornot that \
                 wrote it, or a newer one"
            ),
            Kind::Foreign(other) => write!(
                f,
                "the manifest `{path}` is that of suite `{other}`, not of `{suite}`: name the corpus of `{suite}`, or make \
                 one with `bugornot minimise {suite}`"
            ),
            Kind::Name(name) => {
                write!(f, "the manifest `{path}` lists `{name}`, which is no name of an input: {again}")
            }
            Kind::Content => write!(f, "the input `{path}` is damaged: its content is not what its name says; {again}"),
            Kind::TooLong => write!(f, "`{path}` is too long to be what it claims to be: {again}"),
            Kind::Empty => write!(
                f,
                "the manifest `{path}` lists no inputs: fuzz with `bugornot run {suite}`, then `bugornot minimise {suite}`"
            ),
        }
    }
}

impl std::error::Error for Error {}
