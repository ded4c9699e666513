//! `--against`: the log of an earlier version, for a report's hints.

use super::report::{Anchored, read};
use crate::{
    anchor::previous::{Known, compare, most_alike},
    clean::{self, Campaign, Cleaned},
    explain::{AllExplained, explain_all},
    terminal::{Color, escape, shown, warn},
};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// An earlier log.
pub(super) struct Against {
    path: PathBuf,
    campaigns: Vec<Campaign>,
    color: Color,
}

impl Against {
    pub(super) fn open(path: &Path, color: Color) -> Result<Self> {
        let campaigns = read(&[path.to_owned()], color)?.into_iter().map(|(_, campaign)| campaign).collect();
        Ok(Self { path: path.to_owned(), campaigns, color })
    }

    /// What it says about the cells of a newer log; nothing, and a warning, if it is of another suite.
    pub(super) fn anchored(
        &self,
        campaign: &Campaign,
        cleaned: &Cleaned,
        explained: &AllExplained,
        options: &clean::Options,
    ) -> Anchored {
        let Some(position) = most_alike(&self.campaigns, &campaign.header) else {
            let suite = escape(&campaign.header.suite);
            warn(self.color, format_args!("`{}` has no log of suite `{suite}` to compare with", shown(&self.path)));
            return Anchored::default();
        };
        let old = &self.campaigns[position];
        let old_cleaned = clean::clean(old, options);
        let old_explained = explain_all(old, &old_cleaned);
        let comparison = compare(
            Known { campaign: old, cleaned: &old_cleaned, explained: &old_explained },
            Known { campaign, cleaned, explained },
            options,
        );
        comparison.notes.iter().for_each(|note| warn(self.color, escape(note)));
        (comparison.anchors(), comparison.witnesses())
    }
}
