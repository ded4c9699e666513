//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// How many hints for a reason there were on the half of the benchmark that hints are made with, and how many were right.
/// Reasons that it has no cells for have no confidence.
fn counted(reason: Reason) -> Option<(u32, u32)> {
    Some(match reason {
        Reason::Nondeterministic | Reason::Harness => (33, 33),
        Reason::Regression => (249, 262),
        Reason::Panic => (100, 107),
        Reason::SharedCause => (6, 6),
        Reason::Rare => (55, 79),
        Reason::Always => (45, 52),
        Reason::Unchanged => (41, 47),
        Reason::Exact => (41, 52),
        Reason::DecidedBug
        | Reason::Accepted
        | Reason::OutsideDeclared
        | Reason::Exceptions
        | Reason::Never
        | Reason::AsDeclared
        | Reason::Rounding
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
        let shared = confidence(Reason::SharedCause).unwrap();
        assert!(shared < confidence(Reason::Harness).unwrap() && shared > confidence(Reason::Rare).unwrap());
        assert_eq!(confidence(Reason::Rounding), None);
    }
}
