//! What one log says of a cell, held against the rows of the other.

use super::{Known, condition_text};
use crate::{
    claim::{self, Claim, Says, Tested},
    explain::{CellExplained, Explained},
    expression::Expression,
    feature::Scope,
    log::Header,
};

/// What the old log says of one cell, and how the new rows meet it.
#[derive(Debug)]
pub(super) struct Claimed {
    /// About the cell of the new log.
    pub(super) claim: Claim,
    /// How many literals the statement has.
    pub(super) literals: usize,
    pub(super) tested: Tested,
    /// Old inputs that held where the new rows, without an exception, are violated and the old ones said held.
    pub(super) contradicting: Option<Contradicting>,
}

/// Old inputs that contradict the new condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contradicting {
    pub(super) count: u64,
    /// How many literals the new condition has.
    pub(super) literals: usize,
}

/// What the old log says of each of these cells, given by their positions in both logs; nothing where its rows do not tell.
pub(super) fn of_all(old: Known<'_>, new: Known<'_>, cells: &[(usize, usize)]) -> Vec<Option<Claimed>> {
    let said: Vec<Option<(Claim, usize)>> = cells
        .iter()
        .map(|&(then, now)| {
            let (says, literals) = says(old.explained.cells.get(then)?, &new.cleaned.header)?;
            Some((Claim { cell: now, says }, literals))
        })
        .collect();
    let claims: Vec<Claim> = said.iter().flatten().map(|(claim, _)| claim.clone()).collect();
    let mut tested = claim::test(new.campaign, new.cleaned, &claims).into_iter();
    let mut claimed: Vec<Option<Claimed>> = said
        .into_iter()
        .map(|said| {
            let (claim, literals) = said?;
            Some(Claimed { claim, literals, tested: tested.next().unwrap_or_default(), contradicting: None })
        })
        .collect();
    contradict(old, new, cells, &mut claimed);
    claimed
}

/// Holds the new conditions against the old rows, for cells that are violated where the old log says they hold.
fn contradict(old: Known<'_>, new: Known<'_>, cells: &[(usize, usize)], claimed: &mut [Option<Claimed>]) {
    let mut asked = Vec::new();
    for (position, (&(then, now), claimed)) in cells.iter().zip(claimed.iter()).enumerate() {
        let Some(claimed) = claimed.as_ref().filter(|claimed| claimed.tested.violated_elsewhere > 0) else { continue };
        let region = new.explained.cells.get(now).and_then(|now| region(claimed, now, &old.cleaned.header));
        asked.extend(region.map(|(says, literals)| (position, literals, Claim { cell: then, says })));
    }
    let claims: Vec<Claim> = asked.iter().map(|(_, _, claim)| claim.clone()).collect();
    for ((position, literals, _), tested) in asked.iter().zip(claim::test(old.campaign, old.cleaned, &claims)) {
        if let Some(claimed) = claimed[*position].as_mut().filter(|_| tested.fault.is_none()) {
            claimed.contradicting = Some(Contradicting { count: tested.held_elsewhere, literals: *literals });
        }
    }
}

/// A statement without exceptions over inputs, and how many literals it has.
fn says(cell: &CellExplained, header: &Header) -> Option<(Says, usize)> {
    match &cell.explained {
        Explained::Never => Some((Says::Never, 0)),
        Explained::Always => Some((Says::Always, 0)),
        Explained::Condition(found) if found.is_exact() && found.scope == Scope::Input => {
            let condition = Expression::parse(&condition_text(cell)?, header).ok()?;
            Some((Says::ViolatedWhen(condition), found.literals()))
        }
        _ => None,
    }
}

/// Where the new rows are always violated and the old ones were said to hold.
fn region(claimed: &Claimed, now: &CellExplained, header: &Header) -> Option<(Says, usize)> {
    let (says, literals) = says(now, header)?;
    let now = match says {
        Says::ViolatedWhen(condition) => condition.text().to_owned(),
        Says::Always => "true".into(),
        Says::Never | Says::HeldWhen(_) => return None,
    };
    let both = match &claimed.claim.says {
        Says::ViolatedWhen(then) => format!("({now}) && !({})", then.text()),
        _ => now,
    };
    Some((Says::ViolatedWhen(Expression::parse(&both, header).ok()?), literals))
}
