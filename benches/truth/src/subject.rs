//! What is known of a suite: when each of its cells holds, and what is wrong with each version of its functions.

use crate::{
    drawn::drawn,
    truth::{self, LogTruth},
    version,
};
use bugornot::{
    Input, Output, Suite,
    log::{Log, Row},
};

/// The relation that is violated just in the region of a bug.
const REGION: &str = "outside the region";

/// Functions and relations, with their truth.
pub struct Subject<In: 'static, Out: 'static> {
    /// The name of the suite and of its fuzz target.
    pub name: &'static str,
    /// Declares it.
    pub suite: fn(&mut Suite<In, Out>),
    /// Maps what the fuzzer made to what is judged: what the suite normalises with.
    pub domain: fn(In) -> In,
    /// The functions under test.
    pub functions: &'static [fn(&In) -> Out],
    /// `function x relation`, and when it holds for the original.
    pub cells: &'static [(&'static str, Holds<In>)],
    /// All versions but the original.
    pub versions: &'static [Version<In>],
    /// Where the functions are.
    pub file: &'static str,
    /// The text of that file.
    pub source: &'static str,
}

/// When a relation holds.
#[derive(Clone, Copy)]
pub enum Holds<In> {
    /// For every input.
    Always,
    /// For no input.
    Never,
    /// Just for these.
    When(fn(&In) -> bool),
}

impl<In> Holds<In> {
    /// Whether it holds for an input.
    pub fn at(&self, input: &In) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::When(test) => test(input),
        }
    }

    /// As it is written in what the bench prints.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::When(_) => "conditional",
        }
    }
}

/// A version of the functions or of the harness.
pub struct Version<In> {
    /// The number that `pick!` knows it by.
    pub number: u32,
    /// What kind of change it is.
    pub kind: Kind,
    /// The change in words.
    pub what: &'static str,
    /// The inputs for which an output differs from the original's, where that can be said.
    pub region: Option<fn(&In) -> bool>,
}

/// What kind of change a version is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Another way to the same outputs.
    Rewrite,
    /// Wrong for some inputs.
    Regional,
    /// Wrong for most inputs.
    Global,
    /// The same input gives different outputs.
    Nondeterministic,
    /// A relation, not a function, is wrong: it depends on hidden state, or panics.
    Harness,
}

impl Kind {
    /// As it is written in what the bench prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Regional => "regional",
            Self::Global => "global",
            Self::Nondeterministic => "nondeterministic",
            Self::Harness => "harness",
        }
    }
}

/// Another way to the same outputs.
pub(crate) const fn rewrite<In>(number: u32, what: &'static str) -> Version<In> {
    Version { number, kind: Kind::Rewrite, what, region: None }
}

/// Wrong for these inputs.
pub(crate) const fn regional<In>(number: u32, what: &'static str, region: fn(&In) -> bool) -> Version<In> {
    Version { number, kind: Kind::Regional, what, region: Some(region) }
}

/// Wrong for most inputs.
pub(crate) const fn global<In>(number: u32, what: &'static str) -> Version<In> {
    Version { number, kind: Kind::Global, what, region: None }
}

/// Its outputs depend on more than the input.
pub(crate) const fn nondeterministic<In>(number: u32, what: &'static str) -> Version<In> {
    Version { number, kind: Kind::Nondeterministic, what, region: None }
}

/// Its relations are at fault.
pub(crate) const fn harness<In>(number: u32, what: &'static str) -> Version<In> {
    Version { number, kind: Kind::Harness, what, region: None }
}

/// A version as the bench has to know it.
#[derive(Clone, Debug)]
pub struct Described {
    /// The number to run it by.
    pub number: u32,
    /// What kind of change it is.
    pub kind: Kind,
    /// The change in words.
    pub what: &'static str,
    /// The line of the change, counted from 1.
    pub line: Option<usize>,
    /// The share of inputs drawn at random for which an output differs, where that can be said.
    pub share: Option<f64>,
}

/// A subject whose types are forgotten.
pub trait Known: Sync {
    /// The name of the suite and of its fuzz target.
    fn name(&self) -> &'static str;
    /// The file of its functions.
    fn file(&self) -> &'static str;
    /// All versions but the original.
    fn versions(&self) -> Vec<Described>;
    /// What a log of a version says, held against the truth.
    fn truth(&self, version: u32, log: &Log) -> Result<LogTruth, String>;
    /// Visits every row of a log of a regional version, with whether its input is in the region.
    fn visit_region(&self, version: u32, log: &Log, visit: &mut dyn FnMut(&Row, bool)) -> Result<(), String>;
}

impl<In: Input, Out: Output> Known for Subject<In, Out> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn file(&self) -> &'static str {
        self.file
    }

    fn versions(&self) -> Vec<Described> {
        let described = |version: &Version<In>| Described {
            number: version.number,
            kind: version.kind,
            what: version.what,
            line: self.lines_of(version.number).first().copied(),
            share: version.region.map(|region| self.share(region)),
        };
        self.versions.iter().map(described).collect()
    }

    fn truth(&self, version: u32, log: &Log) -> Result<LogTruth, String> {
        truth::of_log(self, version, log)
    }

    fn visit_region(&self, version: u32, log: &Log, visit: &mut dyn FnMut(&Row, bool)) -> Result<(), String> {
        truth::visit_region(self, version, log, visit)
    }
}

impl<In: Input, Out: Output> Subject<In, Out> {
    /// Every suite begins with this. Chooses the version that the environment names; with `TRUTH_REGION` there is one more
    /// relation, which is violated just in the region of that version's bug. Whoever cannot say when it is violated could
    /// not name the region if they knew it.
    pub(crate) fn begin(&self, suite: &mut Suite<In, Out>) {
        version::choose_from_environment();
        let version = self.versions.iter().find(|version| version::is(version.number));
        let region = version.and_then(|version| version.region).filter(|_| std::env::var_os("TRUTH_REGION").is_some());
        if let Some(region) = region {
            suite.judge(REGION, |input, _| input.clone(), move |check| !region(check.input));
        }
    }

    fn share(&self, region: fn(&In) -> bool) -> f64 {
        let inputs: Vec<In> = drawn().filter_map(|bytes| self.decode(&bytes)).collect();
        inputs.iter().filter(|input| region(input)).count() as f64 / inputs.len() as f64
    }
}

impl<In, Out> Subject<In, Out> {
    /// The lines that a version changes, counted from 1.
    pub(crate) fn lines_of(&self, version: u32) -> Vec<usize> {
        let wanted = format!("pick!({version},");
        let numbered = self.source.lines().enumerate();
        numbered.filter(|(_, line)| line.contains(&wanted)).map(|(index, _)| index + 1).collect()
    }

    /// When a cell holds.
    pub(crate) fn holds(&self, cell: &str) -> Option<&Holds<In>> {
        self.cells.iter().find(|(name, _)| *name == cell).map(|(_, holds)| holds)
    }
}
