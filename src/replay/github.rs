//! Annotations for GitHub Actions: one line for each finding and note, shown beside the change that caused it.

use super::{Finding, Replayed};
use std::fmt::Write;

/// Whether GitHub Actions runs us.
pub(super) fn is_on() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The annotations, if GitHub Actions runs us.
pub(crate) fn annotations(replayed: &Replayed) -> String {
    if is_on() { all(replayed) } else { String::new() }
}

fn all(replayed: &Replayed) -> String {
    let mut text = String::new();
    for input in &replayed.inputs {
        for finding in &input.compared.findings {
            let (title, message) = match finding {
                Finding::Changed(changed) => (
                    format!("{} {}: {}", replayed.suite, changed.cell(), changed.word()),
                    format!(
                        "{}: expected {}, actual {}{}\nreproduce: {}",
                        input.compared.input,
                        changed.expected,
                        changed.actual_word(),
                        changed.decision.iter().map(|decision| format!("\ndecided: {decision}")).collect::<String>(),
                        input.command
                    ),
                ),
                Finding::Stale(why) => (format!("{}: stale corpus", replayed.suite), format!("{}: {why}", input.path)),
            };
            _ = writeln!(text, "::error title={}::{}", property(&title), data(&message));
        }
    }
    for note in &replayed.notes {
        _ = writeln!(text, "::warning title={}::{}", property(&replayed.suite), data(note));
    }
    text
}

/// GitHub's escapes for a message.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(crate::escape::escape).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

/// GitHub's escapes for a property, which ends at a comma or a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_can_begin_another_command() {
        assert_eq!(data("100%\n::error::\r\u{1b}"), "100%25%0A::error::\\r\\u{1b}");
        assert_eq!(property("f x a,b: new"), "f x a%2Cb%3A new");
    }
}
