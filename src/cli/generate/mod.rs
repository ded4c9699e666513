//! `bugornot generate`: Rust tests from what was decided, for `cargo test` and for people to read.

mod compile;
mod home;
mod needs;
mod sources;

use super::{
    ExitCode,
    oracle::Oracle,
    print,
    project::{FuzzCrate, Project},
    target,
    terminal::{Color, escape, plural, say, shown, warn},
};
use crate::{
    corpus::Corpus,
    decision::Decisions,
    log::Row,
    regress::{Form, Home, Known, Plan, Seal, Shape, Written, plan, sealed, write},
    replay::Answer,
};
use anyhow::{Context, Result, bail};
use compile::{Draft, Fault};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// How often tests are written again for what a compiler says about them.
const ROUNDS: usize = 8;
/// How many inputs are asked for what types fields have, where the corpus has fewer.
const ASKED: u64 = 64;

/// Write Rust tests of what was decided
///
/// Turns the decisions about a suite and its committed corpus into `tests/mr_SUITE.rs` of the fuzz crate: for each cell,
/// inputs it must hold for, inputs it must be violated for, the two nearest of opposite verdicts, and its condition, held
/// against fresh inputs. The file is compiled before it replaces anything, and is never replaced once it was edited.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The suite's target, as `cargo fuzz list` shows it [default: every suite that has decisions]
    suite: Option<String>,
    /// Where the decisions and the corpus are [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR", requires = "suite")]
    corpus: Option<PathBuf>,
    /// Where to write the tests: a file in the folder `tests` of a crate [default: `tests/mr_SUITE.rs` in the fuzz crate]
    #[arg(long, value_name = "FILE", requires = "suite")]
    out: Option<PathBuf>,
    /// Replace the file even if it was edited by hand
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Write nothing, and exit with 2 if the file is not what would be generated
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
}

/// What is wanted for one suite.
pub(crate) struct Wanted<'run> {
    pub(crate) suite: &'run str,
    /// The folder of its decisions and its corpus.
    pub(crate) corpus: PathBuf,
    /// The file of tests.
    pub(crate) out: PathBuf,
    pub(crate) force: bool,
    pub(crate) check: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let project = arguments.fuzz_crate.find()?;
    let suites = match &arguments.suite {
        Some(suite) => vec![suite.clone()],
        None => project.decided_suites(),
    };
    if suites.is_empty() {
        say(
            "error: nothing is decided yet: `bugornot review` asks what violations are, and `bugornot decide --explained` \
             takes the hints",
        );
    }
    let mut code = ExitCode::NoRows;
    for suite in &suites {
        let wanted = Wanted {
            suite,
            corpus: arguments.corpus.clone().unwrap_or_else(|| project.corpus(suite)),
            out: arguments.out.clone().unwrap_or_else(|| usual_file(&project, suite)),
            force: arguments.force,
            check: arguments.check,
        };
        code = match (code, generate(&project, &wanted, color)?) {
            (ExitCode::Unexplained, _) | (_, ExitCode::Unexplained) => ExitCode::Unexplained,
            (ExitCode::NoRows, new) => new,
            (old, _) => old,
        };
    }
    Ok(code)
}

/// Where the tests of a suite are, unless somebody says otherwise.
pub(super) fn usual_file(project: &Project, suite: &str) -> PathBuf {
    project.folder.join("tests").join(format!("mr_{suite}.rs"))
}

/// Generates the tests of one suite.
pub(crate) fn generate(project: &Project, wanted: &Wanted<'_>, color: Color) -> Result<ExitCode> {
    let suite = wanted.suite;
    project.source(suite)?;
    let decisions = Decisions::load(&wanted.corpus, suite)?;
    if decisions.cells.is_empty() {
        say(format_args!(
            "error: nothing is decided about `{suite}`: `bugornot review {suite}` asks, and `bugornot decide --explained \
             --suite {suite}` takes the hints"
        ));
        return Ok(ExitCode::NoRows);
    }
    let old = read_old(&wanted.out)?;
    if old.as_ref().is_some_and(|(_, seal)| *seal == Seal::Broken) && !wanted.force && !wanted.check {
        bail!(
            "`{}` was edited by hand, or not generated: `--force` replaces it, `--out` writes another file",
            shown(&wanted.out)
        );
    }
    let package = needs::package(&wanted.out)?;
    let out = package.tests.join(wanted.out.file_name().unwrap_or_default());
    let home = home::find(project, suite, &package.tests)?;
    let plan = made_plan(project, wanted, &decisions)?;
    let draft = Draft::new(&out, &package.manifest, &package.edition);
    let find = |name: &str| find_type(project, suite, &home, name);
    let (written, text) = compiled(&plan, &home, &draft, &find)?;
    tell_reasons(&plan, &written, color);
    tell_left_out(&written);
    if written.tests == 0 {
        say(format_args!("error: no decision about `{suite}` comes to a test"));
        return Ok(ExitCode::NoRows);
    }
    let text = sealed(&text);
    let is_same = old.as_ref().is_some_and(|(_, seal)| *seal == Seal::of(&text) && *seal != Seal::Broken);
    if wanted.check {
        return Ok(checked(wanted, is_same));
    }
    if !is_same {
        draft.keep(&out, &text)?;
    }
    tell(&plan, &written, wanted, &package.manifest, is_same)?;
    Ok(ExitCode::Nothing)
}

/// The file there is, and whether it is as it was generated.
fn read_old(path: &Path) -> Result<Option<(String, Seal)>> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let seal = Seal::of(&text);
            Ok(Some((text, seal)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Some((String::new(), Seal::Broken))),
        Err(error) => Err(error).with_context(|| format!("failed to read `{}`", shown(path))),
    }
}

/// Builds the suite's target, asks it about the corpus, and plans the tests.
fn made_plan(project: &Project, wanted: &Wanted<'_>, decisions: &Decisions) -> Result<Plan> {
    let corpus = match Corpus::load(&wanted.corpus, wanted.suite) {
        Ok(corpus) => Some(corpus),
        Err(error) if error.is_nothing() => None,
        Err(error) => return Err(error.into()),
    };
    let executable = target::build(&mut target::plain(project, wanted.suite), project, wanted.suite)?;
    let decided = || decisions.cells.values().next().map(|decision| decision.build.constants.clone());
    let constants = corpus.as_ref().map(|corpus| corpus.manifest.constants.clone()).or_else(decided);
    let mut oracle = Oracle::new(executable, constants.unwrap_or_default().into_iter().collect())?;
    let mut judged = BTreeMap::new();
    for input in corpus.iter().flat_map(|corpus| &corpus.inputs) {
        if let Some(row) = answer(&mut oracle, &input.bytes)? {
            judged.insert(input.name.clone(), row);
        }
    }
    let mut others = Vec::new();
    for number in 0..ASKED.saturating_sub(judged.len() as u64) {
        others.extend(answer(&mut oracle, &drawn(number))?);
    }
    let rows: Vec<&Row> = judged.values().chain(&others).collect();
    let header = oracle.header().clone();
    Ok(plan(&Known { header: &header, decisions, corpus: corpus.as_ref(), judged: &judged, rows: &rows }))
}

/// What the target makes of an input; nothing if it rejects it or dies of it.
fn answer(oracle: &mut Oracle, bytes: &[u8]) -> Result<Option<Row>> {
    Ok(match oracle.ask(bytes)?.answer {
        Answer::Judged(row) if row.death.is_none() => Some(*row),
        _ => None,
    })
}

/// Bytes of all lengths that follow from a number.
fn drawn(number: u64) -> Vec<u8> {
    let word = |at: u64| crate::hash::of_bytes(&at.to_le_bytes(), number).to_le_bytes();
    (0..=number % 16).flat_map(word).collect()
}

/// Finds the path of a type that conditions name.
type FindType<'run> = dyn Fn(&str) -> Option<String> + 'run;

fn find_type(project: &Project, suite: &str, home: &Home, name: &str) -> Option<String> {
    match home {
        Home::Library(path) => {
            let library = path.split("::").next()?;
            sources::find(&project.library(library)?, library, name)
        }
        Home::Target { .. } => sources::find(project.source(suite).ok()?, "target", name),
    }
}

/// Writes the tests until they compile: what no log knows of the suite's types, the compiler tells.
fn compiled(plan: &Plan, home: &Home, draft: &Draft, find: &FindType<'_>) -> Result<(Written, String)> {
    let mut shape = Shape { forms: vec![Form::Typed; plan.cells.len()], ..Shape::default() };
    let mut last = String::new();
    for _ in 0..ROUNDS {
        let written = write(plan, home, &shape);
        if written.tests == 0 {
            return Ok((written, String::new()));
        }
        let text = draft.format(&written.text)?;
        let faults = draft.check(&text)?;
        if faults.is_empty() {
            return Ok((written, text));
        }
        last = faults.iter().map(|fault| format!("\n  {}", escape(&fault.message))).collect();
        if !learn(&mut shape, plan, &faults, find) {
            break;
        }
    }
    bail!("the tests of `{}` do not compile, and nothing was written:{last}{}", escape(&plan.suite), advice(home))
}

fn advice(home: &Home) -> &'static str {
    match home {
        Home::Library(_) => "",
        Home::Target { .. } => {
            "\n  help: the suite is in the file of its fuzz target: make its types `pub`, or move it into the library of the \
             fuzz crate"
        }
    }
}

/// Takes in what a compiler says; whether something else can be tried.
fn learn(shape: &mut Shape, plan: &Plan, faults: &[Fault], find: &FindType<'_>) -> bool {
    let known = shape.imports.len();
    shape.imports.extend(faults.iter().filter_map(|fault| find(fault.unknown_type()?)));
    if shape.imports.len() > known {
        return true;
    }
    let has_no_field = |fault: &Fault| matches!(fault.code.as_str(), "E0609" | "E0610" | "E0614");
    if !shape.is_positional && faults.iter().any(has_no_field) {
        shape.is_positional = true;
        return true;
    }
    // The type of the input itself: then no test can be about it.
    if faults.iter().any(|fault| fault.code.is_empty() && fault.message.ends_with("is private")) {
        return false;
    }
    let mut is_new = false;
    for (index, (cell, form)) in plan.cells.iter().zip(&mut shape.forms).enumerate() {
        let mut own = faults.iter().filter(|fault| fault.module.as_deref() == Some(&cell.module));
        let Some(fault) = own.next() else { continue };
        if *form == Form::Nothing {
            return false;
        }
        *form = if fault.code == "E0616" { Form::Logged.max(form.next()) } else { form.next() };
        shape.reasons.insert(index, reason(fault).into());
        is_new = true;
    }
    is_new
}

/// Why a condition does not compile, in words that do not change with the compiler.
fn reason(fault: &Fault) -> &'static str {
    match fault.code.as_str() {
        "E0616" => "a field is private",
        "E0433" | "E0412" | "E0425" | "E0432" | "E0603" => "a type cannot be named outside its module",
        "E0609" | "E0610" => "a field has another name in Rust than in the log",
        _ => "the types of fields are others than they look in the log",
    }
}

fn tell_reasons(plan: &Plan, written: &Written, color: Color) {
    for (index, reason) in &written.reasons {
        let cell = escape(&plan.cells[*index].name);
        warn(color, format_args!("the condition of {cell} is not written over the typed input: {reason}"));
    }
}

/// What `--check` comes to.
fn checked(wanted: &Wanted<'_>, is_same: bool) -> ExitCode {
    if is_same {
        return ExitCode::Nothing;
    }
    say(format_args!(
        "`{}` is not what would be generated: run `bugornot generate {}`, and commit it",
        shown(&wanted.out),
        wanted.suite
    ));
    ExitCode::Unexplained
}

fn tell(plan: &Plan, written: &Written, wanted: &Wanted<'_>, manifest: &Path, is_same: bool) -> Result<()> {
    let ignored = match written.ignored {
        0 => String::new(),
        ignored => format!(", {ignored} of them ignored until a bug is fixed"),
    };
    let (tests, cells) = (plural(written.tests as u64, "test"), plural(written.cells as u64, "cell"));
    let out = shown(&wanted.out);
    let place = if is_same { format!("`{out}` is as it was") } else { format!("written to `{out}`: commit it") };
    let name = wanted.out.file_stem().unwrap_or_default().to_string_lossy();
    print(&format!(
        "{}: {tests} of {cells}{ignored}; {} without\n{place}\nnext: cargo test --manifest-path {} --test {}\n",
        escape(&plan.suite),
        plural(written.left_out.len() as u64, "cell"),
        shown(manifest),
        escape(&name)
    ))
}

fn tell_left_out(written: &Written) {
    let line = |(cell, why): &(String, String)| say(format_args!("no test of {}: {}", escape(cell), escape(why)));
    written.left_out.iter().for_each(line);
}
