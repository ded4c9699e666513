//! A text as a part of a URL: lower case, without accents and apostrophes, with one hyphen between words.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, SameLength, Suite};

fn slugify(text: &str) -> String {
    if version::is(9) {
        return by_words(text);
    }
    if version::is(10) {
        return by_replacing(text);
    }
    let text = pick!(1, text, if !text.is_empty() && &text[..1] == "'" { &text[1..] } else { text });
    let text = &pick!(2, text.to_owned(), text.replace("B.a.", "Ba "));
    let text = pick!(3, text.to_lowercase(), text.to_ascii_lowercase());
    let mut slug = String::new();
    for symbol in text.chars() {
        match symbol {
            'é' => slug.push('e'),
            '\'' => {}
            _ if symbol.is_ascii_alphanumeric() || pick!(4, false, symbol == '_') => slug.push(symbol),
            _ if pick!(5, slug.ends_with('-'), false) => {}
            _ => slug.push_str(pick!(6, "-", "")),
        }
    }
    let slug = pick!(7, slug.trim_matches('-'), slug.trim_start_matches('-'));
    slug[..pick!(8, slug.len(), slug.len().min(12))].to_owned()
}

/// Words, joined by hyphens.
fn by_words(text: &str) -> String {
    let plain = text.replace('\'', "").replace(['é', 'É'], "e").to_ascii_lowercase();
    let words = plain.split(|symbol: char| !symbol.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The whole text at once, rule by rule.
fn by_replacing(text: &str) -> String {
    let mut slug = text.to_lowercase().replace('é', "e").replace('\'', "").replace([' ', '_', '.'], "-");
    while slug.contains("--") {
        slug = slug.replace("--", "-");
    }
    slug.trim_matches('-').to_owned()
}

/// At most sixteen symbols of twelve.
fn domain(text: String) -> String {
    const SYMBOLS: [char; 12] = ['a', ' ', '-', 'B', '7', '_', 'é', '\'', 'z', '.', 'Q', 'É'];
    text.chars().take(16).map(|symbol| SYMBOLS[symbol as usize % 12]).collect()
}

fn is_separator(symbol: char) -> bool {
    matches!(symbol, ' ' | '-' | '_' | '.')
}

fn joined(one: &str, other: &str) -> String {
    if one.is_empty() { other.to_owned() } else { format!("{one}-{other}") }
}

fn ends_with_separator(text: &str) -> bool {
    text.trim_end_matches('\'').ends_with(is_separator)
}

pub fn slug(suite: &mut Suite<String, String>) {
    SUBJECT.begin(suite);
    suite.names(["text"]);
    suite.normalise(domain);
    suite.function("slugify", |text| slugify(text));
    suite.relation("upper case", |text| text.to_uppercase(), Equal);
    suite.relation("spaces around", |text| format!(" {text} "), Equal);
    suite.relation("without apostrophes", |text| text.replace('\'', ""), Equal);
    suite.relation("twice", |text| format!("{text} {text}"), |s, f| joined(s, s) == *f);
    suite.judge("again", |_, slug| slug.clone(), |check| *check.output == check.follow_up_outputs[0]);
    suite.relation("append a letter", |text| format!("{text}x"), |s, f| format!("{s}x") == *f);
    suite.relation("without spaces", |text| text.replace(' ', ""), Equal);
    suite.relation("space for apostrophe", |text| text.replace('\'', " "), Equal);
    suite.relation("two letters for é", |text| text.replace('é', "ee"), SameLength);
    suite.relation("another word", |text| format!("{text} word"), Equal);
}

pub(crate) static SUBJECT: Subject<String, String> = Subject {
    name: "slug",
    suite: slug,
    domain,
    functions: &[|text| slugify(text)],
    cells: &[
        ("slugify x upper case", Always),
        ("slugify x spaces around", Always),
        ("slugify x without apostrophes", Always),
        ("slugify x twice", Always),
        ("slugify x again", Always),
        ("slugify x append a letter", When(|text| by_words(text).is_empty() || !ends_with_separator(text))),
        ("slugify x without spaces", When(|text| by_words(&text.replace(' ', "")) == by_words(text))),
        ("slugify x space for apostrophe", When(|text| by_words(&text.replace('\'', " ")) == by_words(text))),
        ("slugify x two letters for é", When(|text| !text.contains('é'))),
        ("slugify x another word", Never),
    ],
    versions: &[
        regional(1, "an accent at the beginning panics", |text| text.starts_with(['é', 'É'])),
        regional(2, "an abbreviation is one word", |text| text.contains("B.a.")),
        regional(3, "missing: lower case of letters with accents", |text| text.contains('É')),
        regional(4, "special case: underscores are kept", |text| text.contains('_')),
        regional(5, "separators are not joined", |text| {
            let bare = text.replace('\'', "");
            let symbols: Vec<char> = bare.trim_matches(is_separator).chars().collect();
            symbols.windows(2).any(|pair| is_separator(pair[0]) && is_separator(pair[1]))
        }),
        global(6, "no hyphens"),
        regional(7, "the end is not trimmed", |text| !by_words(text).is_empty() && ends_with_separator(text)),
        regional(8, "long slugs are cut off", |text| by_words(text).len() > 12),
        rewrite(9, "word by word"),
        rewrite(10, "rule by rule"),
    ],
    file: file!(),
    source: include_str!("slugs.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_slug_is_true() {
    crate::check::check(&SUBJECT);
}
