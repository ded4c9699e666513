//! How a campaign is doing: one line that changes in place on a terminal, and a plain line now and then elsewhere.

use super::{
    duration,
    run::Progress,
    terminal::{abbreviate, plural, say},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

/// How often a plain line is printed.
const EVERY: Duration = Duration::from_secs(10);

/// The status line of one campaign.
pub(crate) struct StatusLine {
    bar: Option<ProgressBar>,
    last: Instant,
}

impl StatusLine {
    pub(crate) fn begin() -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // `wide_msg` cuts the line to the terminal's width, so that it never wraps.
            bar.with_style(
                ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
            )
            .with_message("starting")
        });
        bar.iter().for_each(ProgressBar::tick);
        Self { bar, last: Instant::now() }
    }

    /// Shows how far the campaign has come.
    pub(crate) fn show(&mut self, progress: &Progress, deaths: u64) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(line(progress, deaths));
                bar.tick();
            }
            None if self.last.elapsed() >= EVERY => {
                self.last = Instant::now();
                say(line(progress, deaths));
            }
            None => {}
        }
    }

    /// Takes the line away and leaves the last numbers.
    pub(crate) fn end(self, progress: &Progress) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
        // The log knows more deaths than the engines notice, and the table tells them.
        say(line(progress, 0));
    }
}

/// All in one line, what matters most first: it may be cut.
fn line(progress: &Progress, deaths: u64) -> String {
    let rate = progress.executions as f64 / progress.elapsed.as_secs_f64().max(0.001);
    let mut parts = vec![
        duration::show(progress.elapsed),
        format!("{} executions ({}/s)", abbreviate(progress.executions), abbreviate(rate as u64)),
        format!("{} distinct", abbreviate(progress.distinct)),
        format!("{} of {} cells both ways", progress.both_ways, progress.cells),
        format!("{} violations", abbreviate(progress.violations)),
    ];
    if progress.panics > 0 {
        parts.push(plural_short(progress.panics, "panic"));
    }
    if deaths > 0 {
        parts.push(plural(deaths, "death"));
    }
    if progress.rejected > 0 {
        parts.push(format!("{} rejected", abbreviate(progress.rejected)));
    }
    parts.push(format!("last new {} ago", duration::show(progress.since_new)));
    parts.join(", ")
}

fn plural_short(count: u64, word: &str) -> String {
    if count < 1000 { plural(count, word) } else { format!("{} {word}s", abbreviate(count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_leaves_out_what_did_not_happen() {
        let mut progress = Progress {
            elapsed: Duration::from_secs(10),
            executions: 2_100_000,
            distinct: 100,
            both_ways: 5,
            cells: 12,
            violations: 700_000,
            since_new: Duration::from_secs(7),
            ..Progress::default()
        };
        let text =
            "10s, 2.10M executions (210k/s), 100 distinct, 5 of 12 cells both ways, 700k violations, last new 7s ago";
        assert_eq!(line(&progress, 0), text);
        progress.panics = 1;
        progress.rejected = 3;
        assert!(line(&progress, 2).contains(", 1 panic, 2 deaths, 3 rejected, "));
    }
}
