//! Whether a text matches a pattern in which `*` stands for any symbols and `?` for one.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Case {
    pub pattern: String,
    pub text: String,
}

fn matches(case: &Case) -> bool {
    let is_match = is_match(&case.pattern, &case.text) != version::take();
    pick!(12, is_match, !is_match)
}

fn is_match(pattern: &str, text: &str) -> bool {
    if version::is(9) {
        return by_recursion(pattern.as_bytes(), text.as_bytes());
    }
    if version::is(10) {
        return by_table(pattern, text);
    }
    if pick!(1, false, pattern == "*.*") {
        return true;
    }
    if pick!(2, false, pattern.len() > text.len()) {
        return false;
    }
    if pick!(3, false, pattern.matches('*').count() > 3) {
        panic!("too many stars");
    }
    if pick!(4, false, text.starts_with('.') && pattern.starts_with(['*', '?'])) {
        return false;
    }
    if let Some(end) = pattern.strip_prefix('*') {
        let is_plain = pick!(5, !end.contains(['*', '?']), !end.contains('*'));
        if is_plain {
            return text.ends_with(end);
        }
    }
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut place) = (0, 0);
    // The last star, and the end of what it stands for.
    let mut star = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&symbol) if symbol == b'?' || symbol == text[place] => {
                at += 1;
                place += 1;
            }
            None if pick!(8, false, true) => return true,
            _ => {
                let Some((back, end)) = star else { return false };
                star = Some((back, end + 1));
                (at, place) = (back + 1, end + 1);
            }
        }
    }
    let rest = &pattern[at..];
    let is_empty = pick!(6, rest.iter().all(|symbol| *symbol == b'*'), rest.is_empty());
    pick!(7, is_empty, rest.iter().all(|symbol| b"*?".contains(symbol)))
}

fn by_recursion(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], _) => text.is_empty(),
        ([b'*', rest @ ..], _) => (0..=text.len()).any(|skipped| by_recursion(rest, &text[skipped..])),
        ([b'?', rest @ ..], [_, others @ ..]) => by_recursion(rest, others),
        ([symbol, rest @ ..], [other, others @ ..]) => symbol == other && by_recursion(rest, others),
        (_, []) => false,
    }
}

/// Symbol by symbol of the pattern, which beginnings of the text it matches.
fn by_table(pattern: &str, text: &str) -> bool {
    let text = text.as_bytes();
    let mut matched = vec![false; text.len() + 1];
    matched[0] = true;
    for symbol in pattern.bytes() {
        let follows = |end: usize| end > 0 && (symbol == b'?' || symbol == text[end - 1]);
        matched = (0..=text.len())
            .map(|end| if symbol == b'*' { matched[..=end].contains(&true) } else { follows(end) && matched[end - 1] })
            .collect();
    }
    matched[text.len()]
}

/// At most seven symbols of a pattern, at most eight of a text.
fn domain(case: Case) -> Case {
    Case {
        pattern: case.pattern.chars().take(7).map(|symbol| ['a', 'b', '*', '?', '.'][symbol as usize % 5]).collect(),
        text: case.text.chars().take(8).map(|symbol| ['a', 'b', '.'][symbol as usize % 3]).collect(),
    }
}

fn both(case: &Case, change: impl Fn(&str) -> String) -> Case {
    Case { pattern: change(&case.pattern), text: change(&case.text) }
}

fn with_pattern(case: &Case, pattern: String) -> Case {
    Case { pattern, ..case.clone() }
}

fn with_text(case: &Case, text: String) -> Case {
    Case { text, ..case.clone() }
}

fn exchanged(case: &Case) -> Case {
    pick!(11, (), version::leave(case.text.len() % 3 == 1));
    let exchange = |symbol| match symbol {
        'a' => 'b',
        'b' => 'a',
        other => other,
    };
    both(case, |text| text.chars().map(exchange).collect())
}

fn longer(case: &Case) -> Case {
    with_text(case, format!("{}b", case.text))
}

fn without_stars(case: &Case) -> Case {
    with_pattern(case, case.pattern.replace('*', ""))
}

fn single(case: &Case) -> Case {
    with_pattern(case, case.pattern.replace('*', "?"))
}

fn without_dots(case: &Case) -> Case {
    with_text(case, case.text.replace('.', "a"))
}

fn truth(case: &Case) -> bool {
    by_table(&case.pattern, &case.text)
}

pub fn wildcard_match(suite: &mut Suite<Case, bool>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("matches", matches);
    suite.relation("append a letter to both", |case| both(case, |text| format!("{text}a")), Equal);
    suite.relation("exchange a and b", exchanged, Equal);
    suite.relation("reverse both", |case| both(case, |text| text.chars().rev().collect()), Equal);
    suite.relation("a star at the end", |case| with_pattern(case, format!("{}*", case.pattern)), NonDecreasing);
    suite.relation("any letter", |case| with_pattern(case, case.pattern.replace(['a', 'b'], "?")), NonDecreasing);
    suite.relation("a longer text", longer, Equal);
    suite.relation("without stars", without_stars, Equal);
    suite.relation("a star for one", single, Equal);
    suite.relation("a for dots", without_dots, Equal);
}

pub(crate) static SUBJECT: Subject<Case, bool> = Subject {
    name: "wildcard_match",
    suite: wildcard_match,
    domain,
    functions: &[matches],
    cells: &[
        ("matches x append a letter to both", Always),
        ("matches x exchange a and b", Always),
        ("matches x reverse both", Always),
        ("matches x a star at the end", Always),
        ("matches x any letter", Always),
        ("matches x a longer text", When(|case| truth(&longer(case)) == truth(case))),
        ("matches x without stars", When(|case| truth(&without_stars(case)) == truth(case))),
        ("matches x a star for one", When(|case| truth(&single(case)) == truth(case))),
        ("matches x a for dots", When(|case| truth(&without_dots(case)) == truth(case))),
    ],
    versions: &[
        regional(1, "special case: all names and extensions", |case| case.pattern == "*.*" && !case.text.contains('.')),
        regional(2, "a shortcut forgets that stars may be empty", |case| {
            case.pattern.len() > case.text.len() && truth(case)
        }),
        regional(3, "more than three stars panic", |case| case.pattern.matches('*').count() > 3),
        regional(4, "a dot in front has to be written", |case| {
            case.text.starts_with('.') && case.pattern.starts_with(['*', '?']) && truth(case)
        }),
        regional(5, "a shortcut forgets question marks", |case| {
            let end = case.pattern.strip_prefix('*');
            end.is_some_and(|end| end.contains('?') && !end.contains('*')) && truth(case)
        }),
        regional(6, "missing: stars after the end of the text", stars_are_left),
        regional(7, "question marks after the end of the text", |case| {
            let Case { pattern, text } = case;
            let is_left = |at: usize| pattern[at..].chars().all(|symbol| "*?".contains(symbol));
            !truth(case) && (0..pattern.len()).any(|at| is_left(at) && by_table(&pattern[..at], text))
        }),
        global(8, "the beginning of a text is enough"),
        global(12, "says what does not match"),
        rewrite(9, "recursion"),
        rewrite(10, "a table of all beginnings"),
        harness(11, "a transformation that leaves something behind"),
    ],
    file: file!(),
    source: include_str!("wildcard.rs"),
};

/// Whether what comes before the stars at the end needs the whole text.
fn stars_are_left(case: &Case) -> bool {
    let Case { pattern, text } = case;
    let before = pattern.trim_end_matches('*');
    let needs_all = || by_table(before, text) && (0..text.len()).all(|end| !by_table(before, &text[..end]));
    pattern.ends_with('*') && pattern != "*" && needs_all()
}

#[cfg(test)]
#[test]
fn the_truth_of_wildcard_match_is_true() {
    crate::check::check(&SUBJECT);
}
