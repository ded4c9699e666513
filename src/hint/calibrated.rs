//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// How many hints for a reason were right, and how many there were, on the 24 last subjects of the benchmark; of
/// `OthersHold` on the last six, because the others were measured when it asked for less. Reasons were taken away by what
/// these showed, so that unseen ones may show less. What has no cells there has no confidence.
fn counted(reason: Reason) -> Option<(u32, u32)> {
    Some(match reason {
        Reason::Nondeterministic | Reason::Harness => (130, 130),
        Reason::Regression => (913, 930),
        Reason::Panic => (280, 290),
        Reason::Exceptions => (4, 4),
        Reason::SharedCause => (17, 18),
        Reason::Always => (73, 87),
        Reason::Exact => (56, 67),
        Reason::Unchanged => (11, 11),
        Reason::OthersHold => (62, 83),
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
        assert!(few < confidence(Reason::Harness).unwrap() && few > confidence(Reason::OthersHold).unwrap());
        assert_eq!(confidence(Reason::Rounding), None);
    }
}
