//! What cargo-mutants and the processes it started have left, as an analysis.

use super::{plan, step};
use crate::{
    cli::target,
    mutants::{Analysis, Ended, Record, Scenario, Summary, Tests, scenarios},
};
use anyhow::{Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Adds all that was found out to an analysis.
pub(super) fn read(analysis: &mut Analysis, scratch: &Path) -> Result<()> {
    let folder = scratch.join("mutants.out");
    let Ok(text) = fs::read_to_string(folder.join("outcomes.json")) else {
        // Nothing was found to change, or it did not come to that.
        return if folder.join("mutants.json").is_file() { Ok(()) } else { bail!("cargo-mutants failed: see above") };
    };
    let mut lost = Vec::new();
    for scenario in scenarios(&text)? {
        let log = folder.join(&scenario.log);
        let record = record(scratch, &log, analysis.sets.len());
        match (&scenario.mutant, record) {
            (None, record) => baseline(analysis, record, &log)?,
            (Some(_), _) if scenario.summary == Summary::Unviable => analysis.unviable += 1,
            (Some(mutant), Some(record)) if record.inputs.iter().all(Option::is_some) => {
                analysis.tested.push((mutant.clone(), record));
            }
            _ => lost.push((scenario, log)),
        }
    }
    note_lost(analysis, &lost);
    Ok(())
}

/// What the code without a mutant showed in the copy.
fn baseline(analysis: &mut Analysis, record: Option<Record>, log: &Path) -> Result<()> {
    let said = || target::last_lines(&fs::read_to_string(log).unwrap_or_default());
    let Some(record) = record.filter(|record| record.inputs.iter().all(Option::is_some)) else {
        bail!(
            "without a mutant, the copy that cargo-mutants makes cannot be built or judged: its last words were\n{}",
            said()
        );
    };
    if let Some(noticed) = record.inputs.iter().flatten().find(|noticed| noticed.is_killed()) {
        let cells: Vec<String> = noticed.cells.iter().filter_map(|&cell| cell_name(analysis, cell)).collect();
        bail!(
            "without a mutant, the copy that cargo-mutants makes is judged differently: {}{}",
            cells.join(", "),
            noticed.beside.as_deref().unwrap_or_default()
        );
    }
    for tests in [Tests::Generated, Tests::Own] {
        let (name, place) = match tests {
            Tests::Generated => ("generated", &mut analysis.generated),
            Tests::Own => ("crate's own", &mut analysis.own),
        };
        match record.tests(tests) {
            Some((Ended::Passed, count @ 1..)) => *place = Some(count),
            Some((Ended::Passed, 0)) => analysis.notes.push(format!("there are no tests among the {name} ones")),
            Some(_) => analysis.notes.push(format!("the {name} tests fail without a mutant: they are not compared")),
            None => {}
        }
    }
    Ok(())
}

fn cell_name(analysis: &Analysis, cell: usize) -> Option<String> {
    analysis.cells.get(cell).map(|(function, relation)| format!("{function} x {relation}"))
}

fn note_lost(analysis: &mut Analysis, lost: &[(Scenario, PathBuf)]) {
    let Some((first, log)) = lost.first() else { return };
    let name = first.mutant.as_ref().map(|mutant| format!("{}:{}", mutant.file, mutant.line)).unwrap_or_default();
    analysis.notes.push(format!(
        "{} mutants were not judged; the last words about the first, {name}, were\n{}",
        lost.len(),
        target::last_lines(&fs::read_to_string(log).unwrap_or_default())
    ));
}

/// The record that a log names.
fn record(scratch: &Path, log: &Path, sets: usize) -> Option<Record> {
    let text = String::from_utf8_lossy(&fs::read(log).ok()?).into_owned();
    let names = text.lines().filter_map(|line| line.strip_prefix(step::MARK));
    let mut paths = names.filter(|name| step::is_name(name)).map(|name| plan::records(scratch).join(name));
    let record = paths.find_map(|path| fs::read_to_string(path).ok())?;
    Some(Record::parse(&record, sets))
}
