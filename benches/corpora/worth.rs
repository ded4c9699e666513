//! What a corpus is worth before any code is changed: its size, the edges it reaches, the verdicts it shows.

use super::{
    files,
    kept::{Asked, Kept},
    made::Corpus,
    run,
};
use crate::support::SUITES;
use bugornot::log::{Header, Log, Phase, Row};
use std::{collections::BTreeSet, path::Path, process::Command, sync::Arc, time::Instant};

/// Numbers of one corpus.
pub struct Worth {
    pub files: usize,
    pub bytes: u64,
    /// As libFuzzer counts them: the same instrument for all corpora.
    pub edges: u64,
    /// How many verdicts of cells it shows.
    pub verdicts: usize,
    /// What else it keeps.
    pub kept: Kept,
    /// What judging all of it takes.
    pub seconds: f64,
}

impl Worth {
    pub fn new(suite: &str, corpus: &Corpus, asked: &Asked) -> Self {
        let files = files(&corpus.folder);
        let Replayed { header, rows, seconds } = replayed(suite, &corpus.folder);
        Self {
            files: files.len(),
            bytes: files.iter().map(|(_, size)| size).sum(),
            edges: edges(suite, &files.iter().map(|(path, _)| path.as_path()).collect::<Vec<_>>()),
            verdicts: verdicts(&rows),
            kept: asked.kept(&header, &rows),
            seconds,
        }
    }
}

/// The edges that libFuzzer sees, without what bugornot counts as coverage.
fn edges(suite: &str, files: &[&Path]) -> u64 {
    // A folder of inputs and nothing else: the manifest would be one more.
    let place = tempfile::tempdir().expect("a temporary folder");
    for (number, path) in files.iter().enumerate() {
        std::fs::copy(path, place.path().join(number.to_string())).expect("the temporary folder can be written");
    }
    let mut command = Command::new(SUITES.libfuzzer().join(suite));
    command.arg("-runs=0").arg(place.path()).env("BUGORNOT_LOG", "off").env("BUGORNOT_GUIDE", "off");
    let output = run(command.env("BUGORNOT_SEED", "1"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let number = |line: &str| line.split("cov: ").nth(1)?.split(' ').next()?.parse().ok();
    said.lines().rev().find_map(number).expect("libFuzzer says what it covers")
}

/// What a replay shows.
struct Replayed {
    header: Arc<Header>,
    rows: Vec<Row>,
    /// What it takes without a log.
    seconds: f64,
}

fn replayed(suite: &str, folder: &Path) -> Replayed {
    let place = tempfile::tempdir().expect("a temporary folder");
    let target = SUITES.plain().join(suite);
    let replay = |log: &Path| {
        run(Command::new(&target).arg(folder).env("BUGORNOT_LOG", log).env("BUGORNOT_SEED", "1"));
    };
    replay(&place.path().join("log"));
    let begin = Instant::now();
    replay(Path::new("off"));
    let seconds = begin.elapsed().as_secs_f64();
    let log = Log::open(&place.path().join("log")).expect("a replay leaves a log");
    let header = log.segments.first().expect("a log has a segment").header().clone();
    let rows = log.segments.iter().flat_map(|segment| segment.rows().expect("the log is whole"));
    Replayed { header, rows: rows.filter(|row| row.phase == Phase::Replay).collect(), seconds }
}

/// How many verdicts of cells there are.
fn verdicts(rows: &[Row]) -> usize {
    let of_row = |row: &Row| row.verdicts.iter().copied().enumerate().collect::<Vec<_>>();
    let shown = rows.iter().flat_map(of_row).filter_map(|(cell, verdict)| Some((cell, verdict?)));
    shown.collect::<BTreeSet<_>>().len()
}
