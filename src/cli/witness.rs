//! Shrinks the witnesses of a report through the suite's own target, and keeps their bytes for the commands that show
//! them again.

use super::{
    at_hand::{AtHand, Opened},
    target,
};
use crate::{
    clean::Cleaned,
    corpus::name_of,
    hint::Hint,
    log::{Header, IMPORT},
    replay::names_of,
    report::{Cell, Report},
    terminal::{Color, escape, plural, shown, warn},
    witness::{Budget, Shown, Shrinking, Subject, Witness, apart},
};
use anyhow::{Context, Result};
use std::{fs, path::PathBuf, time::Duration};

/// How long all witnesses of a report may take.
const TIME: Duration = Duration::from_secs(30);
/// How many processes may die of them.
const DEATHS: usize = 32;

/// Puts the witnesses of a report in, as small as they can be; `known` are rows that an anchor has chosen.
pub(crate) fn add(report: &mut Report, known: &[Option<Shown>], at_hand: &mut AtHand<'_>, color: Color) {
    let cells = report.cells.iter().enumerate().map(|(cell, Cell { explained, hinted, summary, .. })| {
        let known = known.get(cell).cloned().flatten();
        Subject { cleaned: &report.cleaned, cell, explained, hinted, samples: &summary.samples }.shown(known)
    });
    let wanted: Vec<Vec<Shown>> = cells.collect();
    let (witnesses, note) = witnesses(&report.cleaned, &wanted, at_hand, color);
    report.cells.iter_mut().zip(witnesses).for_each(|(cell, witnesses)| cell.witnesses = witnesses);
    report.notes.extend(note);
    for (position, cell) in report.cells.iter_mut().enumerate() {
        if let (Hint::Inconclusive, [violated, held]) = (cell.hinted.hint, &cell.witnesses[..]) {
            let pair = [&violated.row, &held.row];
            cell.hinted.evidence.push(apart(&report.cleaned, &report.frame, position, pair));
        }
    }
}

/// The witnesses of each cell, and why they are not shrunk.
pub(crate) fn witnesses(
    cleaned: &Cleaned,
    wanted: &[Vec<Shown>],
    at_hand: &mut AtHand<'_>,
    color: Color,
) -> (Vec<Vec<Witness>>, Option<String>) {
    let header = &cleaned.header;
    let as_they_are = || {
        let of_cell = |(cell, shown): (usize, &Vec<Shown>)| {
            shown.iter().filter_map(|shown| Witness::of_row(header, &shown.row, cell)).collect()
        };
        wanted.iter().enumerate().map(of_cell).collect::<Vec<Vec<Witness>>>()
    };
    if wanted.iter().all(Vec::is_empty) || !at_hand.is_wanted() {
        return (as_they_are(), None);
    }
    let not = |why: String| format!("the inputs that are shown are not shrunk: {why}");
    if let Some(why) = why_not(header, wanted) {
        return (as_they_are(), Some(not(why.into())));
    }
    let mut shrinker = match at_hand.open() {
        Ok(target) => Shrinker::new(header, target),
        Err(why) => return (as_they_are(), Some(not(why))),
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
    if let Some(error) = &shrinker.unwritten {
        warn(color, format_args!("the inputs that are shown have no command that shows them again: {error}"));
    }
    (all, shrinker.note().map(not))
}

/// Why a log's rows cannot be judged again, whatever is built.
fn why_not(header: &Header, wanted: &[Vec<Shown>]) -> Option<&'static str> {
    let has_some = wanted.iter().flatten().any(|shown| shown.row.has_bytes());
    match header.build.engine.as_str() {
        IMPORT => Some("they come from another tool's table"),
        _ if !has_some => Some("their bytes are not in the log"),
        _ => None,
    }
}

/// A target that judges, and where what it judged is kept.
struct Shrinker<'run> {
    target: &'run mut Opened,
    folder: PathBuf,
    budget: Budget,
    /// How many cells the target shows something else for than the log.
    others: usize,
    /// How many have inputs without bytes.
    without_bytes: usize,
    /// Why inputs could not be kept.
    unwritten: Option<String>,
}

impl<'run> Shrinker<'run> {
    fn new(header: &Header, target: &'run mut Opened) -> Self {
        let folder = target.project.folder.join("witnesses").join(&header.suite);
        Self { target, folder, budget: Budget::new(TIME, DEATHS), others: 0, without_bytes: 0, unwritten: None }
    }

    /// The smallest witnesses of a cell; nothing if there are none, or if the target does not show it any more.
    fn shrunk(&mut self, log: &Header, cell: usize, shown: &[Shown]) -> Result<Option<Vec<Witness>>> {
        if shown.is_empty() {
            return Ok(None);
        }
        if !shown.iter().all(|shown| shown.row.has_bytes()) {
            self.without_bytes += 1;
            return Ok(None);
        }
        let header = self.target.oracle.header().clone();
        let names = log.cells.get(cell).map(|&cell| names_of(log, cell));
        let Some(cell) = header.cells.iter().position(|&cell| Some(names_of(&header, cell)) == names) else {
            self.others += 1;
            return Ok(None);
        };
        let mut judge = |bytes: &[u8]| self.target.judge(bytes);
        let rows = Shrinking { header: &header, cell, judge: &mut judge, budget: &mut self.budget }.shrink(shown)?;
        let Some((rows, are_smallest)) = rows else {
            self.others += 1;
            return Ok(None);
        };
        let mut witnesses = Vec::new();
        for row in rows {
            let Some(mut witness) = Witness::of_row(&header, &row, cell) else { return Ok(None) };
            witness.is_shrunk = true;
            witness.is_smallest = are_smallest;
            witness.reproduce = match self.keep(&row.bytes, &header.suite) {
                Ok(command) => Some(command),
                Err(error) => {
                    self.unwritten.get_or_insert_with(|| format!("{error:#}"));
                    None
                }
            };
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
        let constants = self.target.constants.iter().map(|(name, value)| (name, value));
        Ok(target::reproduce(&self.target.project, suite, constants, &shown(&path)))
    }

    /// What has to be said about those that were not shrunk.
    fn note(&self) -> Option<String> {
        let reasons = [
            (self.others, "the target does not show now what the log says"),
            (self.without_bytes, "the log has examples alone, which have no bytes"),
        ];
        let reasons = reasons.into_iter().filter(|(cells, _)| *cells > 0);
        let reasons: Vec<String> =
            reasons.map(|(cells, why)| format!("for {} {why}", plural(cells as u64, "cell"))).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}
