//! Reads a corpus. It may be damaged or hostile: a name never leaves the folder, and nothing is read without a limit.

use super::{
    DECISIONS, MANIFEST, Manifest,
    decided::digest,
    error::{Error, Kind, Result},
    manifest_of, name_of,
};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// No input is longer: no engine makes such.
const LONGEST_INPUT: u64 = 1 << 20;
/// No manifest is longer.
const LONGEST_MANIFEST: u64 = 64 << 20;
/// How many digits a name has.
const DIGITS: usize = 16;

/// A corpus that is whole: every input is there, and is what its name says.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
    /// In the order of the manifest.
    pub(crate) inputs: Vec<Kept>,
    /// The names of other files in the folder.
    pub(crate) others: Vec<String>,
    /// The digest of the decisions there are now.
    pub(crate) digest: String,
}

/// An input with its name.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Corpus {
    /// Reads the corpus of a suite.
    pub(crate) fn load(folder: &Path, suite: &str) -> Result<Self> {
        let path = manifest_of(folder);
        let failed = |kind| Error::new(&path, suite, kind);
        let text = match limited(&path, LONGEST_MANIFEST) {
            Ok(Some(text)) => text,
            Ok(None) => return Err(failed(Kind::TooLong)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.is_dir() && !is_only_decided(folder) => {
                return Err(failed(Kind::NoManifest));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::new(folder, suite, Kind::NoCorpus));
            }
            Err(error) => return Err(failed(Kind::Io(error))),
        };
        let text = String::from_utf8(text).map_err(|_| failed(Kind::NotToml("it is no text".into())))?;
        let manifest = Manifest::parse(&text, &path, suite)?;
        if manifest.inputs.is_empty() {
            return Err(failed(Kind::Empty));
        }
        if let Some(name) = manifest.inputs.keys().find(|name| !is_name(name)) {
            return Err(failed(Kind::Name(crate::escape::escape(name))));
        }
        let inputs = manifest.inputs.keys().map(|name| kept(folder, suite, name)).collect::<Result<Vec<_>>>()?;
        let mut others: Vec<String> = list(folder)
            .map_err(|error| Error::new(folder, suite, Kind::Io(error)))?
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .filter(|name| !manifest.inputs.contains_key(name))
            .collect();
        others.sort();
        let digest = digest(folder).map_err(|error| Error::new(&folder.join(DECISIONS), suite, Kind::Io(error)))?;
        Ok(Self { folder: folder.to_owned(), manifest, inputs, others, digest })
    }
}

#[cfg(feature = "cli")]
impl Corpus {
    /// Whether an interrupted run has left inputs behind that nobody lists.
    pub(crate) fn has_leftovers(&self) -> bool {
        self.others.iter().any(|name| is_ours(&self.folder.join(name)))
    }
}

/// Whether a folder holds decisions, and no input yet.
fn is_only_decided(folder: &Path) -> bool {
    folder.join(DECISIONS).exists() && list(folder).is_ok_and(|files| files.is_empty())
}

fn is_name(name: &str) -> bool {
    name.len() == DIGITS && name.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'))
}

fn kept(folder: &Path, suite: &str, name: &str) -> Result<Kept> {
    let path = folder.join(name);
    let failed = |kind| Error::new(&path, suite, kind);
    let bytes = match limited(&path, LONGEST_INPUT) {
        Ok(bytes) => bytes.ok_or_else(|| failed(Kind::TooLong))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(failed(Kind::NoInput)),
        Err(error) => return Err(failed(Kind::Io(error))),
    };
    if name_of(&bytes) != name {
        return Err(failed(Kind::Content));
    }
    Ok(Kept { name: name.to_owned(), bytes })
}

/// The content of a file; nothing if it is longer than that.
pub(crate) fn limited(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The files in a folder that can be inputs, in the order of their names: neither hidden ones nor the
/// manifest and decisions.
pub(crate) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && !is_hidden(path) && !path.ends_with(MANIFEST) && !path.ends_with(DECISIONS))
        .collect();
    files.sort();
    Ok(files)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Whether a file is named by its content: then we wrote it, or could have.
#[cfg(feature = "cli")]
pub(crate) fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| is_name(name));
    name.is_some_and(|name| read_input(path).is_some_and(|bytes| name_of(&bytes) == name))
}

/// The content of a file that can be an input.
#[cfg(feature = "cli")]
pub(crate) fn read_input(path: &Path) -> Option<Vec<u8>> {
    limited(path, LONGEST_INPUT).ok().flatten()
}
