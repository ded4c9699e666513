//! The same input with two outcomes. No relation can be judged by such a function or such a harness, so this comes
//! before everything else.

use super::{
    identity::Identity,
    point,
    proof::{self, ProofRow, Proven},
};
use crate::{
    Verdict,
    clean::{Cleaned, MAX_PLACES},
    log::{Check, Header, Outcome, Row, Value, identity_of},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many rows with outputs are held against each other.
const MOST_ROWS: usize = 1 << 13;

/// What is unsound about one cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Unsound {
    /// Inputs with two different verdicts.
    pub(super) conflicting: Proven,
    /// How often the function gave two outputs for one input, one call after the other.
    pub(super) nondeterministic: Proven,
    /// How often it gave another output for an input as follow-up than as source.
    pub(super) role_dependent: Proven,
    /// Inputs with two outputs in two places of the log.
    pub(super) contradictions: Proven,
    /// How often the transformation panicked, or something of the harness of which no row tells what it was.
    pub(super) harness_panics: Proven,
    /// Where it did.
    pub(super) harness_place: Option<String>,
    /// How often the transformation panicked where the function itself does: it calls the function.
    pub(super) own_panics: u64,
    /// How often the judgement panicked, where nothing else of the harness did: it may be the outputs that are wrong.
    pub(super) judgement_panics: u64,
    /// How often a relation was violated whose follow-ups are always the source itself.
    pub(super) identity_violated: Proven,
}

/// What is unsound about every cell.
pub(super) fn of_all(cleaned: &Cleaned, identity: &Identity) -> Vec<Unsound> {
    let header = &cleaned.header;
    let contradictions = contradictions(cleaned);
    let of_cell = |(cell, &(function, relation)): (usize, &(u16, u16))| {
        let failed = |is_twice| cleaned.findings.unsound.get(&(usize::from(function), is_twice));
        let counts = cleaned.cells.get(cell).map(|counts| counts.distinct).unwrap_or_default();
        let panics = counts.counts.of(Verdict::TransformPanicked);
        let of_harness = cleaned.findings.harness.get(&cell).cloned().unwrap_or_default();
        let is_judgement = of_harness.judgement > 0 && of_harness.before == 0;
        let is_own = is_the_functions(&of_harness.places, cleaned.findings.places.get(&usize::from(function)));
        Unsound {
            conflicting: proof::of_conflicts(cleaned, cell, counts.conflicting),
            nondeterministic: proof::of_failed_checks(failed(true), ["first", "again"]),
            role_dependent: proof::of_failed_checks(failed(false), ["first", "again"]),
            contradictions: contradictions.get(&function).cloned().unwrap_or_default(),
            harness_panics: proof::of_panics(cleaned, cell, if is_judgement || is_own { 0 } else { panics }),
            harness_place: of_harness.places.keys().next().cloned(),
            own_panics: if is_own { panics } else { 0 },
            judgement_panics: if is_judgement { panics } else { 0 },
            identity_violated: proof::of_identity(cleaned, cell, identity.violated(cell, relation)),
        }
    };
    header.cells.iter().enumerate().map(of_cell).collect()
}

/// Whether all panics of a transformation are where the function panics too. The standard library is everybody's.
fn is_the_functions(places: &BTreeMap<String, u64>, own: Option<&BTreeMap<String, u64>>) -> bool {
    let is_everybodys =
        |place: &String| ["core", "alloc", "std"].iter().any(|it| place.contains(&format!("library/{it}/")));
    let is_known = !places.is_empty() && places.len() < MAX_PLACES;
    let is_own = |place: &String| own.is_some_and(|own| own.contains_key(place)) && !is_everybodys(place);
    is_known && places.keys().all(is_own)
}

/// The contradictions of each function: inputs that have two outputs in two places of the log.
fn contradictions(cleaned: &Cleaned) -> HashMap<u16, Proven> {
    let header = &cleaned.header;
    let mut seen: HashMap<(u16, u64), Place<'_>> = HashMap::new();
    let mut told = HashSet::new();
    let mut found: HashMap<u16, (u64, [Place<'_>; 2])> = HashMap::new();
    for row in detailed(cleaned) {
        let identity = identity_of(row);
        for (cell, &(function, _)) in header.cells.iter().enumerate() {
            let check = Check::new(header, row, cell);
            let source = check.output.map(|output| (identity, Place { output, row, follow_up: None }));
            let follow_ups = check.follow_ups.iter().zip(check.outputs).filter_map(|(input, output)| {
                let identity = identity_of(&point::as_row(row, input)?);
                Some((identity, Place { output, row, follow_up: Some(input) }))
            });
            for (identity, place) in source.into_iter().chain(follow_ups) {
                if matches!(place.output, Outcome::Unknown) {
                    continue;
                }
                let first = *seen.entry((function, identity)).or_insert(place);
                if !is_different(first.output, place.output) || !told.insert((function, identity)) {
                    continue;
                }
                let (count, simplest) = found.entry(function).or_insert((0, [first, place]));
                *count += 1;
                let room = |places: [Place<'_>; 2]| places.map(|place| place.row.room()).iter().sum::<usize>();
                if room([first, place]) < room(*simplest) {
                    *simplest = [first, place];
                }
            }
        }
    }
    let proven = |(count, places): (u64, [Place<'_>; 2])| Proven {
        count,
        rows: places.map(|place| place.told(header)).to_vec(),
    };
    found.into_iter().map(|(function, found)| (function, proven(found))).collect()
}

/// An outcome, and where in the log it is.
#[derive(Clone, Copy)]
struct Place<'log> {
    output: &'log Outcome,
    row: &'log Row,
    /// The input, if it is not the row's own.
    follow_up: Option<&'log Value>,
}

impl Place<'_> {
    fn told(self, header: &Header) -> ProofRow {
        let source = self.row.input_text(header);
        match self.follow_up {
            None => ProofRow::new("source", &source, &self.output.to_string()),
            Some(input) => {
                let input = point::text(header, self.row, input);
                ProofRow::new("follow-up", &input, &format!("{}, of {source}", self.output))
            }
        }
    }
}

/// Panics of one input may have different texts, and are panics all the same. What may be a map or a set has no order.
fn is_different(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Output(one), Outcome::Output(other)) => one != other && in_one_order(one) != in_one_order(other),
        (one, other) => std::mem::discriminant(one) != std::mem::discriminant(other),
    }
}

/// A value whose lists and maps are in an order that depends on their parts alone.
fn in_one_order(value: &Value) -> Value {
    let all = |values: &[Value]| values.iter().map(in_one_order).collect::<Vec<Value>>();
    match value {
        Value::List(values) => {
            let mut values = all(values);
            values.sort_by_cached_key(ToString::to_string);
            Value::List(values)
        }
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| (in_one_order(key), in_one_order(value)));
            let mut entries: Vec<(Value, Value)> = entries.collect();
            entries.sort_by_cached_key(|(key, value)| (key.to_string(), value.to_string()));
            Value::Map(entries)
        }
        Value::Some(value) => Value::Some(Box::new(in_one_order(value))),
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::Struct(values, names) => Value::Struct(all(values), names.clone()),
        Value::Variant(value, names) => Value::Variant(Box::new(in_one_order(value)), names.clone()),
        plain => plain.clone(),
    }
}

/// Rows with follow-ups and outputs, as many as are looked at.
pub(super) fn detailed(cleaned: &Cleaned) -> impl Iterator<Item = &Row> {
    cleaned.working.iter().filter(|row| row.detail.is_some() && row.death.is_none()).take(MOST_ROWS)
}
