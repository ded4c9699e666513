//! A bug in a function of every suite of `fuzz/` turns the replay of its committed corpus red, with the right cell; the same
//! function written differently leaves it green.

use crate::{
    support::{ROOT, copy, copy_suites},
    user::told,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A function of a suite, what it becomes, and what replay has to say.
struct Seeded {
    suite: &'static str,
    right: &'static str,
    wrong: &'static str,
    /// The same as what is right.
    same: &'static str,
    function: &'static str,
    relation: &'static str,
}

const SEEDED: [Seeded; 7] = [
    Seeded {
        suite: "calculator",
        right: "i64::from(pair.a) + i64::from(pair.b)",
        wrong: "i64::from(pair.a) + i64::from(pair.b) * if pair.a > pair.b { 2 } else { 1 }",
        same: "[pair.a, pair.b].map(i64::from).iter().sum()",
        function: "add",
        relation: "MR1",
    },
    Seeded {
        suite: "calculator_i32",
        right: "i128::from(pair.a) * i128::from(pair.b)",
        wrong: "i128::from(pair.a) * i128::from(pair.b) + i128::from(pair.a < 0)",
        same: "[pair.b, pair.a].map(i128::from).iter().product()",
        function: "mul",
        relation: "MR1",
    },
    Seeded {
        suite: "edit_distance",
        right: "strsim::levenshtein(&w.a.0, &w.b.0)",
        wrong: "strsim::levenshtein(&w.a.0, &w.b.0) + usize::from(w.a.0.len() > w.b.0.len())",
        same: "strsim::generic_levenshtein(&Vec::from(w.a.0.as_str()), &Vec::from(w.b.0.as_str()))",
        function: "levenshtein",
        relation: "swap",
    },
    Seeded {
        suite: "civil_dates",
        right: "(m.from.date() + m.step.span()).into()",
        wrong: "if m.from.day > 28 { m.from } else { (m.from.date() + m.step.span()).into() }",
        same: "m.from.date().checked_add(m.step.span()).unwrap().into()",
        function: "add",
        relation: "longer step",
    },
    Seeded {
        suite: "range_set",
        right: "plan.set().into_iter().flatten().collect()",
        wrong: "plan.set().into_iter().flatten().filter(|&number| number > 3).collect()",
        same: "{ let set = plan.set(); (0..=u8::MAX).filter(|number| set.contains(number)).collect() }",
        function: "covered",
        relation: "slide",
    },
    Seeded {
        suite: "triangles",
        right: "t.triangle().area()",
        wrong: "t.triangle().area().abs()",
        same: "-t.map(|p| Corner { x: -p.x, y: p.y }).triangle().area()",
        function: "area",
        relation: "mirror",
    },
    Seeded {
        suite: "base64_text",
        right: "Some(Coded(engine.encode(bytes)))",
        wrong: "Some(Coded(engine.encode(&bytes[..bytes.len().min(4)])))",
        same: "{ let mut text = String::new(); engine.encode_string(bytes, &mut text); Some(Coded(text)) }",
        function: "padded",
        relation: "round trip",
    },
];

/// A copy of the suites and their corpora, which can be changed.
struct Suites(tempfile::TempDir);

impl Suites {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        copy_suites(place.path());
        copy(&Path::new(ROOT).join("corpus"), &place.path().join("corpus"));
        Self(place)
    }

    /// Puts another body in the place of every function.
    fn patch(&self, body: impl Fn(&Seeded) -> &'static str) {
        for seeded in &SEEDED {
            let path = format!("fuzz/src/{}.rs", seeded.suite);
            let source = fs::read_to_string(Path::new(ROOT).join(&path)).unwrap();
            assert_eq!(source.matches(seeded.right).count(), 1, "{path}: {}", seeded.right);
            fs::write(self.0.path().join(path), source.replace(seeded.right, body(seeded))).unwrap();
        }
    }

    fn replay(&self, suite: &str) -> (i32, serde_json::Value) {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeded");
        // No libFuzzer is linked in: an empty archive saves a minute of C++.
        let archive: PathBuf = shared.join("libnothing.a");
        fs::create_dir_all(&shared).unwrap();
        fs::write(&archive, "!<arch>\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        command.args(["replay", suite, "--format", "json"]).current_dir(self.0.path()).env_remove("RUSTFLAGS");
        command.env("CARGO_TARGET_DIR", &shared).env("CUSTOM_LIBFUZZER_PATH", archive);
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TERM_COLOR", "never");
        let (code, stdout, stderr) = told(&mut command);
        (code, serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{suite}: {stderr}")))
    }
}

#[test]
fn a_bug_in_every_suite_turns_it_red_and_the_same_code_written_differently_does_not() {
    let suites = Suites::new();
    suites.patch(|seeded| seeded.wrong);
    for seeded in &SEEDED {
        let (code, replayed) = suites.replay(seeded.suite);
        assert_eq!(code, 2, "{}: {replayed:#}", seeded.suite);
        let is_decided = suites.0.path().join("corpus").join(seeded.suite).join("decisions.toml").is_file();
        let kind = if is_decided { "regression" } else { "newly violated" };
        let inputs = replayed["inputs"].as_array().unwrap();
        let found = inputs.iter().flat_map(|input| input["findings"].as_array().unwrap()).find(|finding| {
            finding["kind"] == kind && finding["function"] == seeded.function && finding["relation"] == seeded.relation
        });
        let found = found.unwrap_or_else(|| panic!("{}: {replayed:#}", seeded.suite));
        assert_eq!(found["expected"], "held", "{}", seeded.suite);
        assert!(found["output"].is_string() && found["follow_ups"][0]["output"].is_string(), "{found:#}");
    }
    suites.patch(|seeded| seeded.same);
    for seeded in &SEEDED {
        let (code, replayed) = suites.replay(seeded.suite);
        assert_eq!((code, replayed["changed"].as_u64()), (0, Some(0)), "{}: {replayed:#}", seeded.suite);
    }
}
