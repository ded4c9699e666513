//! The engines end to end: real libFuzzer, real AFL++, the plain build, on the targets in `tests/targets`.
//!
//! What is not installed is skipped with a word on stderr; with `BUGORNOT_TEST_SKIP=never` that is a failure.

mod support;

use bugornot::{
    Verdict,
    log::{Log, Row, Stage, Totals},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
};
use support::{
    ROOT, TARGETS, build_folder, run,
    skip::{has, is_missing},
};

fn no_afl() -> bool {
    is_missing(has("afl"), "cargo-afl", "cargo install cargo-afl")
}

fn no_cargo_fuzz() -> bool {
    is_missing(has("fuzz"), "cargo-fuzz", "cargo install cargo-fuzz")
}

/// Every row of a log; nothing of it may be lost.
fn rows(log: &Path) -> Vec<Row> {
    let mut all = Vec::new();
    for segment in Log::open(log).unwrap().segments {
        let mut rows = segment.rows().unwrap();
        all.extend(rows.by_ref());
        assert!(rows.loss().is_none(), "{:?}", rows.loss());
    }
    all
}

fn totals(log: &Path) -> Totals {
    let mut sum = Totals::default();
    for segment in Log::open(log).unwrap().segments {
        sum.add(&segment.totals().expect("the totals are sound"));
    }
    sum
}

/// A folder of inputs, made up from a fixed generator: short, long, structured, empty.
fn corpus(folder: &Path, count: u64) {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    fs::create_dir_all(folder).unwrap();
    for number in 0..count {
        let length = number % 61 + number / 3 % 40;
        let bytes: Vec<u8> = (0..length).map(|_| if number % 3 == 0 { next() % 128 } else { next() }).collect();
        fs::write(folder.join(format!("{number:04}")), bytes).unwrap();
    }
}

/// What of each row has to be the same in every engine, by its bytes.
fn records(log: &Path) -> BTreeMap<Vec<u8>, String> {
    let record = |row: &Row| {
        format!("{:?} {:?} {:?} {:?} {:?}", row.names, row.fields, row.parameters, row.features, row.verdicts)
    };
    rows(log).iter().map(|row| (row.bytes.clone(), record(row))).collect()
}

/// Expects that no bytes gave two records, and that every record is in both logs: which of several inputs that decode
/// alike has the row depends on the order an engine takes them in.
fn assert_same(engine: &str, found: &BTreeMap<Vec<u8>, String>, expected: &BTreeMap<Vec<u8>, String>) {
    let mut shared = 0;
    for (bytes, record) in found {
        if let Some(other) = expected.get(bytes) {
            assert_eq!(record, other, "{engine}: {bytes:?}");
            shared += 1;
        }
    }
    assert!(shared > 300, "{engine}: only {shared} inputs are in both logs");
    let (found, expected): (BTreeSet<_>, BTreeSet<_>) = (found.values().collect(), expected.values().collect());
    let differing: Vec<_> = found.symmetric_difference(&expected).collect();
    // libFuzzer also tries one byte of its own.
    assert!(differing.len() <= 1, "{engine}: {} records differ, such as {:?}", differing.len(), differing[0]);
}

#[test]
fn the_same_bytes_give_the_same_record_in_every_engine() {
    let place = tempfile::tempdir().unwrap();
    let inputs = place.path().join("inputs");
    corpus(&inputs, 400);
    let replay = |folder: &Path, engine: &str, arguments: &[&str]| {
        let log = place.path().join(engine);
        let mut command = Command::new(folder.join("shapes"));
        run(command.args(arguments).arg(&inputs).env("BUGORNOT_LOG", &log).env("BUGORNOT_SEED", "1"));
        records(&log)
    };
    let expected = replay(TARGETS.plain(), "plain", &[]);
    assert_same("libfuzzer", &replay(TARGETS.libfuzzer(), "libfuzzer", &["-runs=0", "-verbosity=0"]), &expected);
    if !no_afl() {
        assert_same("afl", &replay(TARGETS.afl(), "afl", &[]), &expected);
    }
}

/// The answers of a target that is asked, as `src/engine/serve.rs` says: the edges, and the execution in full.
fn asked(target: &Path, inputs: &[Vec<u8>]) -> Vec<Option<(Vec<u64>, Vec<u8>)>> {
    let mut command = Command::new(target);
    command.env("BUGORNOT_SERVE", "1").env("BUGORNOT_LOG", "off").stderr(Stdio::null());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut receive = || {
        let mut length = [0; 4];
        from.read_exact(&mut length).unwrap();
        let mut message = vec![0; u32::from_le_bytes(length) as usize];
        from.read_exact(&mut message).unwrap();
        message
    };
    assert!(receive().starts_with(b"bugornot serves 1\n"));
    let mut answers = Vec::new();
    for input in inputs {
        to.write_all(&[&(input.len() as u32).to_le_bytes()[..], input].concat()).unwrap();
        let answer = receive();
        answers.push((answer[0] == 1).then(|| edges_of(&answer[1..])));
    }
    drop(to);
    assert!(child.wait().unwrap().success());
    answers
}

/// A list of numbers as bincode writes it, and what follows.
fn edges_of(mut bytes: &[u8]) -> (Vec<u64>, Vec<u8>) {
    let mut number = || {
        let first = bytes[0];
        let width = match first {
            251 => 2,
            252 => 4,
            253 => 8,
            _ => 0,
        };
        let mut word = [0; 8];
        word[..width].copy_from_slice(&bytes[1..=width]);
        bytes = &bytes[1 + width..];
        if width == 0 { u64::from(first) } else { u64::from_le_bytes(word) }
    };
    let count = number();
    let edges = (0..count).map(|_| number()).collect();
    (edges, bytes.to_vec())
}

#[test]
fn a_target_that_is_asked_tells_the_same_in_every_build_and_edges_where_it_is_instrumented() {
    let place = tempfile::tempdir().unwrap();
    corpus(place.path(), 200);
    let entries = fs::read_dir(place.path()).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let inputs: Vec<Vec<u8>> = entries.collect();
    let plain = asked(&TARGETS.plain().join("shapes"), &inputs);
    let instrumented = asked(&TARGETS.libfuzzer().join("shapes"), &inputs);
    let mut different = BTreeSet::new();
    for (plain, instrumented) in plain.iter().zip(&instrumented) {
        let Some((edges, told)) = instrumented else {
            assert!(plain.is_none());
            continue;
        };
        assert_eq!(plain.as_ref(), Some(&(Vec::new(), told.clone())));
        assert!(!edges.is_empty());
        different.insert(edges.clone());
    }
    assert!(different.len() > 10, "{}", different.len());
}

/// Runs a libFuzzer target; libFuzzer's last line of progress.
fn fuzz(target: &Path, log: &str, arguments: &[&str], settings: &[(&str, &str)]) -> (String, Output) {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(target);
    // A seed, so that what is found does not depend on luck.
    command.arg("-seed=1").args(arguments).arg(format!("-artifact_prefix={}/", place.path().display()));
    let output =
        command.env("BUGORNOT_LOG", log).envs(settings.iter().copied()).current_dir(place.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let done = text.lines().rfind(|line| line.contains("DONE")).unwrap_or_default().to_owned();
    (done, output)
}

/// `cov`, `ft` and `corp` of a line of libFuzzer's progress.
fn coverage(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name).map_or("", |at| words[at + 1]);
    format!("cov {} ft {} corp {}", after("cov:"), after("ft:"), after("corp:").split('/').next().unwrap_or_default())
}

#[test]
fn libfuzzer_sees_the_coverage_of_a_target_without_a_log() {
    let place = tempfile::tempdir().unwrap();
    let inputs = place.path().join("inputs");
    corpus(&inputs, 400);
    let inputs = inputs.to_str().unwrap();
    // A fixed corpus in a fixed order, so that chance has no part: every edge and feature is compared.
    for target in ["shapes", "misbehaving"] {
        let target = TARGETS.libfuzzer().join(target);
        let log = place.path().join("log");
        let measure =
            |log: &str| coverage(&fuzz(&target, log, &["-runs=0", "-seed=1", inputs], &[("BUGORNOT_GUIDE", "off")]).0);
        let (logged, bare) = (measure(log.to_str().unwrap()), measure("off"));
        assert!(!bare.contains("cov  "), "{bare}");
        assert_eq!(logged, bare);
        fs::remove_dir_all(log).unwrap();
    }
}

#[test]
fn libfuzzer_goes_on_over_panics_and_violations_in_every_mode() {
    let modes: [&[&str]; 3] =
        [&["-runs=60000"], &["-fork=2", "-max_total_time=4"], &["-jobs=2", "-workers=2", "-runs=20000"]];
    for mode in modes {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        let (_, output) =
            fuzz(&TARGETS.libfuzzer().join("misbehaving"), log.to_str().unwrap(), mode, &[("BUGORNOT_SEED", "1")]);
        assert!(output.status.success(), "{mode:?} {}", String::from_utf8_lossy(&output.stderr));
        let totals = totals(&log);
        // Cells: sane x MR1, sane x MR2, odd x MR1, odd x MR2.
        assert!(totals.cells[0][Verdict::Violated as usize] > 0, "{mode:?} {totals:?}");
        let panicked = totals.cells[3][Verdict::FollowUpPanicked as usize];
        assert!(panicked > 0, "{mode:?} {totals:?}");
        assert_eq!(totals.cells[1][Verdict::FollowUpPanicked as usize], 0);
        let rows = rows(&log);
        let witness = rows.iter().find(|row| row.verdicts[3] == Some(Verdict::FollowUpPanicked)).unwrap();
        assert_eq!(witness.fields[0].integer(), Some(77));
        let detail = witness.detail.as_ref().expect("the first rows of a stratum are detailed");
        assert!(format!("{detail:?}").contains("misbehaved"), "{detail:?}");
    }
}

/// Fuzzes a target that ends its process, and expects the log to say exactly where.
fn dies(how: &str, arguments: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("log");
    let settings = [("BUGORNOT_SEED", "1"), ("MISBEHAVE", how)];
    for _ in 0..2 {
        fuzz(&TARGETS.libfuzzer().join("misbehaving"), log.to_str().unwrap(), arguments, &settings);
    }
    let rows = rows(&log);
    let deaths: Vec<&Row> = rows.iter().filter(|row| row.death.is_some()).collect();
    assert!(!deaths.is_empty(), "{how}: no death in {} rows", rows.len());
    for row in deaths {
        assert_eq!(row.death.as_ref().unwrap().stage, Stage::FollowUp(3), "{how}: {row:?}");
        assert_eq!(row.verdicts[3], Some(Verdict::Died), "{how}: {row:?}");
        assert_eq!(row.bytes.first(), Some(&77), "{how}: {row:?}");
    }
    // The second process took the segment over, and decoded what the first one died of.
    assert_eq!(Log::open(&log).unwrap().segments.len(), 1);
    let decoded =
        rows.iter().filter(|row| row.death.is_some() && row.fields.first().is_some_and(|x| x.integer() == Some(77)));
    assert!(decoded.count() >= 1, "{how}");
}

#[test]
fn the_log_names_the_input_and_cell_of_an_abort() {
    dies("abort", &["-runs=500000"]);
}

#[test]
fn the_log_names_the_input_and_cell_of_a_stack_overflow() {
    dies("overflow", &["-runs=500000"]);
}

#[test]
fn the_log_names_the_input_and_cell_of_a_hang() {
    dies("hang", &["-runs=500000", "-timeout=1"]);
}

#[test]
fn the_log_names_the_input_and_cell_of_an_exit() {
    dies("exit", &["-runs=500000"]);
}

#[test]
fn cargo_fuzz_runs_a_target_on_stable_and_with_the_address_sanitizer_on_nightly() {
    if no_cargo_fuzz() {
        return;
    }
    let mut ways: Vec<Vec<&str>> = vec![vec!["fuzz", "run", "-s", "none"]];
    if !is_missing(has("+nightly"), "a nightly toolchain", "rustup toolchain install nightly") {
        ways.push(vec!["+nightly", "fuzz", "run"]);
    }
    for way in ways {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        let mut command = Command::new("cargo");
        command.args(&way).arg("--fuzz-dir").arg(Path::new(ROOT).join("tests/targets"));
        command.arg("--target-dir").arg(build_folder(way[0])).arg("misbehaving").arg(place.path().join("corpus"));
        // Cargo picks the toolchain of the outer cargo unless its variables are taken away.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTFLAGS");
        command.env("BUGORNOT_LOG", &log).env("BUGORNOT_SEED", "1").args(["--", "-runs=20000", "-seed=1"]);
        fs::create_dir_all(place.path().join("corpus")).unwrap();
        run(&mut command);
        let segment = Log::open(&log).unwrap().segments.remove(0);
        let wanted = if way[0] == "+nightly" { "address" } else { "none" };
        assert_eq!(segment.header().build.sanitizer, wanted);
        assert!(segment.header().build.overflow_checks && segment.header().build.cfg_fuzzing);
        assert!(totals(&log).cells[3][Verdict::FollowUpPanicked as usize] > 0, "{way:?}");
    }
}

/// Runs `afl-fuzz` for some seconds and gives the value of each statistic.
fn afl_fuzz(place: &Path, role: &[&str], seconds: &str, settings: &[(&str, &str)]) -> std::process::Child {
    let seeds = place.join("seeds");
    fs::create_dir_all(&seeds).unwrap();
    fs::write(seeds.join("seed"), [1, 2]).unwrap();
    let mut command = Command::new("cargo");
    command.args(["afl", "fuzz", "-s", "1", "-V", seconds, "-i"]).arg(&seeds).arg("-o").arg(place.join("out"));
    command.args(role).arg("--").arg(TARGETS.afl().join("misbehaving")).envs(settings.iter().copied());
    command.envs([("AFL_NO_UI", "1"), ("AFL_SKIP_CPUFREQ", "1"), ("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1")]);
    command.envs([("AFL_NO_AFFINITY", "1"), ("BUGORNOT_SEED", "1")]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn statistic(place: &Path, fuzzer: &str, name: &str) -> String {
    let text = fs::read_to_string(place.join("out").join(fuzzer).join("fuzzer_stats")).unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    line.split(':').nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn afl_goes_on_over_panics_and_finds_the_log_of_both_its_processes() {
    if no_afl() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("log");
    let settings = [("BUGORNOT_LOG", log.to_str().unwrap())];
    let main = afl_fuzz(place.path(), &["-M", "main"], "10", &settings);
    let second = afl_fuzz(place.path(), &["-S", "second"], "10", &settings);
    for mut child in [main, second] {
        assert!(child.wait().unwrap().success());
    }
    let executions: u64 = ["main", "second"]
        .iter()
        .map(|fuzzer| {
            assert_eq!(statistic(place.path(), fuzzer, "saved_crashes"), "0");
            statistic(place.path(), fuzzer, "execs_done").parse::<u64>().unwrap()
        })
        .sum();
    assert!(Log::open(&log).unwrap().segments.len() >= 2);
    let totals = totals(&log);
    assert!(totals.executions + totals.rejected >= executions * 9 / 10, "{} of {executions}", totals.executions);
    assert!(totals.cells[3][Verdict::FollowUpPanicked as usize] > 0, "{totals:?}");
    rows(&log);
}

#[test]
fn afl_names_the_inputs_that_hang() {
    if no_afl() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("log");
    let settings = [("BUGORNOT_LOG", log.to_str().unwrap()), ("MISBEHAVE", "hang")];
    let mut child = afl_fuzz(place.path(), &["-t", "300"], "15", &settings);
    assert!(child.wait().unwrap().success());
    let rows = rows(&log);
    let deaths: Vec<&Row> = rows.iter().filter(|row| row.verdicts[3] == Some(Verdict::Died)).collect();
    assert!(!deaths.is_empty());
    assert!(deaths.iter().all(|row| row.bytes.first() == Some(&77)), "{deaths:?}");
}

#[test]
fn afl_sees_the_coverage_and_stability_of_a_target_without_a_log() {
    if no_afl() {
        return;
    }
    let measure = |log: Option<&str>| {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("log");
        let settings = [("BUGORNOT_LOG", log.unwrap_or(path.to_str().unwrap())), ("BUGORNOT_GUIDE", "off")];
        assert!(afl_fuzz(place.path(), &[], "6", &settings).wait().unwrap().success());
        let statistic = |name| statistic(place.path(), "default", name);
        let stability: f64 = statistic("stability").trim_end_matches('%').parse().unwrap();
        (statistic("edges_found").parse::<i64>().unwrap(), statistic("corpus_count").parse::<i64>().unwrap(), stability)
    };
    let (logged, bare) = (measure(None), measure(Some("off")));
    assert!((logged.0 - bare.0).abs() <= 1, "edges: {} with a log, {} without", logged.0, bare.0);
    assert!((logged.1 - bare.1).abs() <= 2, "corpus: {} with a log, {} without", logged.1, bare.1);
    assert!((logged.2 - bare.2).abs() <= 1.0, "stability: {} with a log, {} without", logged.2, bare.2);
}
