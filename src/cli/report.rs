//! `bugornot report`: what logs say, cell by cell: how often a relation is violated, and exactly when.

use super::{
    ExitCode,
    against::Against,
    at_hand::{AtHand, Judging},
    campaigns::{of_newest_code, read},
    desk, locate,
    output::Destination,
    witness,
};
use crate::{
    anchor::{self, Compared, Decided},
    clean::{self, Campaign},
    decision::{Decisions, cell_key},
    explain::{explain_all, rules},
    hint::{Anchor, Hint, hints},
    log::{Header, IMPORT},
    mine::apriori::Thresholds,
    report::{self, Cell, Report},
    review::has_undecided,
    summary::{Sampling, summarise},
    terminal::{Color, escape, shown},
    witness::Shown,
};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// See how often each relation is violated, and exactly when
///
/// Reads logs, takes out what is damaged or doubled, and finds for each function and relation the shortest condition on
/// the input that tells violated from held.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder of logs, or a segment; or the name of a suite [default: every suite of the fuzz crate]
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The log of an earlier version: what is violated where it was known to hold is a regression. The same folder, for the
    /// older code in it
    #[arg(long, value_name = "OLD", conflicts_with = "all")]
    against: Option<PathBuf>,
    #[command(flatten)]
    mining: Mining,
    /// How to show it; `csv` has the rules alone
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    destination: Destination,
    /// Judge no input again, to shrink it or to decide what an earlier log leaves open: saves building the target
    #[arg(long)]
    no_shrink: bool,
    /// Run checks again under coverage, and tell what code violated ones run and held ones do not, as `bugornot locate`
    /// does: builds the target for it
    #[arg(long)]
    locate: bool,
    /// Report on older versions of the code too, if their campaigns are in the same folder
    #[arg(long)]
    all: bool,
    /// How many bytes of memory to use: `512M`, `2G`
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    memory: u64,
    /// Where the tester's decisions are [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

/// How rules are found.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Mining {
    /// What the rules are: the terms of the shortest condition, or all that are reliable
    #[arg(long, value_enum, default_value_t = Self::DEFAULT.miner)]
    miner: Miner,
    /// For `apriori`: the least share of rows that a rule is about
    #[arg(long, value_name = "SHARE", default_value_t = Self::DEFAULT.min_support)]
    min_support: f64,
    /// For `apriori`: the least share of these rows that have the verdict
    #[arg(long, value_name = "SHARE", default_value_t = Self::DEFAULT.min_confidence)]
    min_confidence: f64,
    /// For `apriori`: how many items a rule may have, the verdict among them
    #[arg(long, value_name = "N", default_value_t = Self::DEFAULT.max_len)]
    max_len: usize,
    /// How many random rows of every cell and verdict are kept in the report
    #[arg(long, value_name = "N", default_value_t = Self::DEFAULT.samples)]
    samples: usize,
    /// Another number, other random rows
    #[arg(long, value_name = "N", default_value_t = Self::DEFAULT.sample_seed)]
    sample_seed: u64,
}

impl Mining {
    /// What `run` and a bare `report` do.
    pub(crate) const DEFAULT: Self = Self {
        miner: Miner::Condition,
        min_support: 0.01,
        min_confidence: 1.0,
        max_len: 2,
        samples: 3,
        sample_seed: 0,
    };

    fn sampling(&self) -> Sampling {
        Sampling { count: self.samples, seed: self.sample_seed }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Miner {
    Condition,
    Apriori,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Csv,
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    crate::engine::parse_bytes(text).ok_or_else(|| format!("`{text}` is no number of bytes such as `512M` or `2G`"))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let campaigns = read(&arguments.logs, color)?;
    let campaigns = match arguments.all {
        true => campaigns,
        false => {
            let hint = "`--all` reports on them too, and `--against` their folder compares with them";
            of_newest_code(campaigns, hint, color)
        }
    };
    if arguments.format == Format::Json && campaigns.len() > 1 {
        let named: Vec<_> = campaigns.iter().map(|(_, campaign)| campaign.header.as_ref()).collect();
        bail!(
            "these logs hold {}, and JSON has one campaign: give one folder for each",
            report::table::others_text(&named)
        );
    }
    let options = clean::Options { memory: arguments.memory, ..clean::Options::default() };
    let old = arguments.against.as_ref().map(|path| Against::open(path, &campaigns, color)).transpose()?;
    let paint = arguments.destination.paint(color);
    let (mut whole, mut code) = (String::new(), ExitCode::NoRows);
    for (folder, campaign) in &campaigns {
        let decisions = decisions(campaign, arguments.corpus.as_deref())?;
        let outside = Outside { decisions: decisions.as_ref(), against: old.as_ref() };
        let judging = if arguments.no_shrink { Judging::Nothing } else { Judging::Project };
        let mut at_hand = AtHand::new(&campaign.header, judging, color);
        let (mut report, known) = analyse(campaign, &options, &arguments.mining, &outside, &mut at_hand);
        witness::add(&mut report, &known, &mut at_hand, color);
        if arguments.locate {
            locate::add(&mut report, color)?;
        }
        code = code.or(exit_code(&report));
        match arguments.format {
            Format::Text => {
                let named = arguments.logs.contains(folder).then_some(folder.as_path());
                whole.push_str(&report::text(&report, paint));
                whole.push_str(&format!("next: {}\n", next(&report, named)));
            }
            Format::Json => whole.push_str(&report::json(&report)),
            Format::Csv => whole.push_str(&report::csv(&report)?),
        }
    }
    arguments.destination.write(&whole)?;
    Ok(code)
}

/// The decisions about the suite of a campaign, if it can have any.
fn decisions(campaign: &Campaign, corpus: Option<&Path>) -> Result<Option<Decisions>> {
    let suite = &campaign.header.suite;
    Ok(desk::folder(corpus, suite).map(|folder| Decisions::load(&folder, suite)).transpose()?)
}

/// The command that helps most now; `log` if it is not the suite's own.
fn next(report: &Report, log: Option<&Path>) -> String {
    let header = &report.cleaned.header;
    let suite = escape(&header.suite);
    let log = |before: &str| log.map(|log| format!("{before}{}", shown(log))).unwrap_or_default();
    let is_new_bug = |cell: &Cell| cell.hinted.hint == Hint::Bug && cell.decided.is_none();
    let is_asked = report.cells.iter().any(|cell| cell.is_reopened() || is_new_bug(cell));
    if is_asked || (exit_code(report) == ExitCode::Nothing && has_undecided(report)) {
        let what = if log("").is_empty() { format!(" {suite}") } else { log(" ") };
        return format!("bugornot review{what}\n      asks you what the violations are");
    }
    if header.build.engine == IMPORT {
        return format!("bugornot report{} --format json\n      has samples of every cell", log(" "));
    }
    if let Some(regression) = report.cells.iter().position(|cell| cell.hinted.hint == Hint::Regression) {
        let cell = escape(&cell_key(header, regression));
        return format!("bugornot locate '{cell}'{}\n      shows the code that tells", log(" "));
    }
    if report.cells.iter().any(|cell| cell.decided.as_ref().is_some_and(Decided::is_red)) {
        return format!("fix the bug, then bugornot run {suite}{}\n      fuzzes the new code", log(" --log "));
    }
    if exit_code(report) == ExitCode::Nothing {
        return format!("bugornot minimise {suite}{}\n      keeps what was found as a small corpus", log(" "));
    }
    format!("bugornot run {suite}{} --time 10m\n      more rows may tell more", log(" --log "))
}

/// What a report comes to.
pub(crate) fn exit_code(report: &Report) -> ExitCode {
    match report.cleaned.rows.kept {
        0 => ExitCode::NoRows,
        _ if report.is_unexplained() || report.is_regression() => ExitCode::Unexplained,
        _ => ExitCode::Nothing,
    }
}

/// What is known of a suite from outside the log at hand.
#[derive(Default)]
pub(crate) struct Outside<'run> {
    pub(crate) decisions: Option<&'run Decisions>,
    pub(super) against: Option<&'run Against>,
}

/// What is known of each cell from outside the log, and the inputs that show it.
pub(crate) type Anchored = (Vec<Anchor>, Vec<Option<Shown>>);

/// Cleans a campaign, explains its cells, mines their rules, and compares them with what is known from outside; with the
/// inputs that this has chosen to be shown.
pub(crate) fn analyse(
    campaign: &Campaign,
    options: &clean::Options,
    mining: &Mining,
    outside: &Outside<'_>,
    at_hand: &mut AtHand<'_>,
) -> (Report, Vec<Option<Shown>>) {
    let cleaned = clean::clean(campaign, options);
    let summaries = summarise(&cleaned, mining.sampling());
    let explained = explain_all(campaign, &cleaned);
    let thresholds = (mining.miner == Miner::Apriori).then_some(Thresholds {
        min_support: mining.min_support,
        min_confidence: mining.min_confidence,
        max_len: mining.max_len,
    });
    let rules = rules(&cleaned, &explained, thresholds.as_ref());
    let decisions = outside.decisions;
    let compared = decisions.map(|decisions| anchor::compare(campaign, &cleaned, decisions)).unwrap_or_default();
    let earlier = outside.against.map(|old| old.anchored(campaign, &cleaned, &explained, options, at_hand));
    let (anchors, shown) = joined(&compared, earlier.unwrap_or_default(), &cleaned.header);
    let hints = hints(campaign, &cleaned, &explained, &anchors);
    (Report::new(cleaned, summaries, explained, rules, hints).with_decisions(compared), shown)
}

/// What decisions and an earlier log say of each cell, together.
fn joined(compared: &Compared, earlier: Anchored, header: &Header) -> Anchored {
    let (previous, chosen) = earlier;
    let cell = |cell: usize| {
        let decided = compared.cells.get(cell).and_then(Option::as_ref);
        let previous = previous.get(cell).cloned().unwrap_or_default();
        let shown = decided.and_then(|decided| decided.shown(header, cell));
        let anchor = anchor::joined(decided.map(Decided::anchor).unwrap_or_default(), previous);
        (anchor, shown.or_else(|| chosen.get(cell).cloned().flatten()))
    };
    (0..header.cells.len()).map(cell).unzip()
}
