//! Whether a generated file is still as it was generated: a line in it holds the checksum of all others. Reformatting a
//! file is no edit, as formatters differ.

use crate::hash;

/// What the line begins with.
const LINE: &str = "//! checksum ";

/// What a file's checksum says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seal {
    /// It is as it was generated, with this checksum.
    Whole(u64),
    /// It was edited by hand, or not generated at all.
    Broken,
}

impl Seal {
    /// The seal of a file.
    pub(crate) fn of(text: &str) -> Self {
        let line = text.lines().find_map(|line| line.strip_prefix(LINE));
        match line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()) {
            Some(said) if said == checksum(text) => Self::Whole(said),
            _ => Self::Broken,
        }
    }
}

/// The line that a generated file holds, until it is sealed.
pub(super) fn open_line() -> String {
    format!("{LINE}{:016x}", 0)
}

/// A text with its checksum in the line for it.
pub(crate) fn sealed(text: &str) -> String {
    text.replacen(&open_line(), &format!("{LINE}{:016x}", checksum(text)), 1)
}

/// The checksum of all lines but its own, without what a formatter may change.
fn checksum(text: &str) -> u64 {
    let lines = text.lines().filter(|line| !line.starts_with(LINE));
    let letters = lines.flat_map(str::chars).filter(|letter| !letter.is_whitespace() && *letter != ',');
    hash::of_bytes(letters.collect::<String>().as_bytes(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_breaks_the_seal_and_a_formatter_does_not() {
        let text = sealed(&format!("//! head\n{}\n\nfn f() {{ g(1, 2) }}\n", open_line()));
        assert!(matches!(Seal::of(&text), Seal::Whole(_)), "{text}");
        assert_eq!(Seal::of(&text.replace("g(1, 2)", "g(\n    1,\n    2,\n)")), Seal::of(&text));
        for edited in [text.replace('2', "3"), text.replace("//! head\n", ""), text.replace("checksum ", "checksum 1")]
        {
            assert_eq!(Seal::of(&edited), Seal::Broken, "{edited}");
        }
        assert_eq!(Seal::of("fn f() {}\n"), Seal::Broken);
    }
}
