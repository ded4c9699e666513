//! What comes of it: warnings, the manifest, and the files.

use super::{
    Work,
    read::{Read, constants_of},
};
use crate::{
    cli::{
        oracle::Oracle,
        terminal::{escape, grouped, plural, shown, warn},
    },
    corpus::{self, Decided, Expected, Facts, Kept, LogBuild, Manifest, SCHEMA},
    log::Header,
    minimise::{self, Chosen, Obligation, is_about, not_reproduced},
    replay::compare,
};
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// What has become of a corpus.
pub(crate) struct Saved {
    /// What is kept, in words.
    pub(crate) sum: String,
    /// Where it is, and whether it has changed, in words.
    pub(crate) place: String,
    pub(crate) is_new: bool,
}

/// How many verdicts that no replay shows are named.
const NAMED: usize = 5;

impl Work<'_> {
    /// Says so if what a log tells is not about the suite as it is replayed.
    pub(super) fn tell_difference(&self, log: &Header, target: &Header) {
        let text = |header: &Header| {
            let constants = constants_of(header).into_iter().map(|(name, value)| format!("{name} = {value}"));
            constants.collect::<Vec<_>>().join(", ")
        };
        let why = if log.constants == target.constants {
            "is of another version of the suite".into()
        } else {
            format!(
                "has {}, and the corpus has {} (`bugornot minimise {} --fresh` takes the log's)",
                text(log),
                text(target),
                self.suite
            )
        };
        warn(self.color, format_args!("a log {}: of it, only inputs are taken, no conditions", escape(&why)));
    }

    /// Says so if decisions are about cells that the suite does not have.
    pub(super) fn tell_unknown(&self, decided: &minimise::Decided) {
        for name in &decided.unknown {
            let name = escape(name);
            warn(self.color, format_args!("there is a decision about `{name}`, and the suite has no such cell"));
        }
    }

    /// Says so if the corpus is about to expect something else of an input that it has.
    pub(super) fn tell_changes(&self, plain: &mut Oracle) -> Result<()> {
        let Some(corpus) = &self.before else { return Ok(()) };
        let header = plain.header().clone();
        let mut changed = 0;
        for input in &corpus.inputs {
            let told = plain.ask(&input.bytes)?;
            let expected = &corpus.manifest.inputs[&input.name];
            // Only what the manifest has seen counts here, not what was decided.
            changed += compare(expected, &Decided::default(), &told.answer, &header).findings.len();
        }
        if changed > 0 {
            warn(
                self.color,
                format_args!(
                    "{} not what the corpus expects; the new corpus will expect what is: `bugornot replay {}` shows them, \
                     and so does a diff",
                    plural(changed as u64, "verdict") + if changed == 1 { " is" } else { " are" },
                    self.suite
                ),
            );
        }
        Ok(())
    }

    /// Says so if the logs have seen verdicts that no input of the corpus shows.
    pub(super) fn tell_missing(&self, read: &[Read], chosen: &Chosen, header: &Header) {
        let mut missing: Vec<String> = Vec::new();
        for read in read.iter().filter(|read| is_about(&read.campaign.header, header)) {
            missing.extend(not_reproduced(&read.cleaned, &chosen.met));
        }
        missing.sort();
        missing.dedup();
        if !missing.is_empty() {
            let more = if missing.len() > NAMED { ", .." } else { "" };
            missing.truncate(NAMED);
            warn(
                self.color,
                format_args!(
                    "no replay shows what the logs have seen: {}{more} (another kind of build, or examples, which have no \
                     bytes)",
                    escape(&missing.join(", "))
                ),
            );
        }
        if chosen.unsteady > 0 {
            let inputs = plural(chosen.unsteady as u64, "input");
            warn(self.color, format_args!("{inputs} left out, with verdicts that change from one replay to the next"));
        }
    }

    /// Says so if decisions cannot be used, or what is expected contradicts them.
    fn tell_decided(&self, manifest: &Manifest) {
        for (cell, decided) in manifest.decisions.faults() {
            let (cell, fault) = (escape(&cell), escape(&decided.fault));
            warn(self.color, format_args!("the decision about {cell} cannot be used: {fault}; decide it again"));
        }
        let wrong = manifest.inputs.values().flat_map(|expected| {
            let is_wrong = |&(function, relation, verdict): &(&str, &str, _)| {
                expected.is_wrong(&manifest.decisions, function, relation, verdict)
            };
            expected.cells().filter(is_wrong)
        });
        if let count @ 1.. = wrong.count() {
            let verdicts = plural(count as u64, "verdict") + if count == 1 { " contradicts" } else { " contradict" };
            warn(self.color, format_args!("{verdicts} what was decided: `bugornot replay {}` is red", self.suite));
        }
    }

    fn manifest(&self, read: &[Read], chosen: &Chosen, header: &Header) -> Manifest {
        let inputs: BTreeMap<String, Expected> =
            chosen.inputs.iter().map(|(input, expected)| (input.name.clone(), expected.clone())).collect();
        let before = self.before.as_ref().map(|before| &before.manifest);
        let mut manifest = Manifest {
            schema: SCHEMA,
            suite: self.suite.to_owned(),
            constants: constants_of(header).into_iter().collect(),
            replayed: Facts::of(header),
            builds: before.map(|before| before.builds.clone()).unwrap_or_default(),
            decisions: Decided { digest: self.digest.clone(), cells: chosen.decided.clone() },
            inputs,
        };
        // Where another campaign has told nothing new, nothing changes.
        if before != Some(&manifest) && !read.is_empty() {
            manifest.builds = read.iter().map(|read| build_of(&read.campaign.header)).collect();
            manifest.builds.sort();
            manifest.builds.dedup();
        }
        manifest
    }

    pub(super) fn save(&self, read: &[Read], chosen: &Chosen, header: &Header) -> Result<Saved> {
        let manifest = self.manifest(read, chosen, header);
        self.tell_decided(&manifest);
        let sum = sum(chosen);
        if self.before.as_ref().is_some_and(|before| before.manifest == manifest && !before.has_leftovers()) {
            return Ok(Saved { sum, place: format!("`{}` is as it was", shown(&self.folder)), is_new: false });
        }
        let inputs: Vec<Kept> = chosen.inputs.iter().map(|(input, _)| input.clone()).collect();
        corpus::save(&self.folder, &manifest, &inputs)
            .with_context(|| format!("failed to write the corpus `{}`", shown(&self.folder)))?;
        Ok(Saved { sum, place: format!("written to `{}`: commit it", shown(&self.folder)), is_new: true })
    }
}

/// What is kept, in words.
fn sum(chosen: &Chosen) -> String {
    let bytes: usize = chosen.inputs.iter().map(|(input, _)| input.bytes.len()).sum();
    let lasting = chosen.met.iter().filter(|obligation| obligation.lasts()).count();
    let edges = match chosen.met.iter().map(Obligation::edges).sum() {
        0 => String::new(),
        edges => format!(" and {}", plural(edges as u64, "edge")),
    };
    let (inputs, obligations) = (plural(chosen.inputs.len() as u64, "input"), plural(lasting as u64, "obligation"));
    let (judged, bytes) = (grouped(chosen.judged as u64), grouped(bytes as u64));
    format!("{inputs} of {judged} judged, {bytes} bytes, keep {obligations}{edges}")
}

fn build_of(header: &Header) -> LogBuild {
    let build = header.build.clone();
    LogBuild {
        engine: build.engine,
        overflow_checks: build.overflow_checks,
        debug_assertions: build.debug_assertions,
        sanitizer: build.sanitizer,
        compiler: build.compiler,
        target: build.target,
        revision: build.revision,
    }
}
