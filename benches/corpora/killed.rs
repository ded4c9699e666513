//! Which mutants each corpus kills: one run of `bugornot mutants` for all of them.

use super::{BUGORNOT, case::Case, layout::Layout, made::Made, run};
use crate::measure::quick_or;
use serde_json::Value;
use std::{collections::BTreeSet, process::Command};

/// The numbers of mutants.
pub type Mutants = BTreeSet<usize>;

/// Who kills what.
pub struct Killed {
    pub tested: usize,
    pub ours: Mutants,
    /// Ours with the tests that `bugornot generate` writes.
    pub with_generated: Mutants,
    pub full: Mutants,
    /// By verdicts, and if violations were panics, in the order of the engines.
    pub engines: Vec<(Mutants, Mutants)>,
    /// A hundred random inputs, and cells whose rule is exact.
    pub paper: Mutants,
    /// Whatever anybody kills.
    pub any: Mutants,
    /// All mutants, in words.
    pub names: Vec<String>,
}

impl Killed {
    pub fn new(case: &Case, layout: &Layout, made: &Made) -> Self {
        run(&mut layout.bugornot(&["generate", layout.suite]));
        let report = report(case, layout, made);
        let mutants = report["mutants"].as_array().expect("the report has mutants");
        let such = |is_such: &dyn Fn(&Value) -> bool| -> Mutants {
            mutants.iter().enumerate().filter(|(_, mutant)| is_such(mutant)).map(|(number, _)| number).collect()
        };
        let by = |set: usize| such(&|mutant| mutant["inputs"][set]["killed"] == true);
        let crashed = |set: usize| such(&|mutant| mutant["inputs"][set]["crashed"] == true);
        let exact = exact_cells(layout);
        let has_rule = |mutant: &Value| {
            let cells = mutant["inputs"][RANDOM]["cells"].as_array();
            cells.is_some_and(|cells| cells.iter().any(|cell| exact.contains(cell)))
        };
        let generated = such(&|mutant| mutant["generated_tests"] == true);
        let engines = (0..made.engines.len()).map(|engine| (by(FIRST_ENGINE + engine), crashed(FIRST_ENGINE + engine)));
        let sets = FIRST_ENGINE + made.engines.len();
        let mut any: Mutants = (0..sets).flat_map(by).collect();
        any.extend(&generated);
        Self {
            tested: mutants.len(),
            ours: by(0),
            with_generated: by(0).union(&generated).copied().collect(),
            full: by(FULL),
            engines: engines.collect(),
            paper: such(&|mutant| has_rule(mutant)),
            any,
            names: mutants.iter().map(name).collect(),
        }
    }
}

fn name(mutant: &Value) -> String {
    let place = ["file", "line", "column"].map(|part| mutant[part].to_string()).join(":").replace('"', "");
    format!("{place}: {}", mutant["change"].as_str().unwrap_or_default())
}

/// The positions of the sets of inputs, behind the committed corpus.
const FULL: usize = 1;
const RANDOM: usize = 3;
const FIRST_ENGINE: usize = 4;

fn report(case: &Case, layout: &Layout, made: &Made) -> Value {
    let mut command = layout.bugornot(&["mutants", layout.suite, "--format", "json", "--no-own-tests"]);
    for corpus in [&made.full, &made.fresh, &made.random].into_iter().chain(&made.engines) {
        command.arg("--inputs").arg(&corpus.folder);
    }
    let shards = listed(case, layout).div_ceil(quick_or(4, 40)).max(1);
    command.arg("--").args(filters(case)).args(["--sharding", "round-robin", "--shard", &format!("0/{shards}")]);
    let output = run(&mut command);
    serde_json::from_slice(&output.stdout).expect("the report is JSON")
}

fn filters(case: &Case) -> Vec<String> {
    let files = case.files.iter().flat_map(|file| ["--file".into(), (*file).to_owned()]);
    files.chain(["--re".into(), case.mutants.into()]).collect()
}

/// How many mutants there are to choose from.
fn listed(case: &Case, layout: &Layout) -> usize {
    let folder = layout.path(if case.package.is_some() { "" } else { "fuzz" });
    let mut command = Command::new("cargo");
    let output = run(command.args(["mutants", "--list", "--dir"]).arg(folder).args(filters(case)));
    String::from_utf8_lossy(&output.stdout).lines().count()
}

/// The cells whose rule a tester would take: never or always violated, or under an exact condition.
fn exact_cells(layout: &Layout) -> Vec<Value> {
    let log = layout.path("fuzz/verdicts").join(layout.suite);
    let mut command = Command::new(BUGORNOT);
    let output = command.args(["report", "--format", "json", "--no-shrink"]).arg(log).output();
    let output = output.expect("the binary was built");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let is_exact = |cell: &&Value| match cell["explained"].as_str() {
        Some("always" | "never") => true,
        Some("condition") => cell["condition"]["exact"] == true,
        _ => false,
    };
    let cells = report["cells"].as_array().expect("the report has cells").iter().filter(is_exact);
    cells.map(|cell| serde_json::json!([cell["function"], cell["relation"]])).collect()
}
