//! Logs that there is little to learn from: an honest answer, and never a wrong one.

use super::{Value, bugornot, fs};
use arbitrary::Arbitrary;
use bugornot::{
    Input, Suite,
    engine::{Execute, Settings, Target},
};
use serde::{Serialize, Serializer, ser::SerializeTuple};
use std::path::Path;
use tempfile::TempDir;

/// What a report says about the only cell of a table of `a`, `b` and verdicts.
fn explained(rows: &str) -> (Option<i32>, Value) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.csv"), format!("a,b,MR1\n{rows}")).unwrap();
    let import = "import --csv table.csv --suite odd --function f --inputs a,b --verdicts MR1 --into log";
    let output = bugornot(&import.split_whitespace().collect::<Vec<_>>(), folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    reported(folder.path())
}

fn reported(folder: &Path) -> (Option<i32>, Value) {
    let output = bugornot(&["report", "log", "--format", "json"], folder);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), report["cells"][0].clone())
}

/// A log with these inputs, of which some are violated.
fn log_of<In: Input>(inputs: Vec<In>, is_violated: fn(&In) -> bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let declare = |suite: &mut Suite<In, bool>| {
        suite.function("f", |_| true);
        suite.judge("r", |_, _| Vec::new(), move |check| !is_violated(check.input));
        suite.examples(inputs);
    };
    let settings = Settings::new(Some(folder.path().join("log")), 1);
    Target::new("odd", declare, settings, &bugornot::__facts!()).unwrap().begin();
    folder
}

#[test]
fn a_log_without_rows_has_nothing_to_report() {
    let folder = log_of(Vec::<u8>::new(), |_| true);
    let output = bugornot(&["report", "log"], folder.path());
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn one_row_and_one_verdict_are_told_as_they_are() {
    for (rows, word, violated) in
        [("1,2,held\n", "never", 0.0), ("1,2,violated\n", "always", 100.0), ("1,2,held\n3,4,held\n", "never", 0.0)]
    {
        let (code, cell) = explained(rows);
        assert_eq!((code, &cell["explained"]), (Some(0), &word.into()), "{cell}");
        assert_eq!(cell["violated_percent"], violated);
        let interval = cell["interval"].as_array().unwrap();
        assert!(interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap() > 50.0, "{cell}");
    }
}

#[test]
fn a_handful_of_rows_is_inconclusive() {
    let (code, cell) = explained("1,2,held\n2,1,violated\n3,3,held\n9,4,violated\n");
    assert_eq!((code, &cell["explained"]), (Some(2), &"inconclusive".into()), "{cell}");
    assert_eq!(cell["condition"], Value::Null);
}

#[test]
fn a_field_with_one_value_is_in_no_condition() {
    let verdict = |b: i32| if b > 50 { "violated" } else { "held" };
    let rows: String = (0..300).map(|b| format!("7,{b},{}\n", verdict(b))).collect();
    let (code, cell) = explained(&rows);
    assert_eq!((code, &cell["condition"]["violated_when"]), (Some(0), &"b > 50".into()), "{cell}");
}

#[test]
fn not_a_number_everywhere_tells_nothing() {
    let payload = |number: u64| f64::from_bits(0x7FF8_0000_0000_0000 | number);
    let folder = log_of((0..400).map(payload).collect(), |float| float.to_bits().is_multiple_of(3));
    let (code, cell) = reported(folder.path());
    assert_eq!((code, &cell["explained"]), (Some(2), &"inconclusive".into()), "{cell}");
    assert_eq!(cell["condition"], Value::Null);
}

/// An input with a million parts.
#[derive(Arbitrary, Clone, Debug)]
struct Wide(u32);

impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(1_000_000)?;
        for part in 0..1_000_000u32 {
            tuple.serialize_element(&(self.0.wrapping_mul(part) % 100))?;
        }
        tuple.end()
    }
}

#[test]
fn a_million_fields_are_looked_at_in_part() {
    let folder = log_of((0..12).map(Wide).collect(), |wide| wide.0 % 3 == 1);
    let output = bugornot(&["report", "log"], folder.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("inconclusive") && text.contains("more parts"), "{text}");
}

#[test]
fn a_long_text_is_a_text() {
    let text = |length: usize| "x".repeat(length);
    let inputs = (0..40).map(text).chain([text(100_000_000)]).collect();
    let folder = log_of(inputs, |text: &String| text.len() > 20);
    let (code, cell) = reported(folder.path());
    assert_eq!((code, &cell["condition"]["violated_when"]), (Some(0), &"input.len() > 20".into()), "{cell}");
}
