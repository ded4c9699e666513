//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// How many hints for a reason were right, and how many there were, on all subjects of the benchmark. Reasons that it
/// has no cells for have no confidence.
fn counted(reason: Reason) -> Option<(u32, u32)> {
    Some(match reason {
        Reason::Nondeterministic | Reason::Harness => (156, 156),
        Reason::Regression => (1463, 1498),
        Reason::Panic => (508, 532),
        Reason::Exceptions => (8, 8),
        Reason::SharedCause => (39, 46),
        Reason::Always => (96, 120),
        Reason::Unchanged => (65, 75),
        Reason::Exact => (100, 122),
        Reason::OthersHold => (351, 452),
        Reason::DecidedBug
        | Reason::Accepted
        | Reason::Death
        | Reason::Nan
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
        assert!(few < confidence(Reason::Harness).unwrap() && few > confidence(Reason::Exact).unwrap());
        assert_eq!(confidence(Reason::Rounding), None);
    }
}
