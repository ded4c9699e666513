//! Cells with known truth, from the log alone: the report has to find the truth, and to write it as Rust that says the
//! same for many times as many inputs that it has not seen.

#[path = "truth/mod.rs"]
mod cells;

use bugornot::{
    Input, Suite,
    engine::{Execute, Settings, Target},
};
use cells::{
    cell::{Cell, Expected, Family, Random, scramble},
    floats, lists, numbers, orders, pairs, texts,
};
use serde_json::Value;
use std::{
    fmt::{Debug, Write},
    fs,
    path::Path,
    process::Command,
};

#[test]
fn conditions_are_the_truth_and_valid_rust() {
    let folder = tempfile::tempdir().unwrap();
    let mut checks = String::new();
    let mut wrong = Vec::new();
    let mut look = |(found, code): (Vec<String>, String)| {
        wrong.extend(found);
        checks.push_str(&code);
    };
    look(explained(&pairs::FAMILY, folder.path()));
    look(explained(&numbers::FAMILY, folder.path()));
    look(explained(&texts::FAMILY, folder.path()));
    look(explained(&lists::FAMILY, folder.path()));
    look(explained(&floats::FAMILY, folder.path()));
    look(explained(&orders::FAMILY, folder.path()));
    wrong.extend(run(&checks, folder.path()).lines().map(str::to_owned));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the report gets wrong about a family's cells, and Rust that checks the conditions it prints.
fn explained<In: Input + Debug>(family: &Family<In>, folder: &Path) -> (Vec<String>, String) {
    let log = folder.join(family.name);
    write_log(family, &log);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
    let output = command.arg("report").arg(&log).args(["--format", "json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (mut wrong, mut code) = (Vec::new(), String::new());
    for (number, (cell, found)) in family.cells().zip(report["cells"].as_array().unwrap()).enumerate() {
        let condition = &found["condition"];
        let is_condition = found["explained"] == "condition";
        let is_as_short = |most: u64| is_condition && condition["literals"].as_u64().unwrap() <= most;
        let is_right = match cell.expected {
            Expected::Nothing => !is_condition,
            Expected::Exact(most) => is_as_short(most) && condition["exact"] == true,
            Expected::Noisy(most) => is_as_short(most) && condition["exact"] == false,
        };
        if !is_right {
            wrong.push(format!("{} x {}: {} {condition}", family.name, cell.name, found["explained"]));
        } else if is_condition {
            let Family { name, pattern, widen, .. } = family;
            let condition = condition["violated_when"].as_str().unwrap();
            writeln!(code, "check(&{name}::FAMILY, {number}, |{pattern}| {{ {widen} {condition} }});").unwrap();
        }
    }
    (wrong, code)
}

/// A log in which each cell of a family is a relation.
fn write_log<In: Input + Debug>(family: &Family<In>, log: &Path) {
    let mut random = Random(1);
    let inputs: Vec<In> = (0..family.logged).map(|_| (family.draw)(&mut random)).collect();
    let declare = |suite: &mut Suite<In, bool>| {
        suite.function("f", |_| true);
        for (number, &Cell { name, truth, expected }) in family.cells().enumerate() {
            let is_flipped = move |input: &In| {
                let text = format!("{number} {input:?}");
                matches!(expected, Expected::Noisy(_)) && scramble(text.bytes().map(i64::from)).is_multiple_of(100)
            };
            let holds = move |input: &In| truth(input) == is_flipped(input);
            suite.judge(name, |input, _| input.clone(), move |check| holds(check.input));
        }
        suite.examples(inputs);
    };
    let settings = Settings::new(Some(log.to_owned()), 1);
    Target::new(family.name, declare, settings, &bugornot::__facts!()).unwrap().begin();
}

/// Compiles the checks and says what they print.
fn run(checks: &str, folder: &Path) -> String {
    let cells = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth/mod.rs");
    // Of all that is brought in, some checks use little.
    let program = format!(
        "#![allow(unused)]
        #[path = {cells:?}]
        mod cells;
        use cells::{{check::check, floats::{{self, *}}, lists::{{self, *}}, numbers::{{self, *}}, orders::{{self, *}},
            pairs::{{self, *}}, texts::{{self, *}}}};
        fn main() {{
            {checks}
        }}"
    );
    let (source, binary) = (folder.join("checks.rs"), folder.join("checks"));
    fs::write(&source, program).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    let command = command.args(["--edition=2024", "-Copt-level=2", "--cfg=plain"]).arg(&source).arg("-o").arg(&binary);
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{checks}\n{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(binary).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
