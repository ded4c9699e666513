//! `bugornot replay`: judges the committed inputs again, and says what is not as the manifest expects or as was decided.
//! What CI runs.

use super::{
    ExitCode,
    oracle::Oracle,
    output::Destination,
    project::{FuzzCrate, Project},
    target,
    terminal::{Color, say, shown},
};
use crate::{
    corpus::{Corpus, Kept},
    escape::escape,
    replay::{Replayed, ReplayedInput, annotations, compare, json, junit, text, why_stale},
};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Replay a suite's committed corpus, and see which verdicts have changed
///
/// Builds the suite's target without an engine, judges every input of `corpus/SUITE`, and holds each verdict against the
/// manifest and the tester's decisions. Exits with 0 if all is as expected, 2 if a verdict has changed or contradicts a
/// decision, 1 if the corpus is damaged or stale, 3 if it is empty.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The suite's target, as `cargo fuzz list` shows it
    suite: String,
    /// Only these inputs, by the names of their files
    #[arg(value_name = "INPUT")]
    inputs: Vec<String>,
    /// The corpus's folder [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Junit,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let suite = &arguments.suite;
    let project = arguments.fuzz_crate.find()?;
    project.source(suite)?;
    let folder = arguments.corpus.clone().unwrap_or_else(|| project.corpus(suite));
    let corpus = match Corpus::load(&folder, suite) {
        Ok(corpus) => corpus,
        Err(error) if error.is_empty() => {
            say(format_args!("{} {error}", color.paint(&std::io::stderr()).red("error:")));
            return Ok(ExitCode::NoRows);
        }
        Err(error) => return Err(error.into()),
    };
    let wanted = wanted(&corpus, &arguments.inputs)?;
    let executable = target::build(&mut target::plain(&project, suite), &project, suite)?;
    let mut oracle = Oracle::new(executable, corpus.manifest.constants.clone().into_iter().collect())?;
    if let Some(why) = why_stale(&corpus, oracle.header()) {
        bail!(
            "the corpus `{}` is stale: {}; make it again with `bugornot minimise {suite}`",
            shown(&folder),
            escape(&why)
        );
    }
    let replayed = replay(&corpus, &wanted, &mut oracle, &project)?;
    let whole = match arguments.format {
        Format::Text => text(&replayed),
        Format::Json => json(&replayed),
        Format::Junit => junit(&replayed),
    };
    arguments.destination.write(&whole)?;
    eprint_annotations(&replayed);
    Ok(exit_code(&replayed))
}

/// GitHub reads annotations from either stream, and stdout is for data.
fn eprint_annotations(replayed: &Replayed) {
    annotations(replayed).lines().for_each(say);
}

fn exit_code(replayed: &Replayed) -> ExitCode {
    match (replayed.changed() + replayed.against(), replayed.stale()) {
        (0, 0) => ExitCode::Nothing,
        (0, _) => ExitCode::Usage,
        _ => ExitCode::Unexplained,
    }
}

/// The inputs that were named, or all.
fn wanted<'corpus>(corpus: &'corpus Corpus, names: &[String]) -> Result<Vec<&'corpus Kept>> {
    if names.is_empty() {
        return Ok(corpus.inputs.iter().collect());
    }
    let find = |name: &String| {
        let found = corpus.inputs.iter().find(|input| input.name == *name);
        found.with_context(|| format!("the manifest of `{}` lists no input `{}`", shown(&corpus.folder), escape(name)))
    };
    names.iter().map(find).collect()
}

fn replay(corpus: &Corpus, inputs: &[&Kept], oracle: &mut Oracle, project: &Project) -> Result<Replayed> {
    let header = oracle.header().clone();
    let mut replayed = Replayed::new(corpus, &header);
    for input in inputs {
        let expected = &corpus.manifest.inputs[&input.name];
        let told = oracle.ask(&input.bytes)?;
        let compared = compare(expected, &corpus.manifest.decisions, &told.answer, &header);
        let path = shown(&corpus.folder.join(&input.name));
        let command = target::reproduce(project, &corpus.manifest.suite, &corpus.manifest.constants, &path);
        replayed.inputs.push(ReplayedInput { path, command, compared });
    }
    Ok(replayed)
}
