//! Builds the packages of fuzz targets for every engine, for the tests and for the benches.
#![allow(dead_code, reason = "each test and each bench uses a part")]

pub mod skip;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The flags of `cargo fuzz -s none`, for a libFuzzer build without cargo-fuzz.
const LIBFUZZER_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cllvm-args=-simplifycfg-branch-fold-threshold=0 \
    -Cllvm-args=-sanitizer-coverage-stack-depth -Cdebug-assertions -Ccodegen-units=1";

/// Runs a command that has to succeed.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Copies all files below a folder.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, to).map(|_| ()).unwrap() }
    }
}

/// Copies the package of the suites to `fuzz` in another folder, where it can be changed.
pub fn copy_suites(to: &Path) {
    let (ours, fuzz) = (Path::new(ROOT).join("fuzz"), to.join("fuzz"));
    for folder in ["src", "fuzz_targets"] {
        copy(&ours.join(folder), &fuzz.join(folder));
    }
    fs::copy(ours.join("Cargo.lock"), fuzz.join("Cargo.lock")).unwrap();
    let manifest = fs::read_to_string(ours.join("Cargo.toml")).unwrap();
    let elsewhere = manifest.replace("path = \"..\"", &format!("path = \"{ROOT}\""));
    assert_ne!(manifest, elsewhere);
    fs::write(fuzz.join("Cargo.toml"), elsewhere).unwrap();
}

/// Where what an engine needs is built.
pub fn build_folder(engine: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    Path::new(ROOT).join(target).join("engines").join(engine)
}

/// A package of fuzz targets, built when it is first asked for.
pub struct Targets {
    /// Where it is, below the root.
    folder: &'static str,
    libfuzzer: OnceLock<PathBuf>,
    afl: OnceLock<PathBuf>,
    plain: OnceLock<PathBuf>,
}

/// The targets that are there to be tested and measured.
pub static TARGETS: Targets = Targets::new("tests/targets");
/// The suites that show what bugornot can do.
pub static SUITES: Targets = Targets::new("fuzz");
/// Functions with known bugs, and relations of which is known when they hold.
pub static TRUTH: Targets = Targets::new("benches/truth");

impl Targets {
    const fn new(folder: &'static str) -> Self {
        Self { folder, libfuzzer: OnceLock::new(), afl: OnceLock::new(), plain: OnceLock::new() }
    }

    fn build(&self, command: &[&str], folder: &Path, flags: Option<&str>) {
        let mut build = Command::new("cargo");
        build.args(command).arg("--manifest-path").arg(Path::new(ROOT).join(self.folder).join("Cargo.toml"));
        if flags != Some(LIBFUZZER_FLAGS) {
            // No libFuzzer is linked in: an empty archive saves a minute of C++.
            let archive = folder.join("libnothing.a");
            fs::create_dir_all(folder).unwrap();
            fs::write(&archive, "!<arch>\n").unwrap();
            build.env("CUSTOM_LIBFUZZER_PATH", archive);
        }
        run(build.arg("--release").arg("--target-dir").arg(folder).envs(flags.map(|flags| ("RUSTFLAGS", flags))));
    }

    /// The folder of the targets built for libFuzzer, on whatever toolchain runs the tests.
    pub fn libfuzzer(&self) -> &Path {
        self.libfuzzer.get_or_init(|| {
            let folder = build_folder("libfuzzer");
            // A target triple keeps the flags away from build scripts, as cargo-fuzz does.
            let host = String::from_utf8(run(Command::new("rustc").args(["--print", "host-tuple"])).stdout).unwrap();
            self.build(&["build", "--target", host.trim()], &folder, Some(LIBFUZZER_FLAGS));
            folder.join(host.trim()).join("release")
        })
    }

    /// The folder of the targets built for AFL.
    pub fn afl(&self) -> &Path {
        self.afl.get_or_init(|| {
            let folder = build_folder("afl");
            self.build(&["afl", "build"], &folder, None);
            folder.join("release")
        })
    }

    /// An example of the package, built without an engine.
    pub fn example(&self, name: &str) -> PathBuf {
        let folder = build_folder("plain");
        self.build(&["build", "--example", name], &folder, Some("-Cdebug-assertions"));
        folder.join("release").join("examples").join(name)
    }

    /// The folder of the targets built without an engine.
    pub fn plain(&self) -> &Path {
        self.plain.get_or_init(|| {
            let folder = build_folder("plain");
            // The engines' builds check overflow, so this one does too.
            self.build(&["build"], &folder, Some("-Cdebug-assertions"));
            folder.join("release")
        })
    }
}
