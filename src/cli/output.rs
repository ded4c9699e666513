//! Where the result of a command goes, and in which form.

use super::{
    print,
    terminal::{Color, Paint, shown},
};
use anyhow::{Context, Result};
use std::{fs, io, path::PathBuf};

/// For people, or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
}

/// Where to write a result.
#[derive(Debug, clap::Args)]
pub(super) struct Destination {
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Destination {
    /// The colours there: none in a file.
    pub(super) fn paint(&self, color: Color) -> Paint {
        if self.out.is_some() { Paint::PLAIN } else { color.paint(&io::stdout()) }
    }

    pub(super) fn write(&self, whole: &str) -> Result<()> {
        match &self.out {
            Some(path) => fs::write(path, whole).with_context(|| format!("failed to write `{}`", shown(path))),
            None => print(whole),
        }
    }
}
