//! How text reaches the terminal: colours where they are wanted, control characters never.

pub(crate) use crate::escape::{escape, escape_lines, shown};
use clap::ValueEnum;
use std::{
    env, fmt,
    io::{self, IsTerminal, Write},
};

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// What the arguments ask for, read before they are parsed: errors about them are coloured too.
    pub(crate) fn from_arguments(arguments: &[std::ffi::OsString]) -> Self {
        let ours = || arguments.iter().take_while(|argument| *argument != "--");
        let after = ours().skip_while(|argument| *argument != "--color").nth(1).and_then(|value| value.to_str());
        let joined = ours().find_map(|argument| argument.to_str()?.strip_prefix("--color="));
        joined.or(after).and_then(|value| Self::from_str(value, false).ok()).unwrap_or_default()
    }

    /// The same choice for clap, which honours `NO_COLOR` by itself.
    pub(crate) fn for_clap(self) -> clap::ColorChoice {
        match self {
            Self::Auto => clap::ColorChoice::Auto,
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
        }
    }

    /// A brush for a stream.
    pub(crate) fn paint(self, stream: &impl IsTerminal) -> Paint {
        let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_on = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => stream.is_terminal() && !is_refused,
        };
        let columns = stream.is_terminal().then(|| usize::from(console::Term::stdout().size().1));
        Paint { is_on, columns: columns.map_or(WIDEST, |columns| columns.min(WIDEST)) }
    }
}

/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// Colours text, or does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    is_on: bool,
    /// How many columns a line may take.
    pub(crate) columns: usize,
}

impl Paint {
    /// For what is no terminal.
    pub(crate) const PLAIN: Self = Self { is_on: false, columns: WIDEST };

    fn wrap(self, code: &str, text: impl fmt::Display) -> String {
        if self.is_on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }
    pub(crate) fn bold(self, text: impl fmt::Display) -> String {
        self.wrap("1", text)
    }
    pub(crate) fn dim(self, text: impl fmt::Display) -> String {
        self.wrap("2", text)
    }
    pub(crate) fn red(self, text: impl fmt::Display) -> String {
        self.wrap("1;31", text)
    }
    pub(crate) fn yellow(self, text: impl fmt::Display) -> String {
        self.wrap("1;33", text)
    }
    pub(crate) fn green(self, text: impl fmt::Display) -> String {
        self.wrap("1;32", text)
    }
}

/// Cuts text to so many characters, and shows that it did.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{kept}...")
}

/// Words in lines of at most so many columns, each indented; a longer word has a line of its own.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines.join("\n")
}

/// Progress, for stderr. Whoever closed stderr does not want it: that is no error.
pub(crate) fn say(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A warning, for stderr.
pub(crate) fn warn(color: Color, text: impl fmt::Display) {
    say(format_args!("{} {text}", color.paint(&io::stderr()).yellow("warning:")));
}

/// `12.3k`, `4.56M`: three digits that tell the size.
pub(crate) fn abbreviate(number: u64) -> String {
    const UNITS: [&str; 6] = ["k", "M", "G", "T", "P", "E"];
    if number < 1000 {
        return number.to_string();
    }
    let (mut value, mut unit) = (number as f64 / 1000.0, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$}{}", UNITS[unit])
}

/// `12,345,678`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 death`, `2 deaths`.
pub(crate) fn plural(count: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_abbreviated_without_losing_their_size() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1.00k"), (12_345, "12.3k"), (999_499, "999k"), (999_999, "1.00M")]
        {
            assert_eq!(abbreviate(number), text);
        }
        assert_eq!(abbreviate(u64::MAX), "18.4E");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
    }

    #[test]
    fn words_are_wrapped_and_none_is_lost() {
        let text = "one two three  four a-word-that-is-too-long five";
        let lines = wrapped(text, 14, "  ");
        assert_eq!(lines, "  one two\n  three  four\n  a-word-that-is-too-long\n  five");
    }

    #[test]
    fn the_colour_is_known_before_the_arguments_are_parsed() {
        let of = |words: &[&str]| Color::from_arguments(&words.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(of(&["run", "--color", "never"]), Color::Never);
        assert_eq!(of(&["--color=always", "run"]), Color::Always);
        assert_eq!(of(&["run", "--", "--color=always"]), Color::Auto);
    }
}
