//! Keeps two runs that write to the same folder apart.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// The right to write to a folder. It ends with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the folder for oneself, and makes it if it is missing; nothing if somebody else has it.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let file = opened(folder)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { folder: folder.to_owned(), _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The same, once nobody else has it.
    #[cfg(feature = "cli")]
    pub(crate) fn wait(folder: &Path) -> io::Result<Self> {
        let file = opened(folder)?;
        file.lock()?;
        Ok(Self { folder: folder.to_owned(), _file: file })
    }
}

/// A folder, made if it is missing.
fn opened(folder: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::create_dir_all(folder)?;
    File::open(folder)
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A folder that nothing came of was made for this alone; one that holds something is not removed.
        let _ = fs::remove_dir(&self.folder);
        let _ = self.folder.parent().map(fs::remove_dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_and_nothing_is_left_of_it() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("other"), "").unwrap();
        let folder = place.path().join("corpus/s");
        let lock = Lock::take(&folder).unwrap().unwrap();
        assert!(Lock::take(&folder).unwrap().is_none());
        drop(lock);
        assert!(!place.path().join("corpus").exists());
        let lock = Lock::take(&folder).unwrap().unwrap();
        fs::write(folder.join("input"), "").unwrap();
        drop(lock);
        assert!(folder.join("input").exists() && Lock::take(&folder).unwrap().is_some());
    }
}
