//! `bugornot locate`: runs checks of one cell again under coverage, and shows the lines of code that tell violated from
//! held ones.

mod build;
mod find;

use super::{
    ExitCode,
    oracle::Oracle,
    output::{Destination, Format},
    project::{FuzzCrate, Project},
    terminal::{Color, escape, say, shown, warn},
};
use crate::{
    Verdict,
    clean::Cleaned,
    engine::calls::Opening,
    hint::Evidence,
    locate::{Check, End, Located, Picked, Place, Sources, Symbols, json, pick, rank, text},
    log::{Header, PanicInfo},
    report::Report,
};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// How many checks of each verdict are run again.
const SAMPLES: u16 = 200;

/// Find the lines of code that run when a relation is violated or the function panics, and not when it holds
///
/// Picks violated, panicked and held checks of a cell from a log, builds the target with coverage, runs each again, and
/// ranks the lines by how well what they do tells the one from the other, in the source's run, in the follow-ups', or in
/// the difference between them. Exits with 0 if there are such lines, 2 if held and violated checks run the same code, 3
/// if the log has no violated or panicked or no held check to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The function and the relation, as in `sub:MR2`
    #[arg(value_name = "CELL")]
    cell: String,
    /// A folder of logs, or a segment; or the name of a suite [default: BUGORNOT_LOG, or `verdicts/SUITE` in the fuzz crate]
    #[arg(value_name = "LOG")]
    log: Option<PathBuf>,
    /// The suite [default: the one whose log has the cell]
    #[arg(long)]
    suite: Option<String>,
    /// How many checks of each verdict to run again
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u16).range(1..))]
    samples: u16,
    /// How many lines to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,
    /// How to show it; `json` has all lines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let project = arguments.fuzz_crate.find()?;
    let found = find::find(arguments, &project, color)?;
    let picked = pick(&found.cleaned, found.cell, arguments.samples.into());
    let panic = panic_of(&found.cleaned, found.cell);
    if !picked.can_tell() && panic.is_none() {
        let missing = if picked.held.is_empty() && !picked.violated.is_empty() { "held" } else { "violated" };
        say(format_args!(
            "error: the log has no {missing} check of `{}` to run again (examples have no bytes): fuzz longer with \
             `bugornot run {}`",
            escape(&arguments.cell),
            escape(&found.cleaned.header.suite)
        ));
        return Ok(ExitCode::NoRows);
    }
    let sources = Sources::default();
    let mut located = match picked.can_tell() {
        true => locate(&project, &found.cleaned, found.cell, &picked, &sources)?,
        false => unlocated(&found.cleaned.header, found.cell),
    };
    let is_repaired = picked.can_tell() && !picked.panicked.is_empty() && located.panicked == 0;
    located.panic = panic.filter(|_| !is_repaired);
    if let Some((was, end)) = gone(&located, &picked) {
        say(format_args!(
            "error: none of {was} {end} checks of `{}` is so any more: fuzz the code as it is now with `bugornot run {}`",
            escape(&arguments.cell),
            escape(&located.suite)
        ));
        return Ok(ExitCode::NoRows);
    }
    let whole = match arguments.format {
        Format::Text => text(&located, &sources, arguments.most),
        Format::Json => json(&located, &sources),
    };
    arguments.destination.write(&whole)?;
    let is_found = !located.places.is_empty() || located.panic.is_some();
    Ok(if is_found { ExitCode::Nothing } else { ExitCode::Unexplained })
}

/// Adds to a report what violated and panicked checks of its cells run and held ones do not.
pub(crate) fn add(report: &mut Report, color: Color) -> Result<()> {
    let project = Project::find(None)?;
    project.source(&report.cleaned.header.suite)?;
    let sources = Sources::default();
    for (cell, shown) in report.cells.iter_mut().enumerate() {
        let picked = pick(&report.cleaned, cell, SAMPLES.into());
        if !picked.can_tell() {
            continue;
        }
        match locate(&project, &report.cleaned, cell, &picked, &sources) {
            Ok(located) => shown.hinted.evidence.extend(evidence(&located)),
            Err(error) => {
                let cell = escape(&report.cleaned.header.cell_name(cell));
                warn(color, format_args!("{cell} is not located: {error:#}"));
            }
        }
    }
    Ok(())
}

/// What the code says about a cell, if its checks are still what they were.
fn evidence(located: &Located) -> Vec<Evidence> {
    let of = |word: &str, count: u64, places: &[Place]| {
        let only_failed = places.iter().filter(|place| place.held == 0).count();
        let best = places.first().map(|place| {
            let (path, line) = (shown(&place.line.path), place.line.number);
            let held = match place.held {
                0 => "no held one".into(),
                some => format!("{some} of {} held ones", located.held),
            };
            format!("`{path}:{line}` tells best: {} of {count} {word} checks, and {held}", place.failed)
        });
        (count > 0 && located.held > 0).then(|| Evidence::code(word, best, only_failed, places.len()))
    };
    let violated = of("violated", located.violated, &located.places);
    violated.into_iter().chain(of("panicked", located.panicked, &located.panic_places)).collect()
}

/// How many checks ended so that none of them does now, and how: without them there is nothing to tell.
fn gone(located: &Located, picked: &Picked) -> Option<(usize, &'static str)> {
    if located.panic.is_some() {
        None
    } else if located.violated == 0 && !picked.violated.is_empty() {
        Some((picked.violated.len(), "violated"))
    } else if located.violated == 0 {
        Some((picked.panicked.len(), "panicked"))
    } else if located.held == 0 {
        Some((picked.held.len(), "held"))
    } else {
        None
    }
}

/// A cell before anything is known of it.
fn unlocated(header: &Header, cell: usize) -> Located {
    let (function, relation) = find::names(header, cell);
    Located { suite: header.suite.clone(), function, relation, ..Located::default() }
}

/// A panic of the function in a cell.
fn panic_of(cleaned: &Cleaned, cell: usize) -> Option<PanicInfo> {
    let counts = cleaned.cells.get(cell)?.distinct.counts;
    let is_the_functions = counts.of(Verdict::SourcePanicked) + counts.of(Verdict::FollowUpPanicked) > 0;
    cleaned.findings.panics.get(&cell).filter(|_| is_the_functions).map(|(_, panic)| panic.clone())
}

/// Builds the target, runs the checks again, and ranks the lines.
fn locate(project: &Project, cleaned: &Cleaned, cell: usize, picked: &Picked, sources: &Sources) -> Result<Located> {
    let header = &cleaned.header;
    let suite = header.suite.as_str();
    let executable = build::build(project, suite, &header.build)?;
    let constants = header.constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let mut oracle = Oracle::new(executable.clone(), constants)?;
    let mut located = unlocated(header, cell);
    let cell = same_cell(header, cell, oracle.header())?;
    let mut opening = Opening { cell: cell as u32, ours: Vec::new() };
    let packages = project.packages()?;
    let blocks = oracle.open(&opening)?;
    let symbols = Symbols::open(&executable, suite, &packages, blocks, sources)
        .with_context(|| format!("failed to read the debug information of `{}`", shown(&executable)))?;
    opening.ours = symbols.ranges();
    oracle.open(&opening)?;
    let checks = run_again(&mut oracle, cell, picked, &mut located)?;
    let code = symbols.code(&checks);
    let with_held = |end| checks.iter().filter(|check| [end, End::Held].contains(&check.end)).collect::<Vec<_>>();
    (located.places, located.common) = rank(&with_held(End::Violated), &code);
    (located.panic_places, _) = rank(&with_held(End::Panicked), &code);
    Ok(located)
}

/// The cell of the target that is called as one of the log.
fn same_cell(log: &Header, cell: usize, target: &Header) -> Result<usize> {
    let name = log.cell_name(cell);
    let same = (0..target.cells.len()).find(|&other| target.cell_name(other) == name);
    let Some(same) = same else {
        bail!("the suite has no cell `{}` any more: fuzz it again with `bugornot run`", escape(&name));
    };
    Ok(same)
}

/// Runs the checks again; those that end as in the log stay.
fn run_again(oracle: &mut Oracle, cell: usize, picked: &Picked, located: &mut Located) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let all = [End::Violated, End::Panicked, End::Held].into_iter();
    for (bytes, end) in all.flat_map(|end| picked.of(end).iter().map(move |bytes| (bytes, end))) {
        match oracle.calls(bytes)? {
            None => located.lost += 1,
            Some((row, runs)) if row.verdicts.get(cell).copied().flatten().and_then(End::of) == Some(end) => {
                *located.ended(end) += 1;
                checks.push(Check { end, runs });
            }
            Some(_) => located.changed += 1,
        }
    }
    Ok(checks)
}
