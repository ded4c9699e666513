//! Keeps the processes of a campaign running until its time is over or somebody presses Ctrl-C.
//!
//! A process that dies is started again: the log knows what it died of.

use super::{
    engine::{Ending, Engine, Plan, Start},
    watch::Watch,
};
use crate::cli::{
    process::{self, Process},
    status_line::StatusLine,
    target::{last_lines, refusal},
    terminal::shown,
};
use anyhow::{Context, Result, bail};
use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How often the processes are looked at.
const TICK: Duration = Duration::from_millis(50);
/// How often the log is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// So many deaths in a row without an execution end the campaign.
const MAX_STREAK: u32 = 10;
/// What processes print is cut when it grows beyond this: the code under test may be talkative.
const MAX_WORDS: u64 = 8 << 20;
/// How much of it is looked at.
const LAST_WORDS: u64 = 64 << 10;

/// How a campaign ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ended {
    /// Whether somebody pressed Ctrl-C.
    pub(super) is_interrupted: bool,
    /// Whether it ended early, because the engine cannot go on after a death.
    pub(super) is_cut_short: bool,
}

/// One process after another.
struct Job {
    number: u32,
    words: PathBuf,
    state: State,
    starts: u32,
    /// Deaths in a row without an execution.
    streak: u32,
}

enum State {
    Running(Process),
    /// Started again at this time.
    Waiting(Instant),
    Done,
}

/// Everything that the jobs have in common.
pub(super) struct Supervisor<'run> {
    pub(super) engine: &'run dyn Engine,
    pub(super) plan: &'run Plan,
    pub(super) executable: &'run Path,
    pub(super) watch: &'run mut Watch,
    begin: Instant,
    ended: Ended,
    /// Processes that died.
    deaths: u64,
    /// What had been executed at the last death.
    work_at_death: u64,
}

impl<'run> Supervisor<'run> {
    pub(super) fn new(
        engine: &'run dyn Engine,
        plan: &'run Plan,
        executable: &'run Path,
        watch: &'run mut Watch,
    ) -> Self {
        Self {
            engine,
            plan,
            executable,
            watch,
            begin: Instant::now(),
            ended: Ended::default(),
            deaths: 0,
            work_at_death: 0,
        }
    }

    /// Runs the campaign to its end.
    pub(super) fn run(mut self, status: &mut StatusLine) -> Result<Ended> {
        let hidden_before = self.engine.hidden_deaths(self.plan);
        let mut jobs = (1..=self.plan.jobs).map(|number| Job::new(number, self.plan)).collect::<Result<Vec<_>>>()?;
        let mut looked = Instant::now();
        loop {
            for job in &mut jobs {
                self.tend(job)?;
            }
            if jobs.iter().all(|job| matches!(job.state, State::Done)) {
                break;
            }
            self.ended.is_interrupted = process::is_interrupted();
            if self.ended.is_interrupted || self.is_overdue() {
                break;
            }
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                self.watch.look();
                jobs.iter().for_each(Job::cut_words);
                let hidden = self.engine.hidden_deaths(self.plan).saturating_sub(hidden_before);
                status.show(&self.watch.progress(), self.deaths + hidden);
            }
            thread::sleep(TICK);
        }
        self.stop(&mut jobs);
        self.watch.look();
        Ok(self.ended)
    }

    fn left(&self) -> Option<Duration> {
        self.plan.time.0.map(|time| time.saturating_sub(self.begin.elapsed()))
    }

    fn is_overdue(&self) -> bool {
        let limit = self.plan.time.0.map(|time| time + self.engine.grace(self.plan));
        limit.is_some_and(|limit| self.begin.elapsed() >= limit)
    }

    /// Starts a job's process, or sees to its end.
    fn tend(&mut self, job: &mut Job) -> Result<()> {
        match &mut job.state {
            State::Running(process) => {
                if let Some(status) = process.try_wait().context("failed to wait for the target")? {
                    let said = job.last_words();
                    match self.engine.ending(status, &said) {
                        Ending::Finished => job.state = State::Done,
                        Ending::Died => self.bury(job, &said)?,
                        Ending::Refused => self.refuse(job, &said)?,
                    }
                }
            }
            State::Waiting(until) if Instant::now() >= *until => {
                let start = Start { job: job.number, before: job.starts, left: self.left() };
                let mut command = self.engine.fuzz(self.plan, self.executable, start);
                let failed = || format!("failed to write `{}`", shown(&job.words));
                let words = File::options().append(true).create(true).open(&job.words).with_context(failed)?;
                command.stdout(words.try_clone().with_context(failed)?).stderr(words);
                job.state = State::Running(Process::spawn(&mut command)?);
                job.starts += 1;
            }
            State::Waiting(_) | State::Done => {}
        }
        Ok(())
    }

    fn refuse(&self, job: &Job, said: &str) -> Result<()> {
        bail!("`{}` cannot be run: {}", self.plan.suite, told(&job.words, &refusal(said)))
    }

    /// Counts a death, and decides when to start again.
    fn bury(&mut self, job: &mut Job, said: &str) -> Result<()> {
        self.deaths += 1;
        if !self.engine.restarts() {
            self.ended.is_cut_short = true;
            job.state = State::Done;
            return Ok(());
        }
        self.watch.look();
        let work = self.watch.work();
        let has_worked = work > self.work_at_death;
        self.work_at_death = work;
        job.streak = if has_worked { 0 } else { job.streak + 1 };
        if job.streak >= MAX_STREAK {
            let words = told(&job.words, &format!("its last words were\n{}", last_lines(said)));
            bail!(
                "`{}` died {MAX_STREAK} times in a row before anything could be executed; \
                 keep the first inputs from killing it, with `assume` or a smaller corpus: {words}",
                self.plan.suite
            );
        }
        let is_over = self.left().is_some_and(|left| left < Duration::from_secs(1));
        let pause = Duration::from_millis(20 << job.streak.min(6));
        job.state = if is_over { State::Done } else { State::Waiting(Instant::now() + pause) };
        Ok(())
    }

    /// Ends what is still running: all at once, in steps, and by force at last.
    fn stop(&self, jobs: &mut [Job]) {
        for &(signal, patience) in self.engine.stop() {
            let mut running: Vec<&mut Process> = jobs.iter_mut().filter_map(Job::running).collect();
            running.iter().for_each(|process| process.signal(signal, self.engine.is_wrapped()));
            let begin = Instant::now();
            running.iter_mut().for_each(|process| _ = process.ends_within(patience.saturating_sub(begin.elapsed())));
        }
        // Dropping a process ends it.
        jobs.iter_mut().for_each(|job| job.state = State::Done);
    }
}

/// What a process said, and where all of it is.
fn told(words: &Path, said: &str) -> String {
    format!("{said}\n(all it said is in `{}`)", shown(words))
}

impl Job {
    fn new(number: u32, plan: &Plan) -> Result<Self> {
        let folder = plan.artifacts();
        let words = folder.join(format!("job-{number}.log"));
        let make = || fs::create_dir_all(&folder).and_then(|()| File::create(&words));
        make().with_context(|| format!("failed to write `{}`", shown(&words)))?;
        Ok(Self { number, words, state: State::Waiting(Instant::now()), starts: 0, streak: 0 })
    }

    fn running(&mut self) -> Option<&mut Process> {
        match &mut self.state {
            State::Running(process) => match process.try_wait() {
                Ok(None) => Some(process),
                _ => None,
            },
            _ => None,
        }
    }

    /// The end of what its processes said.
    fn last_words(&self) -> String {
        let read = || {
            let mut file = File::open(&self.words)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
            let mut bytes = Vec::new();
            file.take(LAST_WORDS).read_to_end(&mut bytes)?;
            std::io::Result::Ok(bytes)
        };
        String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
    }

    fn cut_words(&self) {
        let is_long = fs::metadata(&self.words).is_ok_and(|metadata| metadata.len() > MAX_WORDS);
        if is_long && let Ok(file) = File::options().write(true).open(&self.words) {
            // The processes append, so they go on at the new end.
            let _ = file.set_len(0);
        }
    }
}
