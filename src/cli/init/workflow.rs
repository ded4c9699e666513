//! `bugornot init --workflow`: a workflow for GitHub Actions, which replays on every change and fuzzes every night.

use super::{Change, write};
use crate::cli::{project::Project, terminal::shown};
use anyhow::{Result, bail};
use std::path::Path;

const TEMPLATE: &str = include_str!("workflow.yml.txt");
const FILE: &str = ".github/workflows/bugornot.yml";

/// Writes the workflow of a crate's suites; which file that is.
pub(super) fn add(folder: &Path) -> Result<String> {
    let project = Project::find(Some(folder))?;
    let suites: Vec<&str> = project.suites().collect();
    if suites.is_empty() {
        bail!("`{}` has no suites yet: add one with `bugornot init`", shown(&project.manifest));
    }
    let path = repository(folder).join(FILE);
    if path.exists() {
        bail!("`{}` exists already, and nothing was changed; move it away first", shown(&path));
    }
    write(&Change { path: path.clone(), text: text(&project, &suites, repository(folder)), is_new: true })?;
    Ok(shown(&path))
}

/// The folder that the repository begins at, which is the only one that workflows are looked for in.
fn repository(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder)
}

fn text(project: &Project, suites: &[&str], repository: &Path) -> String {
    let below = project.crate_folder().strip_prefix(repository).unwrap_or(Path::new(""));
    let below = if below.as_os_str().is_empty() { ".".into() } else { below.to_string_lossy() };
    // JSON is YAML, whatever the names hold.
    TEMPLATE
        .replace("{folder}", &serde_json::json!(below).to_string())
        .replace("{suites}", &serde_json::json!(suites).to_string())
        .replace("{version}", env!("CARGO_PKG_VERSION"))
}
