//! What a running target is told by environment variables: the engine owns the arguments.

use crate::{log::Build, suite::Draws};
use std::{
    env, fs,
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

/// The default of `BUGORNOT_BUDGET`: bytes per suite and host.
const BUDGET: u64 = 1 << 30;

/// What only the crate that holds the suite knows about itself; made by the macros.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub debug_assertions: bool,
    pub overflow_checks: bool,
    /// Where the crate's manifest was when it was built.
    pub manifest: &'static str,
}

/// Where a log keeps its seed.
pub(crate) const SEED_FILE: &str = "seed";

/// The settings of a campaign.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the segments go; `None` if nothing is logged.
    pub log: Option<PathBuf>,
    /// How many bytes they may take.
    pub budget: u64,
    /// The campaign's seed.
    pub seed: u64,
    /// The constants that are pinned.
    pub pins: Vec<(String, String)>,
    /// Whether verdicts count as coverage.
    pub guide: bool,
    /// Whether a violation aborts the process.
    pub crash: bool,
}

impl Settings {
    /// Settings for tests and tools: a log, a seed, and the defaults.
    pub fn new(log: Option<PathBuf>, seed: u64) -> Self {
        Self { log, budget: BUDGET, seed, pins: Vec::new(), guide: true, crash: false }
    }

    /// Reads the environment; the log's default is beside the crate that holds the suite.
    #[unsafe(export_name = "__sanitizer_bugornot_settings_from_environment")]
    pub fn from_environment(suite: &str, facts: &Facts) -> Result<Self, String> {
        let log = match env::var_os("BUGORNOT_LOG") {
            Some(off) if off == "off" => None,
            Some(path) if !path.is_empty() => Some(PathBuf::from(path)),
            _ => Some(default_log(suite, Path::new(facts.manifest))),
        };
        let seed = match text("BUGORNOT_SEED")? {
            Some(seed) => {
                seed.parse().map_err(|_| format!("BUGORNOT_SEED is `{seed}`: set it to a number below 2^64"))?
            }
            None => log.as_deref().map_or(Ok(0), campaign_seed).unwrap_or_default(),
        };
        let budget = match text("BUGORNOT_BUDGET")? {
            Some(text) => parse_bytes(&text).ok_or_else(|| {
                format!("BUGORNOT_BUDGET is `{text}`: set it to a number of bytes such as `512M` or `2G`")
            })?,
            None => BUDGET,
        };
        let pins = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter_map(|(name, value)| Some((name.strip_prefix("BUGORNOT_CONST_")?.to_owned(), value)))
            .collect();
        let guide = switch("BUGORNOT_GUIDE")?.unwrap_or(true);
        let crash = switch("BUGORNOT_CRASH")?.unwrap_or(false);
        Ok(Self { log, budget, seed, pins, guide, crash })
    }

    /// Where the suite's constants come from.
    pub(crate) fn draws(&self) -> Draws {
        self.pins.iter().fold(Draws::seeded(self.seed), |draws, (name, value)| draws.pin(name, value))
    }
}

fn text(name: &str) -> Result<Option<String>, String> {
    match env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name} is not valid text")),
    }
}

#[unsafe(export_name = "__sanitizer_bugornot_settings_switch")]
fn switch(name: &str) -> Result<Option<bool>, String> {
    match text(name)?.as_deref() {
        None | Some("") => Ok(None),
        Some("on" | "1" | "true") => Ok(Some(true)),
        Some("off" | "0" | "false") => Ok(Some(false)),
        Some(other) => Err(format!("{name} is `{other}`: set it to `on` or `off`")),
    }
}

/// `1048576`, `64K`, `512M`, `2G`.
pub(crate) fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        "t" | "tb" | "tib" => Some(40),
        _ => None,
    };
    digits.trim().parse::<u64>().ok().zip(shift).and_then(|(number, shift)| number.checked_mul(1 << shift))
}

/// `verdicts/<suite>` beside the manifest, or below `fuzz` where that is no longer there.
fn default_log(suite: &str, manifest: &Path) -> PathBuf {
    let base = if manifest.is_dir() { manifest.to_owned() } else { PathBuf::from("fuzz") };
    base.join("verdicts").join(suite)
}

/// The seed of the campaign that this log belongs to; drawn by the first process, found by the others.
#[unsafe(export_name = "__sanitizer_bugornot_settings_campaign_seed")]
fn campaign_seed(log: &Path) -> io::Result<u64> {
    let path = log.join(SEED_FILE);
    let read = || fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
    if let Some(seed) = read() {
        return Ok(seed);
    }
    fs::create_dir_all(log)?;
    let drawn = RandomState::new().hash_one(std::process::id()) >> 1;
    let draft = log.join(format!("seed-{}-{drawn:x}", std::process::id()));
    fs::write(&draft, format!("{drawn}\n"))?;
    // A link appears whole or not at all, and only the first process makes it.
    let linked = fs::hard_link(&draft, &path);
    fs::remove_file(&draft)?;
    match linked {
        Ok(()) => Ok(drawn),
        Err(error) => read().ok_or(error),
    }
}

/// The facts of this build that can change verdicts.
#[unsafe(export_name = "__sanitizer_bugornot_settings_build")]
pub(crate) fn build(facts: &Facts, type_fingerprint: u64) -> Build {
    let engine = if cfg!(bugornot_engine = "libfuzzer") {
        "libfuzzer"
    } else if cfg!(bugornot_engine = "afl") {
        "afl"
    } else {
        "builtin"
    };
    Build {
        engine: engine.into(),
        overflow_checks: facts.overflow_checks,
        debug_assertions: facts.debug_assertions,
        cfg_fuzzing: cfg!(fuzzing),
        sanitizer: env!("BUGORNOT_BUILD_SANITIZER").into(),
        compiler: env!("BUGORNOT_BUILD_COMPILER").into(),
        target: env!("BUGORNOT_BUILD_TARGET").into(),
        revision: revision(Path::new(facts.manifest)).unwrap_or_default(),
        type_fingerprint,
    }
}

/// The revision that is checked out where the crate is.
fn revision(manifest: &Path) -> Option<String> {
    if let Ok(revision) = env::var("BUGORNOT_REVISION") {
        return Some(revision);
    }
    let git = manifest.ancestors().map(|folder| folder.join(".git")).find(|git| git.is_dir())?;
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let Some(reference) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    if let Ok(revision) = fs::read_to_string(git.join(reference)) {
        return Some(revision.trim().to_owned());
    }
    let packed = fs::read_to_string(git.join("packed-refs")).ok()?;
    packed
        .lines()
        .find_map(|line| line.split_once(' ').filter(|(_, name)| *name == reference))
        .map(|(id, _)| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_takes_units_and_refuses_nonsense() {
        assert_eq!(parse_bytes("4096"), Some(4096));
        assert_eq!(parse_bytes("64K"), Some(64 << 10));
        assert_eq!(parse_bytes(" 2GiB "), Some(2 << 30));
        for nonsense in ["", "K", "1.5G", "-1", "99999999999T", "12 parsecs"] {
            assert!(parse_bytes(nonsense).is_none(), "{nonsense}");
        }
    }

    #[test]
    fn all_processes_of_a_log_find_the_seed_the_first_one_drew() {
        let log = tempfile::tempdir().unwrap();
        let first = campaign_seed(log.path()).unwrap();
        assert_eq!(campaign_seed(log.path()).unwrap(), first);
        assert_eq!(fs::read_dir(log.path()).unwrap().count(), 1);
    }
}
