//! Tables of all layouts and types, and what their rows become.

use crate::{Imported, Place};
use bugornot::log::{IMPORT, Outcome, Phase, Value};
use std::fs;

const SIMPLE: [&str; 6] = ["--function", "f", "--inputs", "x", "--verdicts", "MR1"];

/// The fields of every row of a table with one column `x` of this type.
fn values(cells: &[&str], wanted: &str) -> Vec<String> {
    let rows: String = cells.iter().map(|cell| format!("\"{}\",held\n", cell.replace('"', "\"\""))).collect();
    let inputs = format!("x{}{wanted}", if wanted.is_empty() { "" } else { ":" });
    let imported =
        Place::new(format!("x,MR1\n{rows}")).imported(&["--function", "f", "--inputs", &inputs, "--verdicts", "MR1"]);
    (0..imported.rows.len()).map(|row| imported.fields(row).replacen("x=", "", 1)).collect()
}

#[test]
fn one_row_per_input_with_a_column_per_relation() {
    let place = Place::new("a,b,MR1,MR2\n1,2,pass,fail\n3,4,PASS,\n1,2,pass,fail\n1,2,fail,not-applicable\n");
    let imported = place.imported(&[
        "--suite",
        "s",
        "--function",
        "sum",
        "--inputs",
        "a,b:int",
        "--verdicts",
        "MR1,MR2",
        "--constant",
        "k=6",
        "--constant",
        "e=2.5",
    ]);
    let header = imported.header();
    assert_eq!((header.suite.as_str(), &header.fields[..]), ("s", &["a".to_owned(), "b".into()][..]));
    assert_eq!((header.build.engine.as_str(), header.build.revision.as_str()), (IMPORT, "t.csv"));
    let constants: Vec<String> = header.constants.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(constants, ["k=6", "e=2.5"]);
    assert_eq!(imported.cells(), ["sum x MR1", "sum x MR2"]);
    // Every row is kept, and repeats are counted once among the distinct inputs.
    let rows: Vec<String> = (0..4).map(|row| format!("{} {}", imported.fields(row), imported.verdicts(row))).collect();
    assert_eq!(
        rows,
        ["a=1 b=2 held violated", "a=3 b=4 held -", "a=1 b=2 held violated", "a=1 b=2 violated not-applicable"]
    );
    assert!(imported.rows.iter().all(|row| row.phase == Phase::Import && row.bytes.is_empty() && row.detail.is_none()));
    assert_eq!(imported.totals.distinct, 3);
    assert_eq!(imported.totals.cells, [[3, 1, 0, 0, 0, 0, 0, 0], [0, 2, 1, 0, 0, 0, 0, 0]]);
    assert_eq!(imported.totals.distinct_cells, [[2, 1, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0, 0, 0]]);
}

#[test]
fn rows_of_several_functions_that_follow_each_other_are_one_execution() {
    let table = "f,x,out,MR1\nsum,1,10,held\nsub,1,20,violated\nsub,2,30,held\nsum,3,40,held\nsum,3,40,held\n";
    let imported = Place::new(table).imported(&[
        "--function-column",
        "f",
        "--inputs",
        "x",
        "--output",
        "out",
        "--verdicts",
        "MR1",
    ]);
    assert_eq!(imported.cells(), ["sum x MR1", "sub x MR1"]);
    let rows: Vec<String> = (0..4).map(|row| format!("{} {}", imported.fields(row), imported.verdicts(row))).collect();
    assert_eq!(rows, ["x=1 held violated", "x=2 - held", "x=3 held -", "x=3 held -"]);
    let sources = |row: usize| imported.rows[row].detail.as_ref().unwrap().sources.clone();
    let output = |number: i8| Outcome::Output(Value::I8(number));
    assert_eq!(sources(0), [output(10), output(20)]);
    assert_eq!(sources(1), [Outcome::Unknown, output(30)]);
    assert_eq!(imported.totals.cells, [[3, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0]]);
}

#[test]
fn one_row_per_verdict() {
    let table = "fn,mr,x,out,fx,fo,v\nf,MR2,1,5,2,6,ok\nf,MR1,1,5,3,7,false\ng,MR1,1,9,3,8,true\nf,MR1,1,4,3,7,true\n";
    let arguments = ["--function-column", "fn", "--relation-column", "mr", "--verdict-column", "v", "--inputs", "x"];
    let details = ["--output", "out", "--follow-up", "x=fx", "--follow-up-output", "fo"];
    let imported = Place::new(table).imported(&[&arguments[..], &details].concat());
    assert_eq!(imported.cells(), ["f x MR2", "f x MR1", "g x MR1"]);
    // The last row gives another output for the same input: that is another execution.
    assert_eq!([imported.verdicts(0), imported.verdicts(1)], ["held violated held", "- held -"]);
    let detail = imported.rows[0].detail.as_ref().unwrap();
    let inputs: Vec<String> = detail.cells.iter().map(|cell| cell.inputs[0].to_string()).collect();
    assert_eq!(inputs, ["{x: 2}", "{x: 3}", "{x: 3}"]);
    assert_eq!(detail.cells[2].outcomes, [Outcome::Output(Value::I8(8))]);
}

#[test]
fn types_are_found_out_or_declared() {
    assert_eq!(
        values(&["1", "-2", "170141183460469231731687303715884105727"], ""),
        ["1", "-2", "170141183460469231731687303715884105727"]
    );
    assert_eq!(values(&["1", "NaN", "inf", "-1e-3"], ""), ["1.0", "NaN", "inf", "-0.001"]);
    assert_eq!(values(&["1", "", "None"], ""), ["Some(1)", "None", "None"]);
    assert_eq!(values(&["True", "false"], ""), ["true", "false"]);
    assert_eq!(values(&["[1, 2, 3]", "[]", "(4,)"], ""), ["[1, 2, 3]", "[]", "[4]"]);
    assert_eq!(values(&["1;2;3", "", "4"], "[int]"), ["[1, 2, 3]", "[]", "[4]"]);
    assert_eq!(values(&["['a, b', \"c\\\"d\\n\"]"], ""), ["[\"a, b\", \"c\\\"d\\n\"]"]);
    assert_eq!(values(&["7", ""], "text?"), ["Some(\"7\")", "None"]);
    assert_eq!(values(&["ß", "\u{1f600}"], "char"), ["'ß'", "'😀'"]);
}

#[test]
fn text_keeps_its_commas_quotes_line_ends_and_letters() {
    let texts = ["a,b", "say \"no\"", "two\nlines", "carriage\r\nreturn", "ключ 鍵 🔑", " blanks ", ""];
    let shown: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    assert_eq!(values(&texts, ""), shown);
}

#[test]
fn a_byte_order_mark_and_all_line_ends_are_understood() {
    for end in ["\n", "\r\n", "\r"] {
        let table = format!("\u{feff}x,MR1{end}1,held{end}{end}2,violated");
        let imported = Place::new(table).imported(&SIMPLE);
        assert_eq!([imported.fields(0), imported.fields(1)], ["x=1", "x=2"], "{end:?}");
    }
    let imported = Place::new("x\t MR1\n1\theld\n").imported(&[&SIMPLE[..], &["--delimiter", "tab"]].concat());
    assert_eq!(imported.verdicts(0), "held");
}

#[test]
fn follow_ups_are_read_as_their_inputs_are_and_left_out_where_they_are_empty() {
    let table = "a,s,n,MR1_a,MR1_s,MR1_out,out,MR1_v\n1,x,7,2.0,y,5,4,held\n2,,8,,,,3,not-applicable\n";
    let place = Place::new(table);
    place.write(
        "m.toml",
        "function = 'f'\noutput = 'out'\nverdict = '{relation}_v'\nfollow-up-outputs = ['{relation}_out']\n[inputs]\na = 'a'\n\
         s = { column = 's', type = 'text' }\n[parameters]\nn = 'n'\n[relations.MR1]\ndescription = 'one more'\n\
         [[follow-ups]]\na = '{relation}_a'\ns = '{relation}_s'\n",
    );
    let imported = place.imported(&["--mapping", "m.toml"]);
    assert_eq!([imported.fields(0), imported.fields(1)], ["a=1 s=\"x\" n=7", "a=2 s=\"\" n=8"]);
    assert_eq!(imported.header().relations[0].description, "one more");
    let details: Vec<_> = imported.rows.iter().map(|row| row.detail.as_ref().unwrap()).collect();
    assert_eq!(details[0].cells[0].inputs[0].to_string(), "{a: 2, s: \"y\"}");
    assert_eq!(details[0].cells[0].outcomes, [Outcome::Output(Value::I8(5))]);
    assert_eq!(details[1].sources, [Outcome::Output(Value::I8(3))]);
    assert!(details[1].cells[0].inputs.is_empty() && details[1].cells[0].outcomes.is_empty());
}

#[test]
fn an_error_is_on_the_source_unless_the_function_returned_for_it() {
    let table = "x,out,MR1,MR2\n1,,boom,boom\n2,5,boom,yes\n3,,boom,no\n";
    let words = ["--held", "yes", "--violated", "no", "--error", "boom"];
    let arguments = ["--function", "f", "--inputs", "x", "--output", "out", "--verdicts", "MR1,MR2"];
    let imported = Place::new(table).imported(&[&arguments[..], &words].concat());
    assert_eq!(imported.verdicts(0), "source-panicked source-panicked");
    assert_eq!(imported.verdicts(1), "follow-up-panicked held");
    assert_eq!(imported.verdicts(2), "follow-up-panicked violated");
    let detail = imported.rows[1].detail.as_ref().unwrap();
    assert!(matches!(&detail.cells[0].outcomes[..], [Outcome::Panicked(info)] if info.message == "boom"));
    let detail = imported.rows[0].detail.as_ref().unwrap();
    assert!(matches!(&detail.sources[..], [Outcome::Panicked(info)] if info.message == "boom"));
}

#[test]
fn the_printed_mapping_says_what_the_flags_say() {
    let place = Place::new("a,b,MR1 result,k\n1,,Good,3\n2,1.5,Bad,4\n");
    let flags = ["--suite", "s", "--function", "f", "--inputs", "a,b", "--parameters", "k:int?", "--constant", "c=x"];
    let words = ["--verdicts", "MR1=MR1 result", "--held", "Good", "--violated", "Bad"];
    let flags = [&flags[..], &words].concat();
    let (code, mapping, stderr) = place.told(&[&flags[..], &["--print-mapping"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(mapping.contains("[inputs.b]\ncolumn = \"b\"\ntype = \"float?\"\n"), "{mapping}");
    place.write("m.toml", &mapping);
    let (_, again, _) = place.told(&["--mapping", "m.toml", "--print-mapping"]);
    assert_eq!(again, mapping);
    let by_flags = place.imported(&flags);
    let (code, ..) = place.told(&["--mapping", "m.toml", "--into", "other"]);
    assert_eq!(code, 0);
    let by_mapping = Imported::read(&place.path("other"));
    assert_eq!((by_flags.header(), &by_flags.rows), (by_mapping.header(), &by_mapping.rows));
}

#[test]
fn tables_of_one_revision_add_up_and_others_are_kept_apart() {
    let place = Place::new("x,MR1\n1,held\n");
    let import = |more: &[&str]| place.told(&[&SIMPLE[..], &["--suite", "s", "--into", "log"], more].concat());
    assert_eq!(import(&["--revision", "v1"]).0, 0);
    let segment = fs::read_dir(place.path("log")).unwrap().next().unwrap().unwrap().file_name();
    let (code, _, stderr) = import(&["--revision", "v1"]);
    let error = format!(
        "error: this table is in log `log` already; to import it again, remove `log/{}` first\n",
        segment.display()
    );
    assert_eq!((code, stderr), (1, error));
    let (code, _, stderr) = import(&[]);
    let error = "error: log `log` holds another campaign: suite `s` (import of `v1`), f x MR1, and this would be suite `s` \
                 (import of `t.csv`), f x MR1; import into another folder with `--into`\n";
    assert_eq!((code, stderr.as_str()), (1, error));
    place.write("t.csv", "x,MR1\n2,violated\n3,held\n");
    let (code, stdout, stderr) = import(&["--revision", "v1"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stderr, "imported 2 rows of `t.csv` as 2 executions into `log`\n");
    assert!(stdout.starts_with("s  import  v1\n3 executions, 3 distinct inputs"), "{stdout}");
    assert_eq!(fs::read_dir(place.path("log")).unwrap().count(), 2);
}

#[test]
fn the_default_folder_is_that_of_the_suite_in_the_fuzz_crate() {
    let place = Place::new("x,MR1\n1,held\n");
    let (code, _, stderr) = place.told(&SIMPLE);
    assert_eq!(code, 1);
    assert!(
        stderr.starts_with("error: no folder is known to import into, so name one with `--into`: no cargo-fuzz"),
        "{stderr}"
    );
    fs::create_dir(place.path("fuzz")).unwrap();
    let manifest = "[package]\nname = \"f\"\nedition = \"2024\"\n[package.metadata]\ncargo-fuzz = true\n[workspace]\n\
        [[bin]]\nname = \"one\"\npath = \"one.rs\"\n";
    place.write("fuzz/Cargo.toml", manifest);
    place.write("fuzz/one.rs", "fn main() {}\n");
    let (code, stdout, stderr) = place.told(&SIMPLE);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.ends_with("log:  fuzz/verdicts/t\n"), "{stdout}");
}
