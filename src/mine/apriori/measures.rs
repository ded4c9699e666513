//! The numbers of a rule, from four counts.
//!
//! Each formula does the same operations in the same order as efficient-apriori 2.0.6 does, so that results agree to the
//! last digit.

use serde::Serialize;

/// How often the sides of a rule `when => then` occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Counts {
    /// All rows of the table.
    pub rows: u64,
    /// Rows that have all items of `when`.
    pub when: u64,
    /// Rows that have all items of `then`.
    pub then: u64,
    /// Rows that have all items of both.
    pub both: u64,
}

/// What efficient-apriori adds, lest it divide by zero.
const EPSILON: f64 = 10e-10;

impl Counts {
    /// The share of rows that have all items of the rule: P(when and then).
    pub fn support(&self) -> f64 {
        share(self.both, self.rows)
    }

    /// The share of `then` where `when` is true: P(then | when).
    pub fn confidence(&self) -> f64 {
        share(self.both, self.when)
    }

    /// How many times more often both occur than if they had nothing to do with each other:
    /// P(when and then) / (P(when) P(then)).
    pub fn lift(&self) -> f64 {
        let wide = |one: u64, other: u64| u128::from(one) * u128::from(other);
        self.support() / quotient(wide(self.when, self.then), wide(self.rows, self.rows))
    }

    /// How many times more often the rule would be wrong if its sides had nothing to do with each other:
    /// P(not then) / P(not then | when).
    ///
    /// A rule that is never wrong has none: efficient-apriori gives a large number there, see
    /// [`Counts::capped_conviction`].
    pub fn conviction(&self) -> Option<f64> {
        (self.both < self.when).then(|| self.capped_conviction())
    }

    /// Conviction as efficient-apriori has it: 10^-9 is added below the line, so that a rule that is never wrong gets
    /// 10^9 P(not then) instead of infinity.
    pub fn capped_conviction(&self) -> f64 {
        (1.0 - share(self.then, self.rows)) / (1.0 - self.confidence() + EPSILON)
    }
}

/// Counts are far below 2^53, so that this is the number nearest to the true quotient.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// The number nearest to a quotient of at most 1, as Python divides integers of any size.
fn quotient(mut part: u128, whole: u128) -> f64 {
    const EXACT: u128 = 1 << 53;
    if part == 0 || whole <= EXACT {
        return part as f64 / whole as f64;
    }
    let mut scale = 1.0;
    while part < whole {
        part <<= 1;
        scale /= 2.0;
    }
    // The 53 digits that a number has, and one to round by.
    let mut digits = 0u64;
    for _ in 0..54 {
        let is_one = part >= whole;
        digits = digits << 1 | u64::from(is_one);
        part = (part - if is_one { whole } else { 0 }) << 1;
    }
    let is_up = digits & 1 == 1 && (part != 0 || digits & 2 == 2);
    ((digits >> 1) + u64::from(is_up)) as f64 / (EXACT / 2) as f64 * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_the_paper_s_library() {
        // `a == b == 0` => `Violated` for add x MR2 on the grid, and the same rule with one more wrong row.
        let exact = Counts { rows: 100, when: 1, then: 1, both: 1 };
        assert_eq!((exact.support(), exact.confidence(), exact.lift()), (0.01, 1.0, 100.0));
        assert_eq!((exact.conviction(), exact.capped_conviction()), (None, 989_999_999.999_999_9));
        let wrong = Counts { rows: 200, when: 100, then: 150, both: 50 };
        assert_eq!((wrong.support(), wrong.confidence(), wrong.lift()), (0.25, 0.5, 2.0 / 3.0));
        assert_eq!(wrong.conviction(), Some(0.499_999_999_000_000_03));
        let always = Counts { rows: 4, when: 2, then: 4, both: 2 };
        assert_eq!((always.lift(), always.conviction(), always.capped_conviction()), (1.0, None, 0.0));
    }

    #[test]
    fn large_integers_are_divided_as_python_does() {
        // Each computed by Python; plain division of the nearest numbers is one digit off in the first two.
        for (part, whole, expected) in QUOTIENTS {
            assert_eq!(quotient(part, whole), expected, "{part} / {whole}");
        }
        assert_eq!(quotient(1 << 80, 1 << 80), 1.0);
        assert_eq!(quotient(0, 1 << 80), 0.0);
        assert_eq!(quotient(3 << 70, 1 << 72), 0.75);
    }

    const QUOTIENTS: [(u128, u128, f64); 4] = [
        (620_759_534_874_528_550, 17_236_498_801_472_787_600, 0.03601424755829689),
        (5_756_984_480_105_675_190, 29_746_001_946_061_327_936, 0.19353809263325078),
        (14_080_449_406_803_674_208, 49_989_279_268_054_709_401, 0.28166938217494336),
        (776_409_196_459_776_640, 15_755_645_515_757_625_241, 0.049278158466009525),
    ];
}
