//! What a segment says about itself, so that the analyser needs neither the suite nor its types.

use super::Value;
use serde::{Deserialize, Serialize};

/// The engine of a segment whose rows come from another tool's table.
pub const IMPORT: &str = "import";

/// The description at the front of a segment. Equal for all processes of a campaign that run the same build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`](super::FORMAT) of the writer. First, so that every later format can still say which it is.
    pub format: u32,
    /// The version of bugornot that wrote it.
    pub version: String,
    /// The suite's name.
    pub suite: String,
    /// The campaign's seed.
    pub seed: u64,
    /// The functions under test.
    pub functions: Vec<String>,
    /// The relations.
    pub relations: Vec<RelationInfo>,
    /// Function and relation of each cell, by position: the order of a row's verdicts.
    pub cells: Vec<(u16, u16)>,
    /// The constants and the values drawn for them.
    pub constants: Vec<(String, Value)>,
    /// The fields of a typical input.
    pub fields: Vec<String>,
    /// The parameters drawn per execution, in the order of a row's values.
    pub parameters: Vec<String>,
    /// The user's own features, by their text.
    pub features: Vec<String>,
    /// What the build was like.
    pub build: Build,
}

/// A relation as the log knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationInfo {
    /// Its name.
    pub name: String,
    /// Its description, or nothing.
    pub description: String,
    /// The condition under which the user expects it to hold, if one was declared.
    pub expected: Option<String>,
    /// Whether it was declared with a precondition.
    pub has_precondition: bool,
}

/// The facts about a build that can change its verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// `libfuzzer`, `afl` or `builtin` (which also replays); [`IMPORT`] if no build of bugornot made the verdicts.
    pub engine: String,
    /// Whether integer overflow panics in the crate that holds the suite.
    pub overflow_checks: bool,
    /// Whether `debug_assert!` is on there.
    pub debug_assertions: bool,
    /// Whether `cfg(fuzzing)` is set.
    pub cfg_fuzzing: bool,
    /// The sanitizer, or `none`.
    pub sanitizer: String,
    /// The compiler's version.
    pub compiler: String,
    /// The target triple.
    pub target: String,
    /// The version control revision, or nothing if it is not known; the name of an imported table.
    pub revision: String,
    /// Changes when the input or output type does.
    pub type_fingerprint: u64,
}

impl Header {
    /// `function x relation`, as cells are shown.
    pub fn cell_name(&self, cell: usize) -> String {
        let Some(&(function, relation)) = self.cells.get(cell) else { return format!("cell {cell}") };
        let function = self.functions.get(usize::from(function)).map_or("?", String::as_str);
        let relation = self.relations.get(usize::from(relation)).map_or("?", |relation| relation.name.as_str());
        format!("{function} x {relation}")
    }
}

#[cfg(all(test, feature = "cli"))]
impl Header {
    /// A header for tests: every relation for every function, and nothing else.
    pub(crate) fn of(functions: &[&str], relations: &[&str]) -> Self {
        let relation = |name: &&str| RelationInfo {
            name: (*name).to_owned(),
            description: String::new(),
            expected: None,
            has_precondition: false,
        };
        let relations: Vec<RelationInfo> = relations.iter().map(relation).collect();
        let cells = |function| (0..relations.len()).map(move |relation| (function as u16, relation as u16));
        Self {
            format: super::FORMAT,
            version: "0".into(),
            suite: "s".into(),
            seed: 1,
            functions: functions.iter().map(|&name| name.to_owned()).collect(),
            cells: (0..functions.len()).flat_map(cells).collect(),
            relations,
            constants: Vec::new(),
            fields: Vec::new(),
            parameters: Vec::new(),
            features: Vec::new(),
            build: Build {
                engine: "builtin".into(),
                overflow_checks: true,
                debug_assertions: true,
                cfg_fuzzing: false,
                sanitizer: "none".into(),
                compiler: String::new(),
                target: String::new(),
                revision: String::new(),
                type_fingerprint: 0,
            },
        }
    }
}
