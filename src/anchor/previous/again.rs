//! The code at hand as a witness: where it says of the new log's inputs what that log says, it stands for the new version,
//! and what it makes of the old log's inputs is as good as inputs that both logs have.

use super::{
    Change, Comparison, Known, Moved, Outcome,
    decide::is_worse,
    shared::{KEPT, WIDTH},
};
use crate::{
    Verdict,
    hint::Wanted,
    log::{Header, Row},
    terminal::{grouped, plural, shorten},
    witness::{Budget, Judge, Shown, Still},
};
use anyhow::Result;
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// So many inputs of each verdict show whether the code at hand is the new version.
const ASKED: usize = 256;

/// What the code at hand said of inputs, and what may be spent on asking it.
pub(crate) struct Again<'run> {
    judge: &'run mut Judge<'run>,
    budget: Budget,
    /// The verdicts in all cells of the new log, by input.
    told: HashMap<Vec<u8>, Arc<[Option<Verdict>]>>,
}

impl<'run> Again<'run> {
    /// What judges has the new log's cells, in its order.
    pub(crate) fn new(judge: &'run mut Judge<'run>, budget: Budget) -> Self {
        Self { judge, budget, told: HashMap::new() }
    }

    /// The verdict that an input has now; nothing if it is rejected, or was asked for too late.
    fn verdict(&mut self, bytes: &[u8], cell: usize) -> Result<Option<Verdict>> {
        if !self.told.contains_key(bytes) {
            if self.budget.is_spent() {
                return Ok(None);
            }
            let row = (self.judge)(bytes)?;
            self.budget.spend_on(row.as_ref());
            self.told.insert(bytes.to_vec(), row.map_or_else(Arc::default, |row| row.verdicts));
        }
        Ok(self.told[bytes].get(cell).copied().flatten())
    }

    /// How many inputs of a cell of the new log have the verdict again that the log has; nothing if one has another.
    fn agreed(&mut self, new: &[(&Row, Verdict)], cell: usize) -> Result<Option<u64>> {
        let mut asked: BTreeMap<Verdict, usize> = BTreeMap::new();
        for &(row, verdict) in new {
            let count = asked.entry(verdict).or_default();
            if *count < ASKED {
                *count += 1;
                if self.verdict(&row.bytes, cell)? != Some(verdict) {
                    return Ok(None);
                }
            }
        }
        let has_failed = asked.keys().any(|verdict| *verdict != Verdict::Held);
        Ok(has_failed.then(|| asked.values().map(|count| *count as u64).sum()))
    }

    /// The old inputs of a cell that are worse now, and how many were asked for; `header` describes the old ones.
    fn worse(&mut self, header: &Header, old: &[(&Row, Verdict)], cell: usize) -> Result<(u64, Vec<Moved>)> {
        let mut moved: BTreeMap<(Verdict, Verdict), Vec<&Row>> = BTreeMap::new();
        let mut asked = 0;
        for &(row, then) in old {
            let Some(now) = self.verdict(&row.bytes, cell)? else { continue };
            asked += 1;
            if then != now && is_worse(then, now) {
                moved.entry((then, now)).or_default().push(row);
            }
        }
        let mut worse = Vec::new();
        for ((then, now), mut rows) in moved {
            rows.sort_by_cached_key(|row| row.simplicity());
            let row = rows.first().map(|row| (self.judge)(&row.bytes)).transpose()?.flatten();
            worse.push(Moved {
                old: then,
                new: now,
                count: rows.len() as u64,
                inputs: rows.iter().take(KEPT).map(|row| shorten(&row.input_text(header), WIDTH)).collect(),
                row: row.filter(|row| row.verdict(cell) == Some(now)),
                is_again: true,
            });
        }
        Ok((asked, worse))
    }
}

impl Comparison {
    /// Whether there is a cell that inputs which are run again could decide.
    pub(crate) fn is_open(&self) -> bool {
        self.cells.iter().any(Change::is_open)
    }

    /// Runs inputs of both logs again, for cells that are open.
    pub(crate) fn run_again(&mut self, old: Known<'_>, new: Known<'_>, again: &mut Again<'_>) -> Result<()> {
        for (now, change) in self.cells.iter_mut().enumerate().filter(|(_, change)| change.is_open()) {
            let Some(then) = change.then else { continue };
            let Some(agreed) = again.agreed(&judged(new, now), now)? else { continue };
            let (asked, worse) = again.worse(&old.cleaned.header, &judged(old, then), now)?;
            change.add_again(agreed, asked, worse);
        }
        Ok(())
    }
}

impl Change {
    fn is_open(&self) -> bool {
        self.is_undecided() || self.may_hide
    }

    /// Whether the logs show something that may be worse.
    fn is_undecided(&self) -> bool {
        self.would_decide == Some(Wanted::Replay)
    }

    /// Takes in what the code at hand says.
    fn add_again(&mut self, agreed: u64, asked: u64, worse: Vec<Moved>) {
        let hand = format!("the code at hand says of {} of the new log what that log says", plural(agreed, "input"));
        if worse.is_empty() {
            if self.is_undecided() {
                let text = format!("of {} of the old log none goes wrong now; {hand}", plural(asked, "input"));
                self.reasons.push(text);
                self.would_decide = Some(Wanted::MoreRows);
            }
            return;
        }
        let text = |moved: &Moved| {
            let (count, asked) = (plural(moved.count, "input"), grouped(asked));
            format!("{count} of the old log {} then and {} now, of {asked} run again; {hand}", moved.old, moved.new)
        };
        self.reasons = worse.iter().map(text).collect();
        // What the old log says should hold can be made smaller; of any other input only its own old verdict is known.
        let known = self.witness.take();
        let shown = |moved: &Moved| {
            let said = known.as_ref().filter(|known| known.verdict == moved.new);
            let still = said.map_or(Still::SameInput, |known| known.still.clone());
            Some(Shown { row: moved.row.clone()?, verdict: moved.new, still })
        };
        self.witness = worse.iter().find_map(shown);
        self.moved.extend(worse);
        (self.outcome, self.would_decide) = (Outcome::Regression, None);
    }
}

/// The rows of a cell that can be run again and have a verdict on the outputs.
fn judged(log: Known<'_>, cell: usize) -> Vec<(&Row, Verdict)> {
    let with = |row: &'_ Row| row.verdict(cell).filter(|verdict| *verdict != Verdict::NotApplicable);
    let rows = log.cleaned.working.iter().filter(|row| row.has_bytes() && row.death.is_none());
    rows.filter_map(|row| Some((row, with(row)?))).collect()
}
