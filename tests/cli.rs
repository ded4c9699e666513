//! The command line from outside: exit codes, what goes to stdout and what to stderr, and that nothing is overwritten.
//!
//! The tests that build something share one crate and one target folder, and use the built-in engine only.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
    time::Duration,
};
use tempfile::TempDir;

fn bugornot(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
    command.current_dir(folder).env_remove("NO_COLOR");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BUGORNOT_") {
            command.env_remove(name);
        }
    }
    command
}

/// Exit code, stdout and stderr.
fn told(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Runs a command that has to be refused with exactly this error, and nothing on stdout.
fn refused(folder: &Path, arguments: &[&str], error: &str) {
    let (code, stdout, stderr) = told(bugornot(folder).args(arguments));
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", format!("error: {error}\n").as_str()));
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Every file below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// A crate with a library, and nothing else.
fn fresh_crate(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("Cargo.toml"), &format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n"));
    write(&folder.path().join("src/lib.rs"), "pub fn double(x: u32) -> u32 {\n    2 * x\n}\n");
    folder
}

/// A cargo-fuzz project that nobody will build.
fn fuzz_project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"f\"\nedition = \"2024\"\n[package.metadata]\ncargo-fuzz = true\n[workspace]\n\
        [[bin]]\nname = \"one\"\npath = \"one.rs\"\n[[bin]]\nname = \"two\"\npath = \"two.rs\"\n";
    write(&folder.path().join("fuzz/Cargo.toml"), manifest);
    write(&folder.path().join("fuzz/one.rs"), "fn main() {}\n");
    write(&folder.path().join("fuzz/two.rs"), "fn main() {}\n");
    folder
}

#[test]
fn wrong_usage_exits_with_1_and_help_with_0() {
    let here = Path::new(".");
    for arguments in [&[][..], &["fly"], &["run"], &["run", "x", "--engine", "petrol"], &["doctor", "--color", "some"]]
    {
        let (code, stdout, stderr) = told(bugornot(here).args(arguments));
        assert_eq!((code, stdout.as_str()), (1, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains("Usage:") || stderr.contains("possible values"), "{stderr}");
    }
    for arguments in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let (code, stdout, stderr) = told(bugornot(here).args(arguments));
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(!stdout.is_empty());
    }
    assert!(told(bugornot(here).arg("--help")).1.contains("Exit codes: 0 nothing to decide, 1 usage or input error"));
}

#[test]
fn a_time_that_makes_no_sense_is_refused() {
    for time in ["0s", "ten", "-5s", "1.5h", ""] {
        let (code, _, stderr) = told(bugornot(Path::new(".")).args(["run", "x", &format!("--time={time}")]));
        assert_eq!(code, 1);
        assert!(stderr.contains("write it as `90s`, `5m`, `1h30m`, `2d` or `forever`"), "{stderr}");
    }
}

#[test]
fn an_unknown_suite_is_told_with_those_that_exist() {
    let project = fuzz_project();
    let error = "unknown suite `three`: `fuzz/Cargo.toml` has `one`, `two`; choose one of them, \
                 or add it with `bugornot init --suite three`";
    refused(project.path(), &["run", "three"], error);
    let error = error.replace("fuzz/Cargo.toml", "Cargo.toml");
    refused(&project.path().join("fuzz"), &["run", "three"], &error);
}

#[test]
fn without_a_project_run_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = told(bugornot(folder.path()).args(["run", "x"]));
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("error: no cargo-fuzz project (`fuzz/Cargo.toml`) at or above `"), "{stderr}");
    assert!(stderr.contains("add one with `bugornot init`"), "{stderr}");
}

#[test]
fn uniform_inputs_need_the_built_in_engine() {
    let project = fuzz_project();
    let error = "`--uniform` needs `--engine builtin`: no other engine draws uniformly";
    refused(project.path(), &["run", "one", "--uniform", "5"], error);
}

/// A segment whose header is of a format that does not exist yet.
fn newer_segment() -> Vec<u8> {
    let payload = [99u8, 1, 2, 3];
    let mut block = Vec::from(*b"BnB1");
    for word in [1u32, 4096, 0] {
        block.extend(word.to_le_bytes());
    }
    block.extend(7u64.to_le_bytes());
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&block);
    checksum.update(&payload);
    block.extend((payload.len() as u32).to_le_bytes());
    block.extend(checksum.finalize().to_le_bytes());
    block.extend(payload);
    block.resize(8192, 0);
    block
}

#[test]
fn a_log_folder_that_is_none_is_refused_and_left_alone() {
    let project = fuzz_project();
    let log = project.path().join("log");
    fs::create_dir(&log).unwrap();
    let refused = |error: &str| {
        let before = contents(&log);
        refused(
            project.path(),
            &["run", "one", "--log", "log"],
            &error.replace("LOG/", &format!("{}/", log.display())),
        );
        assert_eq!(contents(&log), before);
        for path in before.keys() {
            fs::remove_file(path).unwrap();
        }
    };
    fs::write(log.join("thesis.tex"), "mine").unwrap();
    refused(
        "`log` is no log: it holds `thesis.tex` and no segment (`*.verdicts`); name a new or an empty folder with `--log`",
    );
    fs::write(log.join("x.verdicts"), "hello, I am a text").unwrap();
    refused(
        "the log cannot be used: `LOG/x.verdicts` is no segment of a bugornot log: byte 0 does not begin with `BnB1`; \
         name the directory that `BUGORNOT_LOG` named, or move the file away",
    );
    fs::write(log.join("x.verdicts"), newer_segment()).unwrap();
    refused(
        "the log cannot be used: `LOG/x.verdicts` has log format 99, and this bugornot reads up to 1: \
         install the bugornot that wrote it, or a newer one",
    );
}

#[test]
fn a_log_that_is_a_file_or_switched_off_is_refused() {
    let project = fuzz_project();
    write(&project.path().join("log"), "mine");
    refused(project.path(), &["run", "one", "--log", "log"], "log `log` is a file; name a folder with `--log`");
    let (code, _, stderr) = told(bugornot(project.path()).args(["run", "one"]).env("BUGORNOT_LOG", "off"));
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error: BUGORNOT_LOG is `off`"), "{stderr}");
}

#[test]
fn without_cargo_afl_one_error_says_what_to_install() {
    let project = fuzz_project();
    let empty = tempfile::tempdir().unwrap();
    let mut command = bugornot(project.path());
    command.args(["run", "one", "--engine", "afl"]).env("PATH", empty.path()).env("CARGO_HOME", empty.path());
    let (code, stdout, stderr) = told(&mut command);
    let error = "error: `--engine afl` needs cargo-afl, which is not installed; install it with `cargo install cargo-afl` \
                 and then `cargo afl config --build`\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", error));
}

#[test]
fn doctor_fails_only_if_the_default_engine_cannot_run() {
    let (code, stdout, stderr) = told(bugornot(Path::new(".")).arg("doctor"));
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    for tool in
        ["rustc", "cargo", "C++ compiler", "cargo-fuzz", "nightly Rust", "cargo-afl", "AFL++", "cargo-mutants", "git"]
    {
        assert!(stdout.contains(tool), "{stdout}");
    }
    let (code, stdout, _) = told(bugornot(Path::new(".")).arg("doctor").env("CXX", "/nowhere/c++"));
    assert_eq!(code, 1);
    assert!(stdout.contains("MISSING  C++ compiler   get it: install g++ or clang++"), "{stdout}");
}

#[test]
fn a_closed_pipe_is_no_error_and_colours_come_only_when_asked() {
    let mut child =
        bugornot(Path::new(".")).arg("doctor").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    let is_coloured = |arguments: &[&str]| told(bugornot(Path::new(".")).args(arguments)).1.contains('\u{1b}');
    assert!(!is_coloured(&["doctor"]));
    assert!(is_coloured(&["doctor", "--color", "always"]));
}

#[test]
fn init_overwrites_nothing() {
    let user = fresh_crate("kept");
    let fuzz = user.path().join("fuzz");
    write(&fuzz.join("fuzz_targets/example.rs"), "// mine\n");
    let before = contents(user.path());
    let error =
        "`fuzz/fuzz_targets/example.rs` exists already, and nothing was changed; choose another name with `--suite`";
    refused(user.path(), &["init"], error);
    assert_eq!(contents(user.path()), before);

    write(&fuzz.join("Cargo.toml"), "[package]\nname = \"other\"\n");
    let before = contents(user.path());
    let error =
        "`fuzz/Cargo.toml` is no cargo-fuzz project; set `package.metadata.cargo-fuzz = true` in it, or move it away";
    refused(user.path(), &["init", "--suite", "new"], error);
    assert_eq!(contents(user.path()), before);
}

#[test]
fn init_refuses_what_is_no_crate_and_what_is_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let error = "`.` holds no `Cargo.toml`; name the folder of a crate, or make one with `cargo init`";
    refused(folder.path(), &["init"], error);
    write(&folder.path().join("Cargo.toml"), "[workspace]\nmembers = []\n");
    refused(
        folder.path(),
        &["init"],
        "`Cargo.toml` is a workspace without a package; name the folder of one of its members",
    );
    let error = "`my-suite` cannot name a suite; use a name that a Rust function can have, such as `my_suite`";
    refused(folder.path(), &["init", "--suite", "my-suite"], error);
}

/// The suite whose table is checked to the letter: all pairs of digits, and nothing else.
const GRID: &str = r#"#![no_main]
use bugornot::{Equal, Suite};

pub fn grid(suite: &mut Suite<(u8, u8), u8>) {
    suite.examples((0..100).map(|n| (n / 10, n % 10)));
    suite.function("less", |p| p.0.saturating_sub(p.1));
    suite.function("div", |p| if p.1 == 0 { panic!("\u{1b}[31mzero") } else { p.0 / p.1 });
    suite.relation("swap", |p| (p.1, p.0), Equal);
    suite.relation("shift", |p| (p.0 < 9 && p.1 < 9).then_some((p.0 + 1, p.1 + 1)), Equal).only(["less"]);
}

bugornot::fuzz!(grid);
"#;

const GRID_TABLE: &str = "\
grid  builtin  seed 7  overflow checks off
100 executions, 100 distinct inputs

violated                swap      shift
------------  --------------  ---------
less          90.0 %  90/100  0 %  0/81
  executions          90/100       0/81
div            88.9 %  72/81
  executions           72/81

div x swap: 10 source-panicked, 9 follow-up-panicked
    `\\u{1b}[31mzero` at fuzz_targets/grid.rs:7:45

rows: 100 read

less x swap  violated 90.00 % (95 % interval 82.38 to 95.10)
  violated when  input.0 != input.1
  held when      input.0 == input.1
  right for all 100 distinct inputs
  hint           not a bug?  (right in N % on mutants)
    held just where the transformation changes nothing: 10 of 100 checks with follow-ups in the log
    where it holds the outputs are equal; off by 1 to 9, 3 in the middle: 90 violated checks with
    outputs

div x swap  violated 88.89 % (95 % interval 79.95 to 94.79)
  violated when  input.0 != input.1
  held when      input.0 == input.1
  right for all 81 distinct inputs
  hint           bug?  (right in N % on mutants)
    the function panics for 10 inputs as source and 9 as follow-up, at fuzz_targets/grid.rs:7:45:
    \\u{1b}[31mzero
    it panics just when `input.1 == 0`, right for all 100 inputs looked at
    held just where the transformation changes nothing: 9 of 81 checks with follow-ups in the log
    where it holds the outputs are equal; off by 1 to 9, 2 in the middle: 72 violated checks with
    outputs
  simplest input in the log:
    source-panicked    0 = 0, 1 = 0
    output             (panicked)
    follow-up          (0, 0) -> (not reached)
    panic              `\\u{1b}[31mzero` at fuzz_targets/grid.rs:7:45

never violated: less x shift

3 cells: 1 never violated, 2 under an exact condition
3 hints: 1 bug, 1 fits, 1 not-a-bug
note: the inputs that are shown are not shrunk: their bytes are not in the log
";

const DEADLY: &str = r#"#![no_main]
use bugornot::{Equal, Suite};

pub fn deadly(suite: &mut Suite<u8, u8>) {
    suite.examples([1, 2]);
    suite.function("f", |&n| if n == 2 { std::process::abort() } else { n });
    suite.relation("same", |&n| n, Equal);
}

bugornot::fuzz!(deadly);
"#;

const TWICE: &str = r#"#![no_main]
use bugornot::{Equal, Suite};

pub fn twice(suite: &mut Suite<u8, u8>) {
    suite.function("f", |&n| n);
    suite.function("f", |&n| n);
    suite.relation("same", |&n| n, Equal);
}

bugornot::fuzz!(twice);
"#;

/// Builds go to one folder that stays, so that the dependencies are built once.
fn building(folder: &Path) -> Command {
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    // The built-in engine needs no libFuzzer: an empty archive saves a minute of C++.
    let archive = shared.join("libnothing.a");
    write(&archive, "!<arch>\n");
    let mut command = bugornot(folder);
    command.env("CARGO_TARGET_DIR", &shared).env("CUSTOM_LIBFUZZER_PATH", archive).env_remove("RUSTFLAGS");
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    command
}

/// A crate that had no `fuzz/`, with the example and the suites above.
fn demo() -> &'static Path {
    static DEMO: OnceLock<TempDir> = OnceLock::new();
    let demo = DEMO.get_or_init(|| {
        let user = fresh_crate("bugornot-demo");
        for suite in ["example", "grid", "deadly", "twice"] {
            let (code, stdout, stderr) = told(bugornot(user.path()).args(["init", "--suite", suite]));
            assert_eq!((code, stderr.as_str()), (0, ""));
            assert!(stdout.ends_with(&format!("next: bugornot run {suite} --time 10s\n")), "{stdout}");
        }
        for (suite, text) in [("grid", GRID), ("deadly", DEADLY), ("twice", TWICE)] {
            write(&user.path().join(format!("fuzz/fuzz_targets/{suite}.rs")), text);
        }
        user
    });
    demo.path()
}

#[test]
fn what_init_writes_into_a_fresh_crate_runs_at_once() {
    let (code, stdout, stderr) = told(building(demo()).args(["run", "example", "--engine", "builtin", "--time", "1s"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("example  builtin  k = "), "{stdout}");
    let end: Vec<&str> = stdout[stdout.find("\nlog:  ").unwrap()..].lines().skip(1).collect();
    assert!(end[1].starts_with("kept: ") && end[1].ends_with(" obligations"), "{stdout}");
    assert_eq!((end[0], end[2]), ("log:  fuzz/verdicts/example", "      written to `corpus/example`: commit it"));
    assert_eq!(end[3..], ["next: bugornot review example", "      asks you what the violations are"]);
    assert!(
        stderr.contains("fuzzing `example` with builtin in 1 process, logging to `fuzz/verdicts/example`\n"),
        "{stderr}"
    );
    let (code, stdout, stderr) = told(building(demo()).args(["replay", "example"]));
    assert_eq!(code, 0, "{stdout}{stderr}");
    let ignored = fs::read_to_string(demo().join("fuzz/.gitignore")).unwrap();
    assert_eq!(ignored, "target\nverdicts\nwitnesses\nartifacts\ncorpus\ncoverage\nafl\n");

    // Whatever is wrong with the corpus, the report is not lost, and neither is the corpus.
    let manifest = demo().join("corpus/example/manifest.toml");
    write(&manifest, "damaged");
    let (code, stdout, stderr) = told(building(demo()).args(["run", "example", "--engine", "builtin", "--time", "1s"]));
    assert_eq!((code, stdout.contains("\nkept: "), stdout.contains("\nlog:  ")), (0, false, true), "{stdout}");
    assert!(stderr.contains("warning: the minimal corpus is as it was: the manifest `corpus/example/"), "{stderr}");
    assert_eq!(fs::read_to_string(&manifest).unwrap(), "damaged");
}

#[test]
fn what_init_adds_to_an_existing_fuzz_crate_runs_at_once() {
    let user = fresh_crate("bugornot-demo-old");
    let fuzz = user.path().join("fuzz");
    let manifest = "# my fuzzing\n[package]\nname = \"old-fuzz\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
        [package.metadata]\ncargo-fuzz = true\n\n[dependencies]\nlibfuzzer-sys = \"0.4\"\nserde = \"1\" # plain\n\n\
        [dependencies.bugornot-demo-old]\npath = \"..\"\n\n[workspace]\n\n\
        [[bin]]\nname = \"old\"\npath = \"fuzz_targets/old.rs\"\n";
    write(&fuzz.join("Cargo.toml"), manifest);
    write(&fuzz.join("fuzz_targets/old.rs"), "fn main() {}\n");
    write(&fuzz.join(".gitignore"), "/target\ncorpus");
    let (code, stdout, _) = told(bugornot(&fuzz).arg("init"));
    let expected = "changed `Cargo.toml`\ncreated `fuzz_targets/example.rs`\nchanged `.gitignore`\nnext: bugornot run example --time 10s\n";
    assert_eq!((code, stdout.as_str()), (0, expected));
    let ignored = fs::read_to_string(fuzz.join(".gitignore")).unwrap();
    assert_eq!(ignored, "/target\ncorpus\nverdicts\nwitnesses\nartifacts\ncoverage\nafl\n");
    let edited = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    assert!(edited.starts_with("# my fuzzing\n[package]\nname = \"old-fuzz\"\n"), "{edited}");

    let arguments = ["run", "example", "--engine", "builtin", "--time", "1s", "--no-minimise"];
    let (code, stdout, stderr) = told(building(&fuzz).args(arguments));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("example  builtin  k = ") && !stdout.contains("\nkept: "), "{stdout}");
    assert!(!user.path().join("corpus").exists());
}

#[test]
fn a_workflow_is_valid_yaml_for_all_suites_and_is_never_overwritten() {
    let project = fuzz_project();
    fs::create_dir(project.path().join(".git")).unwrap();
    let inner = project.path().join("below/crate");
    fs::create_dir_all(&inner).unwrap();
    fs::rename(project.path().join("fuzz"), inner.join("fuzz")).unwrap();
    write(&inner.join("Cargo.toml"), "[package]\nname = \"inner\"\n");
    let (code, stdout, stderr) = told(bugornot(&inner).args(["init", "--workflow"]));
    assert_eq!(code, 0, "{stderr}");
    let path = project.path().join(".github/workflows/bugornot.yml");
    assert!(stdout.starts_with(&format!("created `{}`\n", path.display())), "{stdout}");
    let text = fs::read_to_string(&path).unwrap();
    let yaml = &yaml_rust2::YamlLoader::load_from_str(&text).unwrap()[0];
    assert_eq!(yaml["defaults"]["run"]["working-directory"].as_str(), Some("below/crate"));
    for job in ["replay", "fuzz"] {
        let suites = yaml["jobs"][job]["strategy"]["matrix"]["suite"].as_vec().unwrap();
        assert_eq!(suites.iter().filter_map(|suite| suite.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        let steps = yaml["jobs"][job]["steps"].as_vec().unwrap();
        assert!(steps.iter().all(|step| step["run"].as_str().is_some() || step["uses"].as_str().is_some()), "{text}");
    }
    assert!(!text.contains("{folder}") && !text.contains("{suites}") && !text.contains("{version}"), "{text}");
    let error = format!("`{}` exists already, and nothing was changed; move it away first", path.display());
    refused(&inner, &["init", "--workflow"], &error);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

/// The arguments that judge a suite's examples and then stop.
fn examples_only(suite: &str) -> Vec<&str> {
    vec!["run", suite, "--engine", "builtin", "--seed", "7", "--", "--runs", "0"]
}

/// What a report says, whatever the truth benchmark last measured.
fn without_confidences(report: &str) -> String {
    let mut pieces = report.split("(right in ");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (percent, rest) = piece.split_once(" %").unwrap();
        assert!((0..=100).contains(&percent.parse::<i32>().unwrap()), "{percent}");
        text += &format!("(right in N %{rest}");
    }
    text
}

#[test]
fn the_table_shows_every_cell_and_escapes_what_the_log_says() {
    let (code, stdout, stderr) = told(building(demo()).args(examples_only("grid")));
    assert_eq!(code, 0, "{stderr}");
    let (table, end) = stdout.split_once("log:  ").unwrap();
    assert_eq!(without_confidences(table), GRID_TABLE);
    assert!(end.contains("\nkept: nothing, as only examples were judged\n"), "{end}");
    assert!(!demo().join("corpus/grid").exists());
    // A second run goes on with the log, and says how much was done in it alone.
    let (code, _, stderr) =
        told(building(demo()).args(["run", "grid", "--engine", "builtin", "--seed", "7", "--", "--runs", "50"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("s, 50 executions ("), "{stderr}");
}

#[test]
fn a_death_is_told_with_its_cell_and_input() {
    let (code, stdout, stderr) = told(building(demo()).args(examples_only("deadly")));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("f x same: 1 died\n"), "{stdout}");
    assert!(stdout.contains("1 death, 1 different\n  1 x  f x same, while the source input ran\n"), "{stdout}");
    assert!(stderr.contains("warning: the built-in engine stopped at a death"), "{stderr}");
}

#[test]
fn what_is_wrong_with_a_suite_is_told_once_and_nothing_runs() {
    let (code, stdout, stderr) = told(building(demo()).args(["run", "twice", "--engine", "builtin", "--time", "1s"]));
    assert_eq!((code, stdout.as_str()), (1, ""));
    let error =
        "error: `fuzz/fuzz_targets/twice.rs` cannot be run: suite `twice`: two functions are called `f`: rename one\n";
    assert!(stderr.ends_with(error), "{stderr}");
    assert!(!stderr.contains("fuzzing `twice`"), "{stderr}");
}

#[test]
fn an_interrupt_stops_the_campaign_and_still_shows_the_table() {
    let arguments = "run example --engine builtin --time 10m --log fuzz/verdicts/interrupted --corpus interrupted";
    let mut command = building(demo());
    let mut child = command.args(arguments.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let log = demo().join("fuzz/verdicts/interrupted");
    let is_segment = |entry: std::io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.path().extension().is_some());
    while !fs::read_dir(&log).is_ok_and(|mut entries| entries.any(is_segment)) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it had begun");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("distance "), "{stdout}");
}
