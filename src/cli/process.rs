//! Child processes that never outlive us, and what Ctrl-C does to them.
//!
//! Every child leads a process group of its own, so that the terminal's Ctrl-C reaches only us: the first asks for a
//! clean end, and the second ends everything at once.

use super::ExitCode;
use anyhow::{Context, Result};
use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How often Ctrl-C was pressed, or a termination signal came.
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
/// Whether the first one is only noted, because somebody looks at [`is_interrupted`].
static IS_GENTLE: AtomicBool = AtomicBool::new(false);
/// The children that are running.
static RUNNING: Mutex<Vec<i32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<i32>> {
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Takes over Ctrl-C and termination signals. Until [`be_gentle`], they end everything at once.
pub(crate) fn handle_signals() -> Result<()> {
    ctrlc::set_handler(|| {
        let before = INTERRUPTS.fetch_add(1, Ordering::SeqCst);
        if before > 0 || !IS_GENTLE.load(Ordering::SeqCst) {
            running().iter().for_each(|&leader| end_tree(leader));
            std::process::exit(ExitCode::Interrupted as i32);
        }
    })
    .context("failed to take over Ctrl-C")
}

/// From now on, whether the first interrupt is left to whoever asks [`is_interrupted`].
pub(crate) fn be_gentle(gentle: bool) {
    IS_GENTLE.store(gentle, Ordering::SeqCst);
}

/// Whether somebody wants us to stop.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTS.load(Ordering::SeqCst) > 0
}

/// A running child and all that it starts.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    is_over: bool,
}

impl Process {
    /// Starts a child in a process group of its own.
    pub(crate) fn spawn(command: &mut Command) -> Result<Self> {
        Self::begin(command.stdin(Stdio::null()))
    }

    /// Starts a child that is talked to, with both streams.
    pub(crate) fn talk(command: &mut Command) -> Result<(Self, ChildStdin, ChildStdout)> {
        let mut process = Self::begin(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let streams = process.child.stdin.take().zip(process.child.stdout.take());
        let (stdin, stdout) = streams.context("the streams were not piped")?;
        Ok((process, stdin, stdout))
    }

    fn begin(command: &mut Command) -> Result<Self> {
        command.process_group(0);
        die_with_us(command);
        // Registered under the lock: an interrupt must not come between.
        let mut running = running();
        let child = command
            .spawn()
            .with_context(|| format!("failed to start `{}`", command.get_program().to_string_lossy()))?;
        running.push(child.id() as i32);
        Ok(Self { child, is_over: false })
    }

    /// What it prints, if that was piped.
    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    fn leader(&self) -> i32 {
        self.child.id() as i32
    }

    /// Sends a signal to the process itself, or, where it is only a wrapper, to those it has started.
    pub(crate) fn signal(&self, signal: i32, is_wrapper: bool) {
        let inner = if is_wrapper { children_of(self.leader()) } else { Vec::new() };
        let to = if inner.is_empty() { vec![self.leader()] } else { inner };
        to.into_iter().for_each(|process| send(process, signal));
    }

    /// How it ended, if it has.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.finish();
        }
        Ok(status)
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait()?;
        self.finish();
        Ok(status)
    }

    /// Waits so long at the most; whether it has ended.
    pub(crate) fn ends_within(&mut self, patience: Duration) -> bool {
        let begin = Instant::now();
        loop {
            match self.try_wait() {
                Ok(None) if begin.elapsed() < patience => thread::sleep(Duration::from_millis(10)),
                Ok(None) => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }

    /// The leader is gone; whatever it left behind goes too.
    fn finish(&mut self) {
        if !self.is_over {
            self.is_over = true;
            send(-self.leader(), libc::SIGKILL);
            let leader = self.leader();
            running().retain(|&other| other != leader);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_over {
            end_tree(self.leader());
            let _ = self.wait();
        }
    }
}

fn send(process: i32, signal: i32) {
    // SAFETY: sending a signal touches no memory of ours. A process that is gone already is no error.
    unsafe { libc::kill(process, signal) };
}

/// Ends a process group, and those who left it: AFL's fork servers have sessions of their own.
fn end_tree(leader: i32) {
    let mut found = vec![leader];
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children_of(process));
        next += 1;
    }
    send(-leader, libc::SIGKILL);
    found.into_iter().for_each(|process| send(process, libc::SIGKILL));
}

/// The processes that this one has started and that still run; none where there is no `/proc`.
fn children_of(process: i32) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|&number| parent_of(number) == Some(process)).collect()
}

fn parent_of(process: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in brackets, may hold anything; behind it come the state and the parent.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Lets the kernel end the child if we are killed without a chance to do so.
#[cfg(target_os = "linux")]
fn die_with_us(command: &mut Command) {
    let ask = || {
        // SAFETY: a plain system call, allowed between fork and exec.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
        Ok(())
    };
    // SAFETY: the closure neither allocates nor takes locks.
    unsafe { command.pre_exec(ask) };
}

#[cfg(not(target_os = "linux"))]
fn die_with_us(_: &mut Command) {}
