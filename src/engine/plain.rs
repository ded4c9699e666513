//! A target built without an engine: replays the files it is given, or runs the built-in engine.

use super::{Builtin, Execute, Step, Until, builtin::stop_on_signals};
use crate::{
    Verdict,
    escape::escape,
    log::{Check, Phase, told},
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

const USAGE: &str = "\
A fuzz target built without an engine. Build it with `cargo fuzz` or `cargo afl` to fuzz it with one.

usage: TARGET FILE|FOLDER..              replay inputs
       TARGET --fuzz [--runs N] [--time SECONDS] [--uniform N] [--seed N] [FOLDER..]
                                         run the built-in engine, with the files as first inputs";

/// What the arguments ask for.
#[derive(Debug, Default)]
struct Arguments {
    fuzz: bool,
    runs: Option<u64>,
    seconds: Option<u64>,
    uniform: u64,
    seed: Option<u64>,
    paths: Vec<PathBuf>,
}

fn parse(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut number = |name: &str| {
            let value = arguments.next().unwrap_or_default();
            value.parse::<u64>().map_err(|_| format!("`{name}` takes a number, not `{value}`"))
        };
        match argument.as_str() {
            "--fuzz" => parsed.fuzz = true,
            "--runs" => parsed.runs = Some(number("--runs")?),
            "--time" => parsed.seconds = Some(number("--time")?),
            "--seed" => parsed.seed = Some(number("--seed")?),
            "--uniform" => parsed.uniform = number("--uniform")?,
            flag if flag.starts_with('-') => return Err(format!("unknown argument `{flag}`")),
            path => parsed.paths.push(path.into()),
        }
    }
    if !parsed.fuzz && parsed.paths.is_empty() {
        return Err("nothing to do".into());
    }
    Ok(parsed)
}

/// Does what the arguments ask for; the exit code.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "this is the target's own command line")]
pub(super) fn run(target: &mut dyn Execute, seed: u64, arguments: impl Iterator<Item = String>) -> i32 {
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return 1;
        }
    };
    let inputs = match read_all(&arguments.paths) {
        Ok(inputs) => inputs,
        Err((path, error)) => {
            eprintln!("error: failed to read input `{}`: {error}", path.display());
            return 1;
        }
    };
    if !arguments.fuzz {
        let is_one = matches!((&inputs[..], &arguments.paths[..]), ([_], [_]));
        if is_one {
            target.tell();
        }
        for (path, bytes) in &inputs {
            println!("{}: {}", path.display(), replay(target, bytes));
        }
        if is_one {
            print!("{}", in_full(target));
        }
        println!("{} replayed", if inputs.len() == 1 { "1 input".into() } else { format!("{} inputs", inputs.len()) });
        return 0;
    }
    stop_on_signals();
    let mut engine = Builtin::new(arguments.seed.unwrap_or(seed), inputs.into_iter().map(|(_, bytes)| bytes).collect());
    engine.uniform(target, arguments.uniform);
    let until = match (arguments.runs, arguments.seconds) {
        (Some(runs), _) => Until::Runs(runs),
        (None, Some(seconds)) => Until::Time(Duration::from_secs(seconds)),
        (None, None) => Until::Time(Duration::MAX),
    };
    let ended = engine.fuzz(target, until);
    eprintln!("{} executions, {} inputs kept", ended.runs, ended.kept);
    0
}

/// Judges one input and sums up its verdicts in a line.
fn replay(target: &mut dyn Execute, bytes: &[u8]) -> String {
    if target.step(bytes, Phase::Replay) == Step::Rejected {
        return "rejected: it does not decode, or is outside the domain".into();
    }
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for verdict in target.verdicts() {
        *counts.entry(verdict).or_default() += 1;
    }
    counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect::<Vec<_>>().join(", ")
}

/// The last input that was judged, and its verdict in each cell; where it did not hold, with what the check saw.
fn in_full(target: &mut dyn Execute) -> String {
    let told = target.told();
    let header = target.header();
    let Some(row) = told.and_then(|told| told::read(&told, header)) else { return String::new() };
    let line = |name: &str, text: &str| format!("  {name:18} {}\n", escape(text));
    let mut text = line("input", &row.input_text(header));
    for (cell, verdict) in row.verdicts.iter().enumerate().filter_map(|(cell, verdict)| Some((cell, (*verdict)?))) {
        text.push_str(&line(verdict.word(), &header.cell_name(cell)));
        let check = Check::new(header, &row, cell);
        if matches!(verdict, Verdict::Held | Verdict::NotApplicable) {
            continue;
        }
        text.extend(check.output.map(|output| line("", &format!("output {output}"))));
        for (follow_up, output) in check.follow_ups.iter().zip(check.outputs) {
            text.push_str(&line("", &format!("follow-up {follow_up} -> {output}")));
        }
    }
    text
}

/// The bytes of a file, with its path.
type Named = (PathBuf, Vec<u8>);

/// All files, those of folders in the order of their names; hidden files and what is no input are left out.
fn read_all(paths: &[PathBuf]) -> Result<Vec<Named>, (PathBuf, io::Error)> {
    let mut inputs = Vec::new();
    for path in paths {
        let files = if path.is_dir() { list(path).map_err(|error| (path.clone(), error))? } else { vec![path.clone()] };
        for file in files {
            let bytes = fs::read(&file).map_err(|error| (file.clone(), error))?;
            inputs.push((file, bytes));
        }
    }
    Ok(inputs)
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_text = path.extension().is_some_and(|extension| extension == "toml" || extension == "md");
        if path.is_file() && !is_hidden && !is_text {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
