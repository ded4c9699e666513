//! The package that generated tests are for, and whether it has what they need.

use crate::{
    cli::project::metadata,
    terminal::{escape, shown},
};
use anyhow::{Context, Result, bail};
use cargo_metadata::{Dependency, DependencyKind};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The feature that tests need.
const FEATURE: &str = "replay";

/// A package with tests.
pub(super) struct Package {
    pub(super) manifest: PathBuf,
    pub(super) edition: String,
    /// The folder of its tests.
    pub(super) tests: PathBuf,
}

/// The package that a file of tests belongs to.
pub(super) fn package(file: &Path) -> Result<Package> {
    let absolute = std::path::absolute(file).with_context(|| format!("`{}` is no path", shown(file)))?;
    let (Some(tests), Some("rs")) = (absolute.parent(), absolute.extension().and_then(|end| end.to_str())) else {
        bail!("`{}` is no Rust file: tests are in `tests/mr_SUITE.rs`", shown(file));
    };
    let Some(folder) = tests.parent().filter(|folder| tests.ends_with("tests") && folder.join("Cargo.toml").is_file())
    else {
        bail!("`{}` is not in the folder `tests` of a crate, where cargo looks for tests", shown(file));
    };
    let folder = fs::canonicalize(folder).with_context(|| format!("failed to open `{}`", shown(folder)))?;
    let manifest = folder.join("Cargo.toml");
    let metadata = metadata(&manifest)?;
    let is_it = |package: &&cargo_metadata::Package| package.manifest_path.as_std_path() == manifest;
    let package = metadata.packages.iter().find(is_it);
    let package = package.with_context(|| format!("`{}` holds no package", shown(&manifest)))?;
    check(&package.dependencies, &manifest)?;
    Ok(Package { edition: package.edition.to_string(), tests: folder.join("tests"), manifest })
}

/// Refuses a package whose tests cannot use us, and says what to add.
fn check(dependencies: &[Dependency], manifest: &Path) -> Result<()> {
    let ours = || dependencies.iter().filter(|dependency| dependency.name == env!("CARGO_PKG_NAME"));
    let is_enough = |dependency: &Dependency| {
        let is_for_tests = matches!(dependency.kind, DependencyKind::Development | DependencyKind::Normal);
        let has_feature = dependency.features.iter().any(|feature| feature == FEATURE || feature == "cli");
        is_for_tests && (has_feature || dependency.uses_default_features)
    };
    if ours().any(is_enough) {
        return Ok(());
    }
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let source = match ours().next() {
        Some(Dependency { path: Some(path), .. }) => {
            let path = path.as_std_path();
            let path = folder.parent().filter(|parent| *parent == path).map_or(path, |_| Path::new(".."));
            format!("path = \"{}\"", escape(&path.to_string_lossy()))
        }
        Some(dependency) => format!("version = \"{}\"", dependency.req.to_string().trim_start_matches('^')),
        None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
    };
    bail!(
        "the tests need the feature `{FEATURE}` of bugornot; add this to `{}`\n\n[dev-dependencies]\n\
         bugornot = {{ {source}, default-features = false, features = [\"{FEATURE}\"] }}\n",
        shown(manifest)
    )
}
