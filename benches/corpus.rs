//! What a minimal corpus is worth: ours against those of `cargo fuzz cmin` (libFuzzer's `-merge=1`) and afl-cmin, made from
//! the same campaign of each suite in `fuzz/`, and against the paper's way, a hundred random inputs and hand-picked rules.
//!
//! Sizes, edges (of libFuzzer, for all of them), verdicts of cells, conditions and boundaries, times, and how many mutants of the code under test
//! each kills. Code under test that comes from a registry is copied into a temporary folder, and of its mutants a pinned
//! sample is tested.
//!
//! `CORPUS_SUITES=calculator,triangles` chooses suites.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints what it measured")]

mod corpora;
mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use corpora::{
    case::{CASES, Case},
    kept::Asked,
    killed::Killed,
    layout::Layout,
    made::{Made, afl_tools},
    tables::{Measured, SCORES, SIZES},
    worth::Worth,
};
use measure::{fix_addresses, head, is_quick};

fn main() {
    fix_addresses();
    let has_mutants = support::skip::has("mutants");
    let measured: Vec<Measured> = chosen().into_iter().map(|case| measure(case, has_mutants)).collect();
    println!("Corpora of the same campaigns\n\n{}", head(&SIZES));
    measured.iter().for_each(|measured| print!("{}", measured.sizes()));
    if has_mutants {
        println!("\nMutants killed\n\n{}", head(&SCORES));
        measured.iter().filter_map(Measured::scores).for_each(|scores| println!("{scores}"));
        measured.iter().for_each(|measured| print!("\n{}", measured.survivors()));
    } else {
        println!("\nmutants were skipped: `cargo install cargo-mutants` installs what is needed");
    }
    if afl_tools().is_none() {
        println!("\nafl-cmin was skipped: `cargo install cargo-afl` installs it");
    }
}

/// The suites to measure; one is enough to see that the bench works.
fn chosen() -> Vec<&'static Case> {
    let names = std::env::var("CORPUS_SUITES").ok();
    let is_named = |case: &&Case| names.as_ref().is_none_or(|names| names.split(',').any(|name| name == case.suite));
    let most = if is_quick() && names.is_none() { 1 } else { CASES.len() };
    CASES.iter().filter(is_named).take(most).collect()
}

fn measure(case: &Case, has_mutants: bool) -> Measured {
    eprintln!("{}", case.suite);
    let layout = Layout::new(case);
    let made = Made::new(&layout);
    let asked = Asked::new(&made.ours.folder);
    let worth = made.sized().map(|corpus| Worth::new(case.suite, corpus, &asked)).collect();
    let killed = has_mutants.then(|| Killed::new(case, &layout, &made));
    let measured = Measured { suite: case.suite, made, worth, killed };
    // A whole run takes long: what is known is told.
    eprintln!("{}{}\n{}", measured.sizes(), measured.scores().unwrap_or_default(), measured.survivors());
    measured
}
