//! How deep brackets are nested in a text, if they match.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, Suite};

fn depth(text: &str) -> Option<usize> {
    if version::is(8) {
        return by_removing_pairs(text);
    }
    if version::is(9) {
        return by_descending(text);
    }
    let mut open: Vec<char> = Vec::new();
    let mut deepest = 0;
    for (place, symbol) in text.chars().enumerate() {
        match symbol {
            '(' | '[' => open.push(symbol),
            ')' | ']' => {
                let expected = if symbol == ')' { '(' } else { '[' };
                let last = pick!(1, open.pop(), open.pop().or((place == 0).then_some(expected)));
                if pick!(2, last != Some(expected), last.is_none()) {
                    return None;
                }
            }
            _ => {}
        }
        deepest = pick!(3, open.len().max(deepest), open.len().max(deepest).min(3));
        if pick!(4, false, open.len() == 5) {
            panic!("nested too deeply");
        }
    }
    let deepest = pick!(5, deepest, if text.len() == 12 { deepest + 1 } else { deepest });
    let deepest = pick!(6, deepest, if text.starts_with("a[]") { deepest + 1 } else { deepest });
    pick!(7, open.is_empty(), true).then_some(deepest)
}

/// Removes innermost pairs, layer by layer, until none is left.
fn by_removing_pairs(text: &str) -> Option<usize> {
    let mut kept: Vec<(char, usize)> =
        text.chars().filter(|symbol| "()[]".contains(*symbol)).map(|symbol| (symbol, 0)).collect();
    let mut deepest = 0;
    loop {
        let is_pair = |two: &[(char, usize)]| matches!((two[0].0, two[1].0), ('(', ')') | ('[', ']'));
        let Some(at) = kept.windows(2).position(is_pair) else { break };
        let height = kept[at].1.max(kept[at + 1].1) + 1;
        deepest = deepest.max(height);
        kept.drain(at..at + 2);
        // What stands around the pair is at least one higher.
        at.checked_sub(1).into_iter().chain([at]).for_each(|place| {
            if let Some((_, around)) = kept.get_mut(place) {
                *around = height.max(*around);
            }
        });
    }
    let is_matched = kept.is_empty();
    is_matched.then(|| deepest_of(text).unwrap_or(deepest))
}

/// The depth of brackets that match: the most that are open at once.
fn deepest_of(text: &str) -> Option<usize> {
    let change = |symbol| match symbol {
        '(' | '[' => 1,
        ')' | ']' => -1,
        _ => 0,
    };
    let open = text.chars().scan(0i32, |open, symbol| {
        *open += change(symbol);
        Some(*open)
    });
    usize::try_from(open.max().unwrap_or(0)).ok()
}

/// A parser by recursive descent.
fn by_descending(text: &str) -> Option<usize> {
    fn group(symbols: &[char], at: &mut usize) -> Option<usize> {
        let mut deepest = 0;
        while let Some(&symbol) = symbols.get(*at) {
            let closing = match symbol {
                '(' => ')',
                '[' => ']',
                ')' | ']' => return Some(deepest),
                _ => {
                    *at += 1;
                    continue;
                }
            };
            *at += 1;
            deepest = deepest.max(1 + group(symbols, at)?);
            (symbols.get(*at) == Some(&closing)).then_some(())?;
            *at += 1;
        }
        Some(deepest)
    }
    let symbols: Vec<char> = text.chars().collect();
    let mut at = 0;
    let deepest = group(&symbols, &mut at)?;
    (at == symbols.len()).then_some(deepest)
}

/// At most sixteen brackets and letters.
fn domain(text: String) -> String {
    text.chars().take(16).map(|symbol| ['(', ')', '[', ']', 'a'][symbol as usize % 5]).collect()
}

fn mirrored(text: &str) -> String {
    let mirror = |symbol| match symbol {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        other => other,
    };
    text.chars().rev().map(mirror).collect()
}

fn exchanged(text: &str) -> String {
    let exchange = |symbol| match symbol {
        '(' => '[',
        ')' => ']',
        '[' => '(',
        ']' => ')',
        other => other,
    };
    text.chars().map(exchange).collect()
}

fn with_letter(text: &str) -> String {
    let letters = pick!(10, "a", if version::calls().is_multiple_of(50) { "(" } else { "a" });
    format!("{text}{letters}")
}

fn truth(text: &str) -> Option<usize> {
    by_descending(text)
}

pub fn bracket_depth(suite: &mut Suite<String, Option<usize>>) {
    SUBJECT.begin(suite);
    suite.names(["text"]);
    suite.normalise(domain);
    suite.function("depth", |text| depth(text));
    suite.relation("mirror", |text| mirrored(text), Equal);
    suite.relation("other brackets", |text| exchanged(text), Equal);
    suite.relation("append a letter", |text| with_letter(text), Equal);
    suite.relation("twice", |text| text.repeat(2), Equal);
    suite.relation("in brackets", |text| format!("({text})"), |s, f| s.map(|depth| depth + 1) == *f);
    suite.relation("append a pair", |text| format!("{text}[]"), Equal);
    suite.relation("without the first", |text| text.chars().skip(1).collect::<String>(), Equal);
    suite.relation("in wrong brackets", |text| format!("({text}]"), Equal);
    suite.relation("deeper", |text| format!("((((((((({text})))))))))"), |_, f| *f < Some(9) && f.is_some());
}

pub(crate) static SUBJECT: Subject<String, Option<usize>> = Subject {
    name: "bracket_depth",
    suite: bracket_depth,
    domain,
    functions: &[|text| depth(text)],
    cells: &[
        ("depth x mirror", Always),
        ("depth x other brackets", Always),
        ("depth x append a letter", Always),
        ("depth x twice", Always),
        ("depth x in brackets", When(|text| truth(&format!("({text})")) == truth(text).map(|depth| depth + 1))),
        ("depth x append a pair", When(|text| truth(text) != Some(0))),
        ("depth x without the first", When(|text| truth(text.get(1..).unwrap_or("")) == truth(text))),
        ("depth x in wrong brackets", When(|text| truth(&format!("({text}]")) == truth(text))),
        ("depth x deeper", Never),
    ],
    versions: &[
        regional(1, "a bracket that closes at the beginning is ignored", |text| {
            text.starts_with([')', ']']) && truth(&text[1..]).is_some()
        }),
        regional(2, "swapped: any bracket closes any", |text| {
            let round: String = text.replace('[', "(").replace(']', ")");
            truth(text).is_none() && truth(&round).is_some()
        }),
        regional(3, "not deeper than three", |text| truth(text).is_some_and(|depth| depth > 3)),
        regional(4, "five open brackets panic", |text| opens(text, 5)),
        regional(5, "wrong constant for twelve symbols", |text| text.len() == 12 && truth(text).is_some()),
        regional(6, "a pair after one letter", |text| text.starts_with("a[]") && truth(text).is_some()),
        global(7, "open brackets are fine"),
        rewrite(8, "removes pairs"),
        rewrite(9, "recursive descent"),
        harness(10, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("brackets.rs"),
};

/// Whether so many brackets are open at once, before anything is found wrong.
fn opens(text: &str, most: usize) -> bool {
    let mut open: Vec<char> = Vec::new();
    for symbol in text.chars() {
        match symbol {
            '(' | '[' => open.push(symbol),
            ')' | ']' if open.pop() != Some(if symbol == ')' { '(' } else { '[' }) => return false,
            _ => {}
        }
        if open.len() == most {
            return true;
        }
    }
    false
}

#[cfg(test)]
#[test]
fn the_truth_of_brackets_is_true() {
    crate::check::check(&SUBJECT);
}
