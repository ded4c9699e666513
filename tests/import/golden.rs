//! The tables of the paper's replication package, if they are there.

use crate::{Place, skip::skip};
use bugornot::{Verdict, log::Outcome};
use std::{fs, path::PathBuf};

/// A table of the package, copied to a place of its own; nothing, with a word, where the package is not.
fn golden(name: &str) -> Option<Place> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/golden");
    let folder = std::env::var_os("BUGORNOT_GOLDEN").map_or(beside, PathBuf::from);
    match fs::read(folder.join(name)) {
        Ok(table) => Some(Place::new(table)),
        Err(_) => {
            skip(&format!("`{name}` of the paper's data is not there; set BUGORNOT_GOLDEN to its folder"));
            None
        }
    }
}

const COLUMNS: [&str; 18] = [
    "--suite",
    "calculator",
    "--inputs",
    "a=input_a,b=input_b",
    "--constant",
    "k=6",
    "--verdicts",
    "MR1,MR2,MR3,MR4",
    "--verdict-column",
    "{relation}_checker",
    "--held=No-violated",
    "--violated=Violated",
    "--output",
    "output",
    "--follow-up",
    "a={relation}_input_a,b={relation}_input_b",
    "--follow-up-output",
    "{relation}_output",
];

fn percent(totals: &[u64]) -> u64 {
    let (held, violated) = (totals[Verdict::Held as usize], totals[Verdict::Violated as usize]);
    100 * violated / (held + violated)
}

#[test]
fn the_grid_gives_the_paper_s_percentages() {
    for (function, wanted) in [("sub", [90, 55, 0, 0]), ("sum", [0, 1, 100, 100])] {
        let Some(place) = golden(&format!("grid/verdicts_{function}.csv")) else { return };
        let imported = place.imported(&[&COLUMNS[..], &["--function", function]].concat());
        assert_eq!((imported.totals.executions, imported.totals.distinct), (100, 100));
        let found: Vec<u64> = imported.totals.distinct_cells.iter().map(|totals| percent(totals)).collect();
        assert_eq!(found, wanted, "{function}");
    }
}

#[test]
fn the_random_pairs_are_100_executions_of_both_functions() {
    let Some(place) = golden("random/verdicts_sum_sub.csv") else { return };
    let imported = place.imported(&[&COLUMNS[..], &["--function-column", "operand"]].concat());
    assert_eq!((imported.totals.executions, imported.totals.distinct), (100, 63));
    let found: Vec<u64> = imported.totals.cells.iter().map(|totals| percent(totals)).collect();
    assert_eq!(imported.header().functions, ["sub", "sum"]);
    assert_eq!(found, [94, 61, 0, 0, 0, 0, 100, 100]);
    // (9, 2) and k = 6.
    let detail = imported.rows[0].detail.as_ref().unwrap();
    assert_eq!(imported.fields(0), "a=9 b=2");
    assert_eq!(detail.cells[1].inputs[0].to_string(), "{a: 54, b: 12}");
    assert!(matches!(&detail.cells[1].outcomes[..], [Outcome::Output(output)] if output.float() == Some(42.0)));
}
