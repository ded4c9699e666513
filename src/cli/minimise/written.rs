//! What comes of it: warnings, the manifest, and the files.

use super::{
    Work,
    read::{Read, constants_of},
};
use crate::{
    cli::{
        oracle::Oracle,
        print,
        terminal::{escape, grouped, plural, shown, warn},
    },
    corpus::{self, Corpus, Expected, Facts, Kept, LogBuild, Manifest, SCHEMA},
    log::Header,
    minimise::{Chosen, is_about, not_reproduced},
    replay::compare,
};
use anyhow::{Context, Result};
use std::collections::BTreeMap;

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
            format!("has {}, and the corpus has {} (`--fresh` takes the log's)", text(log), text(target))
        };
        warn(self.color, format_args!("a log {}: of it, only inputs are taken, no conditions", escape(&why)));
    }

    /// Says so if the corpus is about to expect something else of an input that it has.
    pub(super) fn tell_changes(&self, plain: &mut Oracle) -> Result<()> {
        let Some(corpus) = &self.before else { return Ok(()) };
        let header = plain.header().clone();
        let mut changed = 0;
        for input in &corpus.inputs {
            let told = plain.ask(&input.bytes)?;
            changed += compare(&corpus.manifest.inputs[&input.name], &told.answer, &header).findings.len();
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
    pub(super) fn tell_missing(&self, read: &Read, chosen: &Chosen, header: &Header) {
        let mut missing: Vec<String> = Vec::new();
        for (_, cleaned) in read.campaigns.iter().filter(|(campaign, _)| is_about(&campaign.header, header)) {
            missing.extend(not_reproduced(cleaned, &chosen.met));
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

    pub(super) fn save(&self, read: &Read, chosen: &Chosen, header: &Header) -> Result<()> {
        let manifest = manifest(self.suite, read, chosen, header, self.before.as_ref());
        let bytes: usize = chosen.inputs.iter().map(|(input, _)| input.bytes.len()).sum();
        let lasting = chosen.met.iter().filter(|obligation| obligation.lasts()).count();
        let sum = format!(
            "{}: {} of {} judged, {} bytes, keep {} obligations and {} edges",
            self.suite,
            plural(chosen.inputs.len() as u64, "input"),
            grouped(chosen.judged as u64),
            grouped(bytes as u64),
            grouped(lasting as u64),
            grouped((chosen.met.len() - lasting) as u64),
        );
        if self.before.as_ref().is_some_and(|before| before.manifest == manifest && !before.has_leftovers()) {
            return print(&format!("{sum}\n`{}` is as it was\n", shown(&self.folder)));
        }
        let inputs: Vec<Kept> = chosen.inputs.iter().map(|(input, _)| input.clone()).collect();
        corpus::save(&self.folder, &manifest, &inputs)
            .with_context(|| format!("failed to write the corpus `{}`", shown(&self.folder)))?;
        print(&format!(
            "{sum}\nwritten to `{}`, with what is expected in `{}`: commit both\nnext: bugornot replay {}\n",
            shown(&self.folder),
            shown(&corpus::manifest_of(&self.folder)),
            self.suite
        ))
    }
}

fn manifest(suite: &str, read: &Read, chosen: &Chosen, header: &Header, before: Option<&Corpus>) -> Manifest {
    let mut builds: Vec<LogBuild> = read.campaigns.iter().map(|(campaign, _)| build_of(&campaign.header)).collect();
    if builds.is_empty() {
        builds.extend(before.iter().flat_map(|before| before.manifest.builds.clone()));
    }
    builds.sort();
    builds.dedup();
    let inputs: BTreeMap<String, Expected> =
        chosen.inputs.iter().map(|(input, expected)| (input.name.clone(), expected.clone())).collect();
    Manifest {
        schema: SCHEMA,
        suite: suite.to_owned(),
        constants: constants_of(header).into_iter().collect(),
        replayed: Facts::of(header),
        builds,
        inputs,
    }
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
