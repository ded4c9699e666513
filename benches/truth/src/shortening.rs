//! Shortens a label to so many columns of a terminal, with a mark for what is left out; some symbols are two columns wide.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, NotEqual, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Label {
    pub columns: u8,
    pub mark: Mark,
    pub keep: Side,
    pub text: String,
}

/// What stands for the rest, if there is room for it.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Ellipsis,
    Dots,
    Nothing,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Start,
    End,
}

/// Goes onto the symbol before it.
const ACCENT: char = '\u{301}';

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::Ellipsis => "…",
            Self::Dots => "...",
            Self::Nothing => "",
        }
    }
}

fn shorten(label: &Label) -> String {
    if version::is(10) {
        return shortened_by(label, width);
    }
    if version::is(11) {
        return by_dropping(label);
    }
    let width = |symbol: char| match symbol {
        ACCENT => pick!(4, 0, 1),
        '漢' => 2,
        '🙂' => pick!(3, 2, 1),
        _ => 1,
    };
    let Label { columns, mark, keep, text } = label;
    let (columns, mark) = (usize::from(*columns), mark.text());
    let whole: usize = text.chars().map(width).sum();
    let whole = pick!(8, whole, whole - 2 * text.matches("🙂\u{301}🙂").count());
    if pick!(1, whole <= columns, whole < columns) {
        return text.clone();
    }
    let wide = mark.chars().count();
    let is_marked = pick!(2, columns >= wide, columns > wide);
    pick!(7, (), assert!(columns >= wide, "no room for {mark}"));
    let (mark, room) = if is_marked { (mark, columns - pick!(9, wide, 0)) } else { ("", columns) };
    let mut used = 0;
    let mut is_too_much = |symbol: char| {
        used += width(symbol);
        used > room || pick!(5, false, used == room && symbol == ACCENT)
    };
    match keep {
        Side::Start => {
            let end = text.find(is_too_much).unwrap_or(text.len());
            format!("{}{mark}", text[..end].trim_end())
        }
        Side::End => {
            let cut = text.char_indices().rfind(|(_, symbol)| is_too_much(*symbol));
            let kept = &text[cut.map_or(0, |(start, symbol)| start + symbol.len_utf8())..];
            // An accent whose letter is left out would go onto the mark.
            format!("{mark}{}", pick!(6, kept.trim_start_matches([ACCENT, ' ']), kept.trim_start_matches(ACCENT)))
        }
    }
}

fn width(symbol: char) -> usize {
    match symbol {
        ACCENT => 0,
        '漢' | '🙂' => 2,
        _ => 1,
    }
}

fn columns_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn is_too_wide(label: &Label) -> bool {
    columns_of(&label.text) > usize::from(label.columns)
}

/// The mark, if there is room for it.
fn mark(label: &Label) -> &'static str {
    Some(label.mark.text()).filter(|mark| columns_of(mark) <= usize::from(label.columns)).unwrap_or("")
}

fn room(label: &Label) -> usize {
    usize::from(label.columns) - columns_of(mark(label))
}

/// Tries all places to cut a text at, for the longest part that fits.
fn kept(label: &Label, width: fn(char) -> usize) -> &str {
    let fits = |text: &&str| text.chars().map(width).sum::<usize>() <= room(label);
    let mut places = 0..=label.text.len();
    let kept = match label.keep {
        Side::Start => places.rev().filter_map(|end| label.text.get(..end)).find(fits),
        Side::End => places.find_map(|start| label.text.get(start..).filter(fits)),
    };
    kept.unwrap_or("")
}

fn marked(label: &Label, kept: &str) -> String {
    match label.keep {
        Side::Start => [kept.trim_end(), mark(label)].concat(),
        Side::End => [mark(label), kept.trim_start_matches([' ', ACCENT])].concat(),
    }
}

fn shortened_by(label: &Label, width: fn(char) -> usize) -> String {
    let is_whole = label.text.chars().map(width).sum::<usize>() <= usize::from(label.columns);
    if is_whole { label.text.clone() } else { marked(label, kept(label, width)) }
}

/// Drops one symbol after the other.
fn by_dropping(label: &Label) -> String {
    let mut left = label.text.chars();
    while is_too_wide(label) && left.clone().map(width).sum::<usize>() > room(label) {
        match label.keep {
            Side::Start => left.next_back(),
            Side::End => left.next(),
        };
    }
    if is_too_wide(label) { marked(label, left.as_str()) } else { label.text.clone() }
}

/// At most forty symbols for at most fifteen columns.
fn domain(label: Label) -> Label {
    let symbol = |symbol: char| ['a', '漢', ' ', 'é', ACCENT, 'b', '🙂', 'ß'][symbol as usize % 8];
    let text = label.text.chars().take(40).map(symbol).collect();
    Label { columns: label.columns % 16, text, ..label }
}

fn with_text(label: &Label, text: String) -> Label {
    Label { text, ..*label }
}

fn backwards(text: &str) -> String {
    text.chars().rev().collect()
}

fn mirrored(label: &Label) -> Label {
    let keep = if label.keep == Side::Start { Side::End } else { Side::Start };
    Label { keep, ..with_text(label, backwards(&label.text)) }
}

fn plain(text: &str) -> String {
    text.replace(ACCENT, "")
}

fn without_accents(label: &Label) -> Label {
    with_text(label, plain(&label.text))
}

fn in_capitals(label: &Label) -> Label {
    with_text(label, label.text.to_uppercase())
}

fn longer(label: &Label) -> Label {
    with_text(label, format!("{}b", label.text))
}

fn without_mark(label: &Label) -> Label {
    Label { mark: Mark::Nothing, ..label.clone() }
}

fn one_column_less(label: &Label) -> Option<Label> {
    Some(Label { columns: label.columns.checked_sub(1)?, ..label.clone() })
}

pub fn shortened_text(suite: &mut Suite<Label, String>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("shorten", shorten);
    suite.judge("shorten again", |it, text| with_text(it, text.clone()), |it| *it.output == it.follow_up_outputs[0]);
    suite.relation("one column less is narrower", one_column_less, |s, f| columns_of(f) <= columns_of(s));
    suite.relation("one column less", one_column_less, NotEqual);
    suite.relation("no mark", without_mark, |s, f| f.contains(s.trim_matches(['.', '…'])));
    suite.relation("without accents", without_accents, |s, f| plain(s) == *f);
    suite.relation("a letter more", longer, Equal);
    suite.relation("in capitals", in_capitals, |s, f| s.to_uppercase() == *f);
    suite.relation("the other way round", mirrored, |s, f| backwards(s) == *f);
}

/// Whether what the original makes of a label and of a changed one is so.
fn are(label: &Label, change: fn(&Label) -> Label, so: fn(&str, &str) -> bool) -> bool {
    so(&by_dropping(label), &by_dropping(&change(label)))
}

pub(crate) static SUBJECT: Subject<Label, String> = Subject {
    name: "shortened_text",
    suite: shortened_text,
    domain,
    functions: &[shorten],
    cells: &[
        ("shorten x shorten again", Always),
        ("shorten x one column less is narrower", Always),
        (
            "shorten x one column less",
            When(|it| one_column_less(it).is_none_or(|less| by_dropping(&less) != by_dropping(it))),
        ),
        ("shorten x no mark", Always),
        ("shorten x without accents", When(|it| are(it, without_accents, |s, f| plain(s) == f))),
        ("shorten x a letter more", When(|it| are(it, longer, |s, f| s == f))),
        ("shorten x in capitals", When(|it| are(it, in_capitals, |s, f| s.to_uppercase() == f))),
        ("shorten x the other way round", When(|it| are(it, mirrored, |s, f| backwards(s) == f))),
    ],
    versions: &[
        regional(1, "boundary: a text that just fits is shortened", |it| {
            columns_of(&it.text) == usize::from(it.columns) && marked(it, kept(it, width)) != it.text
        }),
        regional(2, "boundary: no mark where there is just room for it", |it| {
            is_too_wide(it) && it.mark != Mark::Nothing && columns_of(it.mark.text()) == usize::from(it.columns)
        }),
        regional(3, "missing: emoji are wide", |it| {
            shortened_by(it, |symbol| if symbol == '🙂' { 1 } else { width(symbol) }) != by_dropping(it)
        }),
        regional(4, "missing: accents have no width", |it| {
            shortened_by(it, |symbol| width(symbol).max(usize::from(symbol == ACCENT))) != by_dropping(it)
        }),
        regional(5, "an accent on the last letter is lost", |it| {
            let kept = kept(it, width);
            it.keep == Side::Start && is_too_wide(it) && columns_of(kept) == room(it) && kept.ends_with(ACCENT)
        }),
        regional(6, "spaces after a mark stay", |it| {
            let is_space = kept(it, width).trim_start_matches(ACCENT).starts_with(' ');
            it.keep == Side::End && is_too_wide(it) && is_space
        }),
        regional(7, "a mark that does not fit panics", |it| {
            is_too_wide(it) && columns_of(it.mark.text()) > usize::from(it.columns)
        }),
        regional(8, "joined emoji count as one", |it| {
            let joined = it.text.matches("🙂\u{301}🙂").count();
            is_too_wide(it) && columns_of(&it.text) - 2 * joined <= usize::from(it.columns)
        }),
        global(9, "the mark is not counted"),
        rewrite(10, "tries all places to cut at"),
        rewrite(11, "drops one symbol after the other"),
    ],
    file: file!(),
    source: include_str!("shortening.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_shortening_is_true() {
    crate::check::check(&SUBJECT);
}
