//! Finds the log that a cell is in.

use super::Arguments;
use crate::{
    Verdict,
    clean::{self, Campaign, Cleaned},
    cli::{
        log_folder,
        project::Project,
        terminal::{Color, escape, shown, warn},
    },
    log::{Header, IMPORT, Log},
};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// A cell, and the rows of its campaign.
pub(super) struct Found {
    pub(super) cleaned: Cleaned,
    pub(super) cell: usize,
}

/// The names of a cell's function and relation.
pub(super) fn names(header: &Header, cell: usize) -> (String, String) {
    let Some(&(function, relation)) = header.cells.get(cell) else { return Default::default() };
    let function = header.functions.get(usize::from(function)).cloned().unwrap_or_default();
    let relation = header.relations.get(usize::from(relation)).map(|relation| relation.name.clone());
    (function, relation.unwrap_or_default())
}

/// Finds the cell: in the log that was named, or in that of the only suite that has it.
pub(super) fn find(arguments: &Arguments, project: &Project, color: Color) -> Result<Found> {
    let mut campaigns = Vec::new();
    for folder in folders(arguments, project)? {
        let log = match Log::open(&folder) {
            Err(error) if error.is_empty() && arguments.log.is_none() => continue,
            log => log.context("the log cannot be read")?,
        };
        log.unreadable.iter().for_each(|error| warn(color, escape(&error.to_string())));
        let all = clean::campaigns(log).into_iter().map(|campaign| (folder.clone(), campaign));
        campaigns.extend(all.filter(|(_, campaign)| is_wanted(campaign, arguments)));
    }
    let cells = cells(&campaigns);
    campaigns.retain(|(_, campaign)| cell_of(&campaign.header, &arguments.cell).is_some());
    let mut suites: Vec<String> = campaigns.iter().map(|(_, campaign)| campaign.header.suite.clone()).collect();
    suites.sort();
    suites.dedup();
    match &suites[..] {
        [] if cells.is_empty() => bail!("there is no log to locate anything by: fuzz with `bugornot run SUITE` first"),
        [] => bail!("unknown cell `{}`: the log has {}", escape(&arguments.cell), cells.join(", ")),
        [suite] => project.source(suite)?,
        _ => bail!(
            "`{}` is a cell of {}: choose one with `--suite`",
            escape(&arguments.cell),
            suites.iter().map(|suite| format!("`{}`", escape(suite))).collect::<Vec<_>>().join(", ")
        ),
    };
    latest(campaigns, &arguments.cell, color)
}

/// The folders to look into.
fn folders(arguments: &Arguments, project: &Project) -> Result<Vec<PathBuf>> {
    let of_suite = |suite: &String| log_folder::choose(None, &project.folder, suite);
    if let Some(log) = &arguments.log {
        // As elsewhere, a suite's name stands for its log.
        let suite = log.to_str().filter(|name| !log.exists() && project.source(name).is_ok());
        return Ok(vec![suite.map_or_else(|| Ok(log.clone()), |suite| of_suite(&suite.to_owned()))?]);
    }
    match &arguments.suite {
        Some(suite) => {
            project.source(suite)?;
            Ok(vec![of_suite(suite)?])
        }
        None => {
            let mut folders: Vec<PathBuf> = project.logged_suites().iter().map(of_suite).collect::<Result<_>>()?;
            // BUGORNOT_LOG is one for all.
            folders.dedup();
            Ok(folders)
        }
    }
}

/// Whether a campaign can be run again, and is of the suite that was named.
fn is_wanted(campaign: &Campaign, arguments: &Arguments) -> bool {
    let is_named = arguments.suite.as_ref().is_none_or(|suite| *suite == campaign.header.suite);
    is_named && campaign.header.build.engine != IMPORT
}

/// The position of a cell that is called so: `function:relation`, or as reports show it.
fn cell_of(header: &Header, name: &str) -> Option<usize> {
    (0..header.cells.len()).find(|&cell| {
        let (function, relation) = names(header, cell);
        name == format!("{function}:{relation}") || name == header.cell_name(cell)
    })
}

/// All cells, as they are named on the command line.
fn cells(campaigns: &[(PathBuf, Campaign)]) -> Vec<String> {
    let of = |header: &Header| -> Vec<String> {
        let name = |cell| names(header, cell);
        (0..header.cells.len()).map(name).map(|(function, relation)| format!("{function}:{relation}")).collect()
    };
    let mut cells: Vec<String> = campaigns.iter().flat_map(|(_, campaign)| of(&campaign.header)).collect();
    cells.sort();
    cells.dedup();
    cells.into_iter().map(|cell| format!("`{}`", escape(&cell))).collect()
}

/// The campaign that was written last, of those with checks that failed and such that held if there is one.
fn latest(mut campaigns: Vec<(PathBuf, Campaign)>, name: &str, color: Color) -> Result<Found> {
    campaigns.sort_by_key(|(_, campaign)| std::cmp::Reverse(campaign.written));
    let count = campaigns.len();
    let mut first = None;
    for (folder, campaign) in campaigns {
        let Some(cell) = cell_of(&campaign.header, name) else { continue };
        let found = Found { cleaned: clean::clean(&campaign, &clean::Options::default()), cell };
        let has = |verdict| found.cleaned.cells[cell].distinct.counts.of(verdict) > 0;
        let has_failed = [Verdict::Violated, Verdict::SourcePanicked, Verdict::FollowUpPanicked].into_iter().any(has);
        if has_failed && has(Verdict::Held) {
            tell_others(count, &folder, color);
            return Ok(found);
        }
        first.get_or_insert(found);
    }
    first.context("the log holds no rows of this cell")
}

/// Says so if a log holds rows that are not used.
fn tell_others(campaigns: usize, folder: &Path, color: Color) {
    if campaigns > 1 {
        let folder = shown(folder);
        warn(
            color,
            format_args!("`{folder}` holds {campaigns} campaigns of this suite: the latest with both verdicts is used"),
        );
    }
}
