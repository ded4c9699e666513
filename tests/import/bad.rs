//! Everything that can be wrong with a table or a mapping: one message with the place and what to do, exit code 1, and
//! nothing is written.

use crate::Place;
use std::fs;

const SIMPLE: [&str; 6] = ["--function", "f", "--inputs", "x", "--verdicts", "MR1"];
const WORDS: &str = "`held`, `violated`, `not-applicable`, `incomparable`, `source-panicked`, `follow-up-panicked`, \
                     `transform-panicked`, `died`";

fn refused(table: impl AsRef<[u8]>, arguments: &[&str], error: &str) {
    Place::new(table).refused(arguments, error);
}

#[test]
fn a_missing_or_doubled_column_is_named_with_those_there_are() {
    refused(
        "y,MR1\n1,held\n",
        &SIMPLE,
        "table `t.csv`, line 1: there is no column `x`, only `y`, `MR1`; choose one of them",
    );
    refused(
        "x;MR1\n1;held\n",
        &SIMPLE,
        "table `t.csv`, line 1: there is no column `x`, only `x;MR1`; is it the `--delimiter`?",
    );
    refused("x,x,MR1\n1,1,held\n", &SIMPLE, "table `t.csv`, line 1: two columns are called `x`; rename one");
}

#[test]
fn rows_with_too_few_or_too_many_cells_are_told_by_line() {
    let error = "table `t.csv`, line 3: 3 cells, and the first line names 2 columns: is a cell missing, or one with a comma not quoted?";
    refused("x,MR1\n1,held\n2,held,\n", &SIMPLE, error);
    let error = error.replace("3 cells", "1 cells").replace("line 3", "line 5");
    refused("x,MR1\r\n\"1\r\n\",held\r\n\r\n2\r\n", &SIMPLE, &error);
    let error = "table `t.csv`, line 3: 1 cells, and the first line names 2 columns: is a quote not closed?";
    refused("x,MR1\n1,held\n\"2,held\n3,held\n", &SIMPLE, error);
}

#[test]
fn a_cell_of_another_type_is_told_by_line_and_column() {
    let typed = |wanted: &str| {
        [
            "--function".to_owned(),
            "f".into(),
            "--inputs".into(),
            format!("x:{wanted}"),
            "--verdicts".into(),
            "MR1".into(),
        ]
    };
    let refused = |cell: &str, wanted: &str, error: &str| {
        let arguments = typed(wanted);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refused(
            format!("x,MR1\n\n1,held\n{cell},held\n"),
            &arguments,
            &format!("table `t.csv`, line 4, column `x`: {error}"),
        );
    };
    refused("two", "int", "`two` is no int; correct it, or declare another type, such as `text`");
    refused("", "int", "the cell is empty, which is no int; fill it in, or declare the type `int?`");
    refused("\u{1b}[2J", "float", "`\\u{1b}[2J` is no float; correct it, or declare another type, such as `text`");
    refused("ab", "char", "`ab` is no char; correct it, or declare another type, such as `text`");
    refused("1;x", "[int]", "`1;x` is no [int]; correct it, or declare another type, such as `text`");
    refused("[1", "[int]", "`[1` is no [int], because a `]` is missing; correct it, or declare another type");
}

#[test]
fn an_unknown_word_is_told_with_the_known_ones() {
    let error = format!(
        "table `t.csv`, line 3, column `MR1`: unknown verdict `maybe`: expected one of {WORDS}, `pass`, `passed`, `true`, `ok`, \
         `fail`, `failed`, `false`, `error`, `exception`; name it with `--held`, `--violated` or `--error`, or under `[words]` \
         in a mapping"
    );
    refused("x,MR1\n1,held\n2,maybe\n", &SIMPLE, &error);
    let error = format!(
        "table `t.csv`, line 2, column `MR1`: unknown verdict `pass`: expected one of `yes`, {WORDS}; name it with `--held`, \
         `--violated` or `--error`, or under `[words]` in a mapping"
    );
    refused("x,MR1\n1,pass\n", &[&SIMPLE[..], &["--held", "yes"]].concat(), &error);
    let error = "the word `yes` is named for two verdicts; leave it out of one";
    refused("x,MR1\n1,yes\n", &[&SIMPLE[..], &["--held", "yes", "--violated", "yes,no"]].concat(), error);
}

#[test]
fn another_encoding_is_told() {
    let error = "table `t.csv`, line 3, column `x`: byte 0xe9 is not UTF-8; save the table as UTF-8";
    refused(b"x,MR1\na,held\ncaf\xe9,held\n", &SIMPLE, error);
    let utf16: Vec<u8> = "\u{feff}x,MR1\n1,held\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(utf16, &SIMPLE, "table `t.csv` is UTF-16; save it as UTF-8");
    refused(
        b"x,MR1,\xff\n1,held,\n",
        &SIMPLE,
        "table `t.csv`, line 1: the names of the columns are not UTF-8; save the table as UTF-8",
    );
}

#[test]
fn empty_tables_and_what_is_no_table_are_told() {
    refused("", &SIMPLE, "table `t.csv` is empty; its first line has to name the columns");
    let place = Place::new("x,MR1\n");
    let (code, stdout, stderr) = place.told(&[&SIMPLE[..], &["--into", "log"]].concat());
    let error = "error: table `t.csv` has no rows, so nothing was imported\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (3, "", error));
    assert!(!place.path("log").exists());
    fs::remove_file(place.path("t.csv")).unwrap();
    let (code, _, stderr) = place.told(&SIMPLE);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: failed to read table `t.csv`; name a CSV file with `--csv`: "), "{stderr}");
    fs::create_dir(place.path("t.csv")).unwrap();
    place.refused(&SIMPLE, "table `t.csv` is no file; name a CSV file with `--csv` (no pipe: it is read twice)");
}

#[test]
fn a_mapping_that_is_not_enough_or_contradicts_itself_is_refused() {
    let table = "x,y,f,MR1\n1,2,g,held\n";
    for (arguments, error) in [
        (
            &["--function", "f", "--verdicts", "MR1"][..],
            "no inputs are named; name their columns with `--inputs a,b`, or under `[inputs]` in a mapping",
        ),
        (
            &["--inputs", "x", "--verdicts", "MR1"],
            "no function is named; name it with `--function`, or its column with `--function-column`",
        ),
        (
            &["--inputs", "x", "--function", "f"],
            "no relations are named; name their columns with `--verdicts MR1,MR2`, or for one verdict per row `--relation-column` and `--verdict-column`",
        ),
        (
            &["--inputs", "x", "--function", "f", "--relation-column", "y"],
            "a table with a column of relations has one column of verdicts; name it with `--verdict-column`",
        ),
        (
            &["--inputs", "x,x=y", "--function", "f", "--verdicts", "MR1"],
            "two inputs or parameters are called `x`; rename one",
        ),
        (
            &["--inputs", "x:i32", "--function", "f", "--verdicts", "MR1"],
            "`--inputs x:i32`: unknown type `i32`: expected `auto`, `int`, `float`, `bool`, `char`, `text`, a list such as `[int]`, \
             or an option such as `int?`; a column whose name holds `:` can be named in a mapping",
        ),
        (
            &["--inputs", "x,y", "--function", "f", "--verdicts", "MR1", "--follow-up", "x=y"],
            "a follow-up leaves out the input `y`; name its column, or `y=y` if it stays as it is",
        ),
        (
            &["--inputs", "x", "--function", "f", "--verdicts", "MR1", "--follow-up", "z=y"],
            "a follow-up names `z`, which is no input; use the names of the inputs",
        ),
        (
            &["--inputs", "x", "--function", "f", "--verdicts", "MR1", "--constant", "k"],
            "`--constant k` has no value; write it as `--constant k=6`",
        ),
        (
            &["--inputs", "x", "--function", "f", "--verdicts", "MR1", "--delimiter", "::"],
            "`--delimiter ::` is no single ASCII character; use one such as `;`, or `tab`",
        ),
    ] {
        refused(table, arguments, error);
    }
}

#[test]
fn a_mistake_in_a_mapping_file_is_told_with_its_line() {
    let place = Place::new("x,MR1\n1,held\n");
    place.write("m.toml", "function = 'f'\ninptus = { x = 'x' }\n");
    let (code, _, stderr) = place.told(&["--mapping", "m.toml", "--into", "log"]);
    assert_eq!(code, 1);
    assert!(
        stderr.starts_with("error: mapping `m.toml` cannot be used, so correct it first\nTOML parse error at line 2"),
        "{stderr}"
    );
    assert!(stderr.contains("unknown field `inptus`, expected one of `suite`"), "{stderr}");
    let long =
        "function = 'f'\nrelation-column = 'MR1'\nverdict = 'x'\ninputs = { x = 'x' }\n[relations.R]\nverdict = 'x'\n";
    place.write("m.toml", long);
    let error = "`[relations.R]` names columns, and with a column of relations all have the same; name them at the top";
    place.refused(&["--mapping", "m.toml"], error);
    place.write("m.toml", "function = 'f'\n[inputs]\nx = { column = 'x', type = 'i32' }\n");
    let (code, _, stderr) = place.told(&["--mapping", "m.toml", "--into", "log"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("line 3") && stderr.contains("with a known type"), "{stderr}");
}

#[test]
fn what_is_no_log_is_left_alone() {
    let place = Place::new("x,MR1\n1,held\n");
    fs::create_dir(place.path("log")).unwrap();
    place.write("log/thesis.tex", "mine");
    let (code, _, stderr) = place.told(&[&SIMPLE[..], &["--into", "log"]].concat());
    let error = "error: `log` is no log: it holds `thesis.tex` and no segment (`*.verdicts`); name a new or an empty folder with `--into`\n";
    assert_eq!((code, stderr.as_str()), (1, error));
    let (code, _, stderr) = place.told(&[&SIMPLE[..], &["--into", "t.csv"]].concat());
    assert_eq!((code, stderr.as_str()), (1, "error: log `t.csv` is a file; name a folder with `--into`\n"));
    assert_eq!(fs::read_to_string(place.path("log/thesis.tex")).unwrap(), "mine");
}

#[test]
fn a_row_without_an_end_does_not_fill_the_memory() {
    let table = format!("x,MR1\n\"{}", "endless,held\n".repeat(6_000_000));
    refused(table, &SIMPLE, "failed to read table `t.csv`: a row is longer than 64 MiB: is a quote never closed?");
}
