//! The measurements as markdown, each beside its aim.

use super::{
    killed::{Killed, Mutants},
    made::{Corpus, Made},
    worth::Worth,
};
use crate::measure::row;

/// All that was measured of one suite.
pub struct Measured {
    pub suite: &'static str,
    pub made: Made,
    /// In the order of [`Made::sized`].
    pub worth: Vec<Worth>,
    /// Nothing where cargo-mutants is missing.
    pub killed: Option<Killed>,
}

pub const SIZES: [&str; 8] = [
    "suite",
    "corpus",
    "files",
    "bytes",
    "edges",
    "verdicts of cells, sides of conditions, nearest opposites",
    "seconds to make, to replay",
    "mutants killed",
];
pub const SCORES: [&str; 7] = [
    "suite",
    "mutants, that anything kills",
    "ours",
    "with generated tests",
    "100 random inputs, exact rules",
    "engines, violations as panics",
    "aims missed",
];

/// Ours is the second of the sized ones, behind all of the campaign.
const OURS: usize = 1;

impl Measured {
    /// One row for each corpus.
    pub fn sizes(&self) -> String {
        let rows = self.made.sized().zip(&self.worth).enumerate();
        rows.map(|(position, (corpus, worth))| self.size(position, corpus, worth) + "\n").collect()
    }

    fn size(&self, position: usize, corpus: &Corpus, worth: &Worth) -> String {
        let made = corpus.seconds.map_or_else(|| "-".into(), |seconds| format!("{seconds:.1}"));
        let killed = self.killed.as_ref().map_or_else(|| "-".into(), |killed| of(killed, position).len().to_string());
        let time = format!("{made}, {:.2}", worth.seconds);
        let [verdicts, conditions, boundaries] = self.kept(worth);
        let kept = format!("{verdicts}, {conditions}, {boundaries}");
        row(&[&self.suite, &corpus.name, &worth.files, &worth.bytes, &worth.edges, &kept, &time, &killed])
    }

    /// What a corpus keeps: verdicts of cells, sides of conditions, inputs of opposite verdicts as near as any has them.
    fn kept(&self, worth: &Worth) -> [usize; 3] {
        let all = self.worth.iter().map(|worth| &worth.kept);
        [worth.verdicts, worth.kept.conditions, worth.kept.nearest_of(all)]
    }

    /// One row of scores.
    pub fn scores(&self) -> Option<String> {
        let killed = self.killed.as_ref()?;
        let percent = |mutants: &Mutants| format!("{} ({} %)", mutants.len(), share(mutants, killed));
        let engines: Vec<String> = killed.engines.iter().map(|(_, crashed)| percent(crashed)).collect();
        let all = format!("{}, {}", killed.tested, killed.any.len());
        let missed = self.missed().join("; ");
        Some(row(&[
            &self.suite,
            &all,
            &percent(&killed.ours),
            &percent(&killed.with_generated),
            &percent(&killed.paper),
            &engines.join(", "),
            &missed,
        ]))
    }

    /// The mutants that something kills and our corpus does not.
    pub fn survivors(&self) -> String {
        let Some(killed) = &self.killed else { return String::new() };
        let line = |mutant: &usize| {
            let by_tests = if killed.with_generated.contains(mutant) { ", which generated tests kill" } else { "" };
            format!("{}: survives our corpus: {}{by_tests}\n", self.suite, killed.names[*mutant])
        };
        killed.any.difference(&killed.ours).map(line).collect()
    }

    /// The aims that are missed. The engines' minimisers are taken as a user finds them: with verdicts as coverage.
    fn missed(&self) -> Vec<&'static str> {
        let Some(killed) = &self.killed else { return Vec::new() };
        let ours = &self.worth[OURS];
        let engines: Vec<&Worth> =
            self.made.sized().zip(&self.worth).filter(|(corpus, _)| corpus.is_rival).map(|(_, worth)| worth).collect();
        let best = &killed.with_generated;
        let rivals = || killed.engines.iter().map(|(_, crashed)| crashed).chain([&killed.paper]);
        let smallest = |size: &dyn Fn(&Worth) -> u64| engines.iter().map(|worth| size(worth)).min().unwrap_or(u64::MAX);
        let aims = [
            ("as few files as the smaller", ours.files as u64 <= smallest(&|worth| worth.files as u64)),
            ("as few bytes", ours.bytes <= smallest(&|worth| worth.bytes)),
            ("as many edges", engines.iter().all(|worth| worth.edges <= ours.edges)),
            ("all verdicts", self.worth.iter().all(|worth| worth.verdicts <= ours.verdicts)),
            ("strictly more kept", engines.iter().all(|worth| is_more(self.kept(ours), self.kept(worth)))),
            ("all mutants of the whole campaign", killed.full.is_subset(&killed.ours)),
            // Nobody is ahead of those who kill all that can be killed.
            ("ahead of all", rivals().all(|rival| rival.len() < best.len()) || best == &killed.any),
            ("90 % of what anything kills", share(best, killed) >= 90),
            ("a replay in a second", ours.seconds < 1.0),
        ];
        aims.into_iter().filter(|(_, is_met)| !is_met).map(|(aim, _)| aim).collect()
    }
}

/// Whether nothing is less, and something is more.
fn is_more(ours: [usize; 3], theirs: [usize; 3]) -> bool {
    ours != theirs && ours.iter().zip(theirs).all(|(&ours, theirs)| ours >= theirs)
}

/// What the corpus at this position kills.
fn of(killed: &Killed, position: usize) -> &Mutants {
    match position {
        0 => &killed.full,
        OURS => &killed.ours,
        engine => &killed.engines[engine - OURS - 1].0,
    }
}

fn share(mutants: &Mutants, killed: &Killed) -> usize {
    (mutants.len() * 100).checked_div(killed.any.len()).unwrap_or(100)
}
