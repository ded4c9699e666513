//! What a corpus keeps beside verdicts: the sides of conditions, and the boundaries between verdicts.

use bugornot::{
    Verdict,
    expression::Expression,
    log::{Header, Row},
    summary::distance,
};
use std::{collections::BTreeSet, path::Path};

/// What can be kept: what the manifest of our corpus lists of conditions.
pub struct Asked {
    conditions: BTreeSet<String>,
}

/// What a corpus keeps.
pub struct Kept {
    /// Literals, rules and what decides them that some input meets.
    pub conditions: usize,
    /// For each cell, how near two inputs of opposite verdicts are to each other.
    pub boundaries: Vec<Option<f64>>,
}

impl Asked {
    pub fn new(ours: &Path) -> Self {
        let text = std::fs::read_to_string(ours.join("manifest.toml")).expect("minimise writes a manifest");
        let manifest: toml_edit::DocumentMut = text.parse().expect("a manifest is TOML");
        let inputs = manifest["inputs"].as_table().expect("a manifest has inputs").iter();
        let keeps = inputs.filter_map(|(_, input)| input.get("keeps")?.as_array()).flatten();
        let conditions = keeps.filter_map(|kept| kept.as_str()?.strip_prefix("condition: "));
        Self { conditions: conditions.map(str::to_owned).collect() }
    }

    /// What the inputs of these rows keep.
    pub fn kept(&self, header: &Header, rows: &[Row]) -> Kept {
        let is_kept = |condition: &&String| {
            let (_, condition) = condition.split_once(": ").expect("a condition is told with its cell");
            let parts = parts(condition, header);
            parts.is_some_and(|parts| rows.iter().any(|row| parts.iter().all(|part| part.is_met(row))))
        };
        let conditions = self.conditions.iter().filter(is_kept).count();
        Kept { conditions, boundaries: (0..header.cells.len()).map(|cell| nearest(rows, cell)).collect() }
    }
}

impl Kept {
    /// How many cells have inputs of opposite verdicts as near to each other as in any of some corpora.
    pub fn nearest_of<'kept>(&self, all: impl Iterator<Item = &'kept Self> + Clone) -> usize {
        let is_nearest = |cell: &usize| {
            let least = all.clone().filter_map(|kept| kept.boundaries[*cell]).min_by(f64::total_cmp);
            self.boundaries[*cell].is_some_and(|ours| least.is_none_or(|least| ours <= least))
        };
        (0..self.boundaries.len()).filter(is_nearest).count()
    }
}

/// A part of a condition, and whether it must be true.
struct Part {
    condition: Expression,
    must_be: bool,
}

impl Part {
    fn is_met(&self, row: &Row) -> bool {
        self.condition.test(row) == Ok(self.must_be)
    }
}

/// The parts of `rule` or `rule, but for literal`; nothing if they are about more than inputs.
fn parts(text: &str, header: &Header) -> Option<Vec<Part>> {
    let (rule, but_for) = text.split_once(", but for ").map_or((text, None), |(rule, literal)| (rule, Some(literal)));
    let part = |literal: &str| {
        let condition = Expression::parse(literal, header).ok()?;
        Some(Part { condition, must_be: but_for != Some(literal) })
    };
    rule.split(" && ").map(part).collect()
}

/// How near the two inputs of opposite verdicts are that are nearest to each other.
fn nearest(rows: &[Row], cell: usize) -> Option<f64> {
    let with = |verdict| rows.iter().filter(move |row| row.verdicts.get(cell).copied().flatten() == Some(verdict));
    let pairs = with(Verdict::Held).flat_map(|held| with(Verdict::Violated).map(move |violated| (held, violated)));
    pairs.map(|(held, violated)| distance(held, violated)).min_by(f64::total_cmp)
}
