//! `bugornot diff`: two logs of one suite, and what is violated now where it was known to hold.

use super::{
    ExitCode, against,
    at_hand::{AtHand, Judging},
    campaigns::{Placed, earlier, of_newest_code, read},
    output::{Destination, Format},
    report::bytes,
    witness,
};
use crate::{
    anchor::previous::{Known, most_alike},
    clean::{self, Campaign},
    explain::explain_all,
    report::{
        diff::{self, Diff},
        table::others_text,
    },
    terminal::{Color, escape, shown},
    witness::Shown,
};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Compare two logs of a suite, cell by cell: regressions, and violations that are gone
///
/// What was judged then and now is compared input by input; beyond that, what the old log says of a cell (never violated,
/// or violated just under a condition) is held against the new rows. Exits with 2 if a cell is violated where it was known
/// to hold.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The log of the old version: a folder, a segment, or the name of a suite
    old: PathBuf,
    /// The log of the new version
    new: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    destination: Destination,
    /// Judge no input again, to shrink it or to decide what the logs leave open: saves building the target
    #[arg(long)]
    no_shrink: bool,
    /// How many bytes of memory to use: `512M`, `2G`
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    memory: u64,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let all = read(std::slice::from_ref(&arguments.new), color)?;
    let news = of_newest_code(all, "the new log is that of the newest code", color);
    let olds = earlier(&arguments.old, &news, color)?;
    let pairs: Vec<(usize, &Campaign)> =
        news.iter().filter_map(|(_, new)| Some((most_alike(&olds, &new.header)?, new))).collect();
    if pairs.is_empty() {
        bail!("{}", strangers(&arguments.old, &olds, &arguments.new, &news));
    }
    if arguments.format == Format::Json && pairs.len() > 1 {
        let headers: Vec<_> = pairs.iter().map(|(_, new)| new.header.as_ref()).collect();
        bail!("the new log holds {}, and JSON has one campaign: give one folder for each", others_text(&headers));
    }
    let options = clean::Options { memory: arguments.memory, ..clean::Options::default() };
    let judging = if arguments.no_shrink { Judging::Nothing } else { Judging::Project };
    let paint = arguments.destination.paint(color);
    let (mut whole, mut code) = (String::new(), ExitCode::NoRows);
    for (position, new) in pairs {
        let mut diff = difference(&olds[position], new, &options, judging, color);
        diff.notes.extend(left_out(&olds, position));
        code = code.or(exit_code(&diff));
        match arguments.format {
            Format::Text => whole.push_str(&diff::text(&diff, paint)),
            Format::Json => whole.push_str(&diff::json(&diff)),
        }
    }
    arguments.destination.write(&whole)?;
    Ok(code)
}

/// Compares one campaign with the one before.
fn difference(old: &Campaign, new: &Campaign, options: &clean::Options, judging: Judging<'_>, color: Color) -> Diff {
    let mut at_hand = AtHand::new(&new.header, judging, color);
    let (old_cleaned, new_cleaned) = (clean::clean(old, options), clean::clean(new, options));
    let (old_explained, new_explained) = (explain_all(old, &old_cleaned), explain_all(new, &new_cleaned));
    let comparison = against::compared(
        Known { campaign: old, cleaned: &old_cleaned, explained: &old_explained },
        Known { campaign: new, cleaned: &new_cleaned, explained: &new_explained },
        options,
        &mut at_hand,
        color,
    );
    let wanted: Vec<Vec<Shown>> =
        comparison.witnesses().into_iter().map(|witness| witness.into_iter().collect()).collect();
    let (witnesses, note) = witness::witnesses(&new_cleaned, &wanted, &mut at_hand, color);
    let witnesses = witnesses.into_iter().map(|mut witnesses| witnesses.pop()).collect();
    let (old, new) = (diff::Log::of(&old_cleaned), diff::Log::of(&new_cleaned));
    Diff { old, new, comparison, witnesses, notes: note.into_iter().collect() }
}

fn exit_code(diff: &Diff) -> ExitCode {
    match (diff.old.inputs.min(diff.new.inputs), diff.comparison.is_regression()) {
        (0, _) => ExitCode::NoRows,
        (_, true) => ExitCode::Unexplained,
        (_, false) => ExitCode::Nothing,
    }
}

/// Says which campaigns of the old log are not looked at.
fn left_out(olds: &[Campaign], chosen: usize) -> Option<String> {
    let headers: Vec<_> = (0..olds.len()).filter(|&old| old != chosen).map(|old| olds[old].header.as_ref()).collect();
    (!headers.is_empty()).then(|| format!("the old log holds other campaigns, left out: {}", others_text(&headers)))
}

/// Says so if the logs are of different suites.
fn strangers(old: &Path, olds: &[Campaign], new: &Path, news: &[Placed]) -> String {
    format!(
        "`{}` holds {} and `{}` holds {}: there is nothing to compare; give two logs of one suite",
        shown(old),
        suites(olds.iter()),
        shown(new),
        suites(news.iter().map(|(_, new)| new))
    )
}

fn suites<'log>(campaigns: impl Iterator<Item = &'log Campaign>) -> String {
    let mut names: Vec<String> = campaigns.map(|campaign| format!("`{}`", escape(&campaign.header.suite))).collect();
    names.dedup();
    names.join(", ")
}
