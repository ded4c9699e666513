//! `bugornot run`: builds a suite's target, fuzzes it, and ends with the verdicts of every cell and a minimal corpus.

mod afl;
mod builtin;
mod engine;
mod jobs;
mod libfuzzer;
mod probe;
mod revision;
mod watch;

use super::{
    ExitCode,
    at_hand::{AtHand, Judging},
    decide,
    desk::Desk,
    duration, generate, log_folder,
    minimise::{self, Found, Saved},
    process,
    project::FuzzCrate,
    report::{Mining, Outside, analyse},
    status_line::StatusLine,
    target,
    terminal::{Color, escape, say, shown, warn},
    witness,
};
use crate::{
    clean::{self, Campaign},
    decision::Decisions,
    engine::SEED_FILE,
    log::Log,
    report::{self, Report, table},
    review::has_undecided,
};
use anyhow::{Context, Result, bail};
use engine::{Engine, Plan};
use jobs::{Ended, Supervisor};
pub(crate) use libfuzzer::build_command as instrumented;
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};
pub(crate) use watch::Progress;
use watch::Watch;

/// Fuzz a suite, and see how often each relation is violated, and when
///
/// Builds the suite's target, runs it until the time is over or Ctrl-C is pressed, ends with the report, and keeps what
/// was found as a minimal corpus. A process that dies is started again.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The suite's target, as `cargo fuzz list` shows it
    suite: String,
    /// What makes the inputs
    #[arg(long, value_enum, default_value_t)]
    engine: engine::Name,
    /// How long to fuzz: `90s`, `5m`, `1h30m`, `forever`
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration::parse)]
    time: duration::Limit,
    /// How many processes [default: one per core; 1 for builtin]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// First draw so many inputs uniformly (builtin only)
    #[arg(long, value_name = "N")]
    uniform: Option<u64>,
    /// The log's folder [default: BUGORNOT_LOG, or `verdicts/SUITE` in the fuzz crate]
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// The campaign's seed: its constants are drawn from it, and the engine begins with it [default: the log's own]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Show inputs as they are in the log, not made smaller
    #[arg(long)]
    no_shrink: bool,
    /// Leave the minimal corpus alone
    #[arg(long)]
    no_minimise: bool,
    /// Where the minimal corpus is [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Decide every cell that is fully explained as hinted, keep the corpus, and write tests of what was decided
    #[arg(long, conflicts_with = "no_minimise")]
    accept_explained: bool,
    #[command(flatten)]
    fuzz_crate: FuzzCrate,
    /// What the engine is told, after `--`
    #[arg(last = true, value_name = "ENGINE ARGS")]
    engine_arguments: Vec<OsString>,
}

/// Runs the command.
pub(crate) fn run(arguments: Arguments, color: Color) -> Result<ExitCode> {
    let engine = arguments.engine.engine();
    let (no_shrink, no_minimise, accept) = (arguments.no_shrink, arguments.no_minimise, arguments.accept_explained);
    let mut plan = plan(arguments, engine.as_ref(), color)?;
    log_folder::check(&plan.log, "--log", color)?;
    engine.check()?;
    process::handle_signals()?;
    let executable = target::build(&mut engine.build(&plan)?, &plan.project, &plan.suite)?;
    plan.revision = revision::of_changed(&executable, &plan.project.manifest);
    probe::probe(engine.as_ref(), &plan, &executable, color)?;
    engine.prepare(&plan)?;
    keep_seed(&plan)?;
    say(format_args!(
        "fuzzing `{}` with {} in {}, logging to `{}`",
        plan.suite,
        plan.engine.word(),
        if plan.jobs == 1 { "1 process".into() } else { format!("{} processes", plan.jobs) },
        shown(&plan.log)
    ));

    let mut watch = Watch::begin(&plan.log);
    let mut status = StatusLine::begin();
    process::be_gentle(true);
    let ended = Supervisor::new(engine.as_ref(), &plan, &executable, &mut watch).run(&mut status);
    process::be_gentle(false);
    status.end(&watch.progress());
    let judging = if no_shrink { Judging::Nothing } else { Judging::Built(&plan.project, &executable) };
    let Some((campaign, report)) = report(&plan, &watch, ended?, judging, color)? else { return Ok(ExitCode::NoRows) };
    let (campaign, report) = if accept { accept_explained(&plan, campaign, report, color) } else { (campaign, report) };
    let next = next(&plan, &report);
    let kept = if no_minimise { String::new() } else { keep(&plan, &executable, campaign, report, color) };
    if accept {
        super::print(&kept)?;
        write_tests(&plan, color);
    } else {
        super::print(&format!("{kept}next: {next}\n"))?;
    }
    // Finding violations is what a campaign is for; `report` is what a script asks.
    Ok(ExitCode::Nothing)
}

fn plan(arguments: Arguments, engine: &dyn Engine, color: Color) -> Result<Plan> {
    let is_builtin = arguments.engine == engine::Name::Builtin;
    if arguments.uniform.is_some() && !is_builtin {
        bail!("`--uniform` needs `--engine builtin`: no other engine draws uniformly");
    }
    let project = arguments.fuzz_crate.find()?;
    project.source(&arguments.suite)?;
    let jobs = arguments.jobs.unwrap_or_else(|| engine.default_jobs());
    if is_builtin && jobs > 1 {
        warn(color, "the built-in engine follows from the campaign's seed, so all processes do the same");
    }
    let log = log_folder::choose(arguments.log.as_deref(), &project.folder, &arguments.suite)?;
    let minimal = arguments.corpus.unwrap_or_else(|| project.corpus(&arguments.suite));
    Ok(Plan {
        project,
        minimal,
        suite: arguments.suite,
        engine: arguments.engine,
        log,
        time: arguments.time,
        jobs,
        seed: arguments.seed,
        revision: None,
        uniform: arguments.uniform.unwrap_or(0),
        extra: arguments.engine_arguments,
    })
}

/// Keeps a seed that was asked for as that of a new log, so that whoever goes on with it has the same constants.
fn keep_seed(plan: &Plan) -> Result<()> {
    let Some(seed) = plan.seed else { return Ok(()) };
    let path = plan.log.join(SEED_FILE);
    if path.exists() {
        return Ok(());
    }
    fs::create_dir_all(&plan.log)
        .and_then(|()| fs::write(&path, format!("{seed}\n")))
        .with_context(|| format!("failed to write the seed to `{}`", shown(&path)))
}

/// Reads the log and prints the report; nothing if nothing was logged.
fn report(
    plan: &Plan,
    watch: &Watch,
    ended: Ended,
    judging: Judging<'_>,
    color: Color,
) -> Result<Option<(Campaign, Report)>> {
    let log = match Log::open(&plan.log) {
        Ok(log) => log,
        Err(error) if error.is_empty() => return no_rows(plan, ended).map(|()| None),
        Err(error) => return Err(error).context("the log cannot be read"),
    };
    log.unreadable.iter().for_each(|error| warn(color, escape(&error.to_string())));
    let mut campaigns = clean::campaigns(log);
    let ours = watch.header().cloned();
    let is_ours =
        |campaign: &Campaign| ours.as_ref().is_some_and(|ours| clean::is_same_campaign(ours, &campaign.header));
    // A process that died in its first execution has counted nothing, but its segment is the newest.
    let newest = || (0..campaigns.len()).max_by_key(|&position| campaigns[position].written);
    let position = campaigns.iter().position(is_ours).or_else(|| if ended.is_cut_short { newest() } else { None });
    let Some(position) = position else { return no_rows(plan, ended).map(|()| None) };
    let campaign = campaigns.remove(position);
    // What a campaign found is shown whatever is wrong with the decisions.
    let decisions = Decisions::load(&plan.minimal, &campaign.header.suite);
    let decisions = decisions.inspect_err(|error| warn(color, error)).ok();
    let outside = Outside { decisions: decisions.as_ref(), against: None };
    let mut at_hand = AtHand::new(&campaign.header, judging, color);
    let options = clean::Options::default();
    let (mut report, known) = analyse(&campaign, &options, &Mining::DEFAULT, &outside, &mut at_hand);
    witness::add(&mut report, &known, &mut at_hand, color);
    let paint = color.paint(&io::stdout());
    let mut text = report::text(&report, paint);
    text.push_str(&format!("log:  {}\n", shown(&plan.log)));
    if !campaigns.is_empty() {
        let headers: Vec<_> = campaigns.iter().map(|campaign| campaign.header.as_ref()).collect();
        text.push_str(&format!(
            "      other builds or constants in this folder, not added up here: {}\n",
            table::others_text(&headers)
        ));
    }
    if ended.is_cut_short {
        warn(
            color,
            "the built-in engine stopped at a death, which it would only repeat: correct it, or use another engine",
        );
    }
    super::print(&text)?;
    Ok(Some((campaign, report)))
}

/// Keeps what was found as a minimal corpus; in words what came of it. The report is out, whatever goes wrong here.
fn keep(plan: &Plan, executable: &Path, campaign: Campaign, report: Report, color: Color) -> String {
    let instrumented = (plan.engine == engine::Name::Libfuzzer).then_some(executable);
    let Plan { project, suite, minimal: corpus, .. } = plan;
    match minimise::keep(Found { project, suite, corpus, instrumented, campaign, report }, color) {
        Ok(Some(Saved { sum, place, .. })) => format!("kept: {sum}\n      {place}\n"),
        Ok(None) => "kept: nothing, as only examples were judged\n".into(),
        Err(error) => {
            warn(color, format_args!("the minimal corpus is as it was: {error:#}"));
            String::new()
        }
    }
}

/// Decides what is fully explained. What cannot be decided is left to the tester, with a word.
fn accept_explained(plan: &Plan, campaign: Campaign, report: Report, color: Color) -> (Campaign, Report) {
    let decisions = match Decisions::load(&plan.minimal, &campaign.header.suite) {
        Ok(decisions) => decisions,
        Err(error) => {
            warn(color, error);
            return (campaign, report);
        }
    };
    let mut desk = Desk::of(campaign, report, decisions);
    if let Err(error) = decide::all_explained(&mut desk, None, color) {
        warn(color, format_args!("{error:#}"));
    }
    desk.cleared()
}

/// Writes tests of what was decided, if they can be.
fn write_tests(plan: &Plan, color: Color) {
    let Plan { project, suite, minimal, .. } = plan;
    let out = generate::usual_file(project, suite);
    let wanted = generate::Wanted { suite, corpus: minimal.clone(), out, force: false, check: false };
    if let Err(error) = generate::generate(project, &wanted, color) {
        warn(color, format_args!("there are no new tests: {error:#}"));
    }
}

fn no_rows(plan: &Plan, ended: Ended) -> Result<()> {
    if ended.is_interrupted {
        say("stopped before anything was executed");
        return Ok(());
    }
    let source = shown(plan.project.source(&plan.suite)?);
    let words = shown(&plan.artifacts().join("job-1.log"));
    say(format_args!(
        "error: nothing was logged to `{}`: does `{source}` end with `bugornot::fuzz!(..)`, and is there time enough? \
         What the target said is in `{words}`",
        shown(&plan.log)
    ));
    Ok(())
}

/// The command that helps most now.
fn next(plan: &Plan, report: &Report) -> String {
    let is_input = |name: &str| ["crash-", "timeout-", "oom-"].iter().any(|kind| name.starts_with(kind));
    let newest = fs::read_dir(plan.artifacts())
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_input))
        .max_by_key(|entry| entry.metadata().and_then(|metadata| metadata.modified()).ok());
    match newest {
        Some(entry) if report.cleaned.rows.died > 0 => format!(
            "cargo run --manifest-path {} --bin {} -- {}\n      replays an input that ended a process",
            shown(&plan.project.manifest),
            plan.suite,
            shown(&entry.path())
        ),
        _ if has_undecided(report) => format!(
            "bugornot review {}\n      asks you what the violations are",
            if is_default_log(plan) { plan.suite.clone() } else { shown(&plan.log) }
        ),
        _ => format!("bugornot run {}{} --time 10m\n      goes on with this log", plan.suite, options(plan)),
    }
}

/// Whether the log is where a suite logs if nobody says anything.
fn is_default_log(plan: &Plan) -> bool {
    plan.log == plan.project.folder.join("verdicts").join(&plan.suite)
}

/// What has to be typed again to go on with the same log.
fn options(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.engine != engine::Name::default() {
        text.push_str(&format!(" --engine {}", plan.engine.word()));
    }
    if !is_default_log(plan) {
        text.push_str(&format!(" --log {}", shown(&plan.log)));
    }
    text
}
