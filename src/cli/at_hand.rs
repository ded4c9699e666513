//! The target at hand: a log's suite as it is now, built when it is first needed, and once for all that is asked of it.

use super::{minimise::constants_of, oracle::Oracle, project::Project, target};
use crate::{
    log::{Header, Row},
    minimise::is_about,
    replay::Answer,
    terminal::{Color, escape, say, shown, warn},
};
use anyhow::{Result, bail};
use std::path::Path;

/// Which target judges inputs again.
#[derive(Clone, Copy)]
pub(crate) enum Judging<'run> {
    /// None: what the log says is all there is.
    Nothing,
    /// That of the project at hand, which has to be built.
    Project,
    /// One that was just built.
    Built(&'run Project, &'run Path),
}

/// The target that may be at hand for a log.
pub(crate) struct AtHand<'run> {
    header: &'run Header,
    judging: Judging<'run>,
    color: Color,
    opened: Option<Result<Opened, String>>,
}

/// A target that can be asked.
pub(crate) struct Opened {
    pub(crate) project: Project,
    pub(crate) oracle: Oracle,
    pub(crate) constants: Vec<(String, String)>,
}

impl<'run> AtHand<'run> {
    /// The target for a log with this header.
    pub(crate) fn new(header: &'run Header, judging: Judging<'run>, color: Color) -> Self {
        Self { header, judging, color, opened: None }
    }

    /// Whether inputs may be judged again at all.
    pub(crate) fn is_wanted(&self) -> bool {
        !matches!(self.judging, Judging::Nothing)
    }

    /// The target; in words why there is none.
    pub(crate) fn open(&mut self) -> Result<&mut Opened, String> {
        let (header, judging, color) = (self.header, self.judging, self.color);
        let opened = self.opened.get_or_insert_with(|| {
            let project = project(header, judging)?;
            Opened::new(header, project, judging).map_err(|error| {
                warn(color, format_args!("{error:#}"));
                "the target cannot judge them, see the warning".into()
            })
        });
        opened.as_mut().map_err(|why| why.clone())
    }
}

/// The project whose target judges; in words why there is none.
fn project(header: &Header, judging: Judging<'_>) -> Result<Project, String> {
    if let Judging::Built(project, _) = judging {
        return Ok(project.clone());
    }
    let suite = escape(&header.suite);
    let project = Project::find(None).map_err(|_| format!("there is no fuzz crate with target `{suite}` here"))?;
    match project.source(&header.suite) {
        Ok(_) => Ok(project),
        Err(_) => Err(format!("`{}` has no target `{suite}`", shown(&project.manifest))),
    }
}

impl Opened {
    fn new(header: &Header, project: Project, judging: Judging<'_>) -> Result<Self> {
        let constants = constants_of(header);
        let suite = &header.suite;
        let executable = match judging {
            Judging::Built(_, executable) => executable.to_owned(),
            _ => {
                let shown = escape(suite);
                say(format_args!("building `{shown}` to judge inputs again (`--no-shrink` takes them as they are)"));
                target::build(&mut target::plain(&project, suite), &project, suite)?
            }
        };
        let oracle = Oracle::new(executable, constants.clone())?;
        if !is_about(header, oracle.header()) {
            bail!("the suite has other types, constants or features now than when it was logged");
        }
        Ok(Self { project, oracle, constants })
    }

    /// Judges an input; nothing if it is rejected.
    pub(crate) fn judge(&mut self, bytes: &[u8]) -> Result<Option<Row>> {
        Ok(match self.oracle.ask(bytes)?.answer {
            Answer::Judged(row) => Some(*row),
            Answer::Rejected => None,
        })
    }
}
