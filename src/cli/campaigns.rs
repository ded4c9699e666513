//! Which campaigns of the logs that were named a command is about: all, those of the newest code, the newest of each suite,
//! or those of older code.

use super::{log_folder, project::Project};
use crate::{
    clean::{self, Campaign},
    log::{IMPORT, Log},
    terminal::{Color, escape, plural, shown, warn},
};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A campaign, and the log it is in.
pub(crate) type Placed = (PathBuf, Campaign);

/// All campaigns of the logs that were named, or of all there are; no row of them is read yet.
pub(crate) fn read(logs: &[PathBuf], color: Color) -> Result<Vec<Placed>> {
    let mut campaigns = Vec::new();
    for folder in folders(logs)? {
        let log = Log::open(&folder).context("the log cannot be read")?;
        log.unreadable.iter().for_each(|error| warn(color, escape(&error.to_string())));
        campaigns.extend(clean::campaigns(log).into_iter().map(|campaign| (folder.clone(), campaign)));
    }
    Ok(campaigns)
}

/// The campaigns that ran the newest code of each suite: what an older version did wrong may be mended. `hint` says what to
/// do about those that are left out.
pub(super) fn of_newest_code(campaigns: Vec<Placed>, hint: &str, color: Color) -> Vec<Placed> {
    let revision = |(suite, position): (&str, usize)| (suite.to_owned(), code(&campaigns[position].1).to_owned());
    let newest: BTreeMap<String, String> = newest_of_suites(&campaigns).into_iter().map(revision).collect();
    // A table has its name where a build has its revision.
    let is_newest = |(_, campaign): &Placed| {
        let header = &campaign.header;
        header.build.engine == IMPORT || newest.get(&header.suite).is_some_and(|newest| newest == code(campaign))
    };
    let (chosen, older): (Vec<_>, Vec<_>) = campaigns.into_iter().partition(is_newest);
    if !older.is_empty() {
        let count = plural(older.len() as u64, "campaign");
        warn(color, format_args!("{count} of other revisions left out: {hint}"));
    }
    chosen
}

/// The newest campaign of every suite that the logs are about.
pub(crate) fn newest(logs: &[PathBuf], color: Color) -> Result<Vec<Campaign>> {
    let campaigns = read(logs, color)?;
    let positions: Vec<usize> = newest_of_suites(&campaigns).into_values().collect();
    if campaigns.len() > positions.len() {
        let older = plural((campaigns.len() - positions.len()) as u64, "older campaign");
        warn(
            color,
            format_args!("{older} with other code, builds or constants left out; `bugornot report --all` has them"),
        );
    }
    let is_newest = |(position, _): &(usize, Placed)| positions.contains(position);
    Ok(campaigns.into_iter().enumerate().filter(is_newest).map(|(_, (_, campaign))| campaign).collect())
}

/// The campaigns of an earlier log; of a suite whose `new` ones are in the same folder, those of other code.
pub(super) fn earlier(path: &Path, new: &[Placed], color: Color) -> Result<Vec<Campaign>> {
    let is_new = |(folder, old): &Placed| {
        let is_it = |(place, new): &Placed| {
            new.header.suite == old.header.suite && code(new) == code(old) && is_same_place(place, folder)
        };
        new.iter().any(is_it)
    };
    let campaigns = read(&[path.to_owned()], color)?;
    let (same, mut earlier): (Vec<_>, Vec<_>) = campaigns.into_iter().partition(is_new);
    let has_earlier = |same: &Campaign| earlier.iter().any(|(_, earlier)| earlier.header.suite == same.header.suite);
    let alone: Vec<Placed> = same.into_iter().filter(|(_, same)| !has_earlier(same)).collect();
    let suites: BTreeSet<&str> = alone.iter().map(|(_, alone)| alone.header.suite.as_str()).collect();
    for suite in suites {
        let (path, suite) = (shown(path), escape(suite));
        warn(color, format_args!("`{path}` has one version of the code of `{suite}`, and is compared with itself"));
    }
    earlier.extend(alone);
    Ok(earlier.into_iter().map(|(_, campaign)| campaign).collect())
}

/// Which version of the code a campaign ran.
fn code(campaign: &Campaign) -> &str {
    &campaign.header.build.revision
}

fn is_same_place(one: &Path, other: &Path) -> bool {
    one == other || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Where the newest campaign of each suite is, the first of those that are as new.
fn newest_of_suites(campaigns: &[Placed]) -> BTreeMap<&str, usize> {
    let mut newest: BTreeMap<&str, usize> = BTreeMap::new();
    for (position, (_, campaign)) in campaigns.iter().enumerate() {
        let known = newest.entry(&campaign.header.suite).or_insert(position);
        if campaign.written > campaigns[*known].1.written {
            *known = position;
        }
    }
    newest
}

/// The folders that were named, by path or by suite; or all there are.
fn folders(logs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if logs.is_empty() {
        return all_folders(&Project::find(None)?.folder.join("verdicts"));
    }
    let folder = |log: &PathBuf| match log.to_str() {
        Some(suite) if log.components().count() == 1 && !log.exists() => match Project::find(None) {
            Ok(project) => log_folder::choose(None, &project.folder, suite),
            // Not a name, then: reading it says what is wrong.
            Err(_) => Ok(log.clone()),
        },
        _ => Ok(log.clone()),
    };
    logs.iter().map(folder).collect()
}

/// The logs of all suites.
fn all_folders(verdicts: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(verdicts).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    if folders.is_empty() {
        bail!("there are no logs in `{}`: `bugornot run SUITE` makes one", shown(verdicts));
    }
    Ok(folders)
}
