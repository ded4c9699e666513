//! `bugornot review`: the list, what is said without a terminal, and the flow on a pseudo-terminal.

use super::{Place, minus, skip::is_missing};
use std::{
    fs::{self, File},
    io::{Read, Write},
    process::{Child, Command, Stdio},
};

#[test]
fn the_list_has_what_is_to_be_decided_with_its_proposal_and_what_is_decided() {
    let place = Place::new();
    place.log("log", minus);
    let (code, stdout, _) = place.told(&["review", "--list", "log"]);
    assert_eq!(code, 0);
    let trust = "(right in 83 % on mutants)";
    let list = format!(
        "digits: 2 of 2 cells to decide\n  f:swap  90 of 100 violated  hint: not-a-bug {trust}\n      \
         proposed: not a bug when `a != b`\n  f:grow  55 of 100 violated  hint: not-a-bug {trust}\n      \
         proposed: not a bug when `a <= b`\nnext: bugornot decide CELL bug|not-a-bug|does-not-apply|fits\n"
    );
    assert_eq!(stdout, list);
    place.decided(&["f:grow", "not-a-bug"]).decided(&["f:swap", "bug"]);
    let (code, stdout, _) = place.told(&["review", "--list", "log"]);
    assert_eq!(code, 2, "a bug is still there");
    assert!(stdout.starts_with("digits: 0 of 2 cells to decide\n  f:swap  decided on 20"), "{stdout}");
}

#[test]
fn the_list_has_the_condition_of_what_is_inconclusive() {
    let place = Place::new();
    place.log_of("log", |a, b| Some((true, a >= 3 || b >= 3)));
    let (_, stdout, _) = place.told(&["review", "--list", "log"]);
    let list = "  f:grow  9 of 100 violated  hint: inconclusive\n      violated when a <= 2 && b <= 2\n";
    assert!(stdout.contains(list), "{stdout}");
}

#[test]
fn without_a_terminal_nothing_is_asked_and_it_says_what_to_run_instead() {
    let place = Place::new();
    place.log("log", minus);
    let (code, stdout, stderr) = place.told(&["review", "log"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: there is no terminal to ask on: `bugornot review --list` shows"), "{stderr}");
    assert!(stderr.contains("`bugornot decide CELL ANSWER`") && stderr.contains("`bugornot decide --explained`"));
    assert!(!place.path("corpus").exists());
}

#[test]
fn a_log_without_rows_has_nothing_to_decide() {
    let place = Place::new();
    place.log("log", minus);
    let segment = fs::read_dir(place.path("log")).unwrap().next().unwrap().unwrap().path();
    // The header alone.
    File::options().write(true).open(segment).unwrap().set_len(4096).unwrap();
    for arguments in [&["review", "--list", "log"][..], &["decide", "--explained", "--log", "log"]] {
        let (code, stdout, stderr) = place.told(arguments);
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    }
}

/// Runs `review log` on a pseudo-terminal of so many lines and types; what is shown, if there is a program that makes one.
fn review_on(place: &Place, lines: usize) -> Option<Child> {
    let is_there = Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success());
    if is_missing(is_there, "`script`", "apt-get install bsdutils") {
        return None;
    }
    let review = format!("stty rows {lines} cols 80; {} review log", env!("CARGO_BIN_EXE_bugornot"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &review, "/dev/null"]).current_dir(place.path("."));
    script.env("NO_COLOR", "1").env("TERM", "xterm").env_remove("BUGORNOT_LOG");
    Some(script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
}

fn typed_on(place: &Place, lines: usize, keys: &str) -> Option<String> {
    let mut child = review_on(place, lines)?;
    child.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{shown}");
    Some(shown)
}

fn typed(place: &Place, keys: &str) -> Option<String> {
    typed_on(place, 50, keys)
}

#[test]
fn a_small_terminal_shows_the_whole_cell_with_less_evidence() {
    let place = Place::new();
    place.log_of("log", |a, b| Some((true, a >= 3 || b >= 3)));
    let Some(small) = typed_on(&place, 24, "q") else { return };
    let (_, cell) = small.split_once("Reviewing").unwrap();
    assert!(cell.lines().count() <= 24 && cell.contains("more in the report"), "{small}");
    let large = typed(&place, "q").unwrap();
    assert!(!large.contains("more in the report"), "{large}");
}

#[test]
fn a_decision_that_reopens_is_told_once_and_samples_stand_in_columns() {
    let place = Place::new();
    place.log("log", minus).decided(&["f:swap", "bug"]);
    fs::remove_dir_all(place.path("log")).unwrap();
    place.import("log", "digits", "a,b,swap,grow\n1,2,held,held\n3,4,not-applicable,held\n");
    let Some(shown) = typed(&place, "q") else { return };
    assert_eq!(shown.matches("a bug (90 of 100 violated)").count(), 1, "{shown}");
    let column = |sample: &str| shown.lines().find(|line| line.contains(sample)).and_then(|line| line.find(sample));
    assert!(column("a = 1, b = 2").is_some() && column("a = 1, b = 2") == column("a = 3, b = 4"), "{shown}");
}

#[test]
fn single_keys_decide_on_a_terminal() {
    let place = Place::new();
    place.log("log", minus);
    // A bug; then `a <= b` becomes `a <= b + 1`, which is refused, and the hint is accepted.
    let Some(shown) = typed(&place, "bme + 1\rna") else { return };
    for text in [
        "Reviewing [1/2] digits: f x swap",
        "55 of 100 violated",
        "yours          a <= b + 1",
        "0 violated outside the condition and 9 held inside",
        "Reviewing [2/2] digits: f x grow",
        "f x grow: not a bug when `a <= b`",
        "f x swap: a bug",
        "written to `corpus/digits/decisions.toml`: commit it",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    let decisions = place.decisions();
    assert!(decisions.contains("when = \"a <= b\"\n") && decisions.contains("answer = \"bug\"\n"), "{decisions}");
}

#[test]
fn a_capital_decides_the_rest_and_quitting_keeps_what_is_decided() {
    let place = Place::new();
    place.log("log", minus);
    let Some(_) = typed(&place, "dq") else { return };
    assert!(place.decisions().contains("answer = \"does-not-apply\"\n") && !place.decisions().contains("f:grow"));
    typed(&place, "A");
    assert!(place.decisions().contains("when = \"a <= b\"\n"), "{}", place.decisions());
    let shown = typed(&place, "").unwrap_or_default();
    assert!(shown.contains("digits: nothing to decide"), "{shown}");
}

#[test]
fn what_somebody_else_decides_meanwhile_is_not_replaced_unseen() {
    let place = Place::new();
    place.log("log", minus);
    let Some(mut child) = review_on(&place, 50) else { return };
    let (mut shown, mut stdout) = (Vec::new(), child.stdout.take().unwrap());
    while !String::from_utf8_lossy(&shown).contains("Reviewing [1/2]") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        shown.push(byte[0]);
    }
    place.decided(&["f:swap", "does-not-apply", "--note", "by somebody else"]);
    // Not even when it is asked twice.
    child.stdin.take().unwrap().write_all(b"bbq").unwrap();
    stdout.read_to_end(&mut shown).unwrap();
    let shown = String::from_utf8_lossy(&shown);
    assert!(child.wait().unwrap().success() && shown.contains("somebody decided this meanwhile"), "{shown}");
    assert!(place.decisions().contains("by somebody else"), "{}", place.decisions());
}
