//! Durations as people write them: `90s`, `1h30m`, `forever`.

use std::time::Duration;

const HELP: &str = "write it as `90s`, `5m`, `1h30m`, `2d` or `forever`";

/// How long to run; no limit if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit(pub(crate) Option<Duration>);

/// Reads a duration of at least a second.
pub(crate) fn parse(text: &str) -> Result<Limit, String> {
    if text == "forever" {
        return Ok(Limit(None));
    }
    let seconds = seconds(text).ok_or(HELP)?;
    if seconds == 0 {
        return Err(format!("it has to be a second at least: {HELP}"));
    }
    // Whoever asks for more than the engines can count does not want a limit.
    Ok(Limit((seconds <= i32::MAX as u64).then(|| Duration::from_secs(seconds))))
}

fn seconds(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut sum = 0u64;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let number: u64 = rest[..digits].parse().ok()?;
        let unit = &rest[digits..];
        let letters = unit.len() - unit.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).len();
        let factor = match &unit[..letters] {
            // A bare number is seconds, but only by itself.
            "" if digits == text.trim().len() => 1,
            "s" | "sec" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return None,
        };
        sum = sum.checked_add(number.checked_mul(factor)?)?;
        rest = &unit[letters..];
    }
    Some(sum)
}

/// `7s`, `3m05s`, `2h07m`, `3d04h`.
pub(crate) fn show(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d{:02}h", seconds / 86_400, seconds / 3600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_units_and_refuse_nonsense() {
        let limit = |seconds| Ok(Limit(Some(Duration::from_secs(seconds))));
        assert_eq!(parse("90"), limit(90));
        assert_eq!(parse("90s"), limit(90));
        assert_eq!(parse("1h30m"), limit(5400));
        assert_eq!(parse("2d"), limit(172_800));
        assert_eq!(parse("forever"), Ok(Limit(None)));
        assert_eq!(parse("99999999999999"), Ok(Limit(None)));
        for nonsense in ["", "0", "0s", "-5s", "5x", "s", "1.5h", "ten", "99999999999999999999", "5s5", "1ü"] {
            assert!(parse(nonsense).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn durations_are_shown_in_two_units() {
        for (seconds, text) in [(7, "7s"), (65, "1m05s"), (7265, "2h01m"), (90_000, "1d01h")] {
            assert_eq!(show(Duration::from_secs(seconds)), text);
        }
    }
}
