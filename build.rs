//! Finds out which engine this build is for and which build facts the log has to record.
//!
//! `cargo fuzz` and `cargo afl` tell a crate nothing but the flags they compile it with, so those are what is read.

use std::{env, process::Command};

/// The byte between two flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: char = '\u{1f}';

fn main() {
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    println!("cargo::rerun-if-changed=build.rs");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();

    if flags.contains("afl-compiler-rt") {
        println!("cargo::rustc-cfg=bugornot_engine=\"afl\"");
    } else if flags.contains("inline-8bit-counters") {
        println!("cargo::rustc-cfg=bugornot_engine=\"libfuzzer\"");
    }

    let sanitizer =
        flags.split(SEPARATOR).find_map(|flag| flag.split_once("sanitizer=").map(|(_, name)| name)).unwrap_or("none");
    println!("cargo::rustc-env=BUGORNOT_BUILD_SANITIZER={sanitizer}");
    println!("cargo::rustc-env=BUGORNOT_BUILD_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo::rustc-env=BUGORNOT_BUILD_COMPILER={}", compiler());
}

/// The first line of `rustc --version`.
fn compiler() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".into(), |text| text.trim().to_owned())
}
