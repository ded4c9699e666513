//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// How many hints for a reason were right, and how many there were, in both parts of the benchmark. Reasons that it has no
/// cells for have no confidence.
fn counted(reason: Reason) -> Option<(u32, u32)> {
    Some(match reason {
        Reason::Nondeterministic | Reason::Harness => (156, 156),
        Reason::Regression => (1235, 1268),
        Reason::Panic => (432, 454),
        Reason::Exceptions => (8, 8),
        Reason::SharedCause => (39, 46),
        Reason::Rare => (100, 134),
        Reason::Always => (96, 118),
        Reason::Unchanged => (65, 75),
        Reason::Exact => (79, 100),
        Reason::Overlap => (120, 156),
        Reason::OthersHold => (331, 423),
        Reason::DecidedBug
        | Reason::Accepted
        | Reason::OutsideDeclared
        | Reason::Never
        | Reason::AsDeclared
        | Reason::Rounding
        | Reason::Unjudged
        | Reason::Open => return None,
    })
}

/// The share that was right, with half a hint more of either kind: a few hints that were all right are no certainty.
pub(super) fn confidence(reason: Reason) -> Option<f64> {
    counted(reason).map(|(right, all)| (f64::from(right) + 0.5) / (f64::from(all) + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_right_hints_are_no_certainty_and_what_was_not_measured_has_no_number() {
        let few = confidence(Reason::Exceptions).unwrap();
        assert!(few < confidence(Reason::Harness).unwrap() && few > confidence(Reason::Rare).unwrap());
        assert_eq!(confidence(Reason::Rounding), None);
    }
}
