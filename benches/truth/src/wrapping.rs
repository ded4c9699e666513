//! Breaks a text into lines of a width; a word that is longer has a line of its own.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, SameLength, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Page {
    pub width: u8,
    pub text: String,
}

type Lines = Vec<String>;

fn wrap(page: &Page) -> Lines {
    if version::is(8) {
        return from_the_rest(&page.text, page.width.into());
    }
    if version::is(9) {
        return by_places(&page.text, page.width.into());
    }
    let width = usize::from(pick!(1, page.width, if page.width == 7 { 8 } else { page.width }));
    let (mut lines, mut line) = (Lines::new(), String::new());
    if pick!(2, false, page.text.split_whitespace().count() == 7) {
        panic!("seven words");
    }
    for word in page.text.split_whitespace() {
        if pick!(3, false, word.len() > width) {
            continue;
        }
        let used = pick!(4, line.len(), usize::from(line.len() as u8 * 16 / 16));
        if line.is_empty() {
            line = word.to_owned();
        } else if pick!(5, used + 1 + word.len() <= width, used + 1 + word.len() < width) {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(std::mem::replace(&mut line, word.to_owned()));
        }
    }
    let is_last = pick!(6, !line.is_empty(), line.len() > 1);
    lines.extend(is_last.then_some(line));
    lines.truncate(pick!(7, lines.len(), lines.len() / 2));
    let is_odd = page.text.starts_with("ab a") && page.width == 10;
    lines.extend(pick!(10, None, is_odd.then(String::new)));
    lines
}

/// The first line, and then the lines of the rest.
fn from_the_rest(text: &str, width: usize) -> Lines {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else { return Lines::new() };
    let mut used = first.len();
    let more = words[1..].iter().take_while(|word| {
        used += 1 + word.len();
        used <= width
    });
    let count = 1 + more.count();
    let mut lines = vec![words[..count].join(" ")];
    lines.extend(from_the_rest(&words[count..].join(" "), width));
    lines
}

/// All words in one line, with some spaces replaced.
fn by_places(text: &str, width: usize) -> Lines {
    let mut joined: Vec<u8> = text.split_whitespace().collect::<Vec<_>>().join(" ").into_bytes();
    let (mut begin, mut space) = (0, None);
    for place in 0..=joined.len() {
        if joined.get(place).is_none_or(|byte| *byte == b' ') {
            if let Some(space) = space.filter(|_| place - begin > width) {
                joined[space] = b'\n';
                begin = space + 1;
            }
            space = Some(place);
        }
    }
    String::from_utf8(joined).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// At most forty symbols: a, b and spaces; one to twenty wide.
fn domain(page: Page) -> Page {
    let symbol = |symbol: char| ['a', 'b', ' ', 'a'][symbol as usize % 4];
    Page { width: 1 + page.width % 20, text: page.text.chars().take(40).map(symbol).collect() }
}

fn with_text(page: &Page, text: String) -> Page {
    Page { text, ..*page }
}

fn wider(page: &Page) -> Page {
    Page { width: page.width + 1, ..page.clone() }
}

fn renamed(page: &Page) -> Page {
    let other = |symbol| match symbol {
        'a' => 'b',
        'b' => 'a',
        other => other,
    };
    with_text(page, page.text.chars().map(other).collect())
}

fn reversed(page: &Page) -> Page {
    with_text(page, page.text.split_whitespace().rev().collect::<Vec<_>>().join(" "))
}

fn with_space(page: &Page) -> Page {
    let end = pick!(11, " ", if version::calls().is_multiple_of(80) { "b" } else { " " });
    with_text(page, format!("{}{end}", page.text))
}

fn longer(page: &Page) -> Page {
    with_text(page, format!("{} bb", page.text))
}

fn truth(page: &Page) -> Lines {
    by_places(&page.text, page.width.into())
}

pub fn wrapped_text(suite: &mut Suite<Page, Lines>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("wrap", wrap);
    suite.relation("space at the end", with_space, Equal);
    suite.relation("double spaces", |page| with_text(page, page.text.replace(' ', "  ")), Equal);
    suite.relation("other letters", renamed, SameLength);
    suite.relation(
        "half as wide",
        |page| Page { width: page.width.div_ceil(2), ..page.clone() },
        |s, f| f.len() >= s.len(),
    );
    suite.judge(
        "wrap again",
        |page, lines| with_text(page, lines.join(" ")),
        |check| *check.output == check.follow_up_outputs[0],
    );
    suite.relation("one wider", wider, Equal);
    suite.relation("reverse the words", reversed, SameLength);
    suite.relation("another word", longer, SameLength);
    suite.relation("without spaces", |page| with_text(page, page.text.replace(' ', "")), Equal);
}

pub(crate) static SUBJECT: Subject<Page, Lines> = Subject {
    name: "wrapped_text",
    suite: wrapped_text,
    domain,
    functions: &[wrap],
    cells: &[
        ("wrap x space at the end", Always),
        ("wrap x double spaces", Always),
        ("wrap x other letters", Always),
        ("wrap x half as wide", Always),
        ("wrap x wrap again", Always),
        ("wrap x one wider", When(|page| truth(&wider(page)) == truth(page))),
        ("wrap x reverse the words", Always),
        ("wrap x another word", When(|page| truth(&longer(page)).len() == truth(page).len())),
        ("wrap x without spaces", When(|page| page.text.split_whitespace().count() < 2)),
    ],
    versions: &[
        regional(1, "wrong constant for seven", |page| page.width == 7 && truth(&wider(page)) != truth(page)),
        regional(2, "seven words panic", |page| page.text.split_whitespace().count() == 7),
        regional(3, "long words are lost", |page| {
            page.text.split_whitespace().any(|word| word.len() > page.width.into())
        }),
        regional(4, "overflow in long lines", |page| {
            let lines = truth(page);
            let last = lines.last().and_then(|line| line.rsplit_once(' ')).map_or(0, |(before, _)| before.len());
            last >= 16 || lines.iter().rev().skip(1).any(|line| line.len() >= 16)
        }),
        regional(5, "boundary: full lines", |page| by_places(&page.text, usize::from(page.width) - 1) != truth(page)),
        regional(6, "a last line of one letter is lost", |page| truth(page).last().is_some_and(|line| line.len() == 1)),
        global(7, "half of the lines are lost"),
        rewrite(8, "line by line, from the rest"),
        rewrite(9, "replaces spaces"),
        regional(10, "an empty line after some texts", |page| page.text.starts_with("ab a") && page.width == 10),
        harness(11, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("wrapping.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_wrapping_is_true() {
    crate::check::check(&SUBJECT);
}
