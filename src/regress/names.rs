//! Names and texts of others, fit for code: whatever they hold, a comment stays a comment and a name a name.

use crate::{escape::escape, terminal::shorten};
use std::collections::BTreeSet;

/// How much of a text a comment shows.
const COMMENT: usize = 400;

/// A text in one line, for a comment.
pub(super) fn comment(text: &str) -> String {
    shorten(&escape(text), COMMENT)
}

/// A name for a module, made of a cell's names; no two are the same.
pub(super) fn module(function: &str, relation: &str, taken: &mut BTreeSet<String>) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' };
    let raw: String = format!("{function} {relation}").chars().map(letter).take(60).collect();
    let words: Vec<&str> = raw.split('_').filter(|word| !word.is_empty()).collect();
    let mut name = words.join("_");
    if syn::parse_str::<syn::Ident>(&name).is_err() {
        name = format!("cell_{name}").trim_end_matches('_').to_owned();
    }
    let free = (1..).map(|count| if count == 1 { name.clone() } else { format!("{name}_{count}") });
    let name = free.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_names_make_different_modules() {
        let mut taken = BTreeSet::new();
        let cells =
            [("sub", "MR2"), ("Sub", "mr2"), ("fn", ""), ("1", "2"), ("", ""), ("ä\"", ":x*/"), ("a b", "c\n}")];
        let made: Vec<String> = cells.iter().map(|(one, other)| module(one, other, &mut taken)).collect();
        assert_eq!(made, ["sub_mr2", "sub_mr2_2", "cell_fn", "cell_1_2", "cell", "x", "a_b_c"]);
    }

    #[test]
    fn a_comment_stays_in_its_line() {
        assert_eq!(comment("a\n}\u{202e}*/"), "a\\n}\\u{202e}*/");
    }
}
