//! Finds the cargo-fuzz project and the suites in it.

use super::terminal::{escape, escape_lines, shown};
use crate::{corpus::DECISIONS, locate::Package};
use anyhow::{Context, Result, anyhow, bail};
use cargo_metadata::{Metadata, MetadataCommand, TargetKind};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A folder with fuzz targets, as `cargo fuzz` knows it.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The folder of the fuzz crate, usually `fuzz`.
    pub(crate) folder: PathBuf,
    pub(crate) manifest: PathBuf,
    /// Where cargo puts what it builds.
    pub(crate) target_directory: PathBuf,
    /// The targets and their sources, by name.
    suites: Vec<(String, PathBuf)>,
    /// The libraries of its workspace, and their sources, by name.
    libraries: Vec<(String, PathBuf)>,
}

/// Which fuzz crate is meant.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FuzzCrate {
    /// The fuzz crate's Cargo.toml [default: the nearest at or above the current folder]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

impl FuzzCrate {
    pub(crate) fn find(&self) -> Result<Project> {
        Project::find(self.manifest_path.as_deref())
    }
}

impl Project {
    /// The project that a manifest belongs to, or the nearest at or above the current folder.
    pub(crate) fn find(manifest: Option<&Path>) -> Result<Self> {
        let manifest = match manifest {
            Some(manifest) => named(manifest)?,
            None => nearest(&env::current_dir().context("failed to find the current folder")?)?,
        };
        Self::open(manifest)
    }

    fn open(manifest: PathBuf) -> Result<Self> {
        let metadata = metadata(&manifest)?;
        let is_ours = |package: &&cargo_metadata::Package| {
            fs::canonicalize(&package.manifest_path).ok() == fs::canonicalize(&manifest).ok()
        };
        let package = metadata.packages.iter().find(is_ours);
        let package = package.with_context(|| format!("`{}` holds no package", shown(&manifest)))?;
        let mut suites: Vec<_> = package
            .targets
            .iter()
            .filter(|target| target.kind.contains(&TargetKind::Bin))
            .map(|target| (target.name.clone(), target.src_path.clone().into_std_path_buf()))
            .collect();
        suites.sort();
        let targets = metadata.packages.iter().flat_map(|package| &package.targets).filter(|target| target.is_lib());
        let library =
            |target: &cargo_metadata::Target| (target.name.clone(), target.src_path.clone().into_std_path_buf());
        let libraries = targets.map(library).collect();
        let folder = manifest.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self {
            folder,
            manifest,
            target_directory: metadata.target_directory.into_std_path_buf(),
            suites,
            libraries,
        })
    }

    /// The source of a suite's target; an error that names those there are, if it is not one of them.
    pub(crate) fn source(&self, suite: &str) -> Result<&Path> {
        if let Some((_, source)) = self.suites.iter().find(|(name, _)| name == suite) {
            return Ok(source);
        }
        let manifest = shown(&self.manifest);
        let suite = escape(suite);
        if self.suites.is_empty() {
            bail!(
                "unknown suite `{suite}`: `{manifest}` has no targets yet; add one with `bugornot init --suite {suite}`"
            );
        }
        let names: Vec<String> = self.suites.iter().map(|(name, _)| format!("`{name}`")).collect();
        bail!(
            "unknown suite `{suite}`: `{manifest}` has {}; choose one of them, or add it with `bugornot init --suite {suite}`",
            names.join(", ")
        )
    }

    /// The names of all suites.
    pub(crate) fn suites(&self) -> impl Iterator<Item = &str> {
        self.suites.iter().map(|(name, _)| name.as_str())
    }

    /// The source of a library.
    pub(crate) fn library(&self, name: &str) -> Option<PathBuf> {
        self.libraries.iter().find(|(known, _)| known == name).map(|(_, source)| source.clone())
    }

    /// The suites that have a log where campaigns log by default.
    pub(crate) fn logged_suites(&self) -> Vec<String> {
        let has_log = |suite: &&String| self.folder.join("verdicts").join(suite).is_dir();
        self.suites.iter().map(|(suite, _)| suite).filter(has_log).cloned().collect()
    }

    /// The suites that something was decided about.
    pub(crate) fn decided_suites(&self) -> Vec<String> {
        let has_decisions = |suite: &&String| self.corpus(suite).join(DECISIONS).is_file();
        self.suites.iter().map(|(suite, _)| suite).filter(has_decisions).cloned().collect()
    }

    /// All packages that its targets may be made of.
    pub(crate) fn packages(&self) -> Result<Vec<Package>> {
        let metadata = MetadataCommand::new().manifest_path(&self.manifest).exec();
        let metadata = metadata.with_context(|| format!("cargo cannot read `{}`", shown(&self.manifest)))?;
        let package = |package: cargo_metadata::Package| Package {
            name: package.name.to_string(),
            folder: package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default(),
            is_own: package.source.is_none(),
        };
        Ok(metadata.packages.into_iter().map(package).collect())
    }

    /// The committed corpus of a suite.
    pub(crate) fn corpus(&self, suite: &str) -> PathBuf {
        self.crate_folder().join("corpus").join(suite)
    }

    /// The crate that the fuzz crate stands in.
    pub(crate) fn crate_folder(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }
}

/// The crate that the nearest fuzz crate stands in, found without asking cargo.
pub(crate) fn crate_folder() -> Option<PathBuf> {
    let manifest = nearest(&env::current_dir().ok()?).ok()?;
    manifest.parent()?.parent().map(Path::to_owned)
}

/// What cargo says about a manifest, without its dependencies.
pub(crate) fn metadata(manifest: &Path) -> Result<Metadata> {
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().map_err(|error| {
        let told = match &error {
            cargo_metadata::Error::CargoMetadata { stderr } => escape_lines(stderr.trim()),
            other => other.to_string(),
        };
        anyhow!("cargo cannot read `{}`, so correct it first\n{told}", shown(manifest))
    })
}

/// Whether a manifest is that of a cargo-fuzz project; cargo-fuzz asks the same.
fn is_fuzz_manifest(manifest: &Path) -> bool {
    let Ok(text) = fs::read_to_string(manifest) else { return false };
    let Ok(document) = text.parse::<toml_edit::DocumentMut>() else { return false };
    is_fuzz_document(&document)
}

/// Whether `package.metadata.cargo-fuzz` is set.
pub(crate) fn is_fuzz_document(document: &toml_edit::DocumentMut) -> bool {
    let item =
        document.get("package").and_then(|package| package.get("metadata")).and_then(|data| data.get("cargo-fuzz"));
    item.and_then(toml_edit::Item::as_bool) == Some(true)
}

/// The manifest the user named, or that of the fuzz crate beside it.
fn named(manifest: &Path) -> Result<PathBuf> {
    let manifest = fs::canonicalize(manifest).with_context(|| {
        format!("failed to read manifest `{}`; name the fuzz crate's `Cargo.toml`", shown(manifest))
    })?;
    let manifest = if manifest.is_dir() { manifest.join("Cargo.toml") } else { manifest };
    let beside = manifest.with_file_name("fuzz").join("Cargo.toml");
    [&manifest, &beside].into_iter().find(|path| is_fuzz_manifest(path)).cloned().with_context(|| {
        format!(
            "`{}` is no cargo-fuzz project, and there is none in `fuzz` beside it; add one with `bugornot init`",
            shown(&manifest)
        )
    })
}

fn nearest(folder: &Path) -> Result<PathBuf> {
    let candidates = folder.ancestors().flat_map(|folder| [folder.join("Cargo.toml"), folder.join("fuzz/Cargo.toml")]);
    candidates.into_iter().find(|path| is_fuzz_manifest(path)).with_context(|| {
        format!(
            "no cargo-fuzz project (`fuzz/Cargo.toml`) at or above `{}`; go to your crate, or \
             add one with `bugornot init`",
            folder.display()
        )
    })
}

/// The cargo to call: the one that called us, or the one in the path.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
