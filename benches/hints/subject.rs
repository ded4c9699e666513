//! What is to be run: the subjects of `benches/truth`, as their package describes them.

use crate::support::{ROOT, TRUTH, run};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Says what is true of a log.
static JUDGE: LazyLock<PathBuf> = LazyLock::new(|| TRUTH.example("truth"));

/// A suite whose truth is known.
pub struct Subject {
    pub name: String,
    /// `tune` or `held-out`.
    pub half: String,
    /// Where its functions are.
    pub file: String,
    /// The original first.
    pub versions: Vec<Version>,
}

/// A version of its functions.
#[derive(Clone, Debug)]
pub struct Version {
    pub number: u64,
    pub kind: Kind,
    pub what: String,
    /// The line that is changed.
    pub line: Option<u64>,
    /// The share of random inputs for which an output differs.
    pub share: Option<f64>,
}

/// What kind of change a version is; the words are those of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Original,
    Rewrite,
    Regional,
    Global,
    Nondeterministic,
    Harness,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Original, Self::Rewrite, Self::Regional, Self::Global, Self::Nondeterministic, Self::Harness];

    pub fn word(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Rewrite => "rewrite",
            Self::Regional => "regional",
            Self::Global => "global",
            Self::Nondeterministic => "nondeterministic",
            Self::Harness => "harness",
        }
    }

    fn from_word(word: &str) -> Self {
        let kind = Self::ALL.into_iter().find(|kind| kind.word() == word);
        kind.unwrap_or_else(|| panic!("unknown kind of version `{word}`"))
    }

    /// Whether the relations or the function cannot be judged at all; such versions are scored apart.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Nondeterministic | Self::Harness)
    }
}

/// The manifest of the package.
pub fn manifest() -> PathBuf {
    Path::new(ROOT).join("benches/truth/Cargo.toml")
}

/// All subjects there are.
pub fn all() -> Vec<Subject> {
    let output = run(&mut Command::new(&*JUDGE));
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout).expect("the list is JSON");
    listed.iter().map(subject).collect()
}

fn subject(listed: &Value) -> Subject {
    let original =
        Version { number: 0, kind: Kind::Original, what: "the original".into(), line: None, share: Some(0.0) };
    let others = listed["versions"].as_array().expect("a list of versions").iter().map(|version| Version {
        number: version["number"].as_u64().expect("a number"),
        kind: Kind::from_word(&text(&version["kind"])),
        what: text(&version["what"]),
        line: version["line"].as_u64(),
        share: version["share"].as_f64(),
    });
    Subject {
        name: text(&listed["name"]),
        half: text(&listed["half"]),
        file: text(&listed["file"]),
        versions: std::iter::once(original).chain(others).collect(),
    }
}

/// A text of a JSON value; nothing if it is none.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// How many rows of a log are in the region of a bug, how many in one that was named, and how many in both.
pub fn region_counts(subject: &Subject, version: &Version, log: &Path, named: &str) -> [u64; 3] {
    let mut command = Command::new(&*JUDGE);
    command.arg(&subject.name).arg(version.number.to_string()).arg(log).arg(named);
    let counts: Value = serde_json::from_slice(&run(&mut command).stdout).expect("the counts are JSON");
    ["true", "named", "both"].map(|name| counts[0][name].as_u64().unwrap_or(0))
}

/// What is true of a log.
pub fn truth(subject: &Subject, version: &Version, log: &Path) -> Value {
    let mut command = Command::new(&*JUDGE);
    command.arg(&subject.name).arg(version.number.to_string()).arg(log);
    serde_json::from_slice(&run(&mut command).stdout).expect("the truth is JSON")
}
