//! Makes sure, before anything is built, that the log folder is one: nothing that is there is ever overwritten.

use crate::{
    log::{EXTENSION, Log},
    terminal::{Color, escape, shown, warn},
};
use anyhow::{Context, Result, bail};
use std::{
    env,
    ffi::OsStr,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Where the campaign logs: what the option says, or the environment, or beside the suite.
pub(crate) fn choose(option: Option<&Path>, fuzz: &Path, suite: &str) -> Result<PathBuf> {
    let from_environment = env::var_os("BUGORNOT_LOG").filter(|path| !path.is_empty());
    let path = match (option, from_environment) {
        (Some(path), _) => path.to_owned(),
        (None, Some(off)) if off == "off" => {
            bail!("BUGORNOT_LOG is `off`, and `bugornot run` reads the log: unset it, or name a folder with `--log`")
        }
        (None, Some(path)) => path.into(),
        (None, None) => fuzz.join("verdicts").join(suite),
    };
    std::path::absolute(&path).with_context(|| format!("`{}` is no path; name a folder with `--log`", shown(&path)))
}

/// Refuses a folder that is no log, or one that cannot be read or written; makes it if it is missing.
/// `option` is how the user can name another.
pub(crate) fn check(folder: &Path, option: &str, color: Color) -> Result<()> {
    let name = shown(folder);
    match fs::metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => bail!("log `{name}` is a file; name a folder with `{option}`"),
        Ok(_) => refuse_foreign(folder, option, color)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            return Err(error)
                .with_context(|| format!("failed to read log `{name}`; name another folder with `{option}`"));
        }
    }
    let failed = || format!("failed to write to log `{name}`; name another folder with `{option}`");
    fs::create_dir_all(folder).with_context(failed)?;
    let trial = folder.join(format!(".trial-{}", std::process::id()));
    File::create_new(&trial).with_context(failed)?;
    fs::remove_file(&trial).with_context(failed)
}

fn refuse_foreign(folder: &Path, option: &str, color: Color) -> Result<()> {
    let unreadable = match Log::open(folder) {
        Ok(log) => log.unreadable,
        Err(error) if error.is_empty() => return refuse_strangers(folder, option),
        Err(error) => vec![error],
    };
    for error in unreadable {
        // A process that was killed while it made its segment leaves a damaged one: that must not stop a campaign.
        if !error.is_damaged() {
            return Err(error).context("the log cannot be used");
        }
        warn(color, escape(&error.to_string()));
    }
    Ok(())
}

/// Refuses a folder without segments that holds something else: it was named by mistake.
fn refuse_strangers(folder: &Path, option: &str) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("failed to read log `{}`", shown(folder)))?;
    let is_ours = |name: &OsStr| {
        let name = name.to_string_lossy();
        name.starts_with('.') || name.starts_with("seed") || name.starts_with("examples-") || name.ends_with(".strata")
    };
    match entries.flatten().map(|entry| entry.file_name()).filter(|name| !is_ours(name)).min() {
        Some(name) => bail!(
            "`{}` is no log: it holds `{}` and no segment (`*.{EXTENSION}`); name a new or an empty folder with `{option}`",
            shown(folder),
            escape(&name.to_string_lossy())
        ),
        None => Ok(()),
    }
}
