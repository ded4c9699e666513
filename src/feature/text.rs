//! How predicates are written down: Rust expressions over the fields.

/// What stands around a test, each once.
pub(crate) fn distinct<'guard>(
    guards: impl Iterator<Item = &'guard (String, &'static str)>,
) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for guard in guards {
        if !found.contains(guard) {
            found.push(guard.clone());
        }
    }
    found
}

/// A test inside what makes it meaningful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrapped {
    /// What stands around the body, outermost first.
    pub(crate) guards: Vec<(String, &'static str)>,
    pub(crate) body: String,
    /// Whether all of it is turned round.
    pub(crate) is_not: bool,
}

impl Wrapped {
    /// A test that makes sense everywhere.
    pub(crate) fn plain(body: String, is_true: bool) -> Self {
        Self { guards: Vec::new(), body, is_not: !is_true }
    }

    pub(crate) fn render(&self) -> String {
        let inner =
            self.guards.iter().rev().fold(self.body.clone(), |inner, (open, close)| format!("{open}{inner}{close}"));
        let is_one_word = !self.guards.is_empty() || !inner.contains(' ') || is_call(&inner);
        match (self.is_not, is_one_word) {
            (false, _) => inner,
            (true, true) => format!("!{inner}"),
            (true, false) => format!("!({inner})"),
        }
    }
}

/// Whether a text is one call of a function, method or macro, which needs no brackets around it.
fn is_call(text: &str) -> bool {
    let Some(open) = text.find('(') else { return false };
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '!');
    let mut depth = 0;
    let closed = text[open..].find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    });
    text[..open].chars().all(is_name) && closed.is_some_and(|closed| open + closed + 1 == text.len())
}

/// `a + 2 * b - c`, signs as given; a sum of negative parts only is written as if they were positive.
pub(crate) fn join(parts: &[(i8, usize)], scaled: &impl Fn(u8, &usize) -> String) -> String {
    let all_negative = parts.iter().all(|(factor, _)| *factor < 0);
    let mut text = String::new();
    for (factor, term) in parts {
        let is_minus = *factor < 0 && !all_negative;
        match (text.is_empty(), is_minus) {
            (true, false) => {}
            (true, true) => text.push('-'),
            (false, true) => text.push_str(" - "),
            (false, false) => text.push_str(" + "),
        }
        text.push_str(&scaled(factor.unsigned_abs(), term));
    }
    text
}

/// Whether one constant is easier to remember than another.
pub(crate) fn nicer(one: i128, other: i128) -> bool {
    oddness(one) < oddness(other)
}

/// How little a constant looks like one that a person chose: a guess that only decides between neighbours.
fn oddness(number: i128) -> u32 {
    let size = number.unsigned_abs();
    match size {
        0 => 0,
        1 => 1,
        _ if size.is_multiple_of(100) || size.is_power_of_two() || (size + 1).is_power_of_two() => 2,
        _ if size.is_multiple_of(10) => 3,
        _ if size.is_multiple_of(5) => 4,
        _ => 5,
    }
}

/// The nicest whole number from `low` to `high`, both included.
pub(crate) fn nicest(low: i128, high: i128) -> i128 {
    let mut best = low;
    let mut consider = |number: i128| {
        if (low..=high).contains(&number) && nicer(number, best) {
            best = number;
        }
    };
    [0, 1, -1, high].into_iter().for_each(&mut consider);
    for power in 0..=38 {
        let Some(step) = 10i128.checked_pow(power) else { break };
        let first = low.div_euclid(step).checked_mul(step);
        for number in [first, first.and_then(|first| first.checked_add(step))].into_iter().flatten() {
            consider(number);
        }
    }
    for power in 0..126 {
        [1i128 << power, (1i128 << power) - 1, -(1i128 << power)].into_iter().for_each(&mut consider);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_needs_no_brackets() {
        assert!(is_call("matches!(step, Days { .. })") && is_call("s.contains(|c: char| c.is_numeric())"));
        assert!(!is_call("a.len() > b.len()") && !is_call("a < b") && !is_call("(a + b).rem_euclid(2) == 0"));
    }

    #[test]
    fn the_nicest_number_of_a_range_is_one_that_a_person_would_choose() {
        assert_eq!(nicest(-5, 7), 0);
        assert_eq!(nicest(93, 104), 100);
        assert_eq!(nicest(120, 130), 128);
        assert_eq!(nicest(7, 7), 7);
        assert_eq!(nicest(i128::MAX - 1, i128::MAX), i128::MAX);
    }
}
