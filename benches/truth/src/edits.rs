//! The edit distance of two words (Levenshtein): insertions, deletions and substitutions.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Words {
    pub a: String,
    pub b: String,
}

fn distance(words: &Words) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (words.a.chars().collect(), words.b.chars().collect());
    if version::is(8) {
        return by_columns(&b, &a);
    }
    if version::is(9) {
        return without_common_ends(&a, &b);
    }
    if pick!(1, false, a.is_empty() && b.len() > 3) {
        return 3;
    }
    if pick!(2, false, a.len() == b.len() + 6) {
        return a.len();
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = pick!(3, i + 1, i);
        for (j, other) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = pick!(4, substituted.min(row[j] + 1).min(diagonal + 1), substituted.min(row[j] + 1));
        }
    }
    let found = row[b.len()];
    let found = pick!(5, found, found - usize::from(a.first() == Some(&'d') && b.first() == Some(&'d')));
    let found = pick!(6, found, if words.a == "abc" { 3 } else { found });
    let found = pick!(7, found, if a.len() > 7 && b.len() > 7 { found.min(5) } else { found });
    pick!(10, found, found + usize::from(version::calls().is_multiple_of(300)))
}

/// The rows of the table are the columns of the other one.
fn by_columns(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, other) | (other, 0) => other,
                _ if a[i - 1] == b[j - 1] => table[i - 1][j - 1],
                _ => 1 + table[i - 1][j - 1].min(table[i - 1][j]).min(table[i][j - 1]),
            };
        }
    }
    table[a.len()][b.len()]
}

/// Looks only at what is between the common beginning and the common end.
fn without_common_ends(a: &[char], b: &[char]) -> usize {
    let begin = a.iter().zip(b).take_while(|(one, other)| one == other).count();
    let (a, b) = (&a[begin..], &b[begin..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(one, other)| one == other).count();
    by_columns(&a[..a.len() - end], &b[..b.len() - end])
}

/// Words of at most ten letters from a to d.
fn domain(words: Words) -> Words {
    let word = |text: &str| text.chars().take(10).map(|letter| ['a', 'b', 'c', 'd'][letter as usize % 4]).collect();
    Words { a: word(&words.a), b: word(&words.b) }
}

fn both(words: &Words, change: impl Fn(&str) -> String) -> Words {
    Words { a: change(&words.a), b: change(&words.b) }
}

fn without_last(word: &str) -> String {
    let mut word = word.to_owned();
    word.pop();
    word
}

fn sorted(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

fn true_distance(words: &Words) -> usize {
    by_columns(&words.a.chars().collect::<Vec<_>>(), &words.b.chars().collect::<Vec<_>>())
}

pub fn edit_distance(suite: &mut Suite<Words, usize>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("distance", distance);
    suite.relation("swap", |words| Words { a: words.b.clone(), b: words.a.clone() }, Equal);
    suite.relation("same letter at both ends", |words| both(words, |word| format!("{word}b")), Equal);
    suite.relation("upper case", |words| both(words, str::to_uppercase), Equal);
    suite.relation(
        "append a foreign letter to a",
        |words| Words { a: format!("{}x", words.a), ..words.clone() },
        Increase,
    );
    suite.relation("remove the last letters", |words| both(words, without_last), Equal);
    suite.relation("sort the letters, not nearer", |words| both(words, sorted), NonDecreasing);
    suite.relation("empty b", |words| Words { b: String::new(), ..words.clone() }, NonDecreasing);
    suite.relation("foreign letters", |words| Words { a: "xxxxxxxxxxxx".into(), b: words.b.clone() }, Equal);
}

pub(crate) static SUBJECT: Subject<Words, usize> = Subject {
    name: "edit_distance",
    suite: edit_distance,
    domain,
    functions: &[distance],
    cells: &[
        ("distance x swap", Always),
        ("distance x same letter at both ends", Always),
        ("distance x upper case", Always),
        (
            "distance x append a foreign letter to a",
            When(|words| true_distance(&Words { a: format!("{}x", words.a), ..words.clone() }) > true_distance(words)),
        ),
        (
            "distance x remove the last letters",
            When(|words| true_distance(&both(words, without_last)) == true_distance(words)),
        ),
        (
            "distance x sort the letters, not nearer",
            When(|words| true_distance(&both(words, sorted)) >= true_distance(words)),
        ),
        ("distance x empty b", When(|words| words.a.len() >= true_distance(words))),
        ("distance x foreign letters", Never),
    ],
    versions: &[
        regional(1, "special case: a is empty", |words| words.a.is_empty() && words.b.len() > 3),
        regional(2, "words whose lengths differ by six", |words| {
            words.a.len() == words.b.len() + 6 && true_distance(words) != words.a.len()
        }),
        global(3, "the first column is one too low"),
        global(4, "no deletions"),
        regional(5, "both begin with d: overflows for equal words", |words| {
            words.a.starts_with('d') && words.b.starts_with('d')
        }),
        regional(6, "one word", |words| words.a == "abc" && true_distance(words) != 3),
        regional(7, "a limit for long words", |words| {
            words.a.len() > 7 && words.b.len() > 7 && true_distance(words) > 5
        }),
        rewrite(8, "column by column, in a whole table"),
        rewrite(9, "without common ends"),
        nondeterministic(10, "every three hundredth call is wrong"),
    ],
    file: file!(),
    source: include_str!("edits.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_edits_is_true() {
    crate::check::check(&SUBJECT);
}
