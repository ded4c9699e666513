//! `bugornot mutants` from outside: cells are credited with the mutants they kill, relations that add nothing and mutants
//! that survive are named, and nothing is left behind.
//!
//! Without cargo-mutants it is skipped with a word on stderr; with `BUGORNOT_TEST_SKIP=never` that is a failure.

#[path = "support/mod.rs"]
mod support;
#[path = "support/corpus.rs"]
mod user;

use serde_json::{Value, json};
use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use support::skip::{has, is_missing};
use tempfile::TempDir;
use user::{Crate, told};

/// `fee` is such that no relation below tells an addition from a subtraction; `steps` never ends if it divides.
const CODE: &str = "\
pub fn total(a: i32, b: i32) -> i32 {
    a + b
}

pub fn fee(a: i32) -> i32 {
    a + 3
}

pub fn steps(mut a: i32) -> i32 {
    let mut steps = 0;
    while a > 0 {
        a -= 1;
        steps += 1;
    }
    steps
}

#[test]
fn totals() {
    assert_eq!(total(1, 2), 3);
}
";

const SUITE: &str = r#"
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    pub a: i8,
    pub b: i8,
}

pub fn money(suite: &mut Suite<Pair, i32>) {
    suite.constant("k", 2..=9);
    suite.normalise(|p| Pair { a: p.a.rem_euclid(10), b: p.b.rem_euclid(10) });
    suite.function("total", |p| shop::total(p.a.into(), p.b.into()));
    suite.function("fee", |p| shop::fee(p.a.into()));
    suite.function("steps", |p| shop::steps(p.a.into()));
    suite.relation("same", |p| p.clone(), Equal);
    suite.relation("swap", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("more", |p| Pair { a: p.a + 1, b: p.b }, Increase);
}
"#;

fn no_cargo_mutants() -> bool {
    is_missing(has("mutants"), "cargo-mutants", "cargo install cargo-mutants")
}

/// A crate with a suite and its corpus, and a folder for temporary files.
fn crate_with_corpus(name: &str) -> (Crate, TempDir) {
    let user = Crate::new(name);
    user.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    user.write("src/lib.rs", CODE);
    user.write("fuzz/src/lib.rs", SUITE);
    let manifest = fs::read_to_string(user.path("fuzz/Cargo.toml")).unwrap();
    user.write("fuzz/Cargo.toml", &manifest.replace("[dependencies]\n", "[dependencies]\nshop = { path = \"..\" }\n"));
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    let (code, _, stderr) = told(&mut user.bugornot(&["minimise", "money", "--no-edges"]));
    assert_eq!(code, 0, "{stderr}");
    (user, tempfile::tempdir().unwrap())
}

fn mutants(user: &Crate, temporary: &TempDir, arguments: &[&str]) -> Command {
    let mut command = user.bugornot(&[&["mutants", "money"], arguments].concat());
    command.env("TMPDIR", temporary.path());
    command
}

fn is_empty(folder: &TempDir) -> bool {
    fs::read_dir(folder.path()).unwrap().next().is_none()
}

/// The one mutant with this change.
fn mutant<'json>(found: &'json Value, change: &str) -> &'json Value {
    let mut mutants = found["mutants"].as_array().unwrap().iter().filter(|mutant| mutant["change"] == change);
    let mutant = mutants.next().unwrap_or_else(|| panic!("no mutant `{change}` in {found:#}"));
    assert!(mutants.next().is_none());
    mutant
}

#[test]
fn cells_are_credited_and_what_adds_nothing_or_survives_is_named() {
    if no_cargo_mutants() {
        return;
    }
    let (user, temporary) = crate_with_corpus("mutants-credit");
    // A test as `bugornot generate` calls it.
    let generated = "#[test]\nfn adds() {\n    assert_eq!(shop::total(4, 1), 5);\n}\n";
    user.write("fuzz/tests/mr_money.rs", generated);
    let raw = user.path("raw");
    fs::create_dir(&raw).unwrap();
    fs::write(raw.join("one"), [1, 2]).unwrap();
    let out = user.path("out.json");
    let arguments = ["--format", "json", "--out", out.to_str().unwrap(), "--inputs", raw.to_str().unwrap()];
    let exclude = ["--", "--exclude-re", "steps"];
    let (code, stdout, stderr) = told(&mut mutants(&user, &temporary, &[&arguments[..], &exclude].concat()));
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    let found: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!((&found["schema"], &found["suite"], &found["tested"]), (&1.into(), &"money".into(), &10.into()));
    assert_eq!((&found["own_tests"]["count"], &found["generated_tests"]["count"]), (&1.into(), &1.into()));

    // Only a swap tells a sum from a difference.
    let minus = mutant(&found, "replace + with - in total");
    assert_eq!((&minus["file"], &minus["line"], &minus["column"]), (&"src/lib.rs".into(), &2.into(), &7.into()));
    assert_eq!((&minus["inputs"][0]["cells"], &minus["own_tests"]), (&json!([["total", "swap"]]), &true.into()));
    let swap = found["cells"].as_array().unwrap().iter().find(|cell| cell["relation"] == "swap").unwrap();
    assert_eq!((&swap["function"], swap["alone"].as_u64() > Some(0)), (&"total".into(), true));
    // What the inputs of a folder notice is told apart.
    assert_eq!((&found["inputs"][1]["count"], &minus["inputs"][1]["cells"]), (&1.into(), &json!([["total", "swap"]])));

    let relation = |name: &str| {
        let relations = found["relations"].as_array().unwrap().iter();
        relations.clone().find(|relation| relation["relation"] == name).unwrap()["adds_nothing"].as_bool().unwrap()
    };
    assert_eq!((relation("same"), relation("swap"), relation("more")), (true, false, false));
    let fee = mutant(&found, "replace + with - in fee");
    assert_eq!((&fee["survives"], &fee["inputs"][0]["killed"]), (&true.into(), &false.into()));
    assert_eq!((&fee["generated_tests"], &minus["generated_tests"]), (&false.into(), &true.into()));
    assert!(is_empty(&temporary));
    assert_eq!(fs::read_to_string(user.path("src/lib.rs")).unwrap(), CODE);
}

#[test]
fn a_mutant_that_hangs_is_killed_and_the_words_say_who_survives() {
    if no_cargo_mutants() {
        return;
    }
    let (user, temporary) = crate_with_corpus("mutants-hang");
    let arguments = ["--no-own-tests", "--", "--re", "replace -= with /=|with - in fee|total -> i32 with 0"];
    let (code, stdout, stderr) = told(&mut mutants(&user, &temporary, &arguments));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("money: 3 mutants tested\n  `corpus/money` ("), "{stdout}");
    assert!(stdout.contains("): 2 of 3 killed, 66 %\n"), "{stdout}");
    let line = |cell: &str| stdout.lines().find(|line| line.trim_start().starts_with(cell)).unwrap().to_owned();
    // A source that does not end is the end of all relations of its function.
    for cell in ["steps x same", "steps x swap", "steps x more"] {
        assert!(line(cell).ends_with("       1            0"), "{stdout}");
    }
    assert!(line("total x more").ends_with("       1            1"), "{stdout}");
    assert!(stdout.contains("\nadds nothing: same: the mutant it kills is killed by others too\n"), "{stdout}");
    assert!(stdout.ends_with("\nsurvive everything:\n  src/lib.rs:6:7: replace + with - in fee\n\n"), "{stdout}");

    let (code, _, stderr) = told(&mut mutants(&user, &temporary, &["--", "--re", "nothing like this"]));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("error: cargo-mutants finds nothing to change in `.`"), "{stderr}");
    assert!(is_empty(&temporary));
}

#[test]
fn an_interrupted_run_tells_what_it_has_and_leaves_nothing() {
    if no_cargo_mutants() {
        return;
    }
    let (user, temporary) = crate_with_corpus("mutants-interrupted");
    let mut running = mutants(&user, &temporary, &["--no-own-tests"]).stdout(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    // Once records are there, mutants are being tested.
    let is_testing = || {
        let entries = fs::read_dir(temporary.path()).unwrap().flatten();
        entries.flat_map(|entry| fs::read_dir(entry.path().join("records")).into_iter().flatten()).count() > 2
    };
    while !is_testing() {
        assert!(begin.elapsed() < Duration::from_secs(300), "it does not begin");
        thread::sleep(Duration::from_millis(50));
    }
    // SAFETY: sends a signal to our own child.
    unsafe { libc::kill(running.id() as i32, libc::SIGINT) };
    let output = running.wait().map(|status| (status.code(), running.stdout.take().unwrap())).unwrap();
    let stdout = std::io::read_to_string(output.1).unwrap();
    assert_eq!(output.0, Some(130), "{stdout}");
    assert!(stdout.ends_with("note: it was interrupted: other mutants were not tested\n"), "{stdout}");
    assert!(is_empty(&temporary));
}

#[test]
fn what_is_missing_or_wrong_is_said_in_a_line() {
    let user = Crate::new("mutants-errors");
    let temporary = tempfile::tempdir().unwrap();
    let absent = temporary.path().join("nothing");
    let mut command = mutants(&user, &temporary, &[]);
    let (code, _, stderr) = told(command.env("CARGO_HOME", &absent).env("PATH", &absent));
    let how = "error: cargo-mutants is not installed: `cargo install --locked cargo-mutants` installs it\n";
    assert_eq!((code, stderr.as_str()), (1, how));
    if no_cargo_mutants() {
        return;
    }
    let (code, _, stderr) = told(&mut mutants(&user, &temporary, &["--", "--list"]));
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: `--list` cannot be passed on"), "{stderr}");
    let (code, _, stderr) = told(&mut mutants(&user, &temporary, &[]));
    assert_eq!(code, 3);
    assert!(stderr.starts_with("error: there is no corpus `"), "{stderr}");
}
