//! `bugornot minimise`: from logs and engines' corpora, the small corpus that CI replays.

mod both;
mod read;
mod written;

use super::{
    ExitCode,
    oracle::Oracle,
    project::Project,
    run::instrumented,
    target,
    terminal::{Color, say},
};
use crate::{
    corpus::Corpus,
    explain::explain_all,
    minimise::{Book, choose, is_about},
};
use anyhow::{Context, Result};
use both::Both;
use read::Read;
pub(super) use read::constants_of;
use std::{path::PathBuf, process::Command};

/// Write the smallest corpus that keeps all that logs have shown
///
/// Takes the inputs of logs and of the engines' corpora, finds the few that keep every verdict of every cell, every
/// literal and rule of every condition, the nearest inputs of opposite verdicts, every panic and death, and every edge of
/// the code, shrinks them, replays them, and writes them to `corpus/SUITE`, with what is expected of them in
/// `corpus/SUITE.toml`.
#[derive(Debug, clap::Args)]
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
    /// Keep no edges: saves the instrumented build
    #[arg(long)]
    no_edges: bool,
    /// The fuzz crate's Cargo.toml [default: the nearest at or above the current folder]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let project = Project::find(arguments.manifest_path.as_deref())?;
    if let Some(suite) = &arguments.suite {
        return Work::new(arguments, &project, suite, color)?.run();
    }
    let mut code = ExitCode::NoRows;
    for suite in project.logged_suites() {
        if Work::new(arguments, &project, &suite, color)?.run()? == ExitCode::Nothing {
            code = ExitCode::Nothing;
        }
    }
    if code == ExitCode::NoRows {
        say("error: no suite has a log with inputs: fuzz with `bugornot run SUITE` first");
    }
    Ok(code)
}

/// The corpus of one suite.
struct Work<'run> {
    arguments: &'run Arguments,
    project: &'run Project,
    suite: &'run str,
    color: Color,
    folder: PathBuf,
    /// The corpus there is.
    before: Option<Corpus>,
}

impl<'run> Work<'run> {
    fn new(arguments: &'run Arguments, project: &'run Project, suite: &'run str, color: Color) -> Result<Self> {
        project.source(suite)?;
        let folder = arguments.corpus.clone().unwrap_or_else(|| project.corpus(suite));
        let before = match Corpus::load(&folder, suite) {
            _ if arguments.fresh => None,
            Ok(corpus) => Some(corpus),
            Err(error) if error.is_nothing() => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self { arguments, project, suite, color, folder, before })
    }

    fn run(&self) -> Result<ExitCode> {
        let read = self.read_logs()?;
        let pool = self.pool(&read);
        if pool.committed.is_empty() && pool.candidates.is_empty() {
            say(format_args!(
                "error: there are no inputs of `{}` to choose from: fuzz with `bugornot run {}` first",
                self.suite, self.suite
            ));
            return Ok(ExitCode::NoRows);
        }
        let mut both = self.build(&read)?;
        let header = both.plain.header().clone();
        let mut book = Book::new(header.clone());
        for (campaign, cleaned) in &read.campaigns {
            if is_about(&campaign.header, &header) {
                book.add_conditions(explain_all(campaign, cleaned), &campaign.header);
            } else {
                self.tell_difference(&campaign.header, &header);
            }
        }
        self.tell_changes(&mut both.plain)?;
        let chosen = choose(pool, &mut book, &header, &mut both, &mut |text| say(text))?;
        if chosen.inputs.is_empty() {
            say(format_args!("error: the target rejects every input of `{}`: is its domain empty?", self.suite));
            return Ok(ExitCode::NoRows);
        }
        self.tell_missing(&read, &chosen, &header);
        self.save(&read, &chosen, &header)?;
        Ok(ExitCode::Nothing)
    }

    /// Builds the target once to judge, and once to see what code is reached.
    fn build(&self, read: &Read) -> Result<Both> {
        let constants = self.constants(read);
        let build = |command: &mut Command| target::build(command, self.project, self.suite);
        let plain = Oracle::new(build(&mut target::plain(self.project, self.suite))?, constants.clone())?;
        if self.arguments.no_edges {
            return Ok(Both { plain, instrumented: None });
        }
        let executable = build(&mut instrumented(self.project, self.suite)?)
            .context("the instrumented build failed; `--no-edges` does without it")?;
        Ok(Both { plain, instrumented: Some(Oracle::new(executable, constants)?) })
    }
}
