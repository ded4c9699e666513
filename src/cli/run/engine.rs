//! What the supervisor has to know about an engine, and nothing more.

use super::{afl::Afl, builtin::Builtin, libfuzzer::LibFuzzer};
use crate::{
    cli::{duration, project::Project, terminal::shown},
    corpus,
};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::Duration,
};

/// The engines a user can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// Needs nothing but stable Rust and a C++ compiler
    #[default]
    Libfuzzer,
    /// Needs cargo-afl
    Afl,
    /// Plain Rust: deterministic, guided by verdicts alone
    Builtin,
}

impl Name {
    pub(super) fn engine(self) -> Box<dyn Engine> {
        match self {
            Self::Libfuzzer => Box::new(LibFuzzer),
            Self::Afl => Box::new(Afl),
            Self::Builtin => Box::new(Builtin),
        }
    }

    /// The word of the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Libfuzzer => "libfuzzer",
            Self::Afl => "afl",
            Self::Builtin => "builtin",
        }
    }
}

/// All that was decided before the first process starts.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) project: Project,
    pub(super) suite: String,
    pub(super) engine: Name,
    pub(super) log: PathBuf,
    /// The folder of the committed corpus.
    pub(super) minimal: PathBuf,
    pub(super) time: duration::Limit,
    pub(super) jobs: u32,
    pub(super) seed: Option<u64>,
    /// What the code is, where the revision that is checked out does not say it.
    pub(super) revision: Option<String>,
    pub(super) uniform: u64,
    /// What the user wants the engine to be told.
    pub(super) extra: Vec<OsString>,
}

impl Plan {
    /// The inputs that coverage-guided engines share and add to.
    pub(super) fn corpus(&self) -> PathBuf {
        self.project.folder.join("corpus").join(&self.suite)
    }

    /// The committed inputs, and nothing else of their folder.
    pub(super) fn committed(&self) -> Vec<PathBuf> {
        corpus::list(&self.minimal).unwrap_or_default()
    }

    /// Where inputs that ended a process go, and what processes print.
    pub(super) fn artifacts(&self) -> PathBuf {
        self.project.folder.join("artifacts").join(&self.suite)
    }

    /// Whether the user sets this option of the engine.
    pub(super) fn sets(&self, option: &str) -> bool {
        self.extra.iter().any(|argument| argument.to_string_lossy().starts_with(option))
    }

    /// Tells a process of the target what it has to know.
    pub(super) fn tell(&self, command: &mut Command) {
        command.env("BUGORNOT_LOG", &self.log);
        if let Some(seed) = self.seed {
            command.env("BUGORNOT_SEED", seed.to_string());
        }
        if let Some(revision) = &self.revision {
            command.env("BUGORNOT_REVISION", revision);
        }
    }
}

/// Makes a folder of first inputs: copies, because an engine takes all that is in a folder, and may write to it.
pub(super) fn make_seeds(folder: &Path, inputs: &[PathBuf]) -> Result<()> {
    let failed = || format!("failed to write the first inputs to `{}`", shown(folder));
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(failed)?;
    }
    fs::create_dir_all(folder).with_context(failed)?;
    for (number, path) in inputs.iter().enumerate() {
        fs::copy(path, folder.join(format!("{number:06}"))).with_context(failed)?;
    }
    Ok(())
}

/// One start of one process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Counted from 1.
    pub(super) job: u32,
    /// How often the job was started before.
    pub(super) before: u32,
    /// How long it may run.
    pub(super) left: Option<Duration>,
}

impl Start {
    /// The time left in whole seconds, for engines that count no smaller.
    pub(super) fn seconds(self) -> Option<u64> {
        self.left.map(|left| (left.as_millis().div_ceil(1000) as u64).max(1))
    }

    /// A seed of its own for each start, following from the user's: restarts must not repeat themselves.
    pub(super) fn seed(self, plan: &Plan) -> Option<u32> {
        let step = u64::from(self.before) * u64::from(plan.jobs) + u64::from(self.job - 1);
        plan.seed.map(|seed| (seed.wrapping_add(step) as u32).max(1))
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It did what it was asked to.
    Finished,
    /// The code under test ended it.
    Died,
    /// It refused to run, and said why.
    Refused,
}

/// A step on the way to the end: a signal, and how long to wait for its effect.
pub(super) type StopStep = (i32, Duration);

/// An engine, as the supervisor sees it.
pub(super) trait Engine {
    /// Says what is missing, before anything is built.
    fn check(&self) -> Result<()> {
        Ok(())
    }
    /// How many processes run if the user does not say.
    fn default_jobs(&self) -> u32 {
        std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
    }
    /// The cargo call that builds the target; it is told to print JSON messages.
    fn build(&self, plan: &Plan) -> Result<Command>;
    /// A call of the target that declares the suite and executes nothing. `nothing` is an empty folder.
    fn probe(&self, executable: &Path, nothing: &Path) -> Command {
        let mut command = Command::new(executable);
        command.arg(nothing);
        command
    }
    /// Makes the folders it needs.
    fn prepare(&self, _plan: &Plan) -> Result<()> {
        Ok(())
    }
    /// The call that fuzzes.
    fn fuzz(&self, plan: &Plan, executable: &Path, start: Start) -> Command;
    /// What an exit status means; `words` are the last lines the process printed.
    fn ending(&self, status: ExitStatus, words: &str) -> Ending;
    /// How to end it without cutting an execution short, which would look like a death.
    fn stop(&self) -> &'static [StopStep];
    /// Whether the process we started is only a wrapper of the one that fuzzes.
    fn is_wrapped(&self) -> bool {
        false
    }
    /// How long it may go on after its time is over.
    fn grace(&self, plan: &Plan) -> Duration;
    /// Whether a process that died is started again.
    fn restarts(&self) -> bool {
        true
    }
    /// Deaths that its processes survived, counted since the folders were made.
    fn hidden_deaths(&self, _plan: &Plan) -> u64 {
        0
    }
}
