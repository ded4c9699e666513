//! What the suite declares: `.expect_condition(..)` held against the rows.

use crate::{
    claim::{self, Claim, Says},
    clean::{Campaign, Cleaned},
    expression::Expression,
    log::Header,
};

/// A declared condition, and how the rows meet it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declared {
    /// When it is expected to hold.
    pub(super) text: String,
    /// Violated although it is expected to hold.
    pub(super) violated: u64,
    /// Held although it is expected to be violated.
    pub(super) held: u64,
    /// Why it could not be used.
    pub(super) fault: Option<String>,
}

/// How many relations a suite says of when they hold; one that fails in a suite without any was tried out, perhaps.
pub(super) fn relations(header: &Header) -> usize {
    header.relations.iter().filter(|relation| relation.expected.is_some()).count()
}

/// What is declared about every cell, if anything is.
pub(super) fn of_all(campaign: &Campaign, cleaned: &Cleaned) -> Vec<Option<Declared>> {
    let header = &cleaned.header;
    let mut declared: Vec<Option<Declared>> = vec![None; header.cells.len()];
    let mut claims = Vec::new();
    for (cell, &(_, relation)) in header.cells.iter().enumerate() {
        let relation = header.relations.get(usize::from(relation));
        let Some(text) = relation.and_then(|relation| relation.expected.clone()) else { continue };
        let parsed = Expression::parse(&text, header);
        let fault = parsed.as_ref().err().map(ToString::to_string);
        declared[cell] = Some(Declared { text, violated: 0, held: 0, fault });
        claims.extend(parsed.ok().map(|condition| Claim { cell, says: Says::HeldWhen(condition) }));
    }
    for (claim, tested) in claims.iter().zip(claim::test(campaign, cleaned, &claims)) {
        if let Some(declared) = &mut declared[claim.cell] {
            declared.violated = tested.violated_elsewhere;
            declared.held = tested.held_elsewhere;
            declared.fault = tested.fault;
        }
    }
    declared
}
