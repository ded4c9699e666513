//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// How many hints for a reason were right, and how many there were, in both halves of the benchmark. Reasons that it has no
/// cells for have no confidence. Whether the function's other relations hold matters most for an exact condition, which bugs
/// have as well.
fn counted(reason: Reason, others_speak_for_it: bool) -> Option<(u32, u32)> {
    Some(match reason {
        Reason::Nondeterministic | Reason::Harness => (65, 65),
        Reason::Regression => (506, 526),
        Reason::Panic => (186, 198),
        Reason::Exceptions => (5, 5),
        Reason::SharedCause => (16, 22),
        Reason::Rare => (50, 59),
        Reason::Always => (62, 71),
        Reason::Unchanged => (48, 54),
        Reason::Exact if others_speak_for_it => (38, 45),
        Reason::Exact => (18, 33),
        Reason::Overlap => (39, 41),
        Reason::OthersHold => (133, 156),
        Reason::DecidedBug
        | Reason::Accepted
        | Reason::OutsideDeclared
        | Reason::Never
        | Reason::AsDeclared
        | Reason::Rounding
        | Reason::Open => return None,
    })
}

/// The share that was right, with half a hint more of either kind: a few hints that were all right are no certainty.
pub(super) fn confidence(reason: Reason, others_speak_for_it: bool) -> Option<f64> {
    counted(reason, others_speak_for_it).map(|(right, all)| (f64::from(right) + 0.5) / (f64::from(all) + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_right_hints_are_no_certainty_and_what_was_not_measured_has_no_number() {
        let of = |reason| confidence(reason, false);
        let few = of(Reason::Exceptions).unwrap();
        assert!(few < of(Reason::Harness).unwrap() && few > of(Reason::Rare).unwrap());
        assert_eq!(of(Reason::Rounding), None);
    }

    #[test]
    fn an_exact_condition_is_worth_more_where_other_relations_hold() {
        assert!(confidence(Reason::Exact, true) > confidence(Reason::Exact, false));
    }
}
