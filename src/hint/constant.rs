//! The constants of a condition: natural ones follow from what numbers are, arbitrary ones somebody wrote down.

use crate::log::Header;

/// A constant that looks least as if it followed from anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Constant {
    pub(super) number: f64,
    pub(super) is_natural: bool,
}

/// The least natural of some constants; the suite's own are as natural as its relations.
pub(super) fn least_natural(constants: impl Iterator<Item = f64>, header: &Header) -> Option<Constant> {
    let own: Vec<f64> = header.constants.iter().filter_map(|(_, value)| Some(value.integer()? as f64)).collect();
    let judged = constants.map(|number| Constant { number, is_natural: is_natural(number, &own) });
    judged.min_by(|one, other| {
        let key = |constant: &Constant| (constant.is_natural, -constant.number.abs());
        key(one).partial_cmp(&key(other)).unwrap_or(std::cmp::Ordering::Equal)
    })
}

/// Nought, one, two (of parity), a limit of a type or beside one, or one of the suite's own.
fn is_natural(number: f64, own: &[f64]) -> bool {
    let size = number.abs();
    let is_limit = [8, 16, 32, 64].into_iter().any(|bits| {
        let half = 2f64.powi(bits - 1);
        [half, 2.0 * half].iter().any(|limit| (size - limit).abs() <= 1.0)
    });
    size <= 2.0 && size.fract() == 0.0 || is_limit || own.iter().any(|own| own.abs() == size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_down_is_found_among_what_numbers_are() {
        let header = Header { constants: vec![("k".into(), crate::log::Value::of_integer(6))], ..Header::of(&[], &[]) };
        let least = |constants: &[f64]| least_natural(constants.iter().copied(), &header).map(|found| found.number);
        assert_eq!(least(&[0.0, 37.0, 1.0, 127.0]), Some(37.0));
        assert_eq!(least(&[]), None);
        for natural in [0.0, -1.0, 2.0, 6.0, -6.0, 255.0, -128.0, 2147483647.0] {
            assert!(is_natural(natural, &[6.0]), "{natural}");
        }
        assert!(!is_natural(0.5, &[6.0]) && !is_natural(100.0, &[6.0]));
    }
}
