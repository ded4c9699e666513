//! Parts of texts: what texts begin with, end with or contain, learned from the verdicts.

use super::{
    bits::Bits,
    fact::{Fact, Side},
    learn::{Learned, gain, spread},
    predicate::Predicate,
};
use crate::log::Value;
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

/// How many places with texts are looked at.
const PLACES: usize = 4;
/// How many rows of each verdict are looked at to choose the parts.
const SAMPLE: usize = 512;
/// How far into a text parts are looked for.
const LETTERS: usize = 32;
/// How long a part is at most: at an end, and inside.
const LONGEST: usize = 6;
const LONGEST_INSIDE: usize = 4;
/// A part that fewer rows have, of so many, tells nothing.
const RARE: usize = 100;
/// How many parts are kept: of those that tell most, and of those that no held row has.
const KEPT: usize = 6;
const KEPT_PURE: usize = 2;

/// The texts of all rows, for each place that has nothing else.
#[derive(Default)]
pub(crate) struct Texts(Vec<(usize, Vec<Option<Box<str>>>)>);

impl Texts {
    pub(super) fn new(nodes: impl Iterator<Item = usize>, rows: usize) -> Self {
        Self(nodes.take(PLACES).map(|node| (node, vec![None; rows])).collect())
    }

    pub(super) fn fill(&mut self, row: usize, values: &[Option<&Value>]) {
        for (node, column) in &mut self.0 {
            if let Some(Value::Text(text)) = values[*node] {
                column[row] = Some(text.as_str().into());
            }
        }
    }

    /// Learns parts that part the violated from the held rows.
    pub(super) fn learn(&self, violated: &Bits, held: &Bits) -> Learned {
        let mut learned = Learned::default();
        for (node, column) in &self.0 {
            let counted = counted(column, violated, held);
            learned.tried += counted.parts.len() as u64;
            for (side, part) in counted.best() {
                let has = |row: usize| column[row].as_deref().is_some_and(|text| side.has(text, part));
                let bits = Bits::from_fn(column.len(), has);
                learned.predicates.push((Predicate::Fact(*node, Fact::Part(side, part.to_owned())), bits));
            }
        }
        learned
    }
}

type Part<'text> = (Side, &'text str);

/// Parts, with how many violated and held rows have them.
struct Counted<'text> {
    parts: Vec<(Part<'text>, (u32, u32))>,
    rows: (u32, u32),
}

fn counted<'text>(column: &'text [Option<Box<str>>], violated: &Bits, held: &Bits) -> Counted<'text> {
    let mut counts: HashMap<Part, (u32, u32)> = HashMap::new();
    let rows = [violated, held].map(|rows| spread(rows, SAMPLE));
    for (side, rows) in rows.iter().enumerate() {
        for text in rows.iter().filter_map(|&row| column[row as usize].as_deref()) {
            for part in parts(text) {
                let (violated, held) = counts.entry(part).or_default();
                *(if side == 0 { violated } else { held }) += 1;
            }
        }
    }
    let all = rows.iter().map(Vec::len).sum::<usize>();
    // Which parts are common does not depend on the verdicts, so the others are not tried.
    counts.retain(|_, (violated, held)| (*violated + *held) as usize >= (all / RARE).max(2));
    let [violated, held] = rows.map(|rows| rows.len() as u32);
    Counted { parts: counts.into_iter().collect(), rows: (violated, held) }
}

/// All parts of a text, each once.
fn parts(text: &str) -> HashSet<Part<'_>> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).take(LETTERS + 1).collect();
    let end = if starts.len() > LETTERS { starts[LETTERS] } else { text.len() };
    let bounds: Vec<usize> = starts.into_iter().take(LETTERS).chain([end]).collect();
    let letters = bounds.len() - 1;
    let mut parts = HashSet::new();
    for length in 1..=LONGEST.min(letters) {
        parts.insert((Side::Start, &text[..bounds[length]]));
        if length <= LONGEST_INSIDE {
            parts.extend((0..=letters - length).map(|at| (Side::Anywhere, &text[bounds[at]..bounds[at + length]])));
        }
    }
    let ends = text.char_indices().rev().map(|(at, _)| at).take(LONGEST);
    parts.extend(ends.map(|at| (Side::End, &text[at..])));
    parts
}

impl<'text> Counted<'text> {
    /// The parts that tell most about the verdict; of those that tell the same, the shortest.
    fn best(mut self) -> Vec<Part<'text>> {
        let gain = |counts: (u32, u32)| (gain(counts, self.rows) * 1e9) as u64;
        self.parts.sort_by_key(|&((side, part), counts)| (Reverse(gain(counts)), part.len(), side, part));
        let mut kept: Vec<(Part<'text>, (u32, u32))> = Vec::new();
        let mut pure = 0;
        for (part, counts) in self.parts {
            let is_pure = counts.1 == 0;
            let is_wanted = kept.len() < KEPT || (is_pure && pure < KEPT_PURE);
            let says_no_more = |(_, known): &(Part<'_>, (u32, u32))| *known == counts;
            if is_wanted && !kept.iter().any(says_no_more) {
                pure += usize::from(is_pure);
                kept.push((part, counts));
            }
        }
        kept.into_iter().map(|(part, _)| part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(is_violated: fn(&str) -> bool) -> (Side, String) {
        let letters = ["a", "b", "%", "7", "é"];
        let word = |number: usize| (0..5).map(|at| letters[number / 5usize.pow(at) % 5]).collect::<String>();
        let column: Vec<Option<Box<str>>> = (0..3125).map(|number| Some(word(number).into())).collect();
        let violated = Bits::from_fn(column.len(), |row| column[row].as_deref().is_some_and(is_violated));
        let held = Bits::from_fn(column.len(), |row| !violated.get(row));
        let (side, part) = counted(&column, &violated, &held).best()[0];
        (side, part.to_owned())
    }

    #[test]
    fn the_part_that_tells_is_found_wherever_it_is() {
        assert_eq!(first(|text| text.contains("%7")), (Side::Anywhere, "%7".into()));
        assert_eq!(first(|text| text.starts_with("abé")), (Side::Start, "abé".into()));
        assert_eq!(first(|text| text.ends_with('b')), (Side::End, "b".into()));
        assert_eq!(first(|text| text.contains('7')), (Side::Anywhere, "7".into()));
    }

    #[test]
    fn texts_without_letters_and_long_ones_have_parts_too() {
        assert!(parts("").is_empty());
        let long = "é".repeat(LETTERS * 2) + "x";
        let found = parts(&long);
        assert!(found.contains(&(Side::End, "x")) && !found.contains(&(Side::Anywhere, "x")));
        assert!(found.contains(&(Side::Start, "é")) && found.iter().all(|(_, part)| part.chars().count() <= LONGEST));
    }
}
