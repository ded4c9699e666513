//! `bugornot review`: the tester decides cell after cell, on a terminal.

use super::{
    ExitCode,
    desk::{Desk, desks},
    print,
    report::exit_code,
    terminal::{Color, escape, say},
};
use crate::{
    decision::Choice,
    expression::{Expression, Fault},
    review::{Edited, Editor, Flow, Shown, Step, Stroke, list, screen},
    summary::{CellSummary, Sampling, summarise},
};
use anyhow::{Context, Result, bail};
use console::{Key, Term};
use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

/// As terminals send them.
const CTRL_U: char = '\u{15}';
const CTRL_W: char = '\u{17}';

/// Decide cell after cell whether violations are a bug
///
/// Shows one cell at a time with its numbers, condition, samples and evidence, and asks for an answer. Answers are kept in
/// `corpus/SUITE/decisions.toml` as soon as they are given.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder of logs, or a segment; or the name of a suite [default: every suite of the fuzz crate]
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// List what is to be decided and what is decided, and ask nothing
    #[arg(long)]
    list: bool,
    /// Review decided cells too
    #[arg(long, conflicts_with = "list")]
    all: bool,
    /// Where the decisions are [default: `corpus/SUITE` beside the fuzz crate]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, color: Color) -> Result<ExitCode> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !arguments.list && !is_terminal {
        bail!(
            "there is no terminal to ask on: `bugornot review --list` shows what is to be decided, `bugornot decide CELL \
             ANSWER` decides, and `bugornot decide --explained` decides all that is fully explained"
        );
    }
    let desks = desks(&arguments.logs, arguments.corpus.as_deref(), color)?;
    if !desks.iter().any(Desk::has_rows) {
        say("error: the log holds no usable rows: fuzz with `bugornot run SUITE` first");
        return Ok(ExitCode::NoRows);
    }
    if arguments.list {
        return list_all(&desks, color);
    }
    for desk in desks {
        if Session::new(desk, arguments.all, color).run()? == Ended::Stopped {
            break;
        }
    }
    Ok(ExitCode::Nothing)
}

fn list_all(desks: &[Desk], color: Color) -> Result<ExitCode> {
    let paint = color.paint(&io::stdout());
    let texts: Vec<String> = desks.iter().map(|desk| list(&desk.report, paint)).collect();
    print(&format!("{}next: bugornot decide CELL bug|not-a-bug|does-not-apply|fits\n", texts.concat()))?;
    let is_red = desks.iter().any(|desk| exit_code(&desk.report) == ExitCode::Unexplained);
    Ok(if is_red { ExitCode::Unexplained } else { ExitCode::Nothing })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The queue is empty.
    Done,
    /// The tester has had enough.
    Stopped,
}

/// One suite on the terminal. The terminal is in raw mode only while a key is read, so nothing that happens between two
/// keys can leave it so.
struct Session {
    desk: Desk,
    flow: Flow,
    summaries: Vec<CellSummary>,
    seed: u64,
    term: Term,
    color: Color,
    made: Vec<String>,
}

impl Session {
    fn new(desk: Desk, all: bool, color: Color) -> Self {
        let flow = Flow::new(&desk.report, all);
        let summaries = desk.report.cells.iter().map(|cell| cell.summary.clone()).collect();
        Self { desk, flow, summaries, seed: 0, term: Term::stdout(), color, made: Vec::new() }
    }

    fn run(mut self) -> Result<Ended> {
        if self.flow.len() == 0 {
            print(&format!("{}: nothing to decide\n", self.desk.suite()))?;
            return Ok(Ended::Done);
        }
        let ended = self.ask()?;
        let mut text: String = self.made.iter().map(|made| format!("{made}\n")).collect();
        if !self.made.is_empty() {
            text.push_str(&format!("written to `{}`: commit it\n", self.desk.file()));
        }
        print(&text)?;
        Ok(ended)
    }

    /// Shows cells and takes keys until nothing is left.
    fn ask(&mut self) -> Result<Ended> {
        while let Some(item) = self.flow.current() {
            let summary = &self.summaries[item.cell];
            let paint = self.color.paint(&io::stdout());
            let (lines, columns) = self.term.size();
            let size = (usize::from(lines), usize::from(columns));
            let shown = Shown { report: &self.desk.report, samples: &summary.samples, paint, size };
            let text = screen(&shown, &self.flow);
            self.term.clear_screen().context("failed to clear the terminal")?;
            print(&text)?;
            let Some(key) = self.key()? else { return self.stop() };
            match self.flow.press(key) {
                Step::Show => {}
                Step::Decide(choices) => self.decide(&choices),
                Step::Edit(text) => self.edit(&text)?,
                Step::Samples => {
                    self.seed += 1;
                    let sampling = Sampling { seed: self.seed, ..Sampling::default() };
                    self.summaries = summarise(&self.desk.report.cleaned, sampling);
                }
                Step::End => return self.stop(),
            }
        }
        self.term.clear_screen().context("failed to clear the terminal")?;
        Ok(Ended::Done)
    }

    fn stop(&self) -> Result<Ended> {
        self.term.clear_screen().context("failed to clear the terminal")?;
        let is_done = self.flow.current().is_none();
        Ok(if is_done { Ended::Done } else { Ended::Stopped })
    }

    fn decide(&mut self, choices: &[Choice]) {
        for choice in choices {
            match self.desk.decide(choice, None, true) {
                Ok(decision) => {
                    let name = self.desk.report.cleaned.header.cell_name(choice.cell);
                    self.made.push(escape(&format!("{name}: {}", decision.words())));
                    self.flow.decided(choice.cell);
                }
                Err(refusal) => self.flow.refused(format!("{refusal:#}")),
            }
        }
    }

    /// A letter; nothing if the tester wants to stop.
    fn key(&self) -> Result<Option<char>> {
        loop {
            match self.read()? {
                Key::Char(letter) => return Ok(Some(letter)),
                Key::CtrlC | Key::Escape => return Ok(None),
                _ => {}
            }
        }
    }

    fn read(&self) -> Result<Key> {
        match self.term.read_key_raw() {
            // The terminal is gone.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Key::CtrlC),
            key => key.context("failed to read a key"),
        }
    }

    fn edit(&mut self, text: &str) -> Result<()> {
        const NAME: &str = "  violated when  ";
        let mut editor = Editor::new(text);
        print(
            "\n  Rust over the fields; Enter takes it, Escape leaves it, Ctrl-U and Ctrl-W take away what is there\n",
        )?;
        loop {
            let room = usize::from(self.term.size().1).saturating_sub(NAME.len());
            let (line, after) = editor.window(room);
            let back = match after {
                0 => String::new(),
                count => format!("\u{1b}[{count}D"),
            };
            let mut stdout = io::stdout().lock();
            write!(stdout, "\r\u{1b}[K{NAME}{}{back}", escape(&line))
                .and_then(|()| stdout.flush())
                .context("failed to write to the terminal")?;
            drop(stdout);
            match editor.press(stroke(&self.read()?)) {
                Edited::More => {}
                Edited::Done(text) => {
                    self.flow.edited(&text);
                    if let Some(Err(fault)) = self.flow.condition().map(|text| self.is_usable(text)) {
                        self.flow.refused(escape(&format!("this cannot be used: {fault}")));
                    }
                    return Ok(());
                }
                Edited::Cancelled => return Ok(()),
            }
        }
    }

    /// Whether a condition says something about the rows of the log, as far as the first one shows.
    fn is_usable(&self, condition: &str) -> Result<(), Fault> {
        let cleaned = &self.desk.report.cleaned;
        let condition = Expression::parse(condition, &cleaned.header)?;
        let row = cleaned.working.iter().find(|row| !row.fields.is_empty());
        row.map_or(Ok(()), |row| condition.test(row).map(drop))
    }
}

fn stroke(key: &Key) -> Stroke {
    match key {
        Key::Char(CTRL_U) => Stroke::BackAll,
        Key::Char(CTRL_W) => Stroke::BackWord,
        Key::Char(letter) => Stroke::Letter(*letter),
        Key::Backspace => Stroke::Back,
        Key::Del => Stroke::Delete,
        Key::ArrowLeft => Stroke::Left,
        Key::ArrowRight => Stroke::Right,
        Key::Home => Stroke::Home,
        Key::End => Stroke::End,
        Key::Enter => Stroke::Enter,
        Key::Escape | Key::CtrlC => Stroke::Cancel,
        _ => Stroke::Nothing,
    }
}
