//! Shrinks the witnesses of a report through the suite's own target, and keeps their bytes for the commands that show
//! them again.

use super::{minimise::constants_of, oracle::Oracle, project::Project, target};
use crate::{
    clean::Cleaned,
    corpus::name_of,
    log::{Header, IMPORT, Row},
    minimise::is_about,
    replay::{Answer, names_of},
    report::Report,
    terminal::{Color, escape, say, shown, warn},
    witness::{Budget, Shown, Shrinking, Witness, has_bytes, of_cell},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// How long all witnesses of a report may take.
const TIME: Duration = Duration::from_secs(30);
/// How many processes may die of them.
const DEATHS: usize = 32;

/// Which target judges what is shrunk.
pub(crate) enum Judging<'run> {
    /// None: witnesses stay as they are in the log.
    Nothing,
    /// That of the project at hand, which has to be built.
    Project,
    /// One that was just built.
    Built(&'run Project, &'run Path),
}

/// Puts the witnesses of a report in, as small as they can be; `known` are rows that an anchor has chosen.
pub(crate) fn add(report: &mut Report, known: &[Option<Shown>], judging: &Judging<'_>, color: Color) {
    let cells = report.cells.iter().enumerate().map(|(cell, shown)| {
        let known = known.get(cell).cloned().flatten();
        of_cell(&report.cleaned, cell, &shown.hinted, &shown.summary.samples, known)
    });
    let wanted: Vec<Vec<Shown>> = cells.collect();
    let (witnesses, note) = witnesses(&report.cleaned, &wanted, judging, color);
    report.cells.iter_mut().zip(witnesses).for_each(|(cell, witnesses)| cell.witnesses = witnesses);
    report.notes.extend(note);
}

/// The witnesses of each cell, and why they are not shrunk.
pub(crate) fn witnesses(
    cleaned: &Cleaned,
    wanted: &[Vec<Shown>],
    judging: &Judging<'_>,
    color: Color,
) -> (Vec<Vec<Witness>>, Option<String>) {
    let header = &cleaned.header;
    let as_they_are = || {
        let of_cell = |(cell, shown): (usize, &Vec<Shown>)| {
            shown.iter().filter_map(|shown| Witness::of_row(header, &shown.row, cell)).collect()
        };
        wanted.iter().enumerate().map(of_cell).collect::<Vec<Vec<Witness>>>()
    };
    if wanted.iter().all(Vec::is_empty) || matches!(judging, Judging::Nothing) {
        return (as_they_are(), None);
    }
    let not = |why: String| format!("the inputs that are shown are not shrunk: {why}");
    if let Some(why) = why_not(header, wanted) {
        return (as_they_are(), Some(not(why.into())));
    }
    let project = match project(header, judging) {
        Ok(project) => project,
        Err(why) => return (as_they_are(), Some(not(why))),
    };
    let mut shrinker = match Shrinker::new(header, project, judging) {
        Ok(shrinker) => shrinker,
        Err(error) => {
            warn(color, format_args!("{error:#}"));
            return (as_they_are(), Some(not("the target cannot judge them, see the warning".into())));
        }
    };
    let mut all = as_they_are();
    for (cell, (witnesses, shown)) in all.iter_mut().zip(wanted).enumerate() {
        match shrinker.shrunk(header, cell, shown) {
            Ok(Some(shrunk)) => *witnesses = shrunk,
            Ok(None) => {}
            Err(error) => {
                warn(color, format_args!("{} is not shrunk: {error:#}", escape(&header.cell_name(cell))));
            }
        }
    }
    (all, shrinker.note().map(not))
}

/// Why a log's rows cannot be judged again, whatever is built.
fn why_not(header: &Header, wanted: &[Vec<Shown>]) -> Option<&'static str> {
    let has_some = wanted.iter().flatten().any(|shown| has_bytes(&shown.row));
    match header.build.engine.as_str() {
        IMPORT => Some("they come from another tool's table"),
        _ if !has_some => Some("their bytes are not in the log"),
        _ => None,
    }
}

/// The project whose target judges; in words why there is none.
fn project(header: &Header, judging: &Judging<'_>) -> Result<Project, String> {
    if let Judging::Built(project, _) = judging {
        return Ok((*project).clone());
    }
    let suite = escape(&header.suite);
    let project = Project::find(None).map_err(|_| format!("there is no fuzz crate with target `{suite}` here"))?;
    match project.source(&header.suite) {
        Ok(_) => Ok(project),
        Err(_) => Err(format!("`{}` has no target `{suite}`", shown(&project.manifest))),
    }
}

/// A target that judges, and where what it judged is kept.
struct Shrinker {
    project: Project,
    oracle: Oracle,
    folder: PathBuf,
    constants: Vec<(String, String)>,
    budget: Budget,
    /// How many cells the target shows something else for than the log.
    others: usize,
}

impl Shrinker {
    fn new(header: &Header, project: Project, judging: &Judging<'_>) -> Result<Self> {
        let constants = constants_of(header);
        let suite = &header.suite;
        let executable = match judging {
            Judging::Built(_, executable) => (*executable).to_owned(),
            _ => {
                let shown = escape(suite);
                say(format_args!("building `{shown}` to shrink inputs (`--no-shrink` shows them as they are)"));
                target::build(&mut target::plain(&project, suite), &project, suite)?
            }
        };
        let oracle = Oracle::new(executable, constants.clone())?;
        if !is_about(header, oracle.header()) {
            bail!("the suite has other types, constants or features now than when it was logged");
        }
        let folder = project.folder.join("witnesses").join(suite);
        Ok(Self { project, oracle, folder, constants, budget: Budget::new(TIME, DEATHS), others: 0 })
    }

    /// The smallest witnesses of a cell; nothing if there are none, or if the target does not show it any more.
    fn shrunk(&mut self, log: &Header, cell: usize, shown: &[Shown]) -> Result<Option<Vec<Witness>>> {
        if shown.is_empty() || !shown.iter().all(|shown| has_bytes(&shown.row)) {
            return Ok(None);
        }
        let header = self.oracle.header().clone();
        let names = log.cells.get(cell).map(|&cell| names_of(log, cell));
        let Some(cell) = header.cells.iter().position(|&cell| Some(names_of(&header, cell)) == names) else {
            self.others += 1;
            return Ok(None);
        };
        let oracle = &mut self.oracle;
        let mut judge = |bytes: &[u8]| -> Result<Option<Row>> {
            Ok(match oracle.ask(bytes)?.answer {
                Answer::Judged(row) => Some(*row),
                Answer::Rejected => None,
            })
        };
        let rows = Shrinking { header: &header, cell, judge: &mut judge, budget: &mut self.budget }.shrink(shown)?;
        let Some(rows) = rows else {
            self.others += 1;
            return Ok(None);
        };
        let mut witnesses = Vec::new();
        for row in rows {
            let Some(mut witness) = Witness::of_row(&header, &row, cell) else { return Ok(None) };
            witness.is_shrunk = true;
            witness.reproduce = Some(self.keep(&row.bytes, &header.suite)?);
            witnesses.push(witness);
        }
        Ok(Some(witnesses))
    }

    /// Keeps an input, and says how it is shown again.
    fn keep(&self, bytes: &[u8], suite: &str) -> Result<String> {
        let path = self.folder.join(name_of(bytes));
        fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&path, bytes))
            .with_context(|| format!("failed to write `{}`", shown(&path)))?;
        let constants = self.constants.iter().map(|(name, value)| (name, value));
        Ok(target::reproduce(&self.project, suite, constants, &shown(&path)))
    }

    /// What has to be said about those that were not shrunk.
    fn note(&self) -> Option<String> {
        (self.others > 0).then(|| {
            let cells = if self.others == 1 { "1 cell".into() } else { format!("{} cells", self.others) };
            format!("for {cells} the target does not show now what the log says")
        })
    }
}
