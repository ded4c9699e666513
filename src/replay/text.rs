//! A replay in words.

use super::{Changed, Finding, Replayed, ReplayedInput};
use crate::escape::escape;
use std::fmt::Write;

/// How many findings are told in full.
const MOST: usize = 20;

/// What a replay showed: nothing but a line where all is as expected.
pub(crate) fn text(replayed: &Replayed) -> String {
    let mut text = String::new();
    let all =
        || replayed.inputs.iter().flat_map(|input| input.compared.findings.iter().map(move |finding| (input, finding)));
    for (input, finding) in all().take(MOST) {
        match finding {
            Finding::Changed(changed) => {
                text.push_str(&changed_text(&escape(&input.compared.input), changed, &input.command));
            }
            Finding::Stale(why) => push_stale(&mut text, input, why, &replayed.suite),
        }
    }
    if let more @ 1.. = all().count().saturating_sub(MOST) {
        _ = writeln!(text, "and {more} more\n");
    }
    replayed.notes.iter().for_each(|note| _ = writeln!(text, "note: {}", escape(note)));
    _ = writeln!(text, "{}", summary(replayed));
    text
}

/// The last line: what was replayed, and what came of it.
fn summary(replayed: &Replayed) -> String {
    let constants: Vec<String> = replayed.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let constants = if constants.is_empty() { String::new() } else { format!(" ({})", constants.join(", ")) };
    let mut parts = vec![format!("{} verdicts as expected", replayed.kept())];
    for (count, word) in [
        (replayed.settled(), "as decided at last"),
        (replayed.changed(), "changed"),
        (replayed.against(), "against what was decided"),
        (replayed.stale(), "stale"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let count = replayed.inputs.len();
    let inputs = if count == 1 { "1 input".into() } else { format!("{count} inputs") };
    escape(&format!("{}{constants}: {inputs} replayed, {}", replayed.suite, parts.join(", ")))
}

/// A verdict that is not the expected one, with the command that shows it again; the input is escaped already.
pub(crate) fn changed_text(input: &str, changed: &Changed, command: &str) -> String {
    let mut text = String::new();
    push_line(&mut text, &format!("{}: {}", changed.word(), changed.cell()));
    _ = writeln!(text, "  input      {input}");
    if let Some(decision) = &changed.decision {
        push_part(&mut text, "decided", decision);
    }
    push_part(&mut text, "expected", changed.expected.word());
    push_part(&mut text, "actual", changed.actual_word());
    if let Some(output) = &changed.output {
        push_part(&mut text, "output", output);
    }
    for (follow_up, output) in &changed.follow_ups {
        push_part(&mut text, "follow-up", &format!("{follow_up} -> {output}"));
    }
    if let Some(panic) = &changed.panic {
        push_part(&mut text, "panic", panic);
    }
    push_part(&mut text, "reproduce", command);
    text.push('\n');
    text
}

fn push_stale(text: &mut String, input: &ReplayedInput, why: &str, suite: &str) {
    push_line(text, &format!("stale: {}", input.path));
    push_part(text, "input", &input.compared.input);
    push_part(text, "why", why);
    let to_do = format!("if the change is meant, make the corpus again with `bugornot minimise {suite}`");
    push_part(text, "to do", &to_do);
    text.push('\n');
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(&escape(line));
    text.push('\n');
}

fn push_part(text: &mut String, name: &str, value: &str) {
    push_line(text, &format!("  {name:10} {value}"));
}
