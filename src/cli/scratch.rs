//! A folder for a moment.

use anyhow::{Context, Result};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// How many names are tried.
const MOST: u32 = 10_000;

/// A folder that goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("bugornot-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                // Left by another process that had our number, or anybody's.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST => {}
                made => {
                    made.with_context(|| format!("failed to make folder `{}`", path.display()))?;
                    return Ok(Self(path));
                }
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
