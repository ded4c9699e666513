//! Writes a heading in title case: words begin with a capital letter, except for small ones in the middle.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Line {
    /// Words in capital letters stay so.
    pub acronyms: bool,
    pub text: String,
}

impl Line {
    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split_whitespace()
    }

    fn keeps(&self, word: &str) -> bool {
        self.acronyms && word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    }
}

fn is_small(word: &str) -> bool {
    ["a", "an", "of"].iter().any(|small| small.eq_ignore_ascii_case(word))
}

fn title(line: &Line) -> String {
    if version::is(10) {
        return by_corrections(line);
    }
    if version::is(11) {
        return from_parts(line);
    }
    let words: Vec<&str> = line.words().collect();
    let mut title = String::with_capacity(pick!(6, line.text.len(), usize::from(line.text.len() as u8 * 8)));
    for (index, word) in words.iter().enumerate() {
        let is_first = pick!(4, index == 0, index.is_multiple_of(4));
        let is_last = pick!(1, index + 1 == words.len(), false);
        let is_kept = pick!(7, line.keeps(word), line.keeps(word) && index > 0);
        let is_kept = pick!(5, is_kept, is_kept || word.len() > 9);
        let is_small = pick!(3, is_small(word), is_small(word) || word.eq_ignore_ascii_case("on"));
        let is_small = pick!(8, is_small, is_small || word.eq_ignore_ascii_case("off"));
        pick!(2, (), assert!(!word.trim_matches('-').is_empty(), "no letter in {word}"));
        title.push_str(if index == 0 { "" } else { " " });
        match () {
            () if is_kept => title.push_str(word),
            () if is_small && !is_first && !is_last => title.push_str(&word.to_lowercase()),
            () if pick!(9, false, index > 0) => title.push_str(&word.to_lowercase()),
            () => title.push_str(&capitalised(word)),
        }
    }
    title
}

/// A capital letter at the beginning and after every hyphen.
fn capitalised(word: &str) -> String {
    let mut before = '-';
    let letter = |letter: char| match std::mem::replace(&mut before, letter) {
        '-' => letter.to_ascii_uppercase(),
        _ => letter.to_ascii_lowercase(),
    };
    word.chars().map(letter).collect()
}

/// Gives every word capital letters, and takes some of them back.
fn by_corrections(line: &Line) -> String {
    let mut cased: Vec<String> = line.words().map(capitalised).collect();
    let last = cased.len().max(1) - 1;
    for (index, word) in line.words().enumerate() {
        if line.keeps(word) {
            word.clone_into(&mut cased[index]);
        } else if is_small(word) && ![0, last].contains(&index) {
            cased[index].make_ascii_lowercase();
        }
    }
    cased.join(" ")
}

/// Words are made of parts, and headings of words.
fn from_parts(line: &Line) -> String {
    let last = line.words().count().saturating_sub(1);
    let part = |part: &str| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_uppercase() + &rest.to_lowercase()
    };
    let word = |(index, word): (usize, &str)| match word {
        _ if line.keeps(word) => word.to_owned(),
        _ if 0 < index && index < last && is_small(word) => word.to_lowercase(),
        _ => word.split('-').map(part).collect::<Vec<_>>().join("-"),
    };
    line.words().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// At most forty symbols: few letters, spaces and hyphens.
fn domain(line: Line) -> Line {
    let symbol = |symbol: char| [' ', 'a', 'f', 'A', 'o', 'n', '-', 'T'][symbol as usize % 8];
    Line { text: line.text.chars().take(40).map(symbol).collect(), ..line }
}

/// Whether there is such a word between the first and the last.
fn has_inner(line: &Line, test: impl Fn(usize, &str) -> bool) -> bool {
    let last = line.words().count().max(1) - 1;
    line.words().enumerate().take(last).skip(1).any(|(index, word)| test(index, word) && !line.keeps(word))
}

/// Whether the last word of several is a small one.
fn ends_small(line: &Line) -> bool {
    line.words().skip(1).last().is_some_and(|word| is_small(word) && !line.keeps(word))
}

fn with_text(line: &Line, text: String) -> Line {
    Line { text, ..*line }
}

fn in_capitals(line: &Line) -> Line {
    with_text(line, line.text.to_uppercase())
}

fn reversed_words(text: &str) -> String {
    text.split_whitespace().rev().collect::<Vec<_>>().join(" ")
}

fn reversed(line: &Line) -> Line {
    with_text(line, reversed_words(&line.text))
}

fn with_word_in_front(line: &Line) -> Line {
    pick!(12, (), assert!(!line.text.starts_with('-'), "no word"));
    with_text(line, format!("no {}", line.text))
}

pub fn title_case(suite: &mut Suite<Line, String>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("title", title);
    suite.judge(
        "title again",
        |line, title| with_text(line, title.clone()),
        |check| *check.output == check.follow_up_outputs[0],
    );
    suite.relation("double spaces", |line| with_text(line, line.text.replace(' ', "  ")), Equal);
    suite.relation("reverse the words", reversed, |source, follow_up| reversed_words(source) == *follow_up);
    suite.relation("in small letters", |line| with_text(line, line.text.to_lowercase()), Equal).when(|it| !it.acronyms);
    suite.relation("in capitals", in_capitals, Equal);
    suite.relation("without acronyms", |line| Line { acronyms: false, ..line.clone() }, Equal);
    suite.relation("a word at the end", |line| with_text(line, format!("{} fan", line.text)), |s, f| f.starts_with(s));
    suite.relation("a word in front", with_word_in_front, |s, f| f.ends_with(s));
    suite.relation("a full stop", |line| with_text(line, format!("{}.", line.text)), Equal);
}

pub(crate) static SUBJECT: Subject<Line, String> = Subject {
    name: "title_case",
    suite: title_case,
    domain,
    functions: &[title],
    cells: &[
        ("title x title again", Always),
        ("title x double spaces", Always),
        ("title x reverse the words", Always),
        ("title x in small letters", Always),
        ("title x in capitals", When(|line| from_parts(&in_capitals(line)) == from_parts(line))),
        ("title x without acronyms", When(|line| !line.words().any(|word| line.keeps(word)))),
        ("title x a word at the end", When(|line| !ends_small(line))),
        ("title x a word in front", When(|line| !ends_small(&reversed(line)))),
        ("title x a full stop", Never),
    ],
    versions: &[
        regional(1, "missing: small words at the end", ends_small),
        regional(2, "a dash of its own panics", |line| line.words().any(|word| word.trim_matches('-').is_empty())),
        regional(3, "one more small word", |line| has_inner(line, |_, word| word == "on")),
        regional(4, "fourth words are first", |line| has_inner(line, |index, word| index % 4 == 0 && is_small(word))),
        regional(5, "long words stay as they are", |line| {
            line.words().any(|word| word.len() > 9 && !line.keeps(word) && capitalised(word) != word)
        }),
        regional(6, "overflow for long headings", |line| line.text.len() >= 32),
        regional(7, "an acronym in front is lost", |line| line.words().next().is_some_and(|word| line.keeps(word))),
        regional(8, "off is as small as of", |line| has_inner(line, |_, word| word == "off")),
        global(9, "only the first word gets a capital letter"),
        rewrite(10, "capital letters that are taken back"),
        rewrite(11, "parts of words"),
        harness(12, "a transformation that panics for a hyphen in front"),
    ],
    file: file!(),
    source: include_str!("titles.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_titles_is_true() {
    crate::check::check(&SUBJECT);
}
