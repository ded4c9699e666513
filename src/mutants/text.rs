//! A mutation analysis in words.

use super::{
    Analysis, Tests,
    analysis::{Score, is_killed_by_ours, is_killed_by_own},
};
use crate::escape::escape;
use std::fmt::Write;

/// An analysis in words.
pub(crate) fn text(analysis: &Analysis) -> String {
    let mut text = String::new();
    push_scores(&mut text, analysis);
    let cells: Vec<String> =
        analysis.cells.iter().map(|(function, relation)| format!("{function} x {relation}")).collect();
    push_table(&mut text, "cell", &cells, &analysis.of_cells());
    let relations: Vec<String> = analysis.relations().into_iter().map(str::to_owned).collect();
    push_table(&mut text, "relation", &relations, &analysis.of_relations());
    push_needless(&mut text, analysis);
    push_survivors(&mut text, analysis);
    analysis.notes.iter().for_each(|note| _ = writeln!(text, "note: {}", escape(note)));
    text
}

/// The last lines: how many mutants each of the test suites kills.
fn push_scores(text: &mut String, analysis: &Analysis) {
    let tested = analysis.tested.len();
    let unviable = match analysis.unviable {
        0 => String::new(),
        1 => "; 1 more does not compile".into(),
        more => format!("; {more} more do not compile"),
    };
    push_line(text, &format!("{}: {} tested{unviable}", analysis.suite, count(tested, "mutant")));
    for (position, set) in analysis.sets.iter().enumerate() {
        let name = format!("`{}` ({})", set.name, count(set.inputs, "input"));
        let crashed = analysis.crashed_by_set(position);
        let note = format!(" ({crashed} if violations were panics)");
        push_score(text, &name, analysis.killed_by_set(position), tested, if position > 0 { &note } else { "" });
    }
    if let Some(tests) = analysis.generated {
        let name = format!("generated tests ({tests})");
        push_score(text, &name, analysis.killed_by_tests(Tests::Generated), tested, "");
    }
    if let Some(tests) = analysis.own {
        let only_they = analysis.count(|record| is_killed_by_own(record) && !is_killed_by_ours(record));
        let only_we = analysis.count(|record| is_killed_by_ours(record) && !is_killed_by_own(record));
        let note = format!("; {only_they} that nothing above kills, and not {only_we} that something above kills");
        push_score(
            text,
            &format!("the crate's own tests ({tests})"),
            analysis.killed_by_tests(Tests::Own),
            tested,
            &note,
        );
    }
    text.push('\n');
}

fn push_score(text: &mut String, name: &str, killed: usize, tested: usize, note: &str) {
    let share = (killed * 100).checked_div(tested).map(|percent| format!(", {percent} %")).unwrap_or_default();
    push_line(text, &format!("  {name}: {killed} of {tested} killed{share}{note}"));
}

fn push_table(text: &mut String, title: &str, names: &[String], scores: &[Score]) {
    let width = names.iter().map(|name| escape(name).chars().count()).chain([title.len()]).max().unwrap_or(0);
    _ = writeln!(text, "  {title:width$}  killed  by it alone");
    for (name, Score { killed, alone }) in names.iter().zip(scores) {
        push_line(text, &format!("  {name:width$}  {killed:>6}  {alone:>11}"));
    }
    text.push('\n');
}

/// The relations that could go, and those that must stay.
fn push_needless(text: &mut String, analysis: &Analysis) {
    let scores = analysis.of_relations();
    let mut needless = 0;
    for (name, score) in analysis.relations().into_iter().zip(scores).filter(|(_, score)| score.alone == 0) {
        needless += 1;
        let why = match score.killed {
            0 => "it kills no mutant".into(),
            1 => "the mutant it kills is killed by others too".into(),
            killed => format!("all {killed} mutants it kills are killed by others too"),
        };
        push_line(text, &format!("adds nothing: {name}: {why}"));
    }
    let enough = analysis.enough();
    if needless > 1 && !enough.is_empty() {
        push_line(text, &format!("these kill as much as all: {}", enough.join(", ")));
    }
    if needless > 0 {
        text.push('\n');
    }
}

fn push_survivors(text: &mut String, analysis: &Analysis) {
    let (caught, missed): (Vec<_>, Vec<_>) = analysis.survivors().partition(|(_, record)| is_killed_by_own(record));
    for (title, mutants) in [("killed by the crate's own tests alone:", caught), ("survive everything:", missed)] {
        if !mutants.is_empty() {
            _ = writeln!(text, "{title}");
            for (mutant, _) in &mutants {
                push_line(text, &format!("  {}:{}:{}: {}", mutant.file, mutant.line, mutant.column, mutant.change));
            }
            text.push('\n');
        }
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(&escape(line));
    text.push('\n');
}

fn count(number: usize, word: &str) -> String {
    crate::terminal::plural(number as u64, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::analysis::tests::analysis;

    #[test]
    fn all_is_told_in_a_page() {
        let mut analysis = analysis();
        analysis.notes.push("a\u{1b}note".into());
        assert_eq!(
            text(&analysis),
            "\
money: 5 mutants tested; 1 more does not compile
  `corpus/money` (7 inputs): 3 of 5 killed, 60 %
  `fuzz/corpus/money` (7 inputs): 3 of 5 killed, 60 % (1 if violations were panics)
  the crate's own tests (4): 3 of 5 killed, 60 %; 1 that nothing above kills, and not 1 that something above kills

  cell        killed  by it alone
  add x swap       1            1
  add x grow       2            0
  sub x grow       1            0
  add x copy       1            0

  relation  killed  by it alone
  swap           1            1
  grow           2            1
  copy           1            0

adds nothing: copy: the mutant it kills is killed by others too

killed by the crate's own tests alone:
  src/lib.rs:6:5: change 6

survive everything:
  src/lib.rs:7:5: change 7

note: a\\u{1b}note
"
        );
    }
}
