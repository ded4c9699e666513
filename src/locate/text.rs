//! What was located, as text.

use super::{Located, Part, Place, Sources, What};
use crate::{
    escape::{escape, shown},
    terminal::{plural, shorten},
};

/// How much of a line of source is shown.
const WIDTH: usize = 60;

/// The first `most` places, one below the other.
pub(crate) fn text(located: &Located, sources: &Sources, most: usize) -> String {
    let panicked = if located.panicked > 0 { format!(", {} panicked", located.panicked) } else { String::new() };
    let mut text = format!(
        "{}: {} x {}: {}{panicked} and {} held run again{}\n",
        escape(&located.suite),
        escape(&located.function),
        escape(&located.relation),
        plural(located.violated, "violated check"),
        located.held,
        left_out(located),
    );
    let list = |places: &[Place], failed: (u64, &str)| {
        let shown = places.iter().take(most).enumerate();
        let shown: String = shown.map(|(rank, place)| lines(place, rank + 1, failed, located.held, sources)).collect();
        match places.len().saturating_sub(most) {
            0 => format!("\n{shown}"),
            more => format!("\n{shown}and {} (`--most` shows more)\n", plural(more as u64, "more line")),
        }
    };
    if let Some(panic) = &located.panic {
        text.push_str(&format!("panics at {}: {}\n", escape(&panic.location), escape(&panic.message)));
    }
    if !located.panic_places.is_empty() {
        text.push_str("lines that tell panicked from held checks, the most suspicious first\n");
        text.push_str(&list(&located.panic_places, (located.panicked, "panicked")));
    }
    if located.violated == 0 {
        return text;
    }
    let places = if located.places.is_empty() {
        text.push_str(
            "inconclusive: held and violated checks run the same code, as far as chance allows to tell\n\
             no evidence, only where to look: lines that all violated checks run\n",
        );
        &located.common
    } else {
        text.push_str("lines that tell violated from held checks, the most suspicious first\n");
        &located.places
    };
    text.push_str(&list(places, (located.violated, "violated")));
    text
}

fn left_out(located: &Located) -> String {
    let mut text = String::new();
    if located.changed > 0 {
        text.push_str(&format!("; {} left out: other verdicts now", located.changed));
    }
    if located.lost > 0 {
        text.push_str(&format!("; {} left out: rejected now, or the process ended", located.lost));
    }
    text
}

fn lines(place: &Place, rank: usize, (failed, how): (u64, &str), held: u64, sources: &Sources) -> String {
    let source = sources.text(&place.line).map(|text| shorten(&escape(&text), WIDTH)).unwrap_or_default();
    format!(
        "{rank:>4}  {:.3}  {}:{}  {source}\n             {}: {} of {failed} {how}, {} of {held} held; in {}\n",
        place.score,
        shown(&place.line.path),
        place.line.number,
        happening(place),
        place.failed,
        place.held,
        escape(&place.line.function),
    )
}

/// What happens there, in words.
fn happening(place: &Place) -> String {
    let what = match place.what {
        What::Runs if place.is_part_of_line => "a part of it runs",
        What::Runs => "runs",
        What::Decides => "decides so",
        What::Calls => "calls what runs",
        What::Compares => "compares equals or neighbours",
    };
    format!("{what} {}", words(place.part))
}

fn words(part: Part) -> &'static str {
    match part {
        Part::Either => "in either run",
        Part::Both => "in both runs",
        Part::Source => "in the source's run",
        Part::FollowUp => "in a follow-up's run",
        Part::JustOne => "in just one of the runs",
        Part::Unequal => "not as often in both runs",
    }
}
