//! `bugornot mine`: all association rules of a table in a CSV file, to be checked against other tools.

mod column;
mod output;
mod table;

use super::{
    ExitCode,
    terminal::{say, shown},
};
use crate::mine::apriori::{self, Thresholds};
use anyhow::Result;
use clap::ValueEnum;
use std::path::PathBuf;

/// Find all association rules of a table in a CSV file
///
/// Each row is a set of items, an item is `column == value`, and an empty cell is no item. Support, confidence, lift and
/// conviction are computed as efficient-apriori computes them. Rules come shorter ones first, then in the order of
/// `--items` and of the values as text; the verdict is the last column.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The table: UTF-8, separated by commas, with a line of column names
    #[arg(long, value_name = "FILE")]
    csv: PathBuf,
    /// The columns to mine, as one line of CSV: a name that contains a comma is put in quotes
    #[arg(long, required = true, value_name = "COLUMN,..")]
    items: Vec<String>,
    /// The column of verdicts; any text is a verdict
    #[arg(long, value_name = "COLUMN")]
    verdict: String,
    /// Share of all rows that a rule's items have to be in: above 0, at most 1
    #[arg(long, value_name = "SHARE", value_parser = support)]
    min_support: f64,
    /// Share of the rows with a rule's left side that have to have its right side: 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = confidence)]
    min_confidence: f64,
    /// What may follow: one verdict, or any items, as with efficient-apriori
    #[arg(long, value_enum, default_value_t)]
    consequent: Consequent,
    /// Items that a rule may have, on both sides together
    #[arg(long, value_name = "N", default_value = "8", value_parser = length)]
    max_len: usize,
    /// How to print the rules; a rule that is never wrong has no conviction (`null`, or an empty cell)
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Consequent {
    #[default]
    Verdict,
    Any,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    #[default]
    Json,
    Csv,
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write it as a number from 0 to 1, such as `0.2`".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it is a share: write a number from 0 to 1".to_owned()) }
}

fn support(text: &str) -> Result<f64, String> {
    match share(text)? {
        0.0 => Err("what is in no row is no rule: write a number above 0".to_owned()),
        share => Ok(share),
    }
}

fn confidence(text: &str) -> Result<f64, String> {
    share(text)
}

fn length(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&length| length > 0).ok_or_else(|| "write a whole number above 0".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let thresholds = Thresholds {
        min_support: arguments.min_support,
        min_confidence: arguments.min_confidence,
        max_len: arguments.max_len,
    };
    let names = table::names(&arguments.items, &arguments.verdict)?;
    let Some(table) = table::read(&arguments.csv, &names, |rows| thresholds.least(rows))? else {
        say(format_args!(
            "error: no usable rows: `{}` has none below the column names; write one line per row",
            shown(&arguments.csv)
        ));
        return Ok(ExitCode::NoRows);
    };
    let rules = match arguments.consequent {
        Consequent::Verdict => apriori::rules_for(table.verdicts.clone(), &table.side, &table.attributes, &thresholds),
        Consequent::Any => apriori::rules(&table.side, &table.attributes, &thresholds),
    };
    match arguments.format {
        Format::Json => output::json(&table, &rules)?,
        Format::Csv => output::csv(&table, &rules)?,
    }
    Ok(ExitCode::Nothing)
}
