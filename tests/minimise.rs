//! `bugornot minimise` from outside: what a campaign has shown is kept by few small inputs, a second run changes nothing,
//! and being killed at any moment leaves a corpus that can be replayed.

#[path = "support/mod.rs"]
mod support;
#[path = "support/corpus.rs"]
mod user;

use std::{
    collections::BTreeSet,
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};
use user::{Crate, RIGHT, told};

/// The cells and verdicts that a report has seen.
fn seen(user: &Crate) -> BTreeSet<String> {
    let (_, stdout, stderr) = told(&mut user.bugornot(&["report", "money", "--format", "json"]));
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let mut seen = BTreeSet::new();
    for cell in report["cells"].as_array().unwrap() {
        let name = format!("{} x {}", cell["function"].as_str().unwrap(), cell["relation"].as_str().unwrap());
        let verdicts = cell["verdicts"].as_object().unwrap().iter().filter(|(_, count)| count.as_u64() != Some(0));
        seen.extend(verdicts.map(|(verdict, _)| format!("verdict: {name} {verdict}")));
        if let Some(condition) = cell["condition"].as_object() {
            let sides = ["violated_when", "held_when"].map(|side| condition[side].as_str().unwrap().to_owned());
            let is_condition = |side: &String| !matches!(side.as_str(), "true" | "false");
            seen.extend(sides.into_iter().filter(is_condition).map(|side| format!("condition: {name}: {side}")));
        }
    }
    seen
}

#[test]
fn every_verdict_and_every_condition_is_kept_and_a_second_run_changes_nothing() {
    let user = Crate::minimised("minimise-twice");
    let manifest = user.manifest();
    let wanted = seen(&user);
    assert!(
        wanted.contains("verdict: add x swap held") && wanted.contains("condition: sub x swap: a == b"),
        "{wanted:?}"
    );
    for obligation in &wanted {
        assert!(manifest.contains(&format!("    \"{obligation}\",\n")), "{obligation}\n{manifest}");
    }
    let before = user.corpus();
    // Engines skip files without a byte.
    assert!(
        before.len() < 20 && before.values().all(|bytes| (1..=2).contains(&bytes.len()) || bytes.starts_with(b"# ")),
        "{before:?}"
    );
    let (code, stdout, _) = user.minimise(&[]);
    assert_eq!(code, 0);
    assert!(stdout.ends_with("\n`corpus/money` is as it was\n"), "{stdout}");
    assert_eq!(user.corpus(), before);
    // Without a log, nothing of what it has told is lost.
    fs::rename(user.path("fuzz/verdicts"), user.path("fuzz/away")).unwrap();
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!(user.corpus(), before);
    fs::rename(user.path("fuzz/away"), user.path("fuzz/verdicts")).unwrap();
    // From nothing it comes to the same.
    assert_eq!(user.minimise(&["--fresh"]).0, 0);
    assert_eq!(user.corpus(), before);

    // More rows of the same kind change only what they must, and leave it at that.
    user.fuzz("fuzz/verdicts/money", 2, 20_000);
    assert_eq!(user.minimise(&[]).0, 0);
    let after = user.corpus();
    let kept = before.keys().filter(|name| after.contains_key(*name)).count();
    assert!(kept * 2 > before.len(), "{kept} of {}", before.len());
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!(user.corpus(), after);
}

#[test]
fn files_that_are_not_ours_stay_and_a_damaged_corpus_is_not_replaced_unasked() {
    let user = Crate::minimised("minimise-strange");
    user.write("corpus/money/by-hand", "\u{7}\u{3}");
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!(fs::read(user.path("corpus/money/by-hand")).unwrap(), [7, 3]);
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("note: 1 file in the corpus folder that the manifest does not list"), "{stdout}");

    let whole = user.corpus();
    let broken = user.manifest().replace("schema = 1", "schema = ");
    user.write("corpus/money/manifest.toml", &broken);
    let (code, stdout, stderr) = user.minimise(&[]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("make the corpus again with `bugornot minimise money --fresh`"), "{stderr}");
    assert_eq!(user.manifest(), broken);
    assert_eq!(user.minimise(&["--fresh"]).0, 0);
    // The manifest alone is gone: the inputs are still good.
    fs::remove_file(user.path("corpus/money/manifest.toml")).unwrap();
    fs::remove_dir_all(user.path("fuzz/verdicts")).unwrap();
    assert_eq!(user.minimise(&[]).0, 0);
    let names = |corpus: &std::collections::BTreeMap<String, Vec<u8>>| corpus.keys().cloned().collect::<BTreeSet<_>>();
    assert!(names(&user.corpus()).is_subset(&names(&whole)));
    assert_eq!(user.replay(&[]).0, 0);
}

#[test]
fn decisions_in_the_corpus_are_no_input_and_stay() {
    let user = Crate::new("minimise-decided");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    // The decisions come first: a folder without inputs is no corpus yet.
    user.decide("sub:swap", &["not-a-bug"]);
    let decisions = || fs::read_to_string(user.path("corpus/money/decisions.toml")).unwrap();
    let before = decisions();
    assert!(before.contains("[cells.\"sub:swap\"]\nanswer = \"not-a-bug\"\nwhen = \"a != b\"\n"), "{before}");
    let (_, _, stderr) = user.replay(&[]);
    assert!(stderr.starts_with("error: there is no corpus `corpus/money`: make one with"), "{stderr}");
    for arguments in [&[][..], &["--fresh"], &[]] {
        let (code, _, stderr) = user.minimise(arguments);
        assert_eq!((code, decisions() == before), (0, true), "{stderr}");
    }
    assert!(user.minimise(&[]).1.ends_with("\n`corpus/money` is as it was\n"));
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!((code, stdout.contains("note:")), (0, false), "{stdout}");
    let inputs = user.inputs().len();
    let run = ["run", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--bin", "money", "--", "corpus/money"];
    let (_, stdout, _) = told(user.cargo(&run).env("BUGORNOT_LOG", "off"));
    assert!(stdout.ends_with(&format!("\n{inputs} inputs replayed\n")), "{stdout}");
}

#[test]
fn what_the_corpus_is_about_to_expect_anew_is_told() {
    let user = Crate::minimised("minimise-changed");
    user.source("a - b", "i8");
    let (code, _, stderr) = user.minimise(&[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(" not what the corpus expects; the new corpus will expect what is"), "{stderr}");
    assert_eq!(user.replay(&[]).0, 0);
}

#[test]
fn a_log_with_other_constants_gives_inputs_only_unless_all_is_chosen_anew() {
    let user = Crate::minimised("minimise-constants");
    let run =
        ["run", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--bin", "money", "--", "--fuzz", "--runs", "500"];
    support::run(user.cargo(&run).env("BUGORNOT_LOG", user.path("other")).env("BUGORNOT_CONST_k", "3"));
    let (code, _, stderr) = user.minimise(&["other"]);
    assert_eq!(code, 0, "{stderr}");
    let warning = "warning: a log has k = 3, and the corpus has k = 6 (`bugornot minimise money --fresh` takes the log's): of it, only inputs \
                   are taken, no conditions\n";
    assert!(stderr.contains(warning), "{stderr}");
    assert!(user.manifest().contains("k = \"6\"") && user.manifest().contains("condition: sub x swap: a == b"));
    assert_eq!(user.minimise(&["other", "--fresh"]).0, 0);
    assert!(user.manifest().contains("k = \"3\""));
    assert_eq!(user.replay(&[]).0, 0);
}

#[test]
fn panics_and_deaths_are_kept_and_replayed() {
    let user = Crate::new("minimise-death");
    user.source(
        "if a == 7 { panic!(\"seven\") } else if a == 3 && b == 4 { std::process::abort() } else { a + b }",
        "i8",
    );
    for seed in 1..4 {
        // Each campaign ends where the process does.
        let run = ["run", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--bin", "money", "--"];
        let seed = seed.to_string();
        let mut command = user.cargo(&[&run[..], &["--fuzz", "--runs", "20000", "--seed", &seed]].concat());
        command.env("BUGORNOT_LOG", user.path("fuzz/verdicts/money")).env("BUGORNOT_CONST_k", "6");
        command.env("BUGORNOT_SEED", "1").stderr(Stdio::null());
        let _ = command.status().unwrap();
    }
    let (code, _, stderr) = user.minimise(&[]);
    assert_eq!(code, 0, "{stderr}");
    let manifest = user.manifest();
    assert!(manifest.contains("\"panic: src/lib.rs:"), "{manifest}");
    assert!(manifest.contains(", while the source input ran\""), "{manifest}");
    assert!(manifest.contains("swap = \"source-panicked\"") && manifest.contains("\"died\""), "{manifest}");
    let before = user.corpus();
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!(user.corpus(), before);
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    let (code, stdout, stderr) = user.test();
    assert_eq!(code, 0, "{stdout}{stderr}");

    user.source(RIGHT, "i8");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2);
    assert!(stdout.contains("newly held: add x swap\n") && stdout.contains("  expected   died\n"), "{stdout}");
}

#[test]
fn functions_that_are_not_deterministic_are_told() {
    let user = Crate::new("minimise-unsteady");
    // Every process that meets such an input makes something else of it than the one before.
    let state = tempfile::NamedTempFile::new().unwrap();
    let unsteady = r#"{
        static IS_EVEN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        let is_even = || *IS_EVEN.get_or_init(|| {
            let seen = std::fs::read("STATE").unwrap().len();
            std::fs::write("STATE", vec![0; seen + 1]).unwrap();
            seen % 2 == 0
        });
        if CONDITION && is_even() { a - b + 100 } else { a + b }
    }"#
    .replace("STATE", state.path().to_str().unwrap());
    user.source(&unsteady.replace("CONDITION", "(a, b) == (5, 3)"), "i8");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    let (code, _, stderr) = user.minimise(&[]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(user.replay(&[]).0, 0);
    let has = |input: &str| user.manifest().contains(&format!("input = \"{input}\""));
    assert!(!has("a = 5, b = 3") && !has("a = 3, b = 5"), "{}", user.manifest());

    user.source(&unsteady.replace("CONDITION", "a != 0"), "i8");
    let (_, _, stderr) = user.minimise(&["--fresh"]);
    assert!(stderr.contains("change from one replay to the next"), "{stderr}");
}

#[test]
fn without_inputs_it_says_so_and_logs_of_others_are_left_out() {
    let user = Crate::new("minimise-nothing");
    let (code, stdout, stderr) = user.minimise(&[]);
    let error = "error: there are no inputs of `money` to choose from: fuzz with `bugornot run money` first\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (3, "", error));
    user.write("fuzz/foreign.csv", "a,MR1\n1,Pass\n");
    let import = ["import", "--csv", "fuzz/foreign.csv", "--suite", "other", "--function", "f", "--inputs", "a"];
    let (code, _, stderr) =
        told(&mut user.bugornot(&[&import[..], &["--verdicts", "MR1", "--into", "other"]].concat()));
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = user.minimise(&["other"]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.starts_with("warning: `other` holds rows of suite `other`, left out\n"), "{stderr}");
    let (code, _, stderr) = user.minimise(&["nowhere"]);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: the log cannot be read: failed to read log `nowhere`"), "{stderr}");
    assert!(!user.path("corpus").exists());
}

#[test]
fn killing_it_at_any_moment_leaves_a_corpus_that_can_be_replayed() {
    let user = Crate::minimised("minimise-killed");
    user.fuzz("other", 9, 300);
    let begin = Instant::now();
    assert_eq!(user.minimise(&["other", "--fresh"]).0, 0);
    let whole = begin.elapsed();
    // Each changes the corpus of the one before, if it comes that far.
    let logs = ["fuzz/verdicts/money", "other"];
    for step in 1..=16u32 {
        let log = logs[step as usize % 2];
        let mut command = user.bugornot(&["minimise", "money", log, "--no-edges", "--fresh"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Most fall into the last third, where the corpus is written.
        thread::sleep(whole.mul_f64(0.6 + 0.5 * f64::from(step) / 16.0).max(Duration::from_millis(1)));
        let _ = child.kill();
        child.wait().unwrap();
        let (code, stdout, stderr) = user.replay(&[]);
        assert_eq!(code, 0, "step {step}: {stdout}{stderr}");
    }
}

#[test]
fn each_decision_is_shown_by_inputs_and_changes_the_corpus_only_as_it_must() {
    let user = Crate::new("minimise-decisions");
    user.source("if a > 3 { a - b } else { a + b }", "i8");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    assert_eq!(user.minimise(&[]).0, 0);
    let before = user.inputs();
    // What the corpus shows anyway needs no other input.
    user.decide("sub:swap", &["not-a-bug", "--when", "a != b"]);
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!(user.inputs(), before);
    let manifest = user.manifest();
    for shown in ["sub x swap violated where it may be", "sub x swap held where it must"] {
        assert!(manifest.contains(&format!("    \"decision: {shown}\",\n")), "{shown}\n{manifest}");
    }
    assert!(manifest.contains("\naccepted = { sub = [\"swap\"] }\n"), "{manifest}");

    // Of a bug, the smallest input there can be is kept, and nothing else changes.
    user.decide("add:swap", &["bug"]);
    let (code, _, stderr) = user.minimise(&[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(" what was decided: `bugornot replay money` is red"), "{stderr}");
    let manifest = user.manifest();
    let witness = manifest.split("\n[inputs.").find(|input| input.contains("\"decision: add x swap a bug, smallest\""));
    assert!(witness.is_some_and(|input| input.contains("\ninput = \"a = 1, b = 4\"\n")), "{manifest}");
    let after = user.inputs();
    assert!(after.difference(&before).count() <= 1, "{before:?} {after:?}");
    assert!(user.minimise(&[]).1.ends_with("\n`corpus/money` is as it was\n"));

    // A decision that is taken back leaves nothing behind.
    fs::remove_file(user.path("corpus/money/decisions.toml")).unwrap();
    assert_eq!(user.minimise(&[]).0, 0);
    assert!(!user.manifest().contains("decision") && !user.manifest().contains("accepted"), "{}", user.manifest());
}

#[test]
fn two_at_once_are_kept_apart() {
    let user = Crate::minimised("minimise-twice-at-once");
    let before = user.corpus();
    let other = fs::File::open(user.path("corpus/money")).unwrap();
    other.lock().unwrap();
    let error = "error: another `bugornot minimise` is at work on `corpus/money`: wait for it to end\n";
    assert_eq!(user.minimise(&["--fresh"]), (1, String::new(), error.into()));
    assert_eq!(user.corpus(), before);
    drop(other);
    assert_eq!(user.minimise(&["--fresh"]).0, 0);
}

#[test]
fn inputs_that_are_kept_for_edges_stay_where_no_build_sees_edges() {
    let user = Crate::minimised("minimise-edges");
    // An input that keeps nothing else: only its edges are left of what it was kept for.
    let manifest = user.manifest();
    let (name, _) = manifest.split("\n[inputs.").nth(1).unwrap().split_once(']').unwrap();
    user.write("corpus/money/manifest.toml", &manifest.replacen("\nkeeps = [", "\nedges = 7\nkeeps = [", 1));
    let (code, stdout, stderr) = user.minimise(&[]);
    assert_eq!((code, stdout.contains(" and 7 edges\n`corpus/money` is as it was\n")), (0, true), "{stdout}{stderr}");
    assert_eq!(user.minimise(&["--fresh"]).0, 0);
    assert!(user.path("corpus/money").join(name).exists() && user.manifest() == manifest);
}
