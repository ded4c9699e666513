//! Asks a target what it makes of inputs: one process answers for all, and is started again when it dies of one.

use super::{process::Process, scratch::Scratch, target, terminal::shown};
use crate::{
    Verdict,
    engine::{
        calls::{Block, Opening, Run},
        serve::{self, GREETING, JUDGED, REJECTED, VARIABLE},
    },
    log::{Death, Header, Log, Phase, Row, Stage, codec, told},
    replay::Answer,
};
use anyhow::{Context, Result, bail};
use std::{
    io,
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Duration,
};

/// An execution that takes longer is a hang, and counts as a death, as it does in a campaign.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often an input that ends its process is run to find out where; examples that die come before it.
const TRIES: usize = 4;

/// A target that can be asked.
pub(crate) struct Oracle {
    executable: PathBuf,
    constants: Vec<(String, String)>,
    header: Arc<Header>,
    /// What each process is told first, where the target records calls.
    opening: Option<Vec<u8>>,
    running: Option<Running>,
    patience: Duration,
}

struct Running {
    process: Process,
    to: ChildStdin,
    answers: Receiver<io::Result<Option<Vec<u8>>>>,
}

/// What a target made of an input.
pub(crate) struct Told {
    pub(crate) answer: Answer,
    /// The edges it reached; none if the target is not instrumented.
    pub(crate) edges: Vec<u32>,
}

impl Oracle {
    /// An oracle for a target that was just built, with these constants.
    pub(crate) fn new(executable: PathBuf, constants: Vec<(String, String)>) -> Result<Self> {
        let mut command = Command::new(&executable);
        prepare(&mut command, &constants);
        let output = command.stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("failed to start `{}`", shown(&executable)))?;
        let greeting = serve::receive(&mut &output.stdout[..]).ok().flatten();
        let header = greeting.as_deref().and_then(|greeting| greeting.strip_prefix(GREETING)).and_then(codec::decode);
        let Some(header) = header else {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!(
                "the target `{}` cannot be asked (does it use this version of bugornot?): {}",
                shown(&executable),
                target::refusal(&said)
            );
        };
        Ok(Self { executable, constants, header: Arc::new(header), opening: None, running: None, patience: PATIENCE })
    }

    /// The same, for which an execution that takes longer than this is a hang.
    pub(crate) fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// What describes the suite and the build.
    pub(crate) fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Ends the process: the next input is judged by a new one, as if nothing had been before.
    pub(crate) fn renew(&mut self) {
        self.running = None;
    }

    /// What the target makes of an input.
    pub(crate) fn ask(&mut self, bytes: &[u8]) -> Result<Told> {
        match self.answer(bytes)? {
            Some(answer) => self.read(&answer),
            None => Ok(Told { answer: Answer::Judged(Box::new(self.autopsy(bytes)?)), edges: Vec::new() }),
        }
    }

    /// Tells a target that records calls what is wanted of it; all blocks of code it has.
    pub(crate) fn open(&mut self, opening: &Opening) -> Result<Vec<Block>> {
        self.opening = None;
        self.running = None;
        let blocks = self.answer(&codec::encode(opening))?;
        self.running = None;
        self.opening = Some(codec::encode(opening));
        blocks.as_deref().and_then(codec::decode).with_context(|| self.nonsense())
    }

    /// What the target makes of an input, and what each call of the cell has run; nothing if the input is rejected or
    /// ends the process.
    pub(crate) fn calls(&mut self, bytes: &[u8]) -> Result<Option<(Row, Vec<Run>)>> {
        let answer = self.answer(bytes)?;
        let Some((&JUDGED, mut rest)) = answer.as_deref().and_then(<[u8]>::split_first) else { return Ok(None) };
        let edges: Option<Vec<u32>> = codec::take(&mut rest);
        let runs = edges.and_then(|_| codec::take(&mut rest));
        let row = told::read(rest, &self.header);
        Ok(Some(row.zip(runs).with_context(|| self.nonsense())?))
    }

    /// Sends a message; the answer, or nothing if the process did not survive it.
    fn answer(&mut self, message: &[u8]) -> Result<Option<Vec<u8>>> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let running = self.running.insert(running);
        let is_sent = serve::send(&mut running.to, message).is_ok();
        let answer = if is_sent { running.answers.recv_timeout(self.patience).ok() } else { None };
        match answer {
            Some(Ok(Some(answer))) => Ok(Some(answer)),
            _ => {
                self.running = None;
                Ok(None)
            }
        }
    }

    fn nonsense(&self) -> String {
        format!("the target `{}` gave an answer that makes no sense", shown(&self.executable))
    }

    fn read(&self, answer: &[u8]) -> Result<Told> {
        let told = match answer.split_first() {
            Some((&REJECTED, [])) => Some(Told { answer: Answer::Rejected, edges: Vec::new() }),
            Some((&JUDGED, mut rest)) => {
                let edges = codec::take(&mut rest);
                let row = told::read(rest, &self.header);
                edges.zip(row).map(|(edges, row)| Told { answer: Answer::Judged(Box::new(row)), edges })
            }
            _ => None,
        };
        told.with_context(|| self.nonsense())
    }

    fn start(&self) -> Result<Running> {
        let mut command = Command::new(&self.executable);
        prepare(&mut command, &self.constants);
        let (process, mut to, mut from) = Process::talk(command.stderr(Stdio::null()))?;
        let (sender, answers) = sync_channel(1);
        thread::spawn(move || {
            loop {
                let answer = serve::receive(&mut from);
                let is_last = !matches!(answer, Ok(Some(_)));
                if sender.send(answer).is_err() || is_last {
                    break;
                }
            }
        });
        // The greeting is known.
        let is_heard = || matches!(answers.recv_timeout(PATIENCE), Ok(Ok(Some(_))));
        let is_open = is_heard()
            && self.opening.as_ref().is_none_or(|opening| serve::send(&mut to, opening).is_ok() && is_heard());
        if !is_open {
            bail!("the target `{}` does not start any more", shown(&self.executable));
        }
        Ok(Running { process, to, answers })
    }

    /// Runs an input that ended its process once more, with a log: its mark tells how far the execution came.
    fn autopsy(&self, bytes: &[u8]) -> Result<Row> {
        let scratch = Scratch::new()?;
        let (input, log) = (scratch.path().join("input"), scratch.path().join("log"));
        std::fs::write(&input, bytes).context("failed to write a temporary file")?;
        for _ in 0..TRIES {
            let mut command = Command::new(&self.executable);
            prepare(&mut command, &self.constants);
            command.env_remove(VARIABLE).env("BUGORNOT_LOG", &log).arg(&input);
            let mut process = Process::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
            process.ends_within(self.patience);
            drop(process);
            if let Some(row) = replayed_row(&log) {
                return Ok(Row { bytes: bytes.to_vec(), ..row });
            }
        }
        Ok(self.unknown_death(bytes))
    }

    /// A death of which nothing more is known.
    fn unknown_death(&self, bytes: &[u8]) -> Row {
        Row {
            id: 0,
            phase: Phase::Replay,
            bytes: bytes.to_vec(),
            names: Arc::default(),
            fields: Vec::new(),
            parameters: Vec::new(),
            features: Vec::new(),
            verdicts: vec![Some(Verdict::Died); self.header.cells.len()].into(),
            weight: 1,
            detail: None,
            death: Some(Death { stage: Stage::Decode, length: bytes.len() as u64 }),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Killed with all it has started: a process that hangs would not see that nobody asks any more.
        self.process.signal(libc::SIGKILL, false);
    }
}

/// Tells a process of the target what it has to know, whatever the user's environment says.
fn prepare(command: &mut Command, constants: &[(String, String)]) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BUGORNOT_") {
            command.env_remove(name);
        }
    }
    command.env(VARIABLE, "1").env("BUGORNOT_LOG", "off").env("BUGORNOT_GUIDE", "off");
    command.envs(constants.iter().map(|(name, value)| (format!("BUGORNOT_CONST_{name}"), value)));
}

/// The row of the one input that was replayed into a log.
fn replayed_row(log: &Path) -> Option<Row> {
    let segments = Log::open(log).ok()?.segments;
    segments.iter().flat_map(|segment| segment.rows().into_iter().flatten()).find(|row| row.phase == Phase::Replay)
}
