//! Regions: sets of a function's inputs, in whatever role, that explain what goes wrong.
//!
//! | file | does |
//! |---|---|
//! | `points` | all inputs that a function was run on, and the checks they belong to |
//! | `search` | regions that explain the checks of one cell |
//! | `panics` | which inputs a function panics on |
//! | `together` | regions that explain the violations of several relations; violations that coincide |

mod panics;
mod points;
mod search;
mod together;

pub(super) use panics::{Panics, of_panics};
pub(super) use together::{Cause, Overlap, causes, overlap};

use crate::{
    clean::{Cleaned, Counts},
    explain::Condition,
    feature::{Frame, Literal, Look, Scope},
    log::Row,
    mine::condition::When,
};
use std::sync::Arc;

/// How many rows of either verdict a region is held against.
const MOST_ROWS: usize = 512;
/// How many terms of a condition are looked at on their own.
const MOST_TERMS: usize = 8;

/// How a cell's violations follow from a region of the function's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The source is inside.
    Source,
    /// A follow-up is inside.
    FollowUp,
    /// One of both is inside, or both.
    Either,
    /// Just one of both is inside.
    One,
}

impl Role {
    /// What does not depend on the role comes first: a function does not know in which it is called.
    const ALL: [Self; 4] = [Self::One, Self::Either, Self::Source, Self::FollowUp];

    /// Whether source and follow-up count alike.
    fn is_symmetric(self) -> bool {
        matches!(self, Self::One | Self::Either)
    }

    /// Whether it says that a check is violated; nothing where that depends on a follow-up that is not known.
    fn says(self, source: bool, follow_up: Option<bool>) -> Option<bool> {
        let says = |follow_up: bool| self.words_inside(source.into(), follow_up.into()) == 1;
        match follow_up {
            Some(follow_up) => Some(says(follow_up)),
            None => Some(says(true)).filter(|said| says(false) == *said),
        }
    }

    /// The same for many checks at once, one in each bit.
    fn words_inside(self, source: u64, follow_up: u64) -> u64 {
        match self {
            Self::Source => source,
            Self::FollowUp => follow_up,
            Self::Either => source | follow_up,
            Self::One => source ^ follow_up,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Source => "when the source is there",
            Self::FollowUp => "when the follow-up is there",
            Self::Either => "when the source or the follow-up is there",
            Self::One => "when just one of source and follow-up is there",
        }
    }
}

/// The cells of a function, each with what is counted of its distinct inputs.
pub(super) fn cells_of(cleaned: &Cleaned, function: usize) -> impl Iterator<Item = (usize, Counts)> {
    let cells = cleaned.header.cells.iter().enumerate();
    cells.filter(move |(_, cell)| usize::from(cell.0) == function).map(|(cell, _)| {
        let counts = cleaned.cells.get(cell).map(|counts| counts.distinct.counts);
        (cell, counts.unwrap_or_default())
    })
}

/// A set of inputs, whatever their role.
struct Region {
    condition: Condition,
    frame: Arc<Frame>,
    text: String,
}

impl Region {
    fn new(condition: Condition, frame: &Arc<Frame>) -> Self {
        let text = condition.write(frame, &[]).0;
        Self { condition, frame: frame.clone(), text }
    }

    /// A condition over inputs, each of its terms, and each literal: what one relation shows may be the region of a cause
    /// that the condition describes in both of its roles.
    fn all_in(condition: &Condition, frame: &Arc<Frame>) -> Vec<Self> {
        if condition.scope != Scope::Input {
            return Vec::new();
        }
        let made_of = |terms: Vec<Vec<Literal>>| {
            let condition = Condition { when: When::Violated, terms, ..condition.clone() };
            Self::new(condition, frame)
        };
        let mut regions = vec![Self::new(condition.clone(), frame)];
        for term in condition.terms.iter().take(MOST_TERMS) {
            regions.push(made_of(vec![term.clone()]));
            regions.extend(term.iter().map(|literal| made_of(vec![vec![literal.clone()]])));
        }
        regions.retain(Self::is_of_fields);
        regions
    }

    /// Whether it can be asked of an input whatever its role.
    fn is_of_fields(&self) -> bool {
        self.condition.terms.iter().flatten().all(|literal| literal.predicate.is_of_fields(&self.frame))
    }

    /// The outside, where more inputs are inside: what is odd is rare.
    fn smaller(self, rows: &[Row]) -> Self {
        let some = &rows[..rows.len().min(MOST_ROWS)];
        if 2 * some.iter().filter(|row| self.has(row)).count() < some.len() {
            return self;
        }
        let when = if self.condition.when == When::Violated { When::Held } else { When::Violated };
        Self::new(Condition { when, ..self.condition }, &self.frame)
    }

    fn has(&self, row: &Row) -> bool {
        self.condition.is_violated(&Look::new(&self.frame, row))
    }
}
