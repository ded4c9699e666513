//! What chance could explain: code lengths, Fisher's test, and how many exceptions flipped verdicts account for.

/// Verdicts that are flipped, at most, as a share of the rows.
const NOISE: f64 = 0.015;

/// `x log2 x`, which is 0 at 0.
fn x_log_x(x: u64) -> f64 {
    if x == 0 { 0.0 } else { x as f64 * (x as f64).log2() }
}

/// The bits that say which of these rows are the one and which the other, knowing how many there are.
pub fn bits(one: u64, other: u64) -> f64 {
    // The difference of large numbers may fall a hair short of zero.
    (x_log_x(one + other) - x_log_x(one) - x_log_x(other)).max(0.0)
}

/// The bits that a part saves which has so many of all the ones and of all the others.
pub fn gain(part: (u64, u64), all: (u64, u64)) -> f64 {
    bits(all.0, all.1) - bits(part.0, part.1) - bits(all.0 - part.0, all.1 - part.1)
}

/// How many of so many rows flipped verdicts may account for.
pub fn tolerated(rows: u64) -> u64 {
    let expected = NOISE * rows as f64;
    (expected + 4.0 * expected.sqrt()) as u64
}

/// Whether flipped verdicts account for the exceptions among rows of one verdict.
pub fn is_pure(rows: u64, exceptions: u64) -> bool {
    exceptions <= tolerated(rows + exceptions)
}

/// The natural logarithm of the factorial, by Stirling's series.
fn ln_factorial(n: u64) -> f64 {
    if n < 20 {
        return (2..=n).map(|factor| (factor as f64).ln()).sum();
    }
    let x = n as f64;
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3))
}

/// The natural logarithm of the number of ways to choose.
pub fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n { f64::NEG_INFINITY } else { ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) }
}

/// Fisher's one-sided test, as a natural logarithm: how likely it is that a part chosen by chance has at least as many
/// of the ones. A part with no more than its share counts as certain.
pub fn ln_fisher(part: (u64, u64), all: (u64, u64)) -> f64 {
    let size = part.0 + part.1;
    if u128::from(part.0) * u128::from(all.0 + all.1) <= u128::from(size) * u128::from(all.0) {
        return 0.0;
    }
    let ways = |ones: u64| ln_choose(all.0, ones) + ln_choose(all.1, size - ones) - ln_choose(all.0 + all.1, size);
    let first = ways(part.0);
    // Relative to the first; the ratio of neighbours only falls.
    let (mut sum, mut term) = (1.0, 1.0);
    for ones in part.0..size.min(all.0) {
        let others = size - ones;
        let up = (all.0 - ones) as f64 * others as f64;
        let down = (ones + 1) as f64 * (all.1 + 1 - others) as f64;
        term *= up / down;
        sum += term;
        if term < sum * 1e-15 {
            break;
        }
    }
    (first + f64::ln(sum)).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fisher_agrees_with_known_values() {
        // The lady tasting tea: 4 of 4 right, and at least 3.
        assert!((ln_fisher((4, 0), (4, 4)).exp() - 1.0 / 70.0).abs() < 1e-9);
        assert!((ln_fisher((3, 1), (4, 4)).exp() - 17.0 / 70.0).abs() < 1e-9);
        assert!((ln_fisher((0, 4), (4, 4)).exp() - 1.0).abs() < 1e-9);
        // 10 of 10 among a million: 1 in C(1 000 000, 10).
        let expected = -ln_choose(1_000_000, 10);
        assert!((ln_fisher((10, 0), (10, 999_990)) - expected).abs() < 1e-6);
        // More ones than the part has room for.
        assert!((ln_fisher((2, 0), (10, 1)).exp() - 45.0 / 55.0).abs() < 1e-9);
        assert!(ln_fisher((1_000, 99_000), (100_000, 900_000)) > -1e-9);
    }

    #[test]
    fn flips_account_for_few_exceptions() {
        assert_eq!([0, 3, 10, 100, 10_000].map(tolerated), [0, 0, 1, 6, 198]);
        assert!(is_pure(990, 10) && !is_pure(900, 100));
    }

    #[test]
    fn a_part_that_tells_nothing_saves_nothing() {
        assert!(gain((10, 100), (20, 200)).abs() < 1e-9);
        assert!((gain((20, 0), (20, 200)) - bits(20, 200)).abs() < 1e-9);
    }
}
