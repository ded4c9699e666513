//! `bugornot decide`: the tester's answer about a cell, without a terminal.

use super::{
    ExitCode,
    desk::{Desk, desks},
    print,
    terminal::{Color, escape, plural, say},
};
use crate::{
    decision::{Answer, Choice, Decision, Test},
    review::{exact_condition, held_back, is_explained, proposal},
};
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Decide whether the violations of a cell are a bug
///
/// Holds the answer against the log, refuses it if the rows contradict it, and keeps it in `corpus/SUITE/decisions.toml`,
/// which later reports are compared with. Without `--when`, `not-a-bug` takes the condition that the report found, if that
/// is right for every row.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Function and relation, as in `sub:MR2`
    #[arg(required_unless_present = "explained")]
    cell: Option<String>,
    /// What its violations are
    #[arg(required_unless_present = "explained", value_enum)]
    answer: Option<Answer>,
    /// When it is violated, and may be: Rust over the fields, as in `a <= b`
    #[arg(long, value_name = "CONDITION")]
    when: Option<String>,
    /// Which regression tests follow [default: what follows from the answer]
    #[arg(long, value_enum)]
    test: Option<Test>,
    /// Why, for whoever reads it later
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Decide every undecided cell as hinted that is fully explained: never violated, always, or under an exact condition,
    /// of functions that nothing is wrong with
    #[arg(long, conflicts_with_all = ["cell", "answer", "when", "test", "replace"])]
    explained: bool,
    /// Change a decision that says something else
    #[arg(long)]
    replace: bool,
    /// The suite, if more than one has a log
    #[arg(long, value_name = "SUITE", conflicts_with = "log")]
    suite: Option<PathBuf>,
    /// A folder of logs, or a segment [default: the logs of the fuzz crate]
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,
    /// Where the decisions are [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let logs: Vec<PathBuf> = arguments.suite.iter().chain(&arguments.log).cloned().collect();
    let mut desks = desks(&logs, arguments.corpus.as_deref(), color)?;
    if !desks.iter().any(Desk::has_rows) {
        say("error: the log holds no usable rows: fuzz with `bugornot run SUITE` first");
        return Ok(ExitCode::NoRows);
    }
    match (&arguments.cell, arguments.answer) {
        (Some(cell), Some(answer)) => one(arguments, &mut desks, cell, answer),
        _ => desks.iter_mut().try_for_each(|desk| all_explained(desk, arguments.note.as_deref())),
    }?;
    Ok(ExitCode::Nothing)
}

fn one(arguments: &Arguments, desks: &mut [Desk], name: &str, answer: Answer) -> Result<()> {
    let (desk, cell) = find(desks, name)?;
    let mined = || exact_condition(&desk.report.cells[cell]).filter(|_| answer == Answer::NotABug);
    let when = arguments.when.clone().or_else(mined);
    let usual = Choice::new(cell, answer, when.map(|when| when.trim().to_owned()));
    let choice = Choice { test: arguments.test.unwrap_or(usual.test), ..usual };
    let decision = desk.decide(&choice, arguments.note.as_deref(), arguments.replace)?;
    print(&format!(
        "{}\nwritten to `{}`: commit it\n{}",
        line(desk, cell, &decision),
        desk.file(),
        if answer == Answer::Bug { "next: fix it, then fuzz again with a new log\n" } else { "" }
    ))
}

/// The one suite that has such a cell.
fn find<'desks>(desks: &'desks mut [Desk], name: &str) -> Result<(&'desks mut Desk, usize)> {
    let mut found = Vec::new();
    let known: Vec<String> =
        desks.iter().map(|desk| format!("suite `{}` has {}", desk.suite(), desk.cells())).collect();
    for desk in desks {
        if let Some(cell) = desk.cell(name)? {
            found.push((desk, cell));
        }
    }
    let name = escape(name);
    match found.len() {
        0 => bail!("there is no cell `{name}`: {}", known.join("; ")),
        1 => Ok(found.remove(0)),
        _ => {
            let suites: Vec<String> = found.iter().map(|(desk, _)| format!("`{}`", desk.suite())).collect();
            bail!("{} have a cell `{name}`: name one with `--suite`", suites.join(" and "))
        }
    }
}

/// Decides every undecided cell that is fully explained as it is hinted at.
pub(super) fn all_explained(desk: &mut Desk, note: Option<&str>) -> Result<()> {
    let cells: Vec<usize> = (0..desk.report.cells.len()).filter(|&cell| is_explained(&desk.report, cell)).collect();
    let mut text = String::new();
    for &cell in &cells {
        let Some(choice) = proposal(&desk.report, cell) else { continue };
        let decision = desk.decide(&choice, note, false)?;
        text.push_str(&line(desk, cell, &decision));
        text.push('\n');
    }
    let held_back: Vec<(usize, usize)> =
        (0..desk.report.cells.len()).filter_map(|cell| Some((cell, held_back(&desk.report, cell)?))).collect();
    for (cell, suspect) in held_back {
        let name = |cell| desk.report.cleaned.header.cell_name(cell);
        let (cell, suspect, hint) = (name(cell), name(suspect), desk.report.cells[suspect].hinted.hint.word());
        text.push_str(&escape(&format!("{cell}: left open, as {suspect} is hinted at as `{hint}`: settle that first")));
        text.push('\n');
    }
    let sum = match cells.len() {
        0 => format!("{}: no undecided cell is fully explained\n", desk.suite()),
        count => format!("{} written to `{}`: commit it\n", plural(count as u64, "decision"), desk.file()),
    };
    print(&format!("{text}{sum}"))
}

fn line(desk: &Desk, cell: usize, decision: &Decision) -> String {
    let name = desk.report.cleaned.header.cell_name(cell);
    let words = format!("{name}: {} ({}): {}", decision.words(), decision.numbers.text(), decision.test.words());
    escape(&words)
}
