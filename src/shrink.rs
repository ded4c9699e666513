//! An input made smaller, as long as it keeps what it is needed for: stretches of bytes are taken out, the longest
//! first, and what is left becomes zero or at least smaller.

/// How often an input is tried at the most.
const TRIES: usize = 4096;

/// Inputs of so many bytes are tried byte by byte, and any two bytes together.
pub(crate) const SHORT: usize = 16;
/// To so little two bytes are lowered together, when they are added up.
const LITTLE: u8 = 8;

/// Whether an input keeps what it is needed for.
type Good<'run, E> = &'run mut dyn FnMut(&[u8]) -> Result<bool, E>;

/// The smallest input that was found to be `good`, as `bytes` is, and whether the tries were enough; nothing but them and
/// `good` decides which.
pub(crate) fn shrink<E>(bytes: &[u8], good: Good<'_, E>) -> Result<(Vec<u8>, bool), E> {
    let mut shrinking = Shrinking { best: bytes.to_vec(), good, left: TRIES };
    shrinking.until_nothing_changes(|it| it.cut().and_then(|()| it.lower()))?;
    Ok((shrinking.best, shrinking.left > 0))
}

/// The same for an input that somebody will read: worth more tries, if it is short.
pub(crate) fn shrink_to_show<E>(bytes: &[u8], good: Good<'_, E>) -> Result<(Vec<u8>, bool), E> {
    let (best, was_enough) = shrink(bytes, good)?;
    if best.len() > SHORT {
        return Ok((best, was_enough));
    }
    let mut shrinking = Shrinking { best, good, left: TRIES };
    shrinking.until_nothing_changes(|it| {
        it.cut()?;
        it.lower()?;
        it.lower_pairs()?;
        it.try_all_smaller()?;
        it.move_forward()
    })?;
    Ok((shrinking.best, shrinking.left > 0))
}

struct Shrinking<'run, E> {
    best: Vec<u8>,
    good: Good<'run, E>,
    left: usize,
}

impl<E> Shrinking<'_, E> {
    fn until_nothing_changes(&mut self, mut step: impl FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        loop {
            let before = self.best.clone();
            step(self)?;
            if self.best == before || self.left == 0 {
                return Ok(());
            }
        }
    }

    /// Takes a smaller input if it is good.
    fn accept(&mut self, smaller: Vec<u8>) -> Result<bool, E> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let is_good = (self.good)(&smaller)?;
        if is_good {
            self.best = smaller;
        }
        Ok(is_good)
    }

    /// Takes stretches out, from the end to the front.
    fn cut(&mut self) -> Result<(), E> {
        let mut length = self.best.len();
        while length > 0 {
            let mut end = self.best.len();
            while end > 0 {
                let start = end.saturating_sub(length);
                let shorter = [&self.best[..start], &self.best[end..]].concat();
                self.accept(shorter)?;
                end = start;
            }
            length /= 2;
        }
        Ok(())
    }

    /// Makes bytes smaller: zero if that will do, else as little as halving and counting down come to.
    fn lower(&mut self) -> Result<(), E> {
        for at in 0..self.best.len() {
            if self.best[at] == 0 || self.set(at, 0)? {
                continue;
            }
            while self.best[at] > 1 && self.set(at, self.best[at] / 2)? {}
            while self.best[at] > 1 && self.set(at, self.best[at] - 1)? {}
        }
        Ok(())
    }

    /// Gives any two bytes little values, the least first: what holds for both may hold for neither alone.
    fn lower_pairs(&mut self) -> Result<(), E> {
        for (one, other) in (0..self.best.len()).flat_map(|other| (0..other).map(move |one| (one, other))) {
            let sum = u16::from(self.best[one]) + u16::from(self.best[other]);
            let sums = 0..u16::from(LITTLE).min(sum) as u8;
            for (first, second) in sums.flat_map(|sum| (0..=sum).map(move |first| (first, sum - first))) {
                let mut smaller = self.best.clone();
                (smaller[one], smaller[other]) = (first, second);
                if self.accept(smaller)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Tries all smaller values of each byte, the least first: those between may not do.
    fn try_all_smaller(&mut self) -> Result<(), E> {
        for at in 0..self.best.len() {
            for value in 0..self.best[at] {
                if self.set(at, value)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Moves bytes before zeros: a number's first byte is worth the least.
    fn move_forward(&mut self) -> Result<(), E> {
        for at in 1..self.best.len() {
            if self.best[at] > 0 && self.best[at - 1] == 0 {
                let mut smaller = self.best.clone();
                smaller.swap(at - 1, at);
                self.accept(smaller)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, at: usize, value: u8) -> Result<bool, E> {
        let mut smaller = self.best.clone();
        smaller[at] = value;
        self.accept(smaller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn shrunk(bytes: &[u8], mut good: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
        let Ok((found, was_enough)) = shrink(bytes, &mut |bytes| Ok::<_, Infallible>(good(bytes)));
        assert!(was_enough);
        found
    }

    #[test]
    fn what_is_not_needed_goes_and_what_is_needed_stays() {
        assert_eq!(shrunk(b"anything", |_| true), b"");
        assert_eq!(shrunk(b"aXbYc", |bytes| bytes.contains(&b'X') && bytes.contains(&b'Y')), b"XY");
        assert_eq!(shrunk(&[9, 200, 7], |bytes| bytes.len() == 3 && bytes[1] > 40), [0, 41, 0]);
    }

    #[test]
    fn an_input_that_nothing_smaller_replaces_stays_and_so_does_a_shrunk_one() {
        assert_eq!(shrunk(&[3, 1], |bytes| bytes == [3, 1]), [3, 1]);
        let is_good = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>() >= 300;
        let once = shrunk(&[255; 40], is_good);
        assert_eq!(shrunk(&once, is_good), once);
    }

    #[test]
    fn what_is_shown_is_smaller_where_only_two_bytes_together_or_a_jump_go_further() {
        let to_show = |bytes: &[u8], good: fn(&[u8]) -> bool| {
            let Ok((found, was_enough)) = shrink_to_show(bytes, &mut |bytes| Ok::<_, Infallible>(good(bytes)));
            assert!(was_enough);
            found
        };
        let is_double =
            |bytes: &[u8]| matches!(bytes, [one, other] if *one > 0 && u16::from(*other) == 2 * u16::from(*one));
        assert_eq!(shrunk(&[90, 180], is_double), [90, 180]);
        assert_eq!(to_show(&[90, 180], is_double), [1, 2]);
        let is_odd_one_out = |bytes: &[u8]| matches!(bytes, [3 | 201]);
        assert_eq!(shrunk(&[201], is_odd_one_out), [201]);
        assert_eq!(to_show(&[201], is_odd_one_out), [3]);
        let is_number = |bytes: &[u8]| matches!(bytes, [low, high, ..] if u16::from_le_bytes([*low, *high]) > 0);
        assert_eq!(to_show(&[0, 9, 9], is_number), [1, 0]);
    }

    #[test]
    fn what_takes_more_tries_than_there_are_is_told() {
        let long = vec![255; 6000];
        let Ok((found, was_enough)) = shrink_to_show(&long, &mut |bytes| Ok::<_, Infallible>(bytes.len() == 6000));
        assert!(found.len() == 6000 && !was_enough);
    }

    #[test]
    fn a_question_that_fails_is_told() {
        assert_eq!(shrink(b"ab", &mut |_| Err("gone")), Err("gone"));
    }
}
