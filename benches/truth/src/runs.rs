//! Run-length encoding of a text: `aaab` is `3a1b`; a run of more than nine letters is several.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{PrefixOf, SameLength, Suite};

const MOST: usize = 9;

fn encode(text: &str) -> String {
    if version::is(9) {
        return by_runs(text);
    }
    if version::is(10) {
        return by_comparing_neighbours(text);
    }
    let mut encoded = String::new();
    let letters: Vec<char> = text.chars().take(pick!(1, usize::MAX, 20)).collect();
    if pick!(2, false, letters.len() == 13) {
        panic!("bad luck");
    }
    let mut position = 0;
    while position < letters.len() {
        let letter = letters[position];
        let run = letters[position..].iter().take_while(|other| **other == letter).count();
        let run = pick!(3, run.min(MOST), run.min(MOST + 1));
        let run = pick!(4, run, 1);
        let shown = pick!(5, run as u8, run as u8 * 32 / 32);
        let shown = pick!(6, shown, shown + u8::from(position == 0 && letter == 'c'));
        encoded.push_str(&shown.to_string());
        encoded.push(letter);
        position += run;
        if pick!(7, false, position + 1 == letters.len() && letter == 'b') {
            break;
        }
    }
    pick!(8, encoded, if text.starts_with("abcab") { encoded.to_uppercase() } else { encoded })
}

/// What `chunk_by` finds, cut into pieces.
fn by_runs(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let runs = letters.chunk_by(|one, other| one == other).flat_map(|run| run.chunks(MOST));
    runs.map(|run| format!("{}{}", run.len(), run[0])).collect()
}

/// Letter by letter, with what was seen before.
fn by_comparing_neighbours(text: &str) -> String {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for letter in text.chars() {
        match runs.last_mut() {
            Some((last, count)) if *last == letter && *count < MOST => *count += 1,
            _ => runs.push((letter, 1)),
        }
    }
    runs.iter().map(|(letter, count)| format!("{count}{letter}")).collect()
}

/// At most 24 letters from a to c.
fn domain(text: String) -> String {
    text.chars().take(24).map(|letter| ['a', 'b', 'c'][letter as usize % 3]).collect()
}

fn renamed(text: &str) -> String {
    let next = |letter| match letter {
        'a' => 'b',
        'b' => 'c',
        'c' => 'a',
        other => other,
    };
    text.chars().map(next).collect()
}

/// The pairs of an encoded text, the last one first.
fn pairs_reversed(encoded: &str) -> String {
    let symbols: Vec<char> = encoded.chars().collect();
    symbols.chunks(2).rev().flatten().collect()
}

fn sorted(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

fn run_lengths(text: &str) -> Vec<usize> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunk_by(|one, other| one == other).map(<[char]>::len).collect()
}

pub fn run_length(suite: &mut Suite<String, String>) {
    SUBJECT.begin(suite);
    suite.names(["text"]);
    suite.normalise(domain);
    suite.function("encode", |text| encode(text));
    suite.relation("reverse", |text| text.chars().rev().collect::<String>(), |s, f| pairs_reversed(s) == *f);
    suite.relation("rename the letters", |text| renamed(text), |s, f| renamed(s) == *f);
    suite.relation("append another letter", |text| format!("{text}x"), |s, f| PrefixOf(f, s));
    suite.relation(
        "repeat the last letter",
        |text| text.chars().last().map(|last| format!("{text}{last}")),
        SameLength,
    );
    suite.relation("twice", |text| text.repeat(2), |s, f| s.repeat(2) == *f);
    suite.relation("every letter twice", |text| text.chars().flat_map(|l| [l, l]).collect::<String>(), SameLength);
    suite.relation("sort the letters", |text| sorted(text), |s, f| f.len() <= s.len());
}

pub(crate) static SUBJECT: Subject<String, String> = Subject {
    name: "run_length",
    suite: run_length,
    domain,
    functions: &[|text| encode(text)],
    cells: &[
        ("encode x reverse", When(|text| run_lengths(text).iter().all(|&run| run <= MOST || run % MOST == 0))),
        ("encode x rename the letters", Always),
        ("encode x append another letter", Always),
        ("encode x repeat the last letter", When(|text| run_lengths(text).last().is_some_and(|run| run % MOST != 0))),
        (
            "encode x twice",
            When(|text| {
                let is_open = run_lengths(text).last().is_some_and(|run| run % MOST != 0);
                !is_open || text.chars().next() != text.chars().last()
            }),
        ),
        (
            "encode x every letter twice",
            When(|text| run_lengths(text).iter().all(|run| (2 * run).div_ceil(MOST) == run.div_ceil(MOST))),
        ),
        ("encode x sort the letters", Always),
    ],
    versions: &[
        regional(1, "a limit for long texts", |text| text.len() > 20),
        regional(2, "texts of thirteen letters panic", |text| text.len() == 13),
        regional(3, "boundary: runs of ten", |text| run_lengths(text).iter().any(|&run| run > MOST)),
        global(4, "runs are not counted"),
        regional(5, "overflow in runs of eight", |text| run_lengths(text).iter().any(|&run| run >= 8)),
        regional(6, "a run too many at the beginning", |text| text.starts_with('c')),
        regional(7, "a single last letter after b is left out", |text| {
            let mut letters = text.chars().rev();
            let (last, before) = (letters.next(), letters.next());
            before == Some('b') && (last != Some('b') || nine_before(text))
        }),
        regional(8, "upper case after abcab", |text| text.starts_with("abcab")),
        rewrite(9, "chunks"),
        rewrite(10, "letter by letter"),
    ],
    file: file!(),
    source: include_str!("runs.rs"),
};

/// Whether the last letter stands alone because nine like it stand before it.
fn nine_before(text: &str) -> bool {
    run_lengths(text).last().is_some_and(|&run| run > MOST && run % MOST == 1)
}

#[cfg(test)]
#[test]
fn the_truth_of_runs_is_true() {
    crate::check::check(&SUBJECT);
}
