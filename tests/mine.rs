//! `bugornot mine` from outside: what it prints, and what it says about tables that cannot be mined.

use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

const TABLE: &str = "\
a,b,note,verdict
1,x,,held
1,y,\"odd, but fine\",violated
2,x,,held
2,,,held
";

fn folder(table: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.csv"), table).unwrap();
    folder
}

fn plain(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
    command.current_dir(folder).env_remove("NO_COLOR").args(["mine", "--csv", "t.csv", "--verdict", "verdict"]);
    command.args(arguments);
    command
}

fn mine(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = plain(folder, arguments);
    command.args(["--min-support", "0.25", "--min-confidence", "0.5"]);
    command
}

/// Exit code, stdout and stderr.
fn told(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn mined(folder: &Path, arguments: &[&str]) -> Value {
    mined_at("0.25", "0.5", folder, arguments)
}

fn mined_at(support: &str, confidence: &str, folder: &Path, arguments: &[&str]) -> Value {
    let mut command = plain(folder, arguments);
    let (code, stdout, stderr) = told(command.args(["--min-support", support, "--min-confidence", confidence]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

/// Mines a table that has to be refused with exactly this error, and nothing on stdout.
fn refused(table: impl AsRef<[u8]>, items: &str, error: &str) {
    let folder = folder(table);
    let (code, stdout, stderr) = told(&mut mine(folder.path(), &["--items", items]));
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", format!("error: {error}\n").as_str()));
}

#[test]
fn rules_for_verdicts_as_json() {
    let folder = folder(TABLE);
    let expected = r#"{"rows": 4, "rules": [
{"when":["a == 1"],"then":["verdict == held"],"support":0.25,"confidence":0.5,"lift":0.6666666666666666,"conviction":0.49999999900000003},
{"when":["a == 1"],"then":["verdict == violated"],"support":0.25,"confidence":0.5,"lift":2.0,"conviction":1.4999999970000002},
{"when":["a == 2"],"then":["verdict == held"],"support":0.5,"confidence":1.0,"lift":1.3333333333333333,"conviction":null},
{"when":["b == x"],"then":["verdict == held"],"support":0.5,"confidence":1.0,"lift":1.3333333333333333,"conviction":null},
{"when":["b == y"],"then":["verdict == violated"],"support":0.25,"confidence":1.0,"lift":4.0,"conviction":null}
]}
"#;
    let arguments = ["--items", "a,b", "--max-len", "2", "--format", "json"];
    let printed = || told(&mut mine(folder.path(), &arguments));
    assert_eq!(printed(), (0, expected.to_owned(), String::new()));
    // The order of the rows does not matter, nor how lines end.
    let mut lines: Vec<&str> = TABLE.lines().collect();
    lines[1..].reverse();
    fs::write(folder.path().join("t.csv"), lines.join("\r\n")).unwrap();
    assert_eq!(printed(), (0, expected.to_owned(), String::new()));
}

#[test]
fn any_items_on_both_sides() {
    let folder = folder(TABLE);
    let found = mined(folder.path(), &["--items", "a,b", "--consequent", "any"]);
    let sides = |rule: &Value| (rule["when"].clone(), rule["then"].clone());
    let found: Vec<_> = found["rules"].as_array().unwrap().iter().map(sides).collect();
    assert!(found.contains(&(json!(["b == y"]), json!(["a == 1", "verdict == violated"]))), "{found:?}");
    assert!(found.contains(&(json!(["a == 1", "b == y"]), json!(["verdict == violated"]))));
    assert!(found.contains(&(json!(["verdict == violated"]), json!(["b == y"]))));
    // `a == 2` has neither `b` nor `note` in every row, and an empty cell is no item.
    assert!(!found.iter().any(|(when, then)| when.to_string().contains("== \"") || then.to_string().contains("== \"")));
}

#[test]
fn rules_as_csv() {
    let folder = folder(TABLE);
    let (code, stdout, _) = told(&mut mine(folder.path(), &["--items", "note,b", "--format", "csv"]));
    let expected = "\
when,then,support,confidence,lift,conviction
\"note == odd, but fine\",verdict == violated,0.25,1,4,
b == x,verdict == held,0.5,1,1.3333333333333333,
b == y,verdict == violated,0.25,1,4,
\"note == odd, but fine && b == y\",verdict == violated,0.25,1,4,
";
    assert_eq!((code, stdout.as_str()), (0, expected));
}

#[test]
fn a_name_with_a_comma_is_quoted_and_a_byte_order_mark_ignored() {
    let folder = folder("\u{feff}\"(a,b)\",verdict\n\"(1,1)\",held\n");
    let found = mined(folder.path(), &["--items", "\"(a,b)\""]);
    assert_eq!(found["rules"][0]["when"], json!(["(a,b) == (1,1)"]));
}

#[test]
fn no_rules_are_no_error() {
    let found = mined(folder(TABLE).path(), &["--items", "a", "--max-len", "1"]);
    assert_eq!(found, json!({"rows": 4, "rules": []}));
}

#[test]
fn a_column_with_more_values_than_a_byte_has_is_mined_too() {
    let rows: String =
        (0..2000).map(|row| format!("{},{}\n", row % 1000, if row % 1000 == 777 { "v" } else { "h" })).collect();
    let folder = folder(format!("a,verdict\n{rows}"));
    let found = mined_at("0.001", "1", folder.path(), &["--items", "a"]);
    let rules = found["rules"].as_array().unwrap();
    let violated: Vec<&Value> = rules.iter().filter(|rule| rule["then"] == json!(["verdict == v"])).collect();
    assert_eq!((rules.len(), violated.len()), (1000, 1));
    assert_eq!((&violated[0]["when"], &violated[0]["support"]), (&json!(["a == 777"]), &json!(0.001)));
}

#[test]
fn a_table_without_rows_exits_with_3() {
    for table in ["", "a,b,note,verdict\n", "a,b,note,verdict"] {
        let folder = folder(table);
        let (code, stdout, stderr) = told(&mut mine(folder.path(), &["--items", "a"]));
        let error = "error: no usable rows: `t.csv` has none below the column names; write one line per row\n";
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (3, "", error));
    }
}

#[test]
fn missing_and_extra_columns_are_refused() {
    let error = "`t.csv` line 1: no column `c`; name one of `a`, `b`, `note`, `verdict`";
    refused(TABLE, "a,c", error);
    refused("a;b;verdict\n1;2;held\n", "a", "`t.csv` line 1: no column `a`; name one of `a;b;verdict`");
    refused("a,a,verdict\n1,2,held\n", "a", "`t.csv` line 1: two columns are called `a`; rename one");
    let cells = |line: u32, cells: u32| {
        format!(
            "`t.csv` line {line}: {cells} cells, and there are 3 columns; correct the line, or put a cell that contains a \
             comma in quotes"
        )
    };
    refused("a,b,verdict\n1,2,held\n1,held\n", "a", &cells(3, 2));
    refused("a,b,verdict\n\"1\n1\",2,held\n1,2,3,held\n", "a", &cells(4, 4));
    refused("a,b,verdict\n1,\"2,held\n1,2,held\n", "a", &cells(2, 2));
}

#[test]
fn columns_named_wrongly_are_refused() {
    refused(TABLE, "a,a", "column `a` is named twice; name each column once");
    refused(TABLE, "a,verdict", "column `verdict` is named twice; name each column once");
    refused(TABLE, "a,,b", "`--items` has an empty name; write `--items a,b`");
    refused(TABLE, "", "`--items` names no column; write `--items a,b`");
}

#[test]
fn what_is_not_utf_8_is_refused_with_its_place() {
    let convert = "is not UTF-8; convert the file, for example with `iconv -f LATIN1 -t UTF-8`";
    refused(b"a,verdict\n1,held\n\xfc\x1b,held\n", "a", &format!("`t.csv` line 3, column `a`: `\\xfc\\x1b` {convert}"));
    refused(b"a,b\xfc,verdict\n1,2,held\n", "a", &format!("`t.csv` line 1: `b\\xfc` {convert}"));
    let utf16: Vec<u8> = "\u{feff}a,verdict\n1,held\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(utf16, "a", &format!("`t.csv` line 1: `\\xff\\xfea\\x00` {convert}"));
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = told(&mut mine(folder.path(), &["--items", "a"]));
    assert_eq!((code, stdout.as_str()), (1, ""));
    let start = "error: failed to open `t.csv`; name a CSV file with `--csv`: ";
    assert!(stderr.starts_with(start) && stderr.lines().count() == 1, "{stderr}");
    fs::create_dir(folder.path().join("t.csv")).unwrap();
    let (code, _, stderr) = told(&mut mine(folder.path(), &["--items", "a"]));
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: failed to read `t.csv`: "), "{stderr}");
}

#[test]
fn shares_and_lengths_that_make_no_sense_are_refused() {
    let folder = folder(TABLE);
    for (name, value, help) in [
        ("--min-support", "0", "what is in no row is no rule: write a number above 0"),
        ("--min-support", "20", "it is a share: write a number from 0 to 1"),
        ("--min-support", "NaN", "it is a share: write a number from 0 to 1"),
        ("--min-confidence", "-0.5", "it is a share: write a number from 0 to 1"),
        ("--min-confidence", "high", "write it as a number from 0 to 1, such as `0.2`"),
        ("--max-len", "0", "write a whole number above 0"),
        ("--consequent", "all", "possible values: verdict, any"),
    ] {
        let others =
            [("--min-support", "0.1"), ("--min-confidence", "0.1")].into_iter().filter(|(other, _)| *other != name);
        let mut command = plain(folder.path(), &["--items", "a"]);
        command.args(others.map(|(name, value)| format!("{name}={value}"))).arg(format!("{name}={value}"));
        let (code, stdout, stderr) = told(&mut command);
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.contains(help), "{stderr}");
    }
}

#[test]
fn whoever_stops_reading_is_no_error() {
    let rows: String = (0..3000).map(|row| format!("{row},held\n")).collect();
    let folder = folder(format!("a,verdict\n{rows}"));
    let mut command = plain(folder.path(), &["--items", "a"]);
    command.args(["--min-support", "0.0003", "--min-confidence", "0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
