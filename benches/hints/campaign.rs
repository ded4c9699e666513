//! One campaign per version, and what `bugornot` says of its log.

use super::{
    record::{NamedRegion, Record},
    subject::{Kind, Subject, Version, manifest, region_counts, truth},
};
use crate::support::TRUTH;
use bugornot::log::Log;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const BUGORNOT: &str = env!("CARGO_BIN_EXE_bugornot");
/// How often a campaign goes on after its process died.
const RESTARTS: u64 = 5;
/// What the package calls the relation that is violated just in the region of a bug.
const REGION: &str = "outside the region";
/// Where the package switches between versions.
const SWITCH: &str = "benches/truth/src/version.rs";
/// How many lines may be looked at.
const TOP: usize = 5;

/// A version's campaign.
pub struct Campaign<'bench> {
    pub subject: &'bench Subject,
    pub version: &'bench Version,
    /// Where all campaigns of this bench are.
    pub place: &'bench Path,
    pub executions: u64,
    /// Whether regions and lines are asked for as well, which takes most of the time.
    pub is_whole: bool,
}

impl Campaign<'_> {
    fn folder(&self, version: u64, what: &str) -> PathBuf {
        self.place.join(&self.subject.name).join(version.to_string()).join(what)
    }

    fn log(&self) -> PathBuf {
        self.folder(self.version.number, "log")
    }

    /// The log of a campaign in which one more relation is violated just in the region of the bug.
    fn region_log(&self) -> PathBuf {
        self.folder(self.version.number, "region-log")
    }

    /// Fuzzes, with what was found in the original as first inputs, as a project would.
    pub fn fuzz(&self) {
        self.fuzz_into(&self.log(), &[]);
        if self.asks_for_region() {
            self.fuzz_into(&self.region_log(), &[("TRUTH_REGION", "1")]);
        }
    }

    fn asks_for_region(&self) -> bool {
        self.is_whole && self.version.kind == Kind::Regional
    }

    fn fuzz_into(&self, log: &Path, environment: &[(&str, &str)]) {
        for restart in 0..=RESTARTS {
            let left = self.executions.saturating_sub(executions(log));
            if left == 0 || self.fuzz_once(left, 1 + restart, log, environment) {
                return;
            }
        }
    }

    /// Whether the process came to its end.
    fn fuzz_once(&self, executions: u64, seed: u64, log: &Path, environment: &[(&str, &str)]) -> bool {
        let corpus = self.folder(self.version.number, "corpus");
        std::fs::create_dir_all(&corpus).expect("the temporary folder can be written");
        let mut command = Command::new(TRUTH.libfuzzer().join(&self.subject.name));
        command.arg(format!("-runs={executions}")).arg(format!("-seed={seed}")).arg("-timeout=10");
        command.arg(format!("-artifact_prefix={}/", self.folder(self.version.number, "").display()));
        command.arg(corpus);
        if self.version.kind != Kind::Original {
            command.arg(self.folder(0, "corpus"));
        }
        command.env("TRUTH_VERSION", self.version.number.to_string());
        command.env("BUGORNOT_LOG", log).env("BUGORNOT_SEED", "1").envs(environment.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("the target was built").success()
    }

    /// What the analyser says, beside the truth, for every cell.
    pub fn records(&self) -> Vec<Record> {
        let truth = truth(self.subject, self.version, &self.log());
        let report = report(Command::new(BUGORNOT).arg("report").arg(self.log()));
        let anchored = (self.version.kind != Kind::Original).then(|| self.report_against_original());
        let cells = truth["cells"].as_array().expect("the truth has cells");
        let mut records: Vec<Record> = cells
            .iter()
            .map(|cell| Record::new(self.subject, self.version, &truth, cell, &report, anchored.as_ref()))
            .collect();
        if self.asks_for_region() {
            let can_be_said = self.region_can_be_said();
            for record in records.iter_mut().filter(|record| record.is_bug()) {
                record.can_be_said = can_be_said;
                record.named = record.region_text().map(|text| {
                    let counts = region_counts(self.subject, self.version, &self.log(), &text);
                    NamedRegion::new(text, counts)
                });
                self.locate(record);
            }
        }
        records
    }

    /// The report with the original's log as anchor, in the folder of the fuzz crate, as a project would ask for it: what
    /// the logs leave open, the code at hand decides.
    fn report_against_original(&self) -> Value {
        let mut command = Command::new(BUGORNOT);
        command.arg("report").arg(self.log()).arg("--against").arg(self.folder(0, "log"));
        command.env("TRUTH_VERSION", self.version.number.to_string());
        report(command.current_dir(manifest().parent().expect("a manifest is in a folder")))
    }

    /// Whether the report finds a condition for the region where every row shows it: in a relation that is violated just
    /// there, or because the function panics there.
    fn region_can_be_said(&self) -> bool {
        let report = report(Command::new(BUGORNOT).arg("report").arg(self.region_log()));
        let cells = report["cells"].as_array().expect("a report has cells");
        cells.iter().any(|cell| {
            let condition = &cell["condition"];
            let is_condition = condition["exact"] == true && condition["over"] == "inputs";
            let is_panics = cell["region"]["of"] == "panics" && cell["region"]["exact"] == true;
            cell["relation"] == REGION && is_condition || is_panics
        })
    }

    /// Looks for the line of the bug in what `locate` says of a cell, if it says anything.
    fn locate(&self, record: &mut Record) {
        let cell = format!("{}:{}", record.function, record.relation);
        let mut command = Command::new(BUGORNOT);
        command.args(["locate", &cell, "--format", "json", "--manifest-path"]).arg(manifest()).arg(self.log());
        command.env("TRUTH_VERSION", self.version.number.to_string()).stdin(Stdio::null());
        let answer = command.output().expect("the binary was built");
        let answer: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
        let is_here = |place: &Value| {
            let file = place["file"].as_str().unwrap_or_default();
            file.ends_with(&self.subject.file) && place["line"].as_u64() == self.version.line
        };
        // In the order in which they are shown; what switches the versions is in no real program.
        let lines =
            ["panics", "panic_places", "places"].into_iter().filter_map(|kind| answer[kind].as_array()).flatten();
        let is_switch = |place: &&Value| place["file"].as_str().is_some_and(|file| file.ends_with(SWITCH));
        let mut first = lines.filter(|place| !is_switch(place)).take(TOP);
        record.located = answer["schema"].is_u64().then(|| first.any(is_here));
    }
}

fn executions(log: &Path) -> u64 {
    let Ok(log) = Log::open(log) else { return 0 };
    let totals = log.segments.iter().filter_map(|segment| segment.totals());
    totals.map(|totals| totals.executions + totals.rejected).sum()
}

fn report(command: &mut Command) -> Value {
    let output = command.args(["--format", "json"]).stdin(Stdio::null()).output().expect("the binary was built");
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}\n{told}"))
}
