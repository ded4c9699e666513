//! `bugornot import`: another tool's table of verdicts becomes a log like any other.
//!
//! Reads the table twice and keeps none of it: first for the types of the columns and the names in them, then to write
//! a segment, which appears in the log's folder only when it is complete.

mod cell;
mod mapping;
mod ordered;
mod plan;
mod rows;
mod source;
mod types;
mod words;

use super::{
    ExitCode, log_folder, print,
    project::Project,
    terminal::{Color, escape, plural, say, shorten, shown},
};
use crate::{
    clean,
    log::{EXTENSION, Header, Log, import::Import},
    report::table::Table,
};
use anyhow::{Context, Result, bail};
use mapping::Mapping;
use plan::Plan;
use rows::Rows;
use source::Source;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Make a log from another tool's table of verdicts (CSV)
///
/// The table's first line names its columns. A row holds a source input and either one verdict per relation
/// (`--verdicts`), or one verdict and the names of the function and the relation (`--relation-column`,
/// `--verdict-column`). Types are `auto`, `int`, `float`, `bool`, `char`, `text`, a list such as `[int]` (`[1, 2]`, or
/// `1;2` with a separator), or an option such as `int?` (an empty cell is `None`). `auto` is `int` if every cell of the
/// column is an integer, else `float`, `bool`, a list in brackets, or `text`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The table
    #[arg(long, value_name = "FILE")]
    csv: PathBuf,
    /// What the columns mean, as TOML; flags go before it
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Import nothing, and print what the columns mean as TOML
    #[arg(long)]
    print_mapping: bool,
    /// The log's folder [default: BUGORNOT_LOG, or `verdicts/SUITE` in the nearest fuzz crate]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// The suite's name [default: the table's]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// The version of the functions; tables of the same one add up [default: the table's name]
    #[arg(long, value_name = "TEXT")]
    revision: Option<String>,
    /// The function that all rows are about
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The column that names the function
    #[arg(long, value_name = "COLUMN", conflicts_with = "function")]
    function_column: Option<String>,
    /// The source input: `a,b:int`, or `a=COLUMN:TYPE,b=COLUMN`
    #[arg(long, value_name = "FIELDS")]
    inputs: Option<String>,
    /// Values that a relation drew for each row, written like the inputs
    #[arg(long, value_name = "FIELDS")]
    parameters: Option<String>,
    /// A value that is the same in all rows; can be repeated
    #[arg(long = "constant", value_name = "NAME=VALUE")]
    constants: Vec<String>,
    /// The relations, where each has a column of verdicts: `MR1,MR2`, or `MR1=COLUMN`
    #[arg(long, value_name = "RELATIONS", conflicts_with = "relation_column")]
    verdicts: Option<String>,
    /// The column that names the relation, where each row holds one verdict
    #[arg(long, value_name = "COLUMN")]
    relation_column: Option<String>,
    /// The column of the verdict; `{relation}` in it is the relation's name
    #[arg(long, value_name = "COLUMN")]
    verdict_column: Option<String>,
    /// What the function gave for the source input
    #[arg(long, value_name = "COLUMN[:TYPE]")]
    output: Option<String>,
    /// A follow-up input: `a={relation}_a,b={relation}_b`; can be repeated
    #[arg(long = "follow-up", value_name = "a=COLUMN,..")]
    follow_ups: Vec<String>,
    /// What the function gave for it, such as `{relation}_output`; can be repeated
    #[arg(long = "follow-up-output", value_name = "COLUMN")]
    follow_up_outputs: Vec<String>,
    /// The table's words for `held` [default: `held`, `pass`, `passed`, `true`, `ok`]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    held: Vec<String>,
    /// The table's words for `violated` [default: `violated`, `fail`, `failed`, `false`]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    violated: Vec<String>,
    /// Its words for a function that failed: on a follow-up if its output is there or another relation was judged, else on
    /// the source input [default: `error`, `exception`]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    error: Vec<String>,
    /// What stands between two cells: one character, or `tab` [default: `,`]
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<String>,
    /// What stands between two elements of a list without brackets [default: `;`]
    #[arg(long, value_name = "CHARACTER")]
    separator: Option<char>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let mapping = Mapping::new(arguments)?;
    let delimiter = delimiter(mapping.delimiter.as_deref())?;
    let open = || Source::open(&arguments.csv, delimiter);
    let source = open()?;
    let columns = source.columns().to_vec();
    let plan = Plan::new(&arguments.csv, source, mapping)?;
    if arguments.print_mapping {
        print(&plan.mapping.to_toml()?)?;
        return Ok(ExitCode::Nothing);
    }
    if plan.rows == 0 {
        say(format_args!("error: table `{}` has no rows, so nothing was imported", shown(&arguments.csv)));
        return Ok(ExitCode::NoRows);
    }
    let folder = choose_folder(arguments.into.as_deref(), &plan.header.suite)?;
    let is_new = !folder.exists();
    log_folder::check(&folder, "--into", color)?;
    let written = refuse_others(&folder, &plan.header).and_then(|()| write(&folder, open()?, &plan));
    if written.is_err() && is_new {
        // It was made for nothing; if something is in it by now, it stays.
        let _ = fs::remove_dir(&folder);
    }
    let executions = written?;
    let used = plan.layout.used();
    let unused = columns.iter().enumerate().filter(|(position, _)| !used.contains(position));
    let unused: Vec<String> = unused.map(|(_, name)| format!("`{}`", shorten(&escape(name), 40))).collect();
    if !unused.is_empty() {
        say(format_args!(
            "not imported: {} {}",
            if unused.len() == 1 { "column" } else { "columns" },
            unused.join(", ")
        ));
    }
    say(format_args!(
        "imported {} of `{}` as {} into `{}`",
        plural(plan.rows, "row"),
        shown(&arguments.csv),
        plural(executions, "execution"),
        shown(&folder)
    ));
    report(&folder, &plan.header, color)
}

fn delimiter(text: Option<&str>) -> Result<u8> {
    match text {
        None => Ok(b','),
        Some("tab" | "\\t") => Ok(b'\t'),
        Some(text) => match text.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
            _ => bail!("`--delimiter {}` is no single ASCII character; use one such as `;`, or `tab`", escape(text)),
        },
    }
}

fn choose_folder(into: Option<&Path>, suite: &str) -> Result<PathBuf> {
    let from_environment = env::var_os("BUGORNOT_LOG").filter(|path| !path.is_empty() && path != "off");
    if into.is_none() && from_environment.is_none() {
        let is_plain = !suite.is_empty() && !suite.starts_with('.') && !suite.contains(['/', '\\']);
        if !is_plain {
            bail!("suite `{}` cannot name a folder; name one with `--into`", escape(suite));
        }
        let project = Project::find(None).context("no folder is known to import into, so name one with `--into`")?;
        return Ok(project.folder.join("verdicts").join(suite));
    }
    let path = into.map(Path::to_owned).or(from_environment.map(PathBuf::from)).unwrap_or_default();
    std::path::absolute(&path).with_context(|| format!("`{}` is no path; name a folder with `--into`", shown(&path)))
}

/// Refuses a folder with another campaign in it, and a table that is in it already.
fn refuse_others(folder: &Path, header: &Header) -> Result<()> {
    let log = match Log::open(folder) {
        Ok(log) => log,
        // What is damaged was told before, and is left alone.
        Err(error) if error.is_empty() || error.is_damaged() => return Ok(()),
        Err(error) => return Err(error).context("the log cannot be used"),
    };
    for segment in &log.segments {
        let other = segment.header();
        if !clean::is_same_campaign(other, header) {
            bail!(
                "log `{}` holds another campaign: {}, and this would be {}; import into another folder with `--into`",
                shown(folder),
                campaign(other),
                campaign(header)
            );
        }
        if other.seed == header.seed {
            bail!(
                "this table is in log `{}` already; to import it again, remove `{}` first",
                shown(folder),
                shown(segment.path())
            );
        }
    }
    Ok(())
}

/// What tells campaigns apart most often.
fn campaign(header: &Header) -> String {
    let constants: String = header.constants.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
    let Header { suite, functions, relations, build, .. } = header;
    let relations: Vec<&str> = relations.iter().map(|relation| relation.name.as_str()).collect();
    let told = format!(
        "suite `{suite}` ({} of `{}`), {} x {}{constants}",
        build.engine,
        build.revision,
        functions.join("/"),
        relations.join("/")
    );
    shorten(&escape(&told), 160)
}

/// A folder for what is not complete; goes when it is dropped.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a segment, and moves it into the log when it is complete. Says how many executions are in it.
fn write(folder: &Path, mut source: Source, plan: &Plan) -> Result<u64> {
    let failed = || format!("failed to write to log `{}`; name another folder with `--into`", shown(folder));
    let refused = || format!("the table cannot be written to log `{}`, and nothing was imported", shown(folder));
    let draft = Draft(folder.join(format!(".import-{}", std::process::id())));
    let mut import = Import::begin(&draft.0, &plan.header).with_context(failed)?;
    let mut rows = Rows::new(plan);
    let mut executions = 0;
    while source.next()? {
        if let Some(row) = rows.next(&source)? {
            import.row(&row).with_context(refused)?;
            executions += 1;
        }
    }
    if let Some(row) = rows.last() {
        import.row(&row).with_context(refused)?;
        executions += 1;
    }
    if source.fingerprint() != plan.header.seed {
        bail!("the table was changed while it was read, and nothing was imported; import it again");
    }
    drop(import);
    for entry in fs::read_dir(&draft.0).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        let Some(name) = path.file_name().filter(|_| path.extension().is_some_and(|name| name == EXTENSION)) else {
            continue;
        };
        fs::rename(&path, folder.join(name)).with_context(failed)?;
    }
    Ok(executions)
}

/// Reads the log and prints the table of verdicts.
fn report(folder: &Path, header: &Header, color: Color) -> Result<ExitCode> {
    let log = Log::open(folder).context("the log cannot be read")?;
    let campaign = clean::campaigns(log).into_iter().find(|campaign| clean::is_same_campaign(&campaign.header, header));
    let Some(campaign) = campaign else { bail!("log `{}` was changed meanwhile", shown(folder)) };
    let cleaned = clean::clean(&campaign, &clean::Options::default());
    let table = Table { cleaned: &cleaned, paint: color.paint(&io::stdout()) };
    print(&format!("{}log:  {}\n", table.render(), shown(folder)))?;
    Ok(ExitCode::Nothing)
}
