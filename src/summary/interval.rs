//! How sure a rate is.

/// Half of what may lie outside on either side.
const TAIL: f64 = 0.025;
/// From so many inputs on the two formulas agree to more digits than are shown.
const MANY: f64 = 1e6;

/// The 95 % interval of a rate, in percent: Clopper and Pearson's, which never promises more than 95 %. With `k` of `n`
/// violated it goes from the 2.5 % quantile of Beta(k, n - k + 1) to the 97.5 % quantile of Beta(k + 1, n - k). For more
/// than a million inputs Wilson's is given instead, `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`.
pub fn interval(violated: f64, judged: f64) -> Option<(f64, f64)> {
    if !(judged > 0.0 && (0.0..=judged).contains(&violated)) {
        return None;
    }
    let (low, high) = if judged > MANY { wilson(violated / judged, judged) } else { exact(violated, judged) };
    Some((100.0 * low, 100.0 * high))
}

fn exact(violated: f64, judged: f64) -> (f64, f64) {
    let held = judged - violated;
    let low = if violated == 0.0 { 0.0 } else { beta_quantile(TAIL, violated, held + 1.0) };
    let high = if held == 0.0 { 1.0 } else { beta_quantile(1.0 - TAIL, violated + 1.0, held) };
    (low, high)
}

fn wilson(rate: f64, count: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let spread = Z * Z / count;
    let middle = rate + spread / 2.0;
    let half = Z * (rate * (1.0 - rate) / count + spread / (4.0 * count)).sqrt();
    (((middle - half) / (1.0 + spread)).max(0.0), ((middle + half) / (1.0 + spread)).min(1.0))
}

/// Where the distribution reaches `share`, by halving.
fn beta_quantile(share: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if beta_share(middle, a, b) < share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The share of Beta(a, b) below `x`: the regularised incomplete beta function.
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The fraction converges fast on this side of the mean; the other side is its mirror.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut product = d;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = product;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            product *= d * c;
        }
        if (product - before).abs() <= 1e-15 * product.abs() {
            break;
        }
    }
    product
}

/// The logarithm of the gamma function, for positive numbers: Stirling's series, from 10 on.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(violated: f64, judged: f64) -> (f64, f64) {
        let round = |percent: f64| (percent * 1e4).round() / 1e4;
        interval(violated, judged).map(|(low, high)| (round(low), round(high))).expect("something was judged")
    }

    /// What R's `binom.test` says.
    #[test]
    fn intervals_are_those_of_clopper_and_pearson() {
        assert_eq!(rounded(55.0, 100.0), (44.7280, 64.9680));
        assert_eq!(rounded(0.0, 10.0), (0.0, 30.8497));
        assert_eq!(rounded(1.0, 10.0), (0.2529, 44.5016));
        assert_eq!(rounded(10.0, 10.0), (69.1503, 100.0));
        assert_eq!(rounded(1.0, 1.0), (2.5, 100.0));
    }

    #[test]
    fn nothing_judged_has_no_interval() {
        assert_eq!(interval(0.0, 0.0), None);
        assert_eq!(interval(2.0, 1.0), None);
        assert_eq!(interval(f64::NAN, 1.0), None);
    }

    #[test]
    fn the_two_formulas_meet_where_one_takes_over() {
        for rate in [0.0, 0.001, 0.3, 0.999, 1.0] {
            let (exact, wilson) = (exact(rate * MANY, MANY), wilson(rate, MANY));
            assert!((exact.0 - wilson.0).abs() < 2e-6 && (exact.1 - wilson.1).abs() < 2e-6, "{exact:?} {wilson:?}");
        }
        let mut widths = (1..60).map(|power| {
            let judged = 1.5f64.powi(power);
            let (low, high) = interval(judged / 4.0, judged).expect("judged");
            assert!(low < 25.0 && high > 25.0);
            high - low
        });
        assert!(widths.by_ref().is_sorted_by(|wider, narrower| wider > narrower));
    }
}
