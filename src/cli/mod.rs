//! The commands, one file each, and what they share: exit codes, colours, errors.
//!
//! Data goes to stdout, progress and warnings to stderr. An error is one message that names the path and says what to
//! do.

mod against;
mod at_hand;
mod campaigns;
mod decide;
mod desk;
mod diff;
mod doctor;
mod duration;
mod exit_code;
mod generate;
mod import;
mod init;
mod locate;
mod log_folder;
mod mine;
mod minimise;
mod mutants;
mod oracle;
mod output;
mod process;
mod project;
mod replay;
mod report;
mod review;
mod run;
mod scratch;
mod status_line;
mod target;
mod witness;

pub use exit_code::ExitCode;

use crate::terminal::{self, Color};
use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::{
    ffi::OsString,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Metamorphic fuzzing that explains itself: log every verdict, find out exactly when a relation is violated.
#[derive(Debug, Parser)]
#[command(name = "bugornot", version, after_help = exit_code::HELP, max_term_width = 100)]
struct Cli {
    /// When to use colours; `auto` honours NO_COLOR
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Report(report::Arguments),
    Locate(locate::Arguments),
    Diff(diff::Arguments),
    Review(review::Arguments),
    Decide(decide::Arguments),
    Minimise(minimise::Arguments),
    Generate(generate::Arguments),
    Replay(replay::Arguments),
    Mutants(mutants::Arguments),
    Import(Box<import::Arguments>),
    Init(init::Arguments),
    Mine(mine::Arguments),
    Doctor(doctor::Arguments),
}

/// Runs the command line.
pub fn main() -> std::process::ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let color = Color::from_arguments(&arguments);
    let code = catch_unwind(AssertUnwindSafe(|| perform(&arguments, color))).unwrap_or_else(|_| {
        terminal::say("error: bugornot failed: this is a bug in it, please report it with the message above");
        ExitCode::Internal
    });
    code.into()
}

fn perform(arguments: &[OsString], color: Color) -> ExitCode {
    // Called as cargo by cargo-mutants: then the arguments are cargo's.
    if let Some(ended) = mutants::step() {
        return told(ended, color);
    }
    let command = Cli::command().color(color.for_clap());
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Whoever closed the stream does not want to read it.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::Usage } else { ExitCode::Nothing };
        }
    };
    let ended = match cli.command {
        Command::Run(arguments) => run::run(arguments, cli.color),
        Command::Report(arguments) => report::run(&arguments, cli.color),
        Command::Locate(arguments) => locate::run(&arguments, cli.color),
        Command::Diff(arguments) => diff::run(&arguments, cli.color),
        Command::Review(arguments) => review::run(&arguments, cli.color),
        Command::Decide(arguments) => decide::run(&arguments, cli.color),
        Command::Minimise(arguments) => minimise::run(&arguments, cli.color),
        Command::Generate(arguments) => generate::run(&arguments, cli.color),
        Command::Replay(arguments) => replay::run(&arguments, cli.color),
        Command::Mutants(arguments) => mutants::run(&arguments, cli.color),
        Command::Import(arguments) => import::run(&arguments, cli.color),
        Command::Init(arguments) => init::run(&arguments),
        Command::Mine(arguments) => mine::run(&arguments),
        Command::Doctor(_) => doctor::run(cli.color),
    };
    told(ended, color)
}

/// How a command ended, with its error on stderr.
fn told(ended: anyhow::Result<ExitCode>, color: Color) -> ExitCode {
    match ended {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::Nothing,
        Err(error) => {
            terminal::say(format_args!("{} {error:#}", color.paint(&io::stderr()).red("error:")));
            ExitCode::Usage
        }
    }
}

/// Whether whoever reads our output has gone away, as `head` does: that is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_pipe))
}

/// Prints data.
fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("failed to write to stdout")
}
