//! One campaign, and the corpora that are made from it.

use super::{BUGORNOT, layout::Layout, run};
use crate::{
    measure::quick_or,
    support::{SUITES, skip::has},
};
use bugornot::log::{Log, Phase};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// A corpus.
pub struct Corpus {
    pub name: &'static str,
    pub folder: PathBuf,
    /// What making it took.
    pub seconds: Option<f64>,
    /// Whether ours may not be larger.
    pub is_rival: bool,
}

/// The corpora of a suite.
pub struct Made {
    pub ours: Corpus,
    /// All that libFuzzer kept in the campaign.
    pub full: Corpus,
    /// What the engines' own minimisers leave of that.
    pub engines: Vec<Corpus>,
    /// Inputs of another campaign.
    pub fresh: Corpus,
    /// A hundred inputs, drawn uniformly.
    pub random: Corpus,
}

impl Made {
    pub fn new(layout: &Layout) -> Self {
        let (full, log) =
            (layout.path("fuzz/corpus").join(layout.suite), layout.path("fuzz/verdicts").join(layout.suite));
        campaign(layout.suite, 1, &full, &log);
        decide(layout, &log);
        let minimise = || run(&mut layout.bugornot(&["minimise", layout.suite, "--fresh"]));
        // The first time, targets are built.
        minimise();
        let begin = Instant::now();
        minimise();
        let ours = corpus("ours", layout.path("corpus").join(layout.suite), Some(begin));
        let mut engines = Vec::new();
        for guide in [&ON, &OFF] {
            engines.push(merge(layout, &full, guide));
            engines.extend(afl_cmin(layout, &full, guide));
        }
        let (other, other_log) = (layout.path("other"), layout.path("other-log"));
        campaign(layout.suite, 2, &other, &other_log);
        let fresh = corpus("fresh", layout.path("fresh"), None);
        write(&fresh.folder, inputs(&other_log, |phase| phase == Phase::Fuzz), quick_or(100, 1000));
        let random = corpus("100 random", layout.path("random"), None);
        write(&random.folder, uniform(layout, 100), 100);
        Self { ours, full: corpus("all of the campaign", full, None), engines, fresh, random }
    }

    /// All corpora that are compared by size.
    pub fn sized(&self) -> impl Iterator<Item = &Corpus> {
        [&self.full, &self.ours].into_iter().chain(&self.engines)
    }
}

fn corpus(name: &'static str, folder: PathBuf, begin: Option<Instant>) -> Corpus {
    Corpus { name, folder, seconds: begin.map(|begin| begin.elapsed().as_secs_f64()), is_rival: false }
}

/// Runs libFuzzer with a pinned seed, and the constants that a seed gives.
fn campaign(suite: &str, seed: u32, corpus: &Path, log: &Path) {
    fs::create_dir_all(corpus).expect("the temporary folder can be written");
    let mut command = Command::new(SUITES.libfuzzer().join(suite));
    command.arg(format!("-runs={}", quick_or(5_000, 200_000))).arg(format!("-seed={seed}")).arg(corpus);
    run(command.env("BUGORNOT_LOG", log).env("BUGORNOT_SEED", "1"));
}

/// Accepts what the report explains, as a tester would who believes every hint.
fn decide(layout: &Layout, log: &Path) {
    let mut command = Command::new(BUGORNOT);
    command.args(["decide", "--explained", "--log"]).arg(log).arg("--corpus");
    run(command.arg(layout.path("corpus").join(layout.suite)));
}

/// Whether verdicts count as coverage, as they do by default: without, the engines see nothing but code.
struct Guide {
    setting: &'static str,
    merge: &'static str,
    cmin: &'static str,
}

impl Guide {
    fn is_usual(&self) -> bool {
        self.setting == ON.setting
    }
}

const ON: Guide = Guide { setting: "on", merge: "libFuzzer -merge=1", cmin: "afl-cmin" };
const OFF: Guide = Guide { setting: "off", merge: "libFuzzer -merge=1, no guide", cmin: "afl-cmin, no guide" };

/// What `cargo fuzz cmin` does.
fn merge(layout: &Layout, full: &Path, guide: &Guide) -> Corpus {
    let folder = layout.path(&format!("merge-{}", guide.setting));
    fs::create_dir(&folder).expect("the temporary folder can be written");
    let begin = Instant::now();
    let mut command = Command::new(SUITES.libfuzzer().join(layout.suite));
    command.arg("-merge=1").args([&folder, full]);
    run(command.env("BUGORNOT_LOG", "off").env("BUGORNOT_GUIDE", guide.setting).env("BUGORNOT_SEED", "1"));
    Corpus { is_rival: guide.is_usual(), ..corpus(guide.merge, folder, Some(begin)) }
}

/// What afl-cmin leaves, if it is here. The script that `cargo afl cmin` runs keeps nothing of such targets.
fn afl_cmin(layout: &Layout, full: &Path, guide: &Guide) -> Option<Corpus> {
    let tools = has("afl").then(afl_tools).flatten()?;
    let folder = layout.path(&format!("afl-cmin-{}", guide.setting));
    let target = SUITES.afl().join(layout.suite);
    let begin = Instant::now();
    let mut command = Command::new(tools.join("afl-cmin.bash"));
    command.arg("-i").arg(full).arg("-o").arg(&folder).arg("--").arg(target);
    command.env("AFL_PATH", &tools).env("BUGORNOT_LOG", "off").env("AFL_ALLOW_TMP", "1");
    command.env("BUGORNOT_GUIDE", guide.setting).env("BUGORNOT_SEED", "1");
    let path = env::join_paths([tools.clone()].into_iter().chain(env::split_paths(&env::var_os("PATH")?))).ok()?;
    run(command.env("PATH", path).current_dir(layout.path("")));
    Some(Corpus { is_rival: guide.is_usual(), ..corpus(guide.cmin, folder, Some(begin)) })
}

/// The folder of AFL++'s programs, where cargo-afl builds them.
pub fn afl_tools() -> Option<PathBuf> {
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.or_else(|| Some(env::home_dir()?.join(".local/share")))?.join("afl.rs");
    let below = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let versions = below(&data).into_iter().flat_map(|compiler| below(&compiler));
    versions.map(|version| version.join("afl/bin")).find(|tools| tools.join("afl-cmin.bash").is_file())
}

/// Inputs that the built-in engine draws uniformly.
fn uniform(layout: &Layout, count: usize) -> BTreeSet<Vec<u8>> {
    let log = layout.path("uniform-log");
    let mut command = Command::new(SUITES.plain().join(layout.suite));
    command.args(["--fuzz", "--runs", "1", "--seed", "3", "--uniform", &count.to_string()]);
    run(command.env("BUGORNOT_LOG", &log).env("BUGORNOT_SEED", "1"));
    inputs(&log, |phase| phase == Phase::Uniform)
}

/// The inputs of a log, each once.
fn inputs(log: &Path, is_wanted: impl Fn(Phase) -> bool) -> BTreeSet<Vec<u8>> {
    let log = Log::open(log).expect("a campaign leaves a log");
    let rows = log.segments.iter().flat_map(|segment| segment.rows().expect("the log is whole"));
    rows.filter(|row| is_wanted(row.phase)).map(|row| row.bytes).collect()
}

/// Writes at most so many inputs, evenly chosen.
fn write(folder: &Path, inputs: BTreeSet<Vec<u8>>, most: usize) {
    fs::create_dir(folder).expect("the temporary folder can be written");
    let step = inputs.len().div_ceil(most).max(1);
    for (number, bytes) in inputs.iter().step_by(step).enumerate() {
        fs::write(folder.join(format!("{number:06}")), bytes).expect("the temporary folder can be written");
    }
}
