//! `bugornot minimise`: from logs and engines' corpora, the small corpus that CI replays.

mod both;
mod read;
mod written;

use super::{
    ExitCode,
    oracle::Oracle,
    print,
    project::{FuzzCrate, Project},
    run::instrumented,
    target,
    terminal::{Color, say, shown, warn},
};
use crate::{
    clean::Campaign,
    corpus::{self, Corpus, Lock},
    decision::Decisions,
    minimise::{Book, Decided, choose, is_about},
    report::Report,
};
use anyhow::{Context, Result, bail};
use both::Both;
use read::Read;
pub(super) use read::constants_of;
use std::{
    path::{Path, PathBuf},
    process::Command,
};
pub(super) use written::Saved;

/// Write the smallest corpus that keeps all that logs have shown
///
/// Takes the inputs of logs and of the engines' corpora, finds the few that keep every verdict of every cell, every
/// literal and rule of every condition, the nearest inputs of opposite verdicts, every panic and death, and every edge of
/// the code, shrinks them, replays them, and writes them to `corpus/SUITE`, with what is expected of them in
/// `corpus/SUITE/manifest.toml`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Arguments {
    /// The suite's target, as `cargo fuzz list` shows it [default: every suite that has a log]
    suite: Option<String>,
    /// Folders of logs, or segments [default: BUGORNOT_LOG, or `verdicts/SUITE` in the fuzz crate]
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Where the corpus is [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR", requires = "suite")]
    corpus: Option<PathBuf>,
    /// Choose all inputs anew, whatever is committed, and with the constants of the logs
    #[arg(long)]
    fresh: bool,
    /// Look for no new edges: saves the instrumented build
    #[arg(long)]
    no_edges: bool,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let project = arguments.fuzz_crate.find()?;
    let suites = arguments.suite.as_ref().map_or_else(|| project.logged_suites(), |suite| vec![suite.clone()]);
    let mut code = ExitCode::NoRows;
    for suite in suites {
        let work = Work::new(arguments, &project, &suite, color)?;
        match work.run(work.read_logs()?)? {
            Some(Saved { sum, place, is_new }) => {
                let next = if is_new { format!("next: bugornot replay {suite}\n") } else { String::new() };
                print(&format!("{suite}: {sum}\n{place}\n{next}"))?;
                code = ExitCode::Nothing;
            }
            None => say(format_args!(
                "error: there are no inputs of `{suite}` to choose from: fuzz with `bugornot run {suite}` first"
            )),
        }
    }
    if code == ExitCode::NoRows && arguments.suite.is_none() {
        say("error: no suite has a log with inputs: fuzz with `bugornot run SUITE` first");
    }
    Ok(code)
}

/// What a run of an engine has left.
pub(super) struct Found<'run> {
    pub(super) project: &'run Project,
    pub(super) suite: &'run str,
    /// The folder of the corpus.
    pub(super) corpus: &'run Path,
    /// The instrumented target, if that is what ran.
    pub(super) instrumented: Option<&'run Path>,
    pub(super) campaign: Campaign,
    pub(super) report: Report,
}

/// Keeps what a run has found; nothing if it has found no input.
pub(super) fn keep(found: Found<'_>, color: Color) -> Result<Option<Saved>> {
    let Found { project, suite, corpus, instrumented, campaign, report } = found;
    let arguments = Arguments {
        corpus: Some(corpus.to_owned()),
        // Another build would take longer than the rest; the edges that the corpus has stay.
        no_edges: instrumented.is_none(),
        ..Arguments::default()
    };
    let mut work = Work::new(&arguments, project, suite, color)?;
    work.instrumented = instrumented.map(Path::to_owned);
    let conditions = Some(report.cells.into_iter().map(|cell| cell.explained.written).collect());
    work.run(vec![Read { campaign, cleaned: report.cleaned, conditions }])
}

/// The corpus of one suite.
struct Work<'run> {
    arguments: &'run Arguments,
    project: &'run Project,
    suite: &'run str,
    color: Color,
    folder: PathBuf,
    /// The instrumented target, if it is built already.
    instrumented: Option<PathBuf>,
    /// The corpus there is.
    before: Option<Corpus>,
    decisions: Decisions,
    /// What the file of decisions is like.
    digest: String,
    _lock: Lock,
}

impl<'run> Work<'run> {
    fn new(arguments: &'run Arguments, project: &'run Project, suite: &'run str, color: Color) -> Result<Self> {
        project.source(suite)?;
        let folder = arguments.corpus.clone().unwrap_or_else(|| project.corpus(suite));
        let failed = || format!("failed to read the corpus `{}`", shown(&folder));
        let Some(lock) = Lock::take(&folder).with_context(failed)? else {
            bail!("another `bugornot minimise` is at work on `{}`: wait for it to end", shown(&folder));
        };
        // First the digest: if the file changes now, replay will see that.
        let digest = corpus::digest(&folder).with_context(failed)?;
        let decisions = Decisions::load(&folder, suite)?;
        let before = match Corpus::load(&folder, suite) {
            _ if arguments.fresh => None,
            Ok(corpus) => Some(corpus),
            Err(error) if error.is_nothing() => None,
            Err(error) => return Err(error.into()),
        };
        let instrumented = None;
        Ok(Self { arguments, project, suite, color, folder, instrumented, before, decisions, digest, _lock: lock })
    }

    fn run(&self, read: Vec<Read>) -> Result<Option<Saved>> {
        let pool = self.pool(&read);
        if pool.committed.is_empty() && pool.candidates.is_empty() {
            return Ok(None);
        }
        let mut both = self.build(&read)?;
        let header = both.plain.header().clone();
        let decided = Decided::new(&self.decisions, header.clone());
        self.tell_unknown(&decided);
        let mut book = Book::new(header.clone(), decided);
        for read in &read {
            if is_about(&read.campaign.header, &header) {
                book.add_conditions(read.conditions(), &read.campaign.header);
            } else {
                self.tell_difference(&read.campaign.header, &header);
            }
        }
        self.tell_changes(&mut both.plain)?;
        let chosen = choose(pool, &mut book, &header, &mut both, &mut |text| say(text))?;
        if chosen.inputs.is_empty() {
            warn(self.color, format_args!("the target rejects every input of `{}`: is its domain empty?", self.suite));
            return Ok(None);
        }
        self.tell_missing(&read, &chosen, &header);
        self.save(&read, &chosen, &header).map(Some)
    }

    /// Builds the target once to judge, and once to see what code is reached.
    fn build(&self, read: &[Read]) -> Result<Both> {
        let constants = self.constants(read);
        let build = |command: &mut Command| target::build(command, self.project, self.suite);
        let plain = Oracle::new(build(&mut target::plain(self.project, self.suite))?, constants.clone())?;
        if self.arguments.no_edges {
            return Ok(Both { plain, instrumented: None });
        }
        let executable = match &self.instrumented {
            Some(executable) => executable.clone(),
            None => build(&mut instrumented(self.project, self.suite)?)
                .context("the instrumented build failed; `--no-edges` does without it")?,
        };
        Ok(Both { plain, instrumented: Some(Oracle::new(executable, constants)?) })
    }
}
