//! What cargo-mutants takes for cargo: builds the target and the tests, judges the inputs, runs the tests, and records
//! what they notice. All other calls go to cargo as they are.

use super::{
    baseline, paths,
    plan::{self, Plan},
};
use crate::{
    cli::{
        ExitCode,
        oracle::Oracle,
        process::{self, Process},
        project::Project,
        target,
        terminal::{say, shown},
    },
    mutants::{Ended, Expected, Noticed, Part, Tests},
    replay::Answer,
};
use anyhow::{Context, Result};
use std::{
    env,
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The variable with the folder of the plan: whoever is called with it is a step.
pub(super) const VARIABLE: &str = "BUGORNOT_MUTANTS";
/// How the line begins that names the record.
pub(super) const MARK: &str = "bugornot mutants record: ";

/// The corpus is given up after so many deaths, and what it is compared with after one: a hang takes long.
const MOST_DEATHS: usize = 4;
/// Tests have at least this long, and so many times longer than without a mutant.
const LEAST_TIME: Duration = Duration::from_secs(20);
const TIMES_LONGER: u32 = 5;

/// Does what cargo-mutants asks cargo for, if it is cargo-mutants that asks.
pub(in crate::cli) fn step() -> Option<Result<ExitCode>> {
    let folder = PathBuf::from(env::var_os(VARIABLE)?);
    Some(Plan::load(&folder).and_then(|plan| Step { plan, folder, arguments: env::args_os().skip(1).collect() }.run()))
}

/// Whether a record can be called so.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_digit())
}

struct Step {
    plan: Plan,
    /// Where the plan is.
    folder: PathBuf,
    arguments: Vec<OsString>,
}

impl Step {
    fn run(&self) -> Result<ExitCode> {
        if self.arguments.first().is_none_or(|command| command != "test") {
            return Err(self.cargo(&self.arguments).exec()).context("failed to run cargo");
        }
        process::handle_signals()?;
        let is_good =
            if self.arguments.iter().any(|argument| argument == "--no-run") { self.build()? } else { self.test()? };
        Ok(if is_good { ExitCode::Nothing } else { ExitCode::Unexplained })
    }

    /// The cargo that really builds, as if nobody stood between.
    fn cargo(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.plan.cargo);
        command.args(arguments).env_remove(VARIABLE).env_remove("CARGO");
        command
    }

    /// Builds the target and all tests; whether that is possible.
    fn build(&self) -> Result<bool> {
        let project = self.project()?;
        if self.executable(&project).is_err() {
            return Ok(false);
        }
        let mut builds = Vec::new();
        builds.extend(self.generated(&project, &["--no-run"]));
        builds.extend(self.own());
        for mut build in builds {
            if !Process::spawn(&mut build)?.wait().context("failed to wait for cargo")?.success() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The fuzz crate in the copy, with what the copy lacks.
    fn project(&self) -> Result<Project> {
        let before = self.plan.root.join(&self.plan.fuzz);
        let folder = env::current_dir().context("failed to find the current folder")?.join(&self.plan.fuzz);
        let (manifest, lock) = (folder.join("Cargo.toml"), folder.join("Cargo.lock"));
        let failed = |path: &Path| format!("failed to write `{}`", shown(path));
        let text = fs::read_to_string(&manifest).unwrap_or_default();
        if let Some(rebased) = paths::rebased(&text, &before, &self.plan.root).filter(|rebased| *rebased != text) {
            fs::write(&manifest, rebased).with_context(|| failed(&manifest))?;
        }
        if !lock.exists() && before.join("Cargo.lock").exists() {
            fs::copy(before.join("Cargo.lock"), &lock).with_context(|| failed(&lock))?;
        }
        Project::find(Some(&manifest))
    }

    fn executable(&self, project: &Project) -> Result<PathBuf> {
        let mut command = self.cargo(&[]);
        command.args(["build", "--manifest-path"]).arg(&project.manifest).args(["--bin", &self.plan.suite]);
        target::build(&mut command, project, &self.plan.suite)
    }

    /// The tests that `bugornot generate` has written.
    fn generated(&self, project: &Project, arguments: &[&str]) -> Option<Command> {
        let test = self.plan.generated.as_ref()?;
        let mut command = self.cargo(&[]);
        command.args(["test", "--test", test, "--manifest-path"]).arg(&project.manifest).args(arguments);
        Some(command)
    }

    /// The crate's own tests, as cargo-mutants would have run them.
    fn own(&self) -> Option<Command> {
        let more = self.plan.own.as_ref()?;
        let before = self.arguments.iter().take_while(|argument| *argument != "--").cloned();
        let after = self.arguments.iter().skip_while(|argument| *argument != "--").cloned();
        let arguments: Vec<OsString> = before.chain(more.iter().map(OsString::from)).chain(after).collect();
        Some(self.cargo(&arguments))
    }

    /// Judges all inputs and runs all tests; whether the corpus and the generated tests let the code pass.
    fn test(&self) -> Result<bool> {
        let name = std::process::id().to_string();
        let record = Recording(plan::records(&self.folder).join(&name));
        // cargo-mutants keeps what is printed with the mutant.
        say(format_args!("{MARK}{name}"));
        let project = self.project()?;
        let mut is_good = true;
        for (position, noticed) in self.judge(&project)?.into_iter().enumerate() {
            is_good &= position > 0 || !noticed.is_killed();
            record.add(&Part::Inputs(position, noticed))?;
        }
        if let Some(command) = self.generated(&project, &[]) {
            is_good &= self.run_tests(Tests::Generated, command, &record)? == Ended::Passed;
        }
        if let Some(command) = self.own() {
            self.run_tests(Tests::Own, command, &record)?;
        }
        Ok(is_good)
    }

    /// What each set of inputs notices.
    fn judge(&self, project: &Project) -> Result<Vec<Noticed>> {
        let oracle = Oracle::new(self.executable(project)?, self.plan.constants.clone());
        let Ok(oracle) = oracle else {
            let beside = Some("the target does not run".to_owned());
            return Ok(vec![Noticed { beside, ..Noticed::default() }; self.plan.sets.len()]);
        };
        let mut oracle = oracle.with_patience(self.plan.patience);
        let actual = baseline::cells(oracle.header());
        let position = |cell: &(String, String)| actual.iter().position(|actual| actual == cell);
        let cells: Vec<Option<usize>> = self.plan.cells.iter().map(position).collect();
        let most = |position: usize| if position == 0 { MOST_DEATHS } else { 1 };
        let sets = self.plan.sets.iter().enumerate();
        sets.map(|(position, set)| judge(set, &mut oracle, &cells, most(position))).collect()
    }

    fn run_tests(&self, tests: Tests, mut command: Command, record: &Recording) -> Result<Ended> {
        record.add(&Part::Begin(tests))?;
        let noted = plan::duration(&self.folder, tests);
        let before = fs::read_to_string(&noted).ok().and_then(|millis| millis.parse().ok()).map(Duration::from_millis);
        let patience = before.map_or(Duration::MAX, |before| (before * TIMES_LONGER).max(LEAST_TIME));
        let said = self.folder.join(format!("said-{}", std::process::id()));
        let file = File::create(&said).with_context(|| format!("failed to write `{}`", shown(&said)))?;
        let begin = Instant::now();
        let mut process = Process::spawn(command.stdout(Stdio::from(file)))?;
        let ended = match process.ends_within(patience).then(|| process.wait()) {
            Some(Ok(status)) if status.success() => Ended::Passed,
            Some(_) => Ended::Failed,
            None => Ended::TimedOut,
        };
        drop(process);
        if before.is_none() {
            let millis = begin.elapsed().as_millis().to_string();
            fs::write(&noted, millis).with_context(|| format!("failed to write `{}`", shown(&noted)))?;
        }
        let count = count(&fs::read_to_string(&said).unwrap_or_default());
        let _ = fs::remove_file(&said);
        record.add(&Part::End(tests, ended, count))?;
        Ok(ended)
    }
}

/// What a set of inputs notices, until so many have ended the process.
fn judge(set: &[Expected], oracle: &mut Oracle, cells: &[Option<usize>], most_deaths: usize) -> Result<Noticed> {
    let (mut noticed, mut deaths) = (Noticed::default(), 0);
    for expected in set {
        let answer = oracle.ask(&expected.bytes)?.answer;
        noticed.add(expected, &answer, cells);
        deaths += usize::from(matches!(&answer, Answer::Judged(row) if row.death.is_some()));
        if deaths == most_deaths {
            break;
        }
    }
    Ok(noticed)
}

/// How many tests were run, from what they print.
fn count(said: &str) -> usize {
    let of_line = |line: &str| line.strip_prefix("running ")?.split(' ').next()?.parse::<usize>().ok();
    said.lines().filter_map(of_line).sum()
}

/// The file that a record is written to.
struct Recording(PathBuf);

impl Recording {
    fn add(&self, part: &Part) -> Result<()> {
        let file = OpenOptions::new().create(true).append(true).open(&self.0);
        let written = file.and_then(|mut file| file.write_all(part.line().as_bytes()));
        written.with_context(|| format!("failed to write `{}`", shown(&self.0)))
    }
}
