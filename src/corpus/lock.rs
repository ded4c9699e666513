//! Keeps two runs that write the same corpus apart.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// The right to write a corpus. It ends with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the folder for oneself, and makes it if it is missing; nothing if somebody else has it.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let file = File::open(folder)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { folder: folder.to_owned(), _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
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
