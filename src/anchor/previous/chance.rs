//! How many rows may contradict what another log says, and mean nothing.

use crate::summary::interval;

/// How unlikely it has to be that nothing has changed: about 1 in 1000, as a logarithm.
pub(super) const UNLIKELY: f64 = 7.0;
/// The logarithm of how many statements one literal was chosen from: about 160,000 features and learned constants.
const CHOICES: f64 = 12.0;

/// Whether `count` of `all` rows are more than a statement without exceptions would miss that was learned from `rows`
/// others like them. A statement of so many literals, chosen as the first that fits, misses a share of at most
/// `(literals × ln choices + ln 1000) / rows`, but for one time in 1000 (Occam's bound; for a cell that was never violated
/// it is the rule of three, for 99.9 %).
pub(super) fn is_beyond(count: u64, all: u64, literals: usize, rows: f64) -> bool {
    if count == 0 || rows <= 0.0 {
        return false;
    }
    let open = (literals as f64 * CHOICES + UNLIKELY) / rows;
    let least = interval(count as f64, (all as f64).max(count as f64)).map_or(0.0, |(low, _)| low / 100.0);
    least > open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_old_log_could_have_missed_is_not_beyond_chance() {
        assert!(!is_beyond(0, 1000, 0, 1e6));
        assert!(!is_beyond(3, 1000, 0, 1000.0));
        assert!(!is_beyond(3, 1000, 0, 0.0));
        assert!(is_beyond(50, 1000, 0, 1000.0));
        // A learned condition leaves more open than one that says never.
        assert!(is_beyond(20, 1000, 0, 1000.0) && !is_beyond(20, 1000, 1, 1000.0));
    }
}
