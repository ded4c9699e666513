//! What there is to choose from: logs, engines' corpora, and the corpus there is.

use super::Work;
use crate::{
    clean::{self, Campaign, Cleaned},
    cli::{
        log_folder,
        terminal::{escape, grouped, shown, warn},
    },
    corpus::{self, Kept},
    explain::{Written, explain_all},
    log::{Header, IMPORT, Log},
    minimise::{Pool, candidates},
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// How many files of an engine's corpus are judged: as many as rows of a log.
const MOST_FILES: usize = 1 << 15;

/// What one campaign of a log holds.
pub(super) struct Read {
    pub(super) campaign: Campaign,
    pub(super) cleaned: Cleaned,
    /// The condition of each cell that has one, if the campaign is explained already.
    pub(super) conditions: Option<Vec<Option<Written>>>,
}

impl Read {
    /// The condition of each cell that has one.
    pub(super) fn conditions(&self) -> Vec<Option<Written>> {
        self.conditions.clone().unwrap_or_else(|| {
            explain_all(&self.campaign, &self.cleaned).cells.into_iter().map(|cell| cell.written).collect()
        })
    }
}

impl Work<'_> {
    /// Reads and cleans the logs that were named, or the suite's own if there is one.
    pub(super) fn read_logs(&self) -> Result<Vec<Read>> {
        let mut folders = self.arguments.logs.clone();
        if folders.is_empty() {
            let folder = log_folder::choose(None, &self.project.folder, self.suite)?;
            folders.extend(folder.exists().then_some(folder));
        }
        let mut read = Vec::new();
        for folder in &folders {
            let log = match Log::open(folder) {
                Err(error) if error.is_empty() && self.arguments.logs.is_empty() => continue,
                log => log.context("the log cannot be read")?,
            };
            log.unreadable.iter().for_each(|error| warn(self.color, escape(&error.to_string())));
            for campaign in clean::campaigns(log) {
                if campaign.header.suite != self.suite {
                    let other = escape(&campaign.header.suite);
                    warn(self.color, format_args!("`{}` holds rows of suite `{other}`, left out", shown(folder)));
                } else if campaign.header.build.engine != IMPORT {
                    let cleaned = clean::clean(&campaign, &clean::Options::default());
                    read.push(Read { campaign, cleaned, conditions: None });
                }
            }
        }
        Ok(read)
    }

    /// All inputs: of the logs, of the engines' corpora, and of the committed one.
    pub(super) fn pool(&self, read: &[Read]) -> Pool {
        let mut candidates: Vec<Vec<u8>> =
            read.iter().flat_map(|read| candidates(&read.campaign, &read.cleaned)).collect();
        let engines = self.project.folder.join("corpus").join(self.suite);
        candidates.extend(self.smallest(files_in(&engines)).iter().filter_map(|path| corpus::read_input(path)));
        let (ours, strange): (Vec<_>, Vec<_>) =
            files_in(&self.folder).into_iter().partition(|path| corpus::is_ours(path));
        candidates.extend(strange.iter().filter_map(|path| corpus::read_input(path)));
        let committed = match &self.before {
            Some(corpus) => {
                let expected = |input: &Kept| corpus.manifest.inputs.get(&input.name).cloned();
                corpus.inputs.iter().map(|input| (input.bytes.clone(), expected(input))).collect()
            }
            None if self.arguments.fresh => Vec::new(),
            // The manifest is gone, and the inputs are not.
            None => ours.iter().filter_map(|path| Some((corpus::read_input(path)?, None))).collect(),
        };
        Pool::new(committed, candidates)
    }

    /// As many files as can be judged in a reasonable time, the smallest first.
    fn smallest(&self, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        if files.len() > MOST_FILES {
            let left_out = grouped((files.len() - MOST_FILES) as u64);
            warn(self.color, format_args!("the {left_out} largest inputs of the engines' corpus are left out"));
            files.sort_by_cached_key(|path| (fs::metadata(path).map_or(u64::MAX, |file| file.len()), path.clone()));
            files.truncate(MOST_FILES);
        }
        files
    }

    /// The constants: those of the corpus, else those of the log with the most inputs.
    pub(super) fn constants(&self, read: &[Read]) -> Vec<(String, String)> {
        if let Some(corpus) = &self.before {
            return corpus.manifest.constants.clone().into_iter().collect();
        }
        let most = read.iter().rev().max_by_key(|read| read.cleaned.rows.kept);
        most.map(|read| constants_of(&read.campaign.header)).unwrap_or_default()
    }
}

/// The files of a folder; none if it is missing.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    corpus::list(folder).unwrap_or_default()
}

/// A suite's constants as text that pins them.
pub(crate) fn constants_of(header: &Header) -> Vec<(String, String)> {
    header.constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
}
