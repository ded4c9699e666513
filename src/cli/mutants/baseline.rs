//! The code without a mutant: what it makes of every input is what mutants are held against.

use super::{Arguments, plan::Plan};
use crate::{
    cli::{
        oracle::Oracle,
        project::{self, Project},
        target,
        terminal::{escape, plural, shown},
    },
    corpus::{self, Corpus, Decided},
    log::Header,
    mutants::{Analysis, Expected, InputSet},
    replay::{Answer, compare, names_of, why_stale},
};
use anyhow::{Context, Result, bail};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// No input is given less time, however fast it was.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(10);
/// How much slower than the slowest input without a mutant one may be.
const TIMES_SLOWER: u32 = 20;

/// Judges the corpus and all other inputs as the code is now.
pub(super) fn judge(arguments: &Arguments, project: &Project, corpus: &Corpus) -> Result<(Plan, Analysis)> {
    let suite = &arguments.suite;
    let executable = target::build(&mut target::plain(project, suite), project, suite)?;
    let constants: Vec<(String, String)> = corpus.manifest.constants.clone().into_iter().collect();
    let mut oracle = Oracle::new(executable, constants.clone())?;
    let header = oracle.header().clone();
    if let Some(why) = why_stale(corpus, &header) {
        bail!("the corpus is stale: {}; make it again with `bugornot minimise {}`", escape(&why), escape(suite));
    }
    let cells = cells(&header);
    let mut judging = Judging { oracle: &mut oracle, slowest: Duration::ZERO, notes: Vec::new() };
    let mut sets = vec![judging.corpus(corpus)?];
    for folder in &arguments.inputs {
        sets.push(judging.folder(folder)?);
    }
    let Judging { slowest, notes, .. } = judging;
    let folders = std::iter::once(&corpus.folder).chain(&arguments.inputs);
    let named = folders.zip(&sets).map(|(folder, set)| InputSet { name: shown(folder), inputs: set.len() }).collect();
    let analysis = Analysis { suite: suite.clone(), cells: cells.clone(), sets: named, notes, ..Analysis::default() };
    let test = format!("mr_{suite}");
    let plan = Plan {
        suite: suite.clone(),
        cargo: project::cargo().get_program().into(),
        root: Default::default(),
        fuzz: Default::default(),
        constants,
        cells,
        sets,
        generated: project.folder.join(format!("tests/{test}.rs")).is_file().then_some(test),
        own: None,
        patience: (slowest * TIMES_SLOWER).clamp(LEAST_PATIENCE, MOST_PATIENCE),
    };
    Ok((plan, analysis))
}

/// The names of the cells, in the target's order.
pub(super) fn cells(header: &Header) -> Vec<(String, String)> {
    let names = header.cells.iter().map(|&cell| names_of(header, cell));
    names.map(|(function, relation)| (function.to_owned(), relation.to_owned())).collect()
}

struct Judging<'run> {
    oracle: &'run mut Oracle,
    /// The longest that an input took.
    slowest: Duration,
    notes: Vec<String>,
}

impl Judging<'_> {
    fn corpus(&mut self, corpus: &Corpus) -> Result<Vec<Expected>> {
        let header = self.oracle.header().clone();
        let mut changed = 0;
        for input in &corpus.inputs {
            let answer = self.ask(&input.bytes)?;
            // What was decided is no matter here: mutants are held against what the code does.
            let expected = &corpus.manifest.inputs[&input.name];
            changed += compare(expected, &Decided::default(), &answer, &header).findings.len();
        }
        if changed > 0 {
            let verdicts = plural(changed as u64, "verdict");
            self.notes.push(format!(
                "{verdicts} of the corpus are not as its manifest expects (see `bugornot replay`): what the code does now \
                 is what mutants are held against"
            ));
        }
        let inputs: Vec<Vec<u8>> = corpus.inputs.iter().map(|input| input.bytes.clone()).collect();
        self.all(&corpus.folder, &inputs)
    }

    fn folder(&mut self, folder: &Path) -> Result<Vec<Expected>> {
        let files = corpus::list(folder).with_context(|| format!("failed to read folder `{}`", shown(folder)))?;
        let inputs: Vec<Vec<u8>> = files.iter().filter_map(|path| corpus::read_input(path)).collect();
        self.all(folder, &inputs)
    }

    /// What each input shows, twice the same, in two processes.
    fn all(&mut self, folder: &Path, inputs: &[Vec<u8>]) -> Result<Vec<Expected>> {
        let first = inputs.iter().map(|bytes| self.ask(bytes)).collect::<Result<Vec<_>>>()?;
        self.oracle.renew();
        let mut expected = Vec::new();
        for (bytes, first) in inputs.iter().zip(&first) {
            expected.extend(Expected::new(bytes, first, &self.ask(bytes)?));
        }
        let lost = inputs.len() - expected.len();
        if lost > 0 {
            self.notes.push(format!(
                "{} of `{}` left out: rejected, or they end the process, or are not the same twice",
                plural(lost as u64, "input"),
                shown(folder)
            ));
        }
        Ok(expected)
    }

    fn ask(&mut self, bytes: &[u8]) -> Result<Answer> {
        let begin = Instant::now();
        let answer = self.oracle.ask(bytes)?.answer;
        let is_alive = !matches!(&answer, Answer::Judged(row) if row.death.is_some());
        if is_alive {
            self.slowest = self.slowest.max(begin.elapsed());
        }
        Ok(answer)
    }
}
