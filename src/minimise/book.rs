//! Which obligations an input meets.

use super::{
    decided::Decided,
    obligation::{CONDITION, Obligation},
};
use crate::{
    Verdict,
    clean::stage_words,
    explain::Written,
    feature::{Literal, Look},
    log::{Header, Row, identity_of},
    replay::panic_of,
    summary::{distance, nearest_pairs},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// All that decides which obligations there are.
pub(crate) struct Book {
    header: Arc<Header>,
    pub(super) decided: Decided,
    conditions: Vec<(String, Written)>,
    /// What one input alone can meet, by its identity: it is nearest to the opposite verdict, or the smallest of its
    /// kind, or the corpus has it for what no log tells of.
    alone: BTreeMap<u64, Vec<Obligation>>,
    /// The boundaries that the corpus has, by cell and verdict.
    recorded_boundaries: BTreeMap<(usize, Verdict), Row>,
}

impl Book {
    /// A book for a target, without conditions yet.
    pub(crate) fn new(header: Arc<Header>, decided: Decided) -> Self {
        Self { header, decided, conditions: Vec::new(), alone: BTreeMap::new(), recorded_boundaries: BTreeMap::new() }
    }

    /// Takes in the conditions that a log of the same suite explains its cells by.
    pub(crate) fn add_conditions(&mut self, written: Vec<Option<Written>>, header: &Header) {
        let ours: BTreeSet<String> = (0..self.header.cells.len()).map(|cell| self.header.cell_name(cell)).collect();
        for (cell, written) in written.into_iter().enumerate() {
            let name = header.cell_name(cell);
            if let Some(written) = written.filter(|_| ours.contains(&name)) {
                self.conditions.push((name, written));
            }
        }
    }

    /// Takes in what a committed input is kept for: what logs have told once must not be lost because they are gone. Comes
    /// after the conditions and before the boundaries.
    pub(crate) fn add_recorded(&mut self, row: &Row, keeps: &[String]) {
        for (index, verdict) in row.verdicts.iter().enumerate() {
            let cell = self.header.cell_name(index);
            if !self.conditions.iter().any(|(explained, _)| *explained == cell) {
                let begin = format!("{CONDITION}{cell}: ");
                let texts = keeps.iter().filter(|text| text.starts_with(&begin));
                self.alone.entry(identity_of(row)).or_default().extend(texts.cloned().map(Obligation::Recorded));
            }
            let Some(verdict) = *verdict else { continue };
            if keeps.contains(&Obligation::Boundary { cell, verdict }.to_string()) {
                self.recorded_boundaries.insert((index, verdict), row.clone());
            }
        }
    }

    /// Takes in how many edges a committed input is kept for, where no build at hand sees them.
    pub(crate) fn add_recorded_edges(&mut self, row: &Row, count: usize) {
        let input = identity_of(row);
        self.alone.entry(input).or_default().push(Obligation::RecordedEdges { input, count });
    }

    /// Takes in the smallest input that shows what was called a bug.
    pub(super) fn add_bug(&mut self, row: &Row, cell: usize) {
        let cell = self.header.cell_name(cell);
        self.alone.entry(identity_of(row)).or_default().push(Obligation::Decided { cell, shows: "a bug, smallest" });
    }

    /// Takes in which of the candidates are nearest to the opposite verdict, unless those of the corpus are as near.
    pub(crate) fn add_boundaries(&mut self, rows: &[Row]) {
        let pairs = nearest_pairs(rows, self.header.cells.len());
        for (cell, found) in pairs.into_iter().enumerate() {
            let found = found.map(|(held, violated)| [&rows[held], &rows[violated]]);
            let recorded = |verdict| self.recorded_boundaries.get(&(cell, verdict));
            let recorded = recorded(Verdict::Held).zip(recorded(Verdict::Violated)).map(|(one, other)| [one, other]);
            let length = |pair: [&Row; 2]| distance(pair[0], pair[1]);
            let nearest = match (recorded, found) {
                (Some(recorded), Some(found)) if length(found) < length(recorded) => Some(found),
                (recorded, found) => recorded.or(found),
            };
            for (row, verdict) in nearest.into_iter().flatten().zip([Verdict::Held, Verdict::Violated]) {
                let boundary = Obligation::Boundary { cell: self.header.cell_name(cell), verdict };
                self.alone.entry(identity_of(row)).or_default().push(boundary);
            }
        }
    }

    /// What an input meets.
    pub(crate) fn met(&self, row: &Row, edges: &[u32]) -> BTreeSet<Obligation> {
        let mut met = BTreeSet::new();
        self.add_verdicts(row, &mut met);
        if row.death.is_none() {
            self.conditions.iter().for_each(|(cell, written)| add_condition(cell, written, row, &mut met));
            self.decided.add_met(row, &mut met);
            met.extend(self.alone.get(&identity_of(row)).into_iter().flatten().cloned());
        }
        met.extend(edges.iter().map(|&edge| Obligation::Edge(edge)));
        met
    }

    fn add_verdicts(&self, row: &Row, met: &mut BTreeSet<Obligation>) {
        for (index, verdict) in row.verdicts.iter().enumerate() {
            let Some(verdict) = *verdict else { continue };
            let cell = self.header.cell_name(index);
            if let (Verdict::Died, Some(death)) = (verdict, &row.death) {
                met.insert(Obligation::Death { cell: cell.clone(), stage: stage_words(death.stage) });
            }
            if let Some(panic) = panic_of(&self.header, row, index).filter(|panic| !panic.location.is_empty()) {
                met.insert(Obligation::Panic { place: panic.place() });
            }
            met.insert(Obligation::Verdict { cell, verdict });
        }
    }
}

fn add_condition(cell: &str, written: &Written, row: &Row, met: &mut BTreeSet<Obligation>) {
    let look = Look::new(&written.frame, row);
    let cell = || cell.to_owned();
    for term in &written.condition.terms {
        // Each literal as it is written, and whether it is true.
        let literals: Vec<(String, bool)> =
            term.iter().map(|literal| (literal.write(&written.frame, &[]), literal.test(&look))).collect();
        for (literal, (_, is_true)) in term.iter().zip(&literals) {
            let met_side = Literal { is_true: literal.is_true == *is_true, ..literal.clone() };
            met.insert(Obligation::Literal { cell: cell(), literal: met_side.write(&written.frame, &[]) });
        }
        if literals.len() == 1 {
            continue;
        }
        let rule = literals.iter().map(|(literal, _)| literal.as_str()).collect::<Vec<_>>().join(" && ");
        let mut wrong = literals.iter().filter(|(_, is_true)| !is_true);
        match (wrong.next(), wrong.next()) {
            (None, _) => _ = met.insert(Obligation::Rule { cell: cell(), rule }),
            (Some((literal, _)), None) => {
                met.insert(Obligation::Decides { cell: cell(), rule, literal: literal.clone() });
            }
            _ => {}
        }
    }
}
