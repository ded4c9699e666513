//! Text that is not ours, made fit for a terminal.

#[cfg(feature = "replay")]
use std::{env, path::Path};

/// Text from a log or a program, fit for a terminal: what could move the cursor, change colours or turn the direction
/// of writing is shown as an escape.
pub(crate) fn escape(text: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) { escaped.extend(letter.escape_default()) } else { escaped.push(letter) }
    }
    escaped
}

/// [`escape`]d line by line: for what a program printed.
#[cfg(feature = "cli")]
pub(crate) fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape(&line.replace('\t', "    "))).collect::<Vec<_>>().join("\n")
}

/// A path as the user would type it: relative to the current folder if it is below.
#[cfg(feature = "replay")]
pub(crate) fn shown(path: &Path) -> String {
    // Below the root is everything, and nobody types that without the slash.
    let current = env::current_dir().ok().filter(|current| current.parent().is_some());
    let below = current.and_then(|current| path.strip_prefix(current).ok().map(Path::to_owned));
    let shown = below.unwrap_or_else(|| path.to_owned());
    let text = if shown.as_os_str().is_empty() { ".".into() } else { shown.to_string_lossy() };
    escape(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_other_letters_kept() {
        assert_eq!(escape("a\u{1b}[31mb\r\n\u{202e}ü\u{7}"), "a\\u{1b}[31mb\\r\\n\\u{202e}ü\\u{7}");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn what_a_program_prints_stays_in_its_lines() {
        assert_eq!(escape_lines("a\tb\n\u{1b}c"), "a    b\n\\u{1b}c");
    }
}
