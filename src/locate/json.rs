//! What was located, as JSON.

use super::{Located, Part, Place, Sources, What, Whose};
use crate::{escape::shown, log::PanicInfo};
use serde_json::{Value, json};

const SCHEMA: u32 = 1;

/// All places, in order.
pub(crate) fn json(located: &Located, sources: &Sources) -> String {
    let places = |places: &[Place], failed: &str| -> Vec<Value> {
        places.iter().map(|place| of_place(place, failed, sources)).collect()
    };
    let whole = json!({
        "schema": SCHEMA,
        "suite": located.suite,
        "function": located.function,
        "relation": located.relation,
        "checks": {
            "violated": located.violated,
            "panicked": located.panicked,
            "held": located.held,
            "changed": located.changed,
            "lost": located.lost,
        },
        "conclusive": !located.places.is_empty() || located.panic.is_some(),
        "panics": located.panic.iter().map(of_panic).collect::<Vec<_>>(),
        "panic_places": places(&located.panic_places, "panicked"),
        "places": places(&located.places, "violated"),
        "common": places(&located.common, "violated"),
    });
    format!("{whole:#}\n")
}

/// The location of a panic ends with its line and column.
fn of_panic(panic: &PanicInfo) -> Value {
    let mut parts = panic.location.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next(), parts.next());
    json!({"file": file, "line": line.and_then(|line| line.parse::<u32>().ok()), "message": panic.message})
}

/// A place, and how many checks show it: held ones, and those that failed so.
fn of_place(place: &Place, failed: &str, sources: &Sources) -> Value {
    json!({
        "file": shown(&place.line.path),
        "line": place.line.number,
        "function": place.line.function,
        "text": sources.text(&place.line),
        "of": match place.line.whose {
            Whose::Own => "own",
            Whose::Dependency => "dependency",
            Whose::Suite => "suite",
        },
        "score": place.score,
        "what": match place.what {
            What::Runs => "runs",
            What::Decides => "decides",
            What::Calls => "calls",
            What::Compares => "compares",
        },
        "part_of_line": place.is_part_of_line,
        "in": match place.part {
            Part::Either => "either",
            Part::Both => "both",
            Part::Source => "source",
            Part::FollowUp => "follow-up",
            Part::JustOne => "just-one",
            Part::Unequal => "unequal",
        },
        failed: place.failed,
        "held": place.held,
    })
}
