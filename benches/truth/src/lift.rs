//! How long a lift is under way: it serves the calls ahead of it first, turns, serves the others, and may then go home.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, NonIncreasing, Suite};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub struct Trip {
    /// The floor it starts from.
    pub at: u8,
    pub up: bool,
    /// Where it waits afterwards, if not where it is.
    pub home: Option<u8>,
    pub calls: Vec<Call>,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Call {
    pub floor: u8,
    /// Those who get in or out.
    pub people: u8,
}

/// Seconds and floors.
type Way = (u32, u32);

/// Opening and closing, in seconds.
const DOORS: u32 = 6;

fn way(trip: &Trip) -> Way {
    if version::is(10) {
        return right(trip);
    }
    let is_ahead = |floor: u8| if trip.up { floor >= trip.at } else { floor <= trip.at };
    let mut calls = trip.calls.clone();
    calls.retain(|call| pick!(1, true, call.floor != trip.at));
    calls.retain(|call| pick!(7, true, call.floor != 39));
    // Those behind are also nearest first: it turns at the farthest call ahead and comes by the start again.
    calls.sort_by_key(|call| pick!(8, (!is_ahead(call.floor), call.floor.abs_diff(trip.at)), (false, 0)));
    let (mut at, mut seconds, mut floors) = (pick!(9, trip.at, 0), 0, 0);
    let mut go = |floor: u8| {
        let leg = u32::from(floor.abs_diff(at));
        pick!(4, (), assert!(leg < 39, "no leg of {leg} floors"));
        at = floor;
        floors += leg;
        running(leg)
    };
    for stop in calls.chunk_by(|call, next| pick!(6, call.floor == next.floor, false)) {
        let people: u8 = stop.iter().map(|call| call.people).sum();
        seconds += go(stop[0].floor) + DOORS + u32::from(pick!(3, people, people & 15));
    }
    let last = calls.last().map_or(trip.at, |call| call.floor);
    if let Some(home) = trip.home.filter(|home| pick!(5, true, *home < last)) {
        seconds += go(home);
    }
    (seconds, floors)
}

/// The seconds for so many floors without a stop: it is slow at first.
fn running(floors: u32) -> u32 {
    let is_slow = floors <= pick!(2, 4, 5);
    pick!(11, if is_slow { 3 * floors } else { floors + 8 }, (3 * floors).min(floors + 8))
}

fn seconds(trip: &Trip) -> u32 {
    let seconds = way(trip).0;
    pick!(12, seconds, seconds + u32::from(version::calls().is_multiple_of(40)))
}

fn floors(trip: &Trip) -> u32 {
    way(trip).1
}

/// The floors it stops at in their order, with the people there.
fn stops(trip: &Trip) -> Vec<(u8, u32)> {
    let mut people = BTreeMap::new();
    for call in &trip.calls {
        *people.entry(call.floor).or_default() += u32::from(call.people);
    }
    // The start belongs to the calls ahead.
    let above = people.split_off(&(trip.at + u8::from(!trip.up)));
    let (above, below) = (above.into_iter(), people.into_iter().rev());
    if trip.up { above.chain(below).collect() } else { below.chain(above).collect() }
}

/// The stops in the order of the calls.
fn stops_as_called(trip: &Trip) -> Vec<(u8, u32)> {
    let stops = trip.calls.chunk_by(|call, next| call.floor == next.floor);
    stops.map(|stop| (stop[0].floor, stop.iter().map(|call| u32::from(call.people)).sum())).collect()
}

/// The floors of each leg.
fn legs(trip: &Trip, stops: &[(u8, u32)]) -> Vec<u32> {
    let stops = stops.iter().map(|stop| stop.0);
    let places: Vec<u8> = [trip.at].into_iter().chain(stops).chain(trip.home).collect();
    places.windows(2).map(|leg| leg[0].abs_diff(leg[1]).into()).collect()
}

/// Adds up what is known of legs and stops.
fn along(trip: &Trip, stops: &[(u8, u32)]) -> Way {
    let legs = legs(trip, stops);
    let running: u32 = legs.iter().map(|floors| floors + 2 * floors.min(&4)).sum();
    let standing: u32 = stops.iter().map(|(_, people)| DOORS + people).sum();
    (running + standing, legs.iter().sum())
}

fn right(trip: &Trip) -> Way {
    along(trip, &stops(trip))
}

/// At most eight calls in a house of 40 floors, each of up to eight people.
fn domain(trip: Trip) -> Trip {
    let call = |call: &Call| Call { floor: call.floor % 40, people: call.people % 9 };
    let calls = trip.calls.iter().take(8).map(call).collect();
    Trip { at: trip.at % 40, home: trip.home.map(|floor| floor % 40), calls, ..trip }
}

/// The same on other floors.
fn moved(trip: &Trip, floor: fn(u8) -> u8) -> Trip {
    let calls = trip.calls.iter().map(|call| Call { floor: floor(call.floor), ..*call }).collect();
    Trip { at: floor(trip.at), home: trip.home.map(floor), calls, ..*trip }
}

fn with_calls(trip: &Trip, calls: Vec<Call>) -> Trip {
    Trip { calls, ..*trip }
}

/// With another first call, if there is one.
fn with_first(trip: &Trip, change: fn(Call) -> Call) -> Option<Trip> {
    let (first, others) = trip.calls.split_first()?;
    Some(with_calls(trip, [&[change(*first)], others].concat()))
}

fn reversed(trip: &Trip) -> Trip {
    with_calls(trip, trip.calls.iter().rev().copied().collect())
}

fn upside_down(trip: &Trip) -> Trip {
    Trip { up: !trip.up, ..moved(trip, |floor| 39 - floor) }
}

fn one_call_more(trip: &Trip) -> Trip {
    with_calls(trip, [&trip.calls[..], &[Call { floor: 0, people: 1 }]].concat())
}

fn without_first(trip: &Trip) -> Option<Trip> {
    Some(with_calls(trip, trip.calls.split_first()?.1.to_vec()))
}

fn first_twice(trip: &Trip) -> Option<Trip> {
    Some(with_calls(trip, [&trip.calls[..], &[*trip.calls.first()?]].concat()))
}

fn first_one_higher(trip: &Trip) -> Option<Trip> {
    with_first(trip, |call| Call { floor: call.floor + 1, ..call })
}

fn one_person_more(trip: &Trip) -> Option<Trip> {
    with_first(trip, |call| Call { people: call.people + 1, ..call })
}

fn turned(trip: &Trip) -> Trip {
    Trip { up: !trip.up, ..trip.clone() }
}

fn not_home(trip: &Trip) -> Trip {
    Trip { home: None, ..trip.clone() }
}

pub fn elevator_trip(suite: &mut Suite<Trip, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("seconds", seconds);
    suite.function("floors", floors);
    suite.relation("calls the other way round", reversed, Equal);
    suite.relation("upside down", upside_down, Equal);
    suite.relation("in a house twice as high", |it| moved(it, |floor| 2 * floor), |s, f| *f <= 2 * s);
    suite.relation("a call from the ground", one_call_more, Increase);
    suite.relation("without the first call", without_first, NonIncreasing);
    suite.relation("the first call again", first_twice, Equal);
    suite.relation("the first call a floor higher", first_one_higher, NonDecreasing);
    suite.relation("a person more", one_person_more, Equal);
    suite.relation("the other direction first", turned, Equal);
    suite.relation("not going home", not_home, NonIncreasing);
}

/// Whether the ways of a trip and a changed one are so, if it can be changed.
fn are(trip: &Trip, change: fn(&Trip) -> Option<Trip>, so: fn(Way, Way) -> bool) -> bool {
    change(trip).is_none_or(|changed| so(right(trip), right(&changed)))
}

pub(crate) static SUBJECT: Subject<Trip, u32> = Subject {
    name: "elevator_trip",
    suite: elevator_trip,
    domain,
    functions: &[seconds, floors],
    cells: &[
        ("seconds x calls the other way round", Always),
        ("floors x calls the other way round", Always),
        ("seconds x upside down", Always),
        ("floors x upside down", Always),
        ("seconds x in a house twice as high", Always),
        ("floors x in a house twice as high", Always),
        // The one who calls takes a second even where the lift stops anyway.
        ("seconds x a call from the ground", Always),
        ("floors x a call from the ground", When(|it| are(it, |it| Some(one_call_more(it)), |s, f| f.1 > s.1))),
        ("seconds x without the first call", Always),
        ("floors x without the first call", Always),
        ("seconds x the first call again", When(|it| it.calls.first().is_none_or(|call| call.people == 0))),
        ("floors x the first call again", Always),
        ("seconds x the first call a floor higher", When(|it| are(it, first_one_higher, |s, f| f.0 >= s.0))),
        ("floors x the first call a floor higher", When(|it| are(it, first_one_higher, |s, f| f.1 >= s.1))),
        ("seconds x a person more", Never),
        ("floors x a person more", Always),
        ("seconds x the other direction first", When(|it| are(it, |it| Some(turned(it)), |s, f| f.0 == s.0))),
        ("floors x the other direction first", When(|it| are(it, |it| Some(turned(it)), |s, f| f.1 == s.1))),
        ("seconds x not going home", Always),
        ("floors x not going home", Always),
    ],
    versions: &[
        regional(1, "missing: calls from where the lift is", |it| it.calls.iter().any(|call| call.floor == it.at)),
        regional(2, "boundary: legs of five floors are slow", |it| legs(it, &stops(it)).contains(&5)),
        regional(3, "overflow: sixteen people at a stop are none", |it| stops(it).iter().any(|stop| stop.1 > 15)),
        regional(4, "a leg through the whole house panics", |it| legs(it, &stops(it)).contains(&39)),
        regional(5, "missing: the way up to home", |it| {
            let last = stops(it).last().map_or(it.at, |stop| stop.0);
            it.home.is_some_and(|home| home > last)
        }),
        regional(6, "doors open for each call of a floor", |it| stops(it).len() < it.calls.len()),
        regional(7, "boundary: calls from the top floor", |it| it.calls.iter().any(|call| call.floor == 39)),
        regional(8, "first come, first served", |it| along(it, &stops_as_called(it)) != right(it)),
        global(9, "starts from the ground"),
        rewrite(10, "legs and stops by themselves"),
        rewrite(11, "the shorter of two times"),
        nondeterministic(12, "every 40th call takes a second more"),
    ],
    file: file!(),
    source: include_str!("lift.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_lift_is_true() {
    crate::check::check(&SUBJECT);
}
