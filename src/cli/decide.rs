//! `bugornot decide`: the tester's answer about a cell, without a terminal.

use super::{
    ExitCode, campaigns,
    desk::Desk,
    print,
    terminal::{Color, escape, plural, say, warn},
};
use crate::{
    clean::Campaign,
    decision::{Answer, Choice, Decision, Test, cell_key, cells_named},
    hint::{Evidence, Hint, Hinted},
    log::Header,
    review::{exact_condition, held_back, is_explained, proposal},
};
use anyhow::{Result, bail};
use std::path::PathBuf;

/// How many cells are named where one is not known.
const NAMED: usize = 12;

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
    let campaigns = campaigns::newest(&logs, color)?;
    let desk = |campaign| Desk::new(campaign, arguments.corpus.as_deref());
    let (Some(name), Some(answer)) = (&arguments.cell, arguments.answer) else {
        let mut desks = campaigns.into_iter().map(desk).collect::<Result<Vec<_>>>()?;
        if !desks.iter().any(Desk::has_rows) {
            return Ok(no_rows());
        }
        let mut told = Explained::default();
        for desk in &mut desks {
            let Explained { decided, refused } = all_explained(desk, arguments.note.as_deref(), color)?;
            if decided > 0 {
                print(&next(desk))?;
            }
            told = Explained { decided: told.decided + decided, refused: told.refused + refused };
        }
        return Ok(told.exit_code());
    };
    let (campaign, cell) = find(campaigns, name)?;
    let choice = arguments.choice(cell, answer);
    // What was typed wrong is told before the rows are read.
    if let Some(fault) = choice.fault() {
        bail!("{} cannot be decided so: {fault}", escape(&campaign.header.cell_name(cell)));
    }
    let mut desk = desk(campaign)?;
    if !desk.has_rows() {
        return Ok(no_rows());
    }
    one(&mut desk, choice, arguments, color)?;
    Ok(ExitCode::Nothing)
}

fn no_rows() -> ExitCode {
    say("error: the log holds no usable rows: fuzz with `bugornot run SUITE` first");
    ExitCode::NoRows
}

impl Arguments {
    /// What was typed, as an answer about a cell.
    fn choice(&self, cell: usize, answer: Answer) -> Choice {
        let usual = Choice::new(cell, answer, self.when.as_deref().map(|when| when.trim().to_owned()));
        Choice { test: self.test.unwrap_or(usual.test), ..usual }
    }
}

fn one(desk: &mut Desk, typed: Choice, arguments: &Arguments, color: Color) -> Result<()> {
    let mined = || exact_condition(&desk.report.cells[typed.cell]).filter(|_| typed.answer == Answer::NotABug);
    let choice = Choice { when: typed.when.clone().or_else(mined), ..typed };
    let decision = desk.decide(&choice, arguments.note.as_deref(), arguments.replace)?;
    let shown = &desk.report.cells[choice.cell];
    if let Some(why) = beyond(&shown.hinted).filter(|_| choice.answer != Answer::Bug) {
        warn(color, format_args!("the log hints at a bug whatever is decided about violations: {}", escape(why)));
    }
    let next = match choice.answer {
        Answer::Bug => "next: fix it, then fuzz again with `bugornot run`\n".into(),
        _ => next(desk),
    };
    print(&format!("{}\nwritten to `{}`: commit it\n{next}", line(desk, choice.cell, &decision), desk.file()))
}

/// What a hint rests on, if that is more than violations.
fn beyond(hinted: &Hinted) -> Option<&str> {
    let is_it = |evidence: &&Evidence| match evidence.kind {
        "panic" | "death" => true,
        "nan" => evidence.numbers.iter().any(|(name, count)| *name == "one_side" && *count > 0.0),
        _ => false,
    };
    let is_bug = hinted.hint == Hint::Bug;
    hinted.evidence.iter().find(is_it).filter(|_| is_bug).map(|evidence| evidence.text.as_str())
}

/// The one campaign that has such a cell.
fn find(campaigns: Vec<Campaign>, name: &str) -> Result<(Campaign, usize)> {
    let suite = |campaign: &Campaign| format!("`{}`", escape(&campaign.header.suite));
    let known: Vec<String> =
        campaigns.iter().map(|it| format!("suite {} has {}", suite(it), cells_text(&it.header))).collect();
    let mut found = Vec::new();
    for campaign in campaigns {
        match cells_named(&campaign.header, name)[..] {
            [] => {}
            [cell] => found.push((campaign, cell)),
            _ => bail!("`{}` names more than one cell, because of the colons in the names", escape(name)),
        }
    }
    let name = escape(name);
    match found.len() {
        0 => bail!("there is no cell `{name}`: {}", known.join("; ")),
        1 => Ok(found.remove(0)),
        _ => {
            let suites: Vec<String> = found.iter().map(|(campaign, _)| suite(campaign)).collect();
            bail!("{} have a cell `{name}`: name one with `--suite`", suites.join(" and "))
        }
    }
}

/// The names of the cells there are, for an error.
fn cells_text(header: &Header) -> String {
    let names: Vec<String> =
        (0..header.cells.len().min(NAMED)).map(|cell| format!("`{}`", escape(&cell_key(header, cell)))).collect();
    format!("{}{}", names.join(", "), if header.cells.len() > NAMED { ", .." } else { "" })
}

/// What became of the cells that are fully explained.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Explained {
    decided: usize,
    refused: usize,
}

impl Explained {
    /// An error says that nothing was changed.
    fn exit_code(self) -> ExitCode {
        if self.decided == 0 && self.refused > 0 { ExitCode::Usage } else { ExitCode::Nothing }
    }
}

/// Decides every undecided cell that is fully explained as it is hinted at. What is refused is told, and left open.
pub(super) fn all_explained(desk: &mut Desk, note: Option<&str>, color: Color) -> Result<Explained> {
    let cells: Vec<usize> = (0..desk.report.cells.len()).filter(|&cell| is_explained(&desk.report, cell)).collect();
    let (mut text, mut told) = (String::new(), Explained::default());
    for cell in cells {
        let Some(choice) = proposal(&desk.report, cell) else { continue };
        match desk.decide(&choice, note, false) {
            Ok(decision) => {
                told.decided += 1;
                text.push_str(&line(desk, cell, &decision));
                text.push('\n');
            }
            Err(error) => {
                told.refused += 1;
                warn(color, format_args!("{error:#}"));
            }
        }
    }
    let held_back: Vec<(usize, usize)> =
        (0..desk.report.cells.len()).filter_map(|cell| Some((cell, held_back(&desk.report, cell)?))).collect();
    for (cell, suspect) in held_back {
        let name = |cell| desk.report.cleaned.header.cell_name(cell);
        let (cell, suspect, hint) = (name(cell), name(suspect), desk.report.cells[suspect].hinted.hint.word());
        text.push_str(&escape(&format!("{cell}: left open, as {suspect} is hinted at as `{hint}`: settle that first")));
        text.push('\n');
    }
    let sum = match told {
        Explained { decided: 0, refused: 0 } => format!("{}: no undecided cell is fully explained\n", desk.suite()),
        Explained { decided: 0, .. } => format!("{}: nothing was decided\n", desk.suite()),
        Explained { decided, .. } => {
            format!("{} written to `{}`: commit it\n", plural(decided as u64, "decision"), desk.file())
        }
    };
    print(&format!("{text}{sum}"))?;
    Ok(told)
}

/// What a corpus needs that expects what was decided before.
fn next(desk: &Desk) -> String {
    if !desk.has_corpus() {
        return String::new();
    }
    format!("next: bugornot minimise {}\n      takes it into the corpus that is there\n", desk.suite())
}

fn line(desk: &Desk, cell: usize, decision: &Decision) -> String {
    let name = desk.report.cleaned.header.cell_name(cell);
    // What tests a bug waits until it is gone.
    let test = match decision.answer {
        Answer::Bug => String::new(),
        _ => format!(": {}", decision.test.words()),
    };
    escape(&format!("{name}: {} ({}){test}", decision.words(), decision.numbers.text()))
}
