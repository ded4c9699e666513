//! Replay from outside: a regression turns it red with the right cell and witness, and whatever is wrong with a corpus has
//! its own message and exit code.

#[path = "replay/seeded.rs"]
mod seeded;
#[path = "support/mod.rs"]
mod support;
#[path = "support/corpus.rs"]
mod user;

use std::fs;
use user::{Crate, RIGHT, told};

/// What is wrong with `add` when it is wrong.
const WRONG: &str = "a - b";
/// The same for `swap` alone.
const WRONG_ORDER: &str = "a + b + i32::from(a > b)";

#[test]
fn a_bug_turns_replay_red_with_cell_and_witness_and_fixing_it_turns_it_green() {
    let user = Crate::minimised("replay-bug");
    let (code, stdout, stderr) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.starts_with("money (k = 6): ") && stdout.ends_with(" verdicts as expected\n"), "{stdout}");
    assert_eq!(user.test().0, 0);

    user.source(WRONG, "i8");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2, "{stdout}");
    check_block(&stdout);
    let (code, stdout, _) = user.test();
    assert_ne!(code, 0);
    assert!(stdout.contains("money::replay"), "{stdout}");
    check_block(&stdout.replace("reproduce  bugornot replay money ", "reproduce  BUGORNOT_CONST_k=6 "));
    check_formats(&user);

    user.source(RIGHT, "i8");
    assert_eq!(user.replay(&[]).0, 0);
    assert_eq!(user.test().0, 0);
    // The same behaviour, written differently.
    user.source("if a == b { 2 * a } else { [b, a].iter().sum() }", "i8");
    assert_eq!(user.replay(&[]).0, 0);
    assert_eq!(user.test().0, 0);
}

/// The first finding about `add x swap`, whose follow-up swaps what the input is.
fn check_block(text: &str) {
    let start = text.find("newly violated: add x swap\n").unwrap_or_else(|| panic!("{text}"));
    let block: Vec<&str> = text[start..].lines().take(7).collect();
    let value = |line: usize, name: &str| {
        let rest = block[line].strip_prefix("  ").and_then(|rest| rest.strip_prefix(name));
        rest.unwrap_or_else(|| panic!("{name}: {block:?}")).trim().to_owned()
    };
    let (a, b) = value(1, "input").split_once(", ").map(|(a, b)| (number(a), number(b))).unwrap();
    assert_eq!((value(2, "expected"), value(3, "actual")), ("held".into(), "violated".into()));
    assert_eq!(value(4, "output"), (a - b).to_string());
    assert_eq!(value(5, "follow-up"), format!("{{a: {b}, b: {a}}} -> {}", b - a));
    assert!(value(6, "reproduce").starts_with("BUGORNOT_CONST_k=6 "), "{block:?}");
}

fn number(part: &str) -> i32 {
    part.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The same findings for machines, and the command that shows one of them again.
fn check_formats(user: &Crate) {
    let replay = |arguments: &[&str]| user.bugornot(&[&["replay", "money"], arguments].concat());
    let (code, stdout, _) = told(&mut replay(&["--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json["suite"].as_str(), json["constants"]["k"].as_str()), (2, Some("money"), Some("6")));
    let inputs = json["inputs"].as_array().unwrap();
    let finding = inputs.iter().flat_map(|input| input["findings"].as_array().unwrap()).next().unwrap();
    assert_eq!((finding["function"].as_str(), finding["expected"].is_string()), (Some("add"), true));

    let out = user.path("replay.xml");
    let (code, stdout, stderr) =
        told(replay(&["--format", "junit", "--out", out.to_str().unwrap()]).env("GITHUB_ACTIONS", "true"));
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("\n::error title=money add x swap%3A newly violated::a = "), "{stderr}");
    let xml = fs::read_to_string(out).unwrap();
    let count = |text: &str| xml.matches(text).count();
    assert_eq!((count("<testcase "), count("<testsuite ")), (inputs.len(), 1));
    assert!(xml.contains("<failure type=\"newly violated\" message=\"add x swap: expected held, actual violated\">"));

    let input = inputs.iter().find(|input| !input["findings"].as_array().unwrap().is_empty()).unwrap();
    let name = input["path"].as_str().unwrap().rsplit('/').next().unwrap();
    let (code, stdout, _) = told(&mut replay(&[name]));
    assert_eq!(code, 2);
    assert!(stdout.contains("1 input replayed"), "{stdout}");
    let command = input["reproduce"].as_str().unwrap();
    let (code, stdout, stderr) = told(&mut user.shell(command));
    assert_eq!(code, 0, "{command}\n{stderr}");
    assert!(stdout.contains(name) && stdout.contains("\n  violated           add x swap\n"), "{stdout}");
    assert!(stdout.contains(&format!("\n  input              {}\n", input["input"].as_str().unwrap())), "{stdout}");
    assert!(stdout.contains("                     output ") && stdout.contains(" follow-up {a: "), "{stdout}");
}

#[test]
fn an_input_that_ends_the_process_is_told_and_the_others_are_still_replayed() {
    let user = Crate::minimised("replay-death");
    user.source("if a > 0 && b > 0 { std::process::abort() } else { a + b }", "i8");
    let (code, stdout, stderr) = user.replay(&[]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stdout.contains("died: add x swap\n"), "{stdout}");
    let inputs = user.inputs().len();
    assert!(stdout.contains(&format!("{inputs} inputs replayed, ")), "{stdout}");
    let recursion = "fn deep(n: i32) -> i32 { 1 + deep(n + 1) }\nif a > 0 && b > 0 { deep(0) } else { a + b }";
    let ways = [
        ("if a > 0 && b > 0 { std::process::abort() } else { a + b }", "signal: 6"),
        ("if a > 0 && b > 0 { std::process::exit(3) } else { a + b }", "exit status: 3"),
        (recursion, "has overflowed its stack"),
    ];
    for (add, sign) in ways {
        user.source(add, "i8");
        let (code, stdout, stderr) =
            told(&mut user.cargo(&["test", "--manifest-path", "fuzz/Cargo.toml", "--test", "replay"]));
        assert_ne!(code, 0);
        assert_eq!(stderr.matches("died: the input `a = ").count(), 1, "{stdout}{stderr}");
        assert!(stderr.contains("ended the process; reproduce it with `bugornot replay money "), "{stdout}{stderr}");
        assert!(stderr.contains(sign), "{sign}: {stderr}");
    }
}

#[test]
fn a_panic_is_told_with_its_place_and_nothing_of_it_reaches_the_terminal_raw() {
    let user = Crate::minimised("replay-panic");
    user.source("if a > 4 { panic!(\"\u{1b}[31mlarge\") } else { a + b }", "i8");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2, "{stdout}");
    assert!(stdout.contains("panicked: add x swap\n"), "{stdout}");
    assert!(stdout.contains("  panic      `\\u{1b}[31mlarge` at src/lib.rs:"), "{stdout}");
    assert!(stdout.contains("  output     (panicked)\n") && !stdout.contains('\u{1b}'), "{stdout}");
    let (code, stdout, _) = user.replay(&["--format", "junit"]);
    assert_eq!(code, 2);
    assert!(stdout.contains("<failure type=\"panicked\"") && !stdout.contains('\u{1b}'), "{stdout}");

    // A relation more is no reason to fail, and is told; a hostile manifest cannot colour the terminal either.
    user.source(RIGHT, "i16");
    user.write("corpus/money/manifest.toml", &user.manifest().replace("input = \"", "input = \"\\u001B[31m"));
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("since it was `\\u{1b}[31ma = ") && !stdout.contains('\u{1b}'), "{stdout}");
    user.source(RIGHT, "i8");
    let lib = fs::read_to_string(user.path("fuzz/src/lib.rs")).unwrap();
    let more = "suite.relation(\"again\", |p| p.clone(), Equal);\n}";
    user.write("fuzz/src/lib.rs", &format!("{}{more}", lib.trim_end().strip_suffix('}').unwrap()));
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("note: the suite has 2 cells that the manifest does not know"), "{stdout}");
}

#[test]
fn an_input_type_that_changed_is_a_stale_corpus() {
    let user = Crate::minimised("replay-stale");
    user.source(RIGHT, "i16");
    let (code, stdout, stderr) = user.replay(&[]);
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("stale: corpus/money/"), "{stdout}");
    assert!(stdout.contains("it decodes differently: the input type has changed since it was `a = "), "{stdout}");
    assert!(stdout.contains("make the corpus again with `bugornot minimise money`"), "{stdout}");

    user.source(RIGHT, "i8");
    let original = fs::read_to_string(user.path("fuzz/src/lib.rs")).unwrap();
    user.write("fuzz/src/lib.rs", &original.replace("\"grow\"", "\"scale\""));
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("the suite has no cell `add x grow` any more"), "{stdout}");

    user.write("fuzz/src/lib.rs", &original.replace("suite.constant(\"k\"", "suite.constant(\"m\""));
    let (code, stdout, stderr) = user.replay(&[]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains(
            "error: the corpus `corpus/money` is stale: the suite has a constant `m` that the manifest does not know; \
             make it again with `bugornot minimise money`"
        ),
        "{stderr}"
    );
}

#[test]
fn each_thing_that_can_be_wrong_with_a_corpus_has_its_own_message_and_exit_code() {
    let user = Crate::new("replay-wrong");
    let refused = |code: i32, error: &str| {
        let error = error.replace(
            "AGAIN",
            "restore it from version control, or make the corpus again with `bugornot minimise money --fresh`",
        );
        let told = user.replay(&[]);
        assert_eq!(told, (code, String::new(), format!("error: {error}\n")));
    };
    let head = "suite = \"money\"\n[replayed]\noverflow_checks = true\ndebug_assertions = true\n";
    let listing = |name: &str| {
        format!("schema = 1\n{head}[inputs.\"{name}\"]\ninput = \"\"\nvalue = \"\"\nkeeps = []\nverdicts = {{}}\n")
    };
    refused(1, "there is no corpus `corpus/money`: make one with `bugornot minimise money`, and commit it");
    fs::create_dir_all(user.path("corpus/money")).unwrap();
    refused(1, "the manifest `corpus/money/manifest.toml` is missing: AGAIN");
    user.write("corpus/money/manifest.toml", &format!("schema = 1\n{head}"));
    refused(
        3,
        "the manifest `corpus/money/manifest.toml` lists no inputs: fuzz with `bugornot run money`, then `bugornot minimise money`",
    );
    user.write("corpus/money/manifest.toml", "schema = 99\nnew = true\n");
    refused(
        1,
        "the manifest `corpus/money/manifest.toml` has schema 99, and this bugornot reads up to 1: use the bugornot that wrote it, \
         or a newer one",
    );
    user.write("corpus/money/manifest.toml", &listing("0123456789abcdef").replace("\"money\"", "\"other\""));
    refused(
        1,
        "the manifest `corpus/money/manifest.toml` is that of suite `other`, not of `money`: name the corpus of `money`, or make one \
         with `bugornot minimise money`",
    );
    user.write("corpus/money/manifest.toml", &listing("../../secret"));
    refused(1, "the manifest `corpus/money/manifest.toml` lists `../../secret`, which is no name of an input: AGAIN");
    user.write("corpus/money/manifest.toml", &listing("0123456789abcdef"));
    refused(1, "the input `corpus/money/0123456789abcdef` is missing, and the manifest lists it: AGAIN");
    user.write("corpus/money/0123456789abcdef", "other");
    refused(1, "the input `corpus/money/0123456789abcdef` is damaged: its content is not what its name says; AGAIN");
    for damaged in
        ["schema = ", "\u{1b}[31m", "schema = 1", "[[[", &listing("x").replace("{}", "{ f = { r = \"up\" } }")]
    {
        user.write("corpus/money/manifest.toml", damaged);
        let (code, stdout, stderr) = user.replay(&[]);
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.starts_with("error: the manifest `") && stderr.contains("` is damaged: "), "{stderr}");
        assert!(!stderr.contains('\u{1b}') && stderr.lines().count() == 1, "{stderr}");
    }
    fs::write(user.path("corpus/money/manifest.toml"), [0xff, 0xfe]).unwrap();
    refused(1, "the manifest `corpus/money/manifest.toml` is damaged: it is no text; AGAIN");
}

#[test]
fn what_was_decided_counts_whatever_the_manifest_expects() {
    let user = Crate::minimised("replay-decided");
    user.decide("add:swap", &["fits", "--note", "sums have no order"]);
    user.decide("sub:swap", &["not-a-bug"]);
    let stale = "the corpus `corpus/money` is stale: the decisions `corpus/money/decisions.toml` are not those that it was \
                 made under; make it again with `bugornot minimise money`";
    let (code, stdout, stderr) = user.replay(&[]);
    assert_eq!((code, stdout.as_str(), stderr.contains(stale)), (1, "", true), "{stderr}");
    let (code, stdout, _) = user.test();
    assert!(code != 0 && stdout.contains("/decisions.toml` are not those that it was made under"), "{stdout}");
    assert_eq!(user.minimise(&[]).0, 0);
    assert_eq!((user.replay(&[]).0, user.test().0), (0, 0));

    user.source(WRONG_ORDER, "i8");
    check_regression(&user);
    // A corpus that was made while the code was wrong does not make it right.
    let (code, _, stderr) = user.minimise(&[]);
    assert!(code == 0 && stderr.contains(" what was decided: `bugornot replay money` is red"), "{stderr}");
    check_regression(&user);
    user.source(RIGHT, "i8");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains(" as decided at last"), "{stdout}");
    assert_eq!(user.test().0, 0);

    // What was accepted is gone: not a regression, and not silent.
    assert_eq!(user.minimise(&[]).0, 0);
    let lib = fs::read_to_string(user.path("fuzz/src/lib.rs")).unwrap();
    let never = lib.replace("i32::from(p.a) - i32::from(p.b)", "(i32::from(p.a) - i32::from(p.b)).abs()");
    assert_ne!(lib, never);
    user.write("fuzz/src/lib.rs", &never);
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2, "{stdout}");
    assert!(stdout.contains("newly held: sub x swap\n") && !stdout.contains("regression"), "{stdout}");
    assert!(stdout.contains("  decided    not a bug when `a != b` ("), "{stdout}");
}

/// A violation of what was decided to fit, in every format.
fn check_regression(user: &Crate) {
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2, "{stdout}");
    let block: Vec<&str> = stdout[stdout.find("regression: add x swap\n").unwrap()..].lines().take(5).collect();
    assert!(block[2].starts_with("  decided    fits (2") && block[2].ends_with(": sums have no order)"), "{block:?}");
    assert_eq!(block[3..], ["  expected   held", "  actual     violated"]);
    assert!(stdout.contains(" against what was decided\n"), "{stdout}");
    let (code, stdout, _) = user.test();
    assert!(code != 0 && stdout.contains("regression: add x swap\n"), "{stdout}");
    let (_, stdout, _) = user.replay(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let findings = json["inputs"].as_array().unwrap().iter().flat_map(|input| input["findings"].as_array().unwrap());
    let regressions: Vec<_> = findings.filter(|finding| finding["kind"] == "regression").collect();
    assert_eq!(json["against"].as_u64(), Some(regressions.len() as u64));
    assert!(regressions.iter().all(|finding| finding["decision"].as_str().unwrap().starts_with("fits (")));
    let (_, stdout, stderr) =
        told(user.bugornot(&["replay", "money", "--format", "junit"]).env("GITHUB_ACTIONS", "true"));
    assert!(stdout.contains("<failure type=\"regression\"") && stdout.contains("\">decided: fits ("), "{stdout}");
    assert!(stderr.contains("\n::error title=money add x swap%3A regression::a = "), "{stderr}");
}

#[test]
fn a_decided_bug_is_red_until_it_is_gone() {
    let user = Crate::new("replay-known-bug");
    user.source(WRONG_ORDER, "i8");
    user.fuzz("fuzz/verdicts/money", 1, 20_000);
    user.decide("add:swap", &["bug"]);
    assert_eq!(user.minimise(&[]).0, 0);
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 2, "{stdout}");
    assert!(
        stdout.contains("bug: add x swap\n  input      a = ") && stdout.contains("  decided    a bug ("),
        "{stdout}"
    );
    let (code, stdout, _) = user.test();
    assert!(code != 0 && stdout.contains("bug: add x swap\n"), "{stdout}");
    user.source(RIGHT, "i8");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains(" as decided at last"), "{stdout}");
    assert_eq!(user.test().0, 0);
}

#[test]
fn a_decision_that_cannot_be_used_is_told_and_turns_nothing_red() {
    let user = Crate::minimised("replay-unusable");
    user.decide("sub:swap", &["not-a-bug"]);
    let path = user.path("corpus/money/decisions.toml");
    let decisions = fs::read_to_string(&path).unwrap();
    fs::write(&path, decisions.replace("a != b", "a != c")).unwrap();
    let (code, _, stderr) = user.minimise(&[]);
    assert_eq!(code, 0);
    assert!(stderr.contains("warning: the decision about sub x swap cannot be used: "), "{stderr}");
    let (code, stdout, _) = user.replay(&[]);
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains("note: sub x swap is not held against its decision, not a bug when `a != c` ("),
        "{stdout}"
    );
    let (_, stdout, stderr) =
        told(user.bugornot(&["replay", "money", "--format", "junit"]).env("GITHUB_ACTIONS", "true"));
    assert!(stdout.contains("<system-out>sub x swap is not held against"), "{stdout}");
    assert!(stderr.contains("\n::warning title=money::sub x swap is not held against"), "{stderr}");
    // What cannot be read at all is an error of its own.
    fs::write(&path, "cells = 3").unwrap();
    let (code, stdout, stderr) = user.minimise(&[]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: the decisions `corpus/money/decisions.toml` cannot be used: "), "{stderr}");
}
