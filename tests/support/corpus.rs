//! A crate of a user's with one suite, its log and its corpus, for the tests of `minimise` and `replay`.
#![allow(dead_code, reason = "each test uses a part")]

use crate::support::{self, ROOT};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::TempDir;

/// Two functions and two relations over pairs of digits. `ADD` and `FIELD` are put in by [`Crate::source`].
const SUITE: &str = r#"
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Pair {
    pub a: FIELD,
    pub b: FIELD,
}

fn add(a: i32, b: i32) -> i32 {
    ADD
}

pub fn money(suite: &mut Suite<Pair, i32>) {
    let k = suite.constant("k", 2..=9);
    suite.normalise(|p| Pair { a: p.a % 10, b: p.b % 10 });
    suite.function("add", |p| add(p.a.into(), p.b.into()));
    suite.function("sub", |p| i32::from(p.a) - i32::from(p.b));
    suite.relation("swap", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("grow", move |p| Pair { a: p.a * k, b: p.b * k }, Increase);
}
"#;

/// What `add` does when it is right.
pub const RIGHT: &str = "a + b";

/// All crates build a program of the same name in the same folder, to build the dependencies once.
static BUILDING: Mutex<()> = Mutex::new(());

/// A crate with a suite `money` in `fuzz/`; there is one at a time.
pub struct Crate {
    folder: TempDir,
    _building: MutexGuard<'static, ()>,
}

impl Crate {
    /// A crate whose package has this name.
    pub fn new(name: &str) -> Self {
        let building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        let made = Self { folder: tempfile::tempdir().unwrap(), _building: building };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[package.metadata]\ncargo-fuzz = true\n[workspace]\n\
             [dependencies]\narbitrary = {{ version = \"1\", features = [\"derive\"] }}\n\
             bugornot = {{ path = \"{ROOT}\", default-features = false, features = [\"replay\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\
             [lib]\nname = \"suites\"\n[[bin]]\nname = \"money\"\npath = \"money.rs\"\ntest = false\n"
        );
        made.write("fuzz/Cargo.toml", &manifest);
        fs::copy(Path::new(ROOT).join("fuzz/Cargo.lock"), made.path("fuzz/Cargo.lock")).unwrap();
        made.write("fuzz/money.rs", "#![no_main]\nbugornot::fuzz!(suites::money);\n");
        made.write("fuzz/tests/replay.rs", "use suites::money;\nbugornot::replay!(money, \"../corpus/money\");\n");
        made.source(RIGHT, "i8");
        made
    }

    /// The suite, with this body of `add` and fields of this type.
    pub fn source(&self, add: &str, field: &str) {
        self.write("fuzz/src/lib.rs", &SUITE.replace("ADD", add).replace("FIELD", field));
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn manifest(&self) -> String {
        fs::read_to_string(self.path("corpus/money/manifest.toml")).unwrap()
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> BTreeSet<String> {
        self.corpus().into_keys().filter(|name| !name.ends_with(".toml")).collect()
    }

    /// Every file of the corpus.
    pub fn corpus(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path("corpus/money")).unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        entries.map(|path| (name(&path), fs::read(path).unwrap())).collect()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env_remove("NO_COLOR").env_remove("RUSTFLAGS");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("BUGORNOT_") || name == "GITHUB_ACTIONS" {
                command.env_remove(name);
            }
        }
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus"));
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("RUST_BACKTRACE", "0").env("CARGO_TERM_COLOR", "never");
        command
    }

    /// The program under test.
    pub fn bugornot(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_bugornot"));
        command.args(arguments);
        command
    }

    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("cargo");
        command.args(arguments);
        command
    }

    /// A command as a user types it, in the crate's folder.
    pub fn shell(&self, command: &str) -> Command {
        let mut shell = self.command("bash");
        shell.args(["-c", command]);
        shell
    }

    /// Runs the built-in engine for so many executions.
    pub fn fuzz(&self, log: &str, seed: u32, runs: u32) {
        let (seed, runs) = (seed.to_string(), runs.to_string());
        let run = ["run", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--bin", "money", "--"];
        let mut command = self.cargo(&[&run[..], &["--fuzz", "--runs", &runs, "--seed", &seed]].concat());
        command.env("BUGORNOT_LOG", self.path(log)).env("BUGORNOT_CONST_k", "6").env("BUGORNOT_SEED", "1");
        support::run(&mut command);
    }

    /// Decides about a cell.
    pub fn decide(&self, cell: &str, answer: &[&str]) {
        let arguments = [&["decide", cell], answer, &["--suite", "money"]].concat();
        let (code, _, stderr) = told(&mut self.bugornot(&arguments));
        assert_eq!(code, 0, "{stderr}");
    }

    /// Minimises, without edges: exit code, stdout and stderr.
    pub fn minimise(&self, arguments: &[&str]) -> (i32, String, String) {
        told(&mut self.bugornot(&[&["minimise", "money", "--no-edges"], arguments].concat()))
    }

    /// Replays: exit code, stdout and stderr.
    pub fn replay(&self, arguments: &[&str]) -> (i32, String, String) {
        told(&mut self.bugornot(&[&["replay", "money"], arguments].concat()))
    }

    /// Replays in a test: exit code, stdout and stderr.
    pub fn test(&self) -> (i32, String, String) {
        told(&mut self.cargo(&["test", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--test", "replay"]))
    }

    /// A log, and a corpus made from it.
    pub fn minimised(name: &str) -> Self {
        let made = Self::new(name);
        made.fuzz("fuzz/verdicts/money", 1, 20_000);
        let (code, _, stderr) = made.minimise(&[]);
        assert_eq!(code, 0, "{stderr}");
        made
    }
}

/// Exit code, stdout and stderr.
pub fn told(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}
