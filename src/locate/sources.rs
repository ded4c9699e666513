//! The text of lines, from the files they stand in, as far as these can be read.

use super::Line;
use std::{
    cell::RefCell,
    collections::HashMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// No more of a file is read.
const MOST_BYTES: u64 = 16 << 20;

/// Files that were read, line by line.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: RefCell<HashMap<PathBuf, Vec<String>>>,
}

impl Sources {
    /// A line's text, without the space around it; nothing if it cannot be read.
    pub(super) fn text(&self, line: &Line) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(line.path.clone()).or_insert_with_key(|path| read(path).unwrap_or_default());
        lines.get((line.number as usize).checked_sub(1)?).map(|text| text.trim().to_owned())
    }

    /// Whether a line says nothing: it ends a block or a list.
    pub(super) fn is_bare(&self, line: &Line) -> bool {
        self.text(line).is_some_and(|text| !text.contains(char::is_alphanumeric))
    }
}

fn read(path: &Path) -> Option<Vec<String>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}
