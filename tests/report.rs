//! `bugornot report`: from a log to conditions, as JSON, text and CSV.

#[path = "report/odd.rs"]
mod odd;

use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

fn bugornot(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
    command.args(arguments).current_dir(folder).env_remove("BUGORNOT_LOG").env("NO_COLOR", "1").output().unwrap()
}

/// The paper's grid: the verdicts of its relations on three functions, for all pairs of digits.
fn grid(k: i64) -> String {
    type Function = fn(i64, i64) -> i64;
    let functions: [(&str, Function); 3] = [("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a * b)];
    let mut table = "function,a,b,MR1,MR2,MR3,MR4\n".to_owned();
    for a in 0..10 {
        for b in 0..10 {
            for (name, f) in functions {
                let held = [
                    f(b, a) == f(a, b),
                    f(a * k, b * k) > f(a, b),
                    f(a + k, b + k) == f(a, b),
                    f(a - k, b - k) == f(a, b),
                ];
                let words = held.map(|held| if held { "held" } else { "violated" });
                writeln!(table, "{name},{a},{b},{}", words.join(",")).unwrap();
            }
        }
    }
    table
}

/// A folder with a log of the grid.
fn log_of_the_grid() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("grid.csv"), grid(6)).unwrap();
    let import = "import --csv grid.csv --suite calculator --function-column function --inputs a,b \
                  --verdicts MR1,MR2,MR3,MR4 --constant k=6 --into log";
    let arguments: Vec<&str> = import.split_whitespace().collect();
    let output = bugornot(&arguments, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn json(folder: &Path) -> Value {
    let output = bugornot(&["report", "log", "--format", "json"], folder);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_papers_grid_gives_its_percentages_and_exact_conditions() {
    let folder = log_of_the_grid();
    let report = json(folder.path());
    assert_eq!((&report["schema"], &report["suite"]), (&1.into(), &"calculator".into()));
    assert_eq!(report["constants"]["k"], 6);
    assert_eq!(report["rows"]["kept"], 100);
    let expected = [
        ("add", "MR1", 0.0, "false"),
        ("add", "MR2", 1.0, "a + b == 0"),
        ("add", "MR3", 100.0, "true"),
        ("add", "MR4", 100.0, "true"),
        ("sub", "MR1", 90.0, "a != b"),
        ("sub", "MR2", 55.0, "a <= b"),
        ("sub", "MR3", 0.0, "false"),
        ("sub", "MR4", 0.0, "false"),
        ("mul", "MR1", 0.0, "false"),
        ("mul", "MR2", 19.0, "a * b == 0"),
        ("mul", "MR3", 100.0, "true"),
        ("mul", "MR4", 93.0, "a + b != 6"),
    ];
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), expected.len());
    for (cell, (function, relation, percent, condition)) in cells.iter().zip(expected) {
        assert_eq!((&cell["function"], &cell["relation"]), (&function.into(), &relation.into()));
        assert_eq!(cell["violated_percent"], percent, "{function} x {relation}");
        assert_eq!(cell["condition"]["violated_when"], condition, "{function} x {relation}");
        assert_eq!(cell["condition"]["exact"], true, "{function} x {relation}");
    }
    assert_eq!(cells[11]["condition"]["named"], "a + b != k");
    assert_eq!(cells[5]["samples"]["violated"].as_array().unwrap().len(), 3);
    let interval = cells[5]["interval"].as_array().unwrap();
    assert!((interval[0].as_f64().unwrap() - 44.7).abs() < 0.05 && (interval[1].as_f64().unwrap() - 65.0).abs() < 0.05);
    let rule = &cells[5]["rules"][0];
    assert_eq!((&rule["support"], &rule["confidence"], &rule["rows"]), (&0.55.into(), &1.0.into(), &55.into()));
    assert_eq!(rule["conviction"], Value::Null);
}

#[test]
fn the_same_log_gives_the_same_report_byte_for_byte() {
    let folder = log_of_the_grid();
    for format in ["text", "json", "csv"] {
        let report = || bugornot(&["report", "log", "--format", format], folder.path());
        let (one, other) = (report(), report());
        assert_eq!(one.status.code(), Some(0));
        assert_eq!(one.stdout, other.stdout, "{format}");
        let text = String::from_utf8(one.stdout).unwrap();
        assert!(format != "text" || text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn the_exhaustive_miner_finds_the_papers_rules() {
    let folder = log_of_the_grid();
    let arguments = ["report", "log", "--miner", "apriori", "--format", "csv"];
    let output = bugornot(&arguments, folder.path());
    let text = String::from_utf8(output.stdout).unwrap();
    for rule in ["sub,MR2,a <= b,violated,0.55,1,", "sub,MR1,a == b,held,0.1,1,10,,10", "sub,MR2,a > b,held,0.45,1,"] {
        assert!(text.contains(rule), "{rule}\n{text}");
    }
}

#[test]
fn a_report_ends_with_a_summary_and_the_next_command() {
    let folder = log_of_the_grid();
    let text = String::from_utf8(bugornot(&["report", "log"], folder.path()).stdout).unwrap();
    let summary = "\n12 cells: 4 never violated, 3 always violated, 5 under an exact condition\n\
                   12 hints: 4 fits, 3 does-not-apply, 5 not-a-bug\n\
                   next: bugornot review log\n      asks you what the violations are\n";
    assert!(text.ends_with(summary), "{text}");
}

#[test]
fn a_report_can_go_to_a_file() {
    let folder = log_of_the_grid();
    let output = bugornot(&["report", "log", "--format", "json", "--out", "report.json"], folder.path());
    assert!(output.status.success() && output.stdout.is_empty());
    let written: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(written, json(folder.path()));
}

#[test]
fn violations_that_nothing_explains_are_inconclusive() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "a,b,MR1\n".to_owned();
    for row in 0u64..400 {
        let (a, b) = (row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40, row.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40);
        let verdict = if (row * row * 7 + row) % 11 < 5 { "violated" } else { "held" };
        writeln!(table, "{a},{b},{verdict}").unwrap();
    }
    fs::write(folder.path().join("noise.csv"), table).unwrap();
    let import = "import --csv noise.csv --suite noise --function f --inputs a,b --verdicts MR1 --into log";
    assert!(bugornot(&import.split_whitespace().collect::<Vec<_>>(), folder.path()).status.success());
    let output = bugornot(&["report", "log", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cells"][0]["explained"], "inconclusive");
}

#[test]
fn exceptions_to_a_condition_are_counted_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "a,b,MR1\n".to_owned();
    for row in 0..1600 {
        let (a, b) = (row % 40, row / 40);
        let is_flipped = (a, b) == (3, 30) || (a, b) == (39, 1);
        let verdict = if (a < b) != is_flipped { "violated" } else { "held" };
        writeln!(table, "{a},{b},{verdict}").unwrap();
    }
    import(folder.path(), "a,b", table);
    let condition = json(folder.path())["cells"][0]["condition"].clone();
    assert_eq!(
        (&condition["violated_when"], &condition["unexplained"], &condition["false_alarms"], &condition["exact"]),
        (&"a < b".into(), &1.into(), &1.into(), &false.into())
    );
    let listed = condition["exceptions"].as_array().unwrap();
    let listed: Vec<_> = listed.iter().map(|row| (row["input"]["a"].as_i64(), row["verdict"].as_str())).collect();
    assert_eq!(listed.len(), 2);
    assert!(listed.contains(&(Some(3), Some("held"))) && listed.contains(&(Some(39), Some("violated"))), "{listed:?}");
    let text = String::from_utf8(bugornot(&["report", "log"], folder.path()).stdout).unwrap();
    assert!(text.contains("among the exceptions:") && text.contains("held     a = 3, b = 30"), "{text}");
}

/// Imports a table of one relation, `MR1`, over these inputs.
fn import(folder: &Path, inputs: &str, table: String) {
    fs::write(folder.join("table.csv"), table).unwrap();
    let import = format!("import --csv table.csv --suite s --function f --inputs {inputs} --verdicts MR1 --into log");
    assert!(bugornot(&import.split_whitespace().collect::<Vec<_>>(), folder).status.success());
}

#[test]
fn few_exceptions_are_left_out_by_one_more_literal_if_the_log_shows_that_it_is_no_chance() {
    let table = |rows: u64| {
        let mut table = "hours,minutes,nanos,MR1\n".to_owned();
        for row in 0..rows {
            let mixed = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let hours = if mixed.is_multiple_of(10) { 0 } else { mixed % 23 + 1 };
            let minutes = if hours == 0 && (mixed >> 8).is_multiple_of(2) { 0 } else { (mixed >> 16) % 60 };
            let verdict = if hours + minutes == 0 { "violated" } else { "held" };
            writeln!(table, "{hours},{minutes},{},{verdict}", 2 * row + 2).unwrap();
        }
        // Of all that is violated otherwise, these are the only ones without nanoseconds.
        table + "0,0,0,held\n0,0,-1,held\n"
    };
    let condition = |rows: u64| {
        let folder = tempfile::tempdir().unwrap();
        import(folder.path(), "hours,minutes,nanos", table(rows));
        let cell = json(folder.path())["cells"][0].clone();
        (cell["condition"]["violated_when"].clone(), cell["condition"]["exact"].clone(), cell["rules"].clone())
    };
    let (when, is_exact, rules) = condition(20_000);
    assert_eq!((when, is_exact), ("hours + minutes == 0 && nanos > 0".into(), true.into()));
    assert_eq!((&rules[0]["confidence"], &rules[0]["when"][1]), (&1.0.into(), &"nanos > 0".into()), "{rules:#}");
    // Too few rows to tell it from chance.
    let (when, is_exact, _) = condition(1_000);
    assert_eq!((when, is_exact), ("hours + minutes == 0".into(), false.into()));
}

#[test]
fn a_cell_that_panics_is_not_listed_as_never_violated() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..100).map(|a| format!("{a},{}\n", if a % 10 == 3 { "source-panicked" } else { "held" }));
    import(folder.path(), "a", format!("a,MR1\n{}", rows.collect::<String>()));
    let text = String::from_utf8(bugornot(&["report", "log"], folder.path()).stdout).unwrap();
    assert!(!text.contains("never violated: ") && text.contains("1 cell: 1 wrong otherwise"), "{text}");
}

#[test]
fn what_is_no_log_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("above/one")).unwrap();
    fs::write(folder.path().join("above/one/log.verdicts"), "no log").unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("file.bnb"), "no log").unwrap();
    for (arguments, told) in [
        (&["report", "missing/log"][..], "missing/log"),
        (&["report", "empty"][..], "empty"),
        (
            &["report", "above"][..],
            "`above` holds no segment (`*.verdicts`) itself: name a folder that does, `above/one`",
        ),
        (&["report", "file.bnb"][..], "file.bnb"),
        (&["report", "empty", "--memory", "lots"][..], "lots"),
    ] {
        let output = bugornot(arguments, folder.path());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(told) && text.starts_with("error:"), "{text}");
    }
}

#[test]
fn a_log_with_more_inputs_than_the_working_set_has_estimates_in_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "a,MR1\n".to_owned();
    for a in -200..40_000 {
        writeln!(table, "{a},{}", if a < 0 { "violated" } else { "held" }).unwrap();
    }
    fs::write(folder.path().join("large.csv"), table).unwrap();
    let import = "import --csv large.csv --suite large --function f --inputs a --verdicts MR1 --into log";
    assert!(bugornot(&import.split(' ').collect::<Vec<_>>(), folder.path()).status.success());
    let report = json(folder.path());
    let rule = &report["cells"][0]["rules"][0];
    assert_eq!((&rule["when"], &rule["rows"]), (&serde_json::json!(["a < 0"]), &200.into()));
    assert_eq!(rule["support"], 200.0 / 40_200.0);
    assert!(report["notes"][0].as_str().unwrap().ends_with("rows of rules are estimates"), "{report}");
    let few = log_of_the_grid();
    assert_eq!(json(few.path())["notes"], serde_json::json!([]));
}
