//! `bugornot mutants`: changes the code under test with cargo-mutants, and says which relations notice.
//!
//! cargo-mutants copies the crate, changes one place after the other, and calls cargo to test each. What it takes for
//! cargo is this program (`step`), so that one run tells of every cell, and not only that something failed.

mod baseline;
mod paths;
mod plan;
mod results;
mod step;
mod subject;
mod tool;

use super::{
    ExitCode,
    output::{Destination, Format},
    process,
    project::{FuzzCrate, Project},
    scratch::Scratch,
    terminal::{Color, escape, plural, say, shown},
};
use crate::{
    corpus::Corpus,
    mutants::{Analysis, json, text},
};
use anyhow::Result;
use std::{ffi::OsString, path::PathBuf};
pub(super) use step::step;
use subject::{Mutate, Subject};

/// See which relations notice small changes to the code under test
///
/// cargo-mutants changes the crate in one place at a time. For each such mutant, the committed corpus is judged again,
/// and a cell kills it if one of its verdicts is another one. Tests that `bugornot generate` has written and the crate's
/// own tests are run as well. Exits with 0 if mutants were tested, 3 if there is nothing to mutate or no corpus.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The suite's target, as `cargo fuzz list` shows it
    suite: String,
    /// Where to change code: the crate that the fuzz crate stands in, or the fuzz crate itself
    /// [default: `crate` if the fuzz crate depends on it]
    #[arg(long, value_enum, value_name = "WHERE")]
    mutate: Option<Mutate>,
    /// Inputs to compare with: a folder of raw bytes, such as an engine's corpus; may be repeated
    #[arg(long, value_name = "DIR")]
    inputs: Vec<PathBuf>,
    /// Do not run the crate's own tests
    #[arg(long)]
    no_own_tests: bool,
    /// The corpus's folder [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How to show it; `json` says of each mutant what kills it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
    /// What cargo-mutants is told, after `--`: `--file`, `--re`, `--jobs`, `--shard`, `--in-diff` and others
    #[arg(last = true, value_name = "CARGO-MUTANTS ARGS")]
    tool_arguments: Vec<OsString>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    tool::check(&arguments.tool_arguments)?;
    let project = arguments.fuzz_crate.find()?;
    project.source(&arguments.suite)?;
    let subject = Subject::new(&project, arguments.mutate)?;
    let Some(corpus) = load(arguments, &project, color)? else { return Ok(ExitCode::NoRows) };
    process::handle_signals()?;
    let (mut plan, mut analysis) = baseline::judge(arguments, &project, &corpus)?;
    plan.own = (!arguments.no_own_tests).then(|| subject.own_tests());
    plan.root = subject.root.clone();
    plan.fuzz = subject.fuzz.clone();
    let scratch = Scratch::new()?;
    plan.save(scratch.path())?;
    say(format_args!("changing `{}`, to see what `{}` notices", shown(&subject.folder), escape(&arguments.suite)));
    let is_interrupted = tool::run(&subject, &project, &arguments.tool_arguments, scratch.path())?;
    results::read(&mut analysis, scratch.path())?;
    if is_interrupted {
        analysis.notes.push("it was interrupted: other mutants were not tested".into());
    }
    if analysis.tested.is_empty() && !is_interrupted {
        say(nothing(&subject, &analysis));
        return Ok(ExitCode::NoRows);
    }
    show(arguments, &analysis)?;
    Ok(if is_interrupted { ExitCode::Interrupted } else { ExitCode::Nothing })
}

/// The committed corpus; nothing, and a word, if there is none.
fn load(arguments: &Arguments, project: &Project, color: Color) -> Result<Option<Corpus>> {
    let folder = arguments.corpus.clone().unwrap_or_else(|| project.corpus(&arguments.suite));
    match Corpus::load(&folder, &arguments.suite) {
        Ok(corpus) => Ok(Some(corpus)),
        Err(error) if error.is_nothing() => {
            say(format_args!("{} {error}", color.paint(&std::io::stderr()).red("error:")));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn show(arguments: &Arguments, analysis: &Analysis) -> Result<()> {
    let whole = match arguments.format {
        Format::Text => text(analysis),
        Format::Json => json(analysis),
    };
    arguments.destination.write(&whole)
}

/// What to do where no mutant was tested.
fn nothing(subject: &Subject, analysis: &Analysis) -> String {
    let folder = shown(&subject.folder);
    match analysis.unviable {
        0 => format!(
            "error: cargo-mutants finds nothing to change in `{folder}`: functions that are written out inside the suite's \
             declaration are not changed, so give them names; or choose another place with `--mutate`"
        ),
        unviable => {
            format!("error: {} of `{folder}` could not be built: none was tested", plural(unviable as u64, "mutant"))
        }
    }
}
