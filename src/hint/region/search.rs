//! Looks for a region of inputs that explains one cell without exception, in some role of source and follow-up.
//!
//! A function that goes wrong in a region violates a relation where just one of source and follow-up is there, or either,
//! or one of them. As a condition over the source alone that is long, or cannot be said at all. So every statement is
//! asked of both inputs of each check, and ANDs of up to three are tried: those that have an input of every violated
//! check inside are few.

use super::{
    Region, Role,
    points::{PointCheck, Points},
};
use crate::{
    clean::Cleaned,
    explain::Condition,
    feature::{Bits, Frame, Literal, Predicate, Scope, learn},
    log::Row,
    mine::condition::{When, ln_fisher},
};
use std::{collections::HashMap, sync::Arc};

/// How many statements are combined, by how many are taken together.
const MOST: [usize; 3] = [usize::MAX, 1024, 128];
/// How many regions are kept: which of them explains other cells too is seen later.
const KEPT: usize = 16;
/// How likely chance may be to make one of all combinations fit.
const CHANCE: f64 = 0.01;

/// The simplest regions that explain some checks of one cell, in the order of their simplicity.
pub(super) fn regions<'row>(cleaned: &Cleaned, cell: usize, rows: impl Iterator<Item = &'row Row>) -> Vec<Region> {
    let points = Points::of(cleaned, &[cell], rows);
    let points_rows: Vec<&Row> = points.rows.iter().collect();
    let frame = Arc::new(Frame::new(&points_rows, &cleaned.header, Scope::Input));
    let table = Table::new(&points, &frame);
    let region = |term| Region::new(Condition::of_term(term, When::Violated, Scope::Input), &frame);
    table.found().into_iter().map(region).collect()
}

/// A statement, in which checks it is true of the source, and in which of a follow-up.
struct Statement {
    literal: Literal,
    inside: [Bits; 2],
}

/// The checks of one cell as columns.
struct Table {
    violated: Bits,
    held: u64,
    /// Those that have an input of every violated check inside, the tightest first.
    statements: Vec<Statement>,
    /// How many there were.
    tried: usize,
}

impl Table {
    fn new(points: &Points, frame: &Frame) -> Self {
        let violated = Bits::from_fn(points.checks.len(), |check| points.checks[check].is_violated);
        let predicates = frame.base.iter().cloned().chain(learned(points, frame));
        let mut known: HashMap<[Bits; 2], Literal> = HashMap::new();
        let mut tried = 0;
        for (predicate, bits) in predicates {
            for is_true in [true, false] {
                tried += 1;
                let inside = both_inside(points, &bits, is_true);
                let literal = Literal { predicate: predicate.clone(), is_true };
                let simpler = |known: &Literal| literal.predicate.cost() < known.predicate.cost();
                if known.get(&inside).is_none_or(simpler) {
                    known.insert(inside, literal);
                }
            }
        }
        let all = known.into_iter().map(|(inside, literal)| Statement { literal, inside });
        let mut statements: Vec<Statement> =
            all.filter(|found| found.either().common(&violated) == violated.count()).collect();
        statements
            .sort_by_cached_key(|found| (found.either().count(), found.literal.predicate.cost(), found.text(frame)));
        let held = points.checks.len() as u64 - violated.count();
        Self { violated, held, statements, tried }
    }

    /// The shortest ANDs that fit.
    fn found(&self) -> Vec<Vec<Literal>> {
        for depth in 1..=MOST.len() {
            if !self.beats_chance(depth) {
                break;
            }
            let mut found: Vec<(Role, Vec<usize>)> = Vec::new();
            self.extend(depth, 0, &mut Vec::new(), &mut found);
            if !found.is_empty() {
                let cost = |chosen: &[usize]| -> u32 {
                    chosen.iter().map(|&one| self.statements[one].literal.predicate.cost()).sum()
                };
                found.sort_by_key(|(role, chosen)| (!role.is_symmetric(), cost(chosen)));
                found.truncate(KEPT);
                let literal = |one: usize| self.statements[one].literal.clone();
                return found.into_iter().map(|(_, chosen)| chosen.into_iter().map(literal).collect()).collect();
            }
        }
        Vec::new()
    }

    /// Whether a fit of so many statements says something, given all that are tried.
    fn beats_chance(&self, depth: usize) -> bool {
        let violated = self.violated.count();
        let tried = (self.tried as f64).ln() * depth as f64 + (Role::ALL.len() as f64).ln();
        violated > 0 && ln_fisher((violated, 0), (violated, self.held)) + tried < CHANCE.ln()
    }

    /// Adds all combinations that begin with those chosen and fit.
    fn extend(&self, depth: usize, from: usize, chosen: &mut Vec<usize>, found: &mut Vec<(Role, Vec<usize>)>) {
        let most = MOST[depth + chosen.len() - 1].min(self.statements.len());
        for next in from..most {
            chosen.push(next);
            if depth > 1 {
                self.extend(depth - 1, next + 1, chosen, found);
            } else if let Some(role) = self.role(chosen) {
                found.push((role, chosen.clone()));
            }
            chosen.pop();
        }
    }

    /// In which role the AND of these is just what is violated, if there is one.
    fn role(&self, chosen: &[usize]) -> Option<Role> {
        let mut roles = Role::ALL.to_vec();
        for (position, &violated) in self.violated.words().iter().enumerate() {
            let inside = |side: usize| {
                chosen.iter().fold(u64::MAX, |all, &one| all & self.statements[one].inside[side].words()[position])
            };
            let (source, follow_up) = (inside(0), inside(1));
            roles.retain(|role| role.words_inside(source, follow_up) == violated);
            if roles.is_empty() {
                return None;
            }
        }
        roles.first().copied()
    }
}

impl Statement {
    fn either(&self) -> Bits {
        self.inside[0].or(&self.inside[1])
    }

    fn text(&self, frame: &Frame) -> String {
        self.literal.write(frame, &[])
    }
}

/// In which checks a statement, or its opposite, is true of the source, and in which of a follow-up.
fn both_inside(points: &Points, bits: &Bits, is_true: bool) -> [Bits; 2] {
    let checks = &points.checks;
    let is_inside = |&point: &usize| bits.get(point) == is_true;
    [
        Bits::from_fn(checks.len(), |check| is_inside(&checks[check].source)),
        Bits::from_fn(checks.len(), |check| checks[check].follow_ups.iter().any(is_inside)),
    ]
}

/// Constants that tell inputs of violated checks from those of held ones, or the two inputs of violated checks apart.
fn learned(points: &Points, frame: &Frame) -> Vec<(Predicate, Bits)> {
    let marked = |is_violated: bool, is_in: fn(&PointCheck) -> Vec<usize>| {
        let mut bits = Bits::new(points.rows.len());
        let checks = points.checks.iter().filter(|check| check.is_violated == is_violated);
        checks.flat_map(is_in).for_each(|point| bits.set(point));
        bits
    };
    let source = |check: &PointCheck| vec![check.source];
    let follow_ups = |check: &PointCheck| check.follow_ups.clone();
    let (sources, others) = (marked(true, source), marked(true, follow_ups));
    let (held_sources, held_others) = (marked(false, source), marked(false, follow_ups));
    let mut all = learn(frame, &sources, &held_sources);
    all.join(learn(frame, &others, &held_others));
    all.join(learn(frame, &sources.or(&others), &held_sources.or(&held_others)));
    all.join(learn(frame, &others, &sources));
    all.predicates
}
