//! Other miners, installed under `target/` when they are first needed, and run on files of codes.

use super::tables::{Plan, Rows};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where peers are installed.
pub struct Peers {
    folder: PathBuf,
    sources: PathBuf,
}

/// What a peer took, in seconds, and what it found.
pub struct Told {
    pub load: f64,
    pub mine: f64,
    /// One rule per line, as `peers.py` describes.
    pub rules: String,
    /// How many rules or sets it found.
    pub found: u64,
}

/// What every miner is asked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub min_support: f64,
    pub min_confidence: f64,
    /// Items on both sides.
    pub max_len: usize,
}

impl Peers {
    /// Installs the peers from PyPI, if they are not there; says what failed.
    pub fn install() -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
        let peers = Self { folder, sources };
        if !peers.python().exists() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&peers.folder))?;
        }
        let mut pip = Command::new(peers.python());
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
        succeed(pip.arg(peers.sources.join("requirements.txt")))?;
        Ok(peers)
    }

    fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// Whether `bugornot mine` and efficient-apriori agree on so many random tables; what there is to say about it.
    pub fn agree(&self, tables: u32) -> String {
        let mut command = Command::new(self.python());
        command.arg(self.sources.join("agree.py")).arg(env!("CARGO_BIN_EXE_bugornot")).arg(tables.to_string());
        succeed(&mut command).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a peer that `peers.py` knows.
    pub fn run(&self, peer: &str, plan: Plan, codes: &Path, wanted: Wanted) -> Told {
        let path = self.folder.join("rules");
        let mut command = Command::new(self.python());
        command.arg(self.sources.join("peers.py")).arg(peer).arg(codes).arg(plan.rows.to_string()).arg(values(plan));
        command.args([wanted.min_support, wanted.min_confidence].map(|share| share.to_string()));
        command.arg(wanted.max_len.to_string()).arg(&path);
        let told = told(&mut command);
        Told { rules: fs::read_to_string(path).expect("the peer wrote its rules"), ..told }
    }

    /// Builds and runs the `fp-growth` crate.
    pub fn run_fp_growth(&self, plan: Plan, codes: &Path, wanted: Wanted) -> Told {
        let target = self.folder.join("fp_growth");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release", "--manifest-path"]).arg(self.sources.join("fp_growth/Cargo.toml"));
        succeed(cargo.arg("--target-dir").arg(&target)).unwrap_or_else(|error| panic!("{error}"));
        let mut command = Command::new(target.join("release/peer-fp-growth"));
        command.arg(codes).arg(plan.rows.to_string()).arg(values(plan)).arg(wanted.min_support.to_string());
        told(&mut command)
    }
}

/// How many values each attribute has.
fn values(plan: Plan) -> String {
    let attributes = Rows::new(plan).attributes();
    (0..attributes.count()).map(|at| attributes.items_of(at).len().to_string()).collect::<Vec<_>>().join(",")
}

fn told(command: &mut Command) -> Told {
    let text = succeed(command).unwrap_or_else(|error| panic!("{error}"));
    let told: serde_json::Value = serde_json::from_str(&text).expect("a peer prints JSON");
    let number = |name: &str| told[name].as_f64().expect("a peer tells seconds");
    let found = told["rules"].as_u64().expect("a peer tells how many");
    Told { load: number("load"), mine: number("mine"), rules: String::new(), found }
}

/// What a command prints, or why it failed.
fn succeed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let failed = || format!("{command:?} failed: {}{}", text(&output.stdout), text(&output.stderr));
    output.status.success().then(|| text(&output.stdout)).ok_or_else(failed)
}
