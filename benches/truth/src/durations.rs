//! A duration as people write it, `1w 2d 5ms` or `-3h 1s`, in so many units at most.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Suite};
use serde::Serialize;

/// A sum: there may be more than 59 minutes.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Elapsed {
    pub negative: bool,
    pub days: u8,
    pub hours: u8,
    pub minutes: u8,
    pub seconds: u8,
    pub millis: u16,
    /// What is left after so many units is not written; one is always written.
    pub most: Option<u8>,
}

const WEEK: u64 = 604_800_000;
const DAY: u64 = 86_400_000;
const NAMES: [&str; 6] = ["w", "d", "h", "m", "s", "ms"];

fn spell(elapsed: &Elapsed) -> String {
    if version::is(10) {
        return right(elapsed);
    }
    let Elapsed { negative, days, hours, minutes, seconds, millis, most } = *elapsed;
    let [days, hours, minutes, seconds] = [days, hours, minutes, seconds].map(u64::from);
    let sum = seconds + 60 * minutes + 3600 * hours + 86_400 * days;
    let seconds = pick!(11, sum, ((days * 24 + hours) * 60 + minutes) * 60 + seconds);
    let total = seconds * 1000 + u64::from(pick!(7, millis, millis % 1000));
    let total = pick!(3, total, u64::from(total as u32));
    let mut rest = total;
    let mut words = Vec::new();
    for (size, name) in [WEEK, pick!(2, DAY, 84_600_000), 3_600_000, 60_000, 1000, 1].into_iter().zip(NAMES) {
        let count = if pick!(4, rest >= size, rest > size) { rest / size } else { 0 };
        rest -= count * size;
        if count > 0 {
            words.push(format!("{count}{name}"));
        } else if pick!(6, false, !words.is_empty()) {
            break;
        }
    }
    if words.is_empty() {
        words.push("0s".to_owned());
    }
    words.truncate(most.map_or(6, |most| usize::from(pick!(5, most.max(1), most))));
    pick!(9, (), words.reverse());
    let sign = if negative && pick!(1, total > 0, true) { "-" } else { "" };
    let text = format!("{sign}{}", words.join(" "));
    pick!(8, (), assert!(text.len() <= 23, "no room for {text}"));
    text
}

fn total(elapsed: &Elapsed) -> u64 {
    let hours = 24 * u64::from(elapsed.days) + u64::from(elapsed.hours);
    let minutes = 60 * hours + u64::from(elapsed.minutes);
    (60 * minutes + u64::from(elapsed.seconds)) * 1000 + u64::from(elapsed.millis)
}

/// How many of each unit, the largest first.
fn counts(total: u64) -> [u64; 6] {
    [total / WEEK, total / DAY % 7, total / 3_600_000 % 24, total / 60_000 % 60, total / 1000 % 60, total % 1000]
}

fn limit(elapsed: &Elapsed) -> usize {
    elapsed.most.map_or(6, |most| usize::from(most.max(1)))
}

/// Counts all units before it writes any.
fn right(elapsed: &Elapsed) -> String {
    from_counts(elapsed, counts(total(elapsed)))
}

fn from_counts(elapsed: &Elapsed, counts: [u64; 6]) -> String {
    let written = counts.iter().zip(NAMES).filter(|(count, _)| **count > 0).take(limit(elapsed));
    let words: Vec<String> = written.map(|(count, name)| format!("{count}{name}")).collect();
    match (words.is_empty(), elapsed.negative) {
        (true, _) => "0s".to_owned(),
        (_, true) => format!("-{}", words.join(" ")),
        _ => words.join(" "),
    }
}

/// Units that there is at least one of.
fn units(elapsed: &Elapsed) -> usize {
    counts(total(elapsed)).iter().filter(|count| **count > 0).count()
}

/// Less than sixty days and some hours.
fn domain(elapsed: Elapsed) -> Elapsed {
    Elapsed {
        days: elapsed.days % 60,
        hours: elapsed.hours % 48,
        minutes: elapsed.minutes % 120,
        seconds: elapsed.seconds % 120,
        millis: elapsed.millis % 2000,
        most: elapsed.most.map(|most| most % 7),
        ..elapsed
    }
}

/// The milliseconds that a text stands for, whatever its sign; none if it is no duration.
fn read(text: &str) -> Option<u64> {
    let sizes = [WEEK, DAY, 3_600_000, 60_000, 1000, 1];
    let mut words = text.trim_start_matches('-').split(' ');
    words.try_fold(0, |sum, word| {
        let (count, name) = word.split_at(word.find(char::is_alphabetic)?);
        let unit = NAMES.iter().position(|unit| *unit == name)?;
        Some(sum + count.parse::<u64>().ok()? * sizes[unit])
    })
}

/// Keeps the sign.
fn of_text(elapsed: &Elapsed, text: &str) -> Elapsed {
    let [weeks, days, hours, minutes, seconds, millis] = counts(read(text).unwrap_or(0));
    let [days, hours, minutes, seconds] = [7 * weeks + days, hours, minutes, seconds].map(|count| count as u8);
    Elapsed { days, hours, minutes, seconds, millis: millis as u16, ..*elapsed }
}

fn an_hour_for_minutes(elapsed: &Elapsed) -> Option<Elapsed> {
    let minutes = pick!(12, elapsed.minutes.checked_sub(60)?, elapsed.minutes - 60);
    Some(Elapsed { hours: elapsed.hours + 1, minutes, ..*elapsed })
}

fn doubled(elapsed: &Elapsed) -> Elapsed {
    let Elapsed { days, hours, minutes, seconds, millis, .. } = *elapsed;
    let [days, hours, minutes, seconds] = [days, hours, minutes, seconds].map(|count| 2 * count);
    Elapsed { days, hours, minutes, seconds, millis: 2 * millis, ..*elapsed }
}

fn a_minute_longer(elapsed: &Elapsed) -> Elapsed {
    Elapsed { minutes: elapsed.minutes + 1, ..*elapsed }
}

fn without_millis(elapsed: &Elapsed) -> Elapsed {
    Elapsed { millis: 0, ..*elapsed }
}

fn words(text: &str) -> usize {
    text.split(' ').count()
}

fn is_twice(once: &str, twice: &str) -> bool {
    read(twice) >= read(once).map(|millis| 2 * millis)
}

pub fn spelled_duration(suite: &mut Suite<Elapsed, String>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("spell", spell);
    suite.judge(
        "read and spell again",
        |it, text| of_text(it, text),
        |check| *check.output == check.follow_up_outputs[0],
    );
    suite.relation("nothing", |it| of_text(it, "0s"), |_, text| text == "0s");
    suite.relation("twice as long", doubled, |s, f| is_twice(s, f));
    suite.relation("all units", |it| Elapsed { most: None, ..*it }, |s, f| f.starts_with(s));
    suite.relation("an hour for sixty minutes", an_hour_for_minutes, Equal);
    suite.relation(
        "the other sign",
        |it| Elapsed { negative: !it.negative, ..*it },
        |s, f| s.len().abs_diff(f.len()) == 1,
    );
    suite.relation("without milliseconds", without_millis, Equal);
    suite.relation("a minute longer", a_minute_longer, |s, f| words(s) == words(f));
    suite.relation("a minute longer is more", a_minute_longer, |s, f| read(s) < read(f));
    suite.relation("one unit more", |it| Elapsed { most: it.most.map(|most| most + 1), ..*it }, Equal);
}

/// Whether it matters that other units are counted.
fn differs(elapsed: &Elapsed, other: [u64; 6]) -> bool {
    from_counts(elapsed, other) != right(elapsed)
}

/// Whether what the original writes before and after a change is so.
fn are(elapsed: &Elapsed, change: fn(&Elapsed) -> Elapsed, so: fn(&str, &str) -> bool) -> bool {
    so(&right(elapsed), &right(&change(elapsed)))
}

pub(crate) static SUBJECT: Subject<Elapsed, String> = Subject {
    name: "spelled_duration",
    suite: spelled_duration,
    domain,
    functions: &[spell],
    cells: &[
        ("spell x read and spell again", Always),
        ("spell x nothing", Always),
        ("spell x twice as long", When(|it| are(it, doubled, is_twice))),
        ("spell x all units", Always),
        ("spell x an hour for sixty minutes", Always),
        ("spell x the other sign", When(|it| total(it) > 0)),
        ("spell x without milliseconds", When(|it| are(it, without_millis, |s, f| s == f))),
        ("spell x a minute longer", When(|it| are(it, a_minute_longer, |s, f| words(s) == words(f)))),
        ("spell x a minute longer is more", When(|it| are(it, a_minute_longer, |s, f| read(s) < read(f)))),
        ("spell x one unit more", When(|it| it.most == Some(0) || units(it) <= limit(it))),
    ],
    versions: &[
        regional(1, "nothing at all can be negative", |it| it.negative && total(it) == 0),
        regional(2, "wrong constant: the length of a day", |it| {
            let (weeks, rest) = (total(it) / WEEK, total(it) % WEEK);
            let [_, _, hours, minutes, seconds, millis] = counts(rest % 84_600_000);
            differs(it, [weeks, rest / 84_600_000, hours, minutes, seconds, millis])
        }),
        regional(3, "overflow after 49.7 days", |it| differs(it, counts(total(it) % (1 << 32)))),
        regional(4, "boundary: exactly one of a unit", |it| {
            let last = counts(total(it)).into_iter().rfind(|count| *count > 0);
            last == Some(1) && units(it) <= limit(it)
        }),
        regional(5, "no unit where none is asked for", |it| it.most == Some(0)),
        regional(6, "a unit that is missing in the middle ends it", |it| {
            let counts = counts(total(it));
            let leading = counts.iter().skip_while(|count| **count == 0).take_while(|count| **count > 0).count();
            leading < units(it).min(limit(it))
        }),
        regional(7, "milliseconds that are a second are lost", |it| {
            differs(it, counts(total(it) - u64::from(it.millis / 1000 * 1000)))
        }),
        regional(8, "long texts panic", |it| right(it).len() > 23),
        global(9, "the smallest unit comes first"),
        rewrite(10, "counts before it writes"),
        rewrite(11, "unit by unit"),
        harness(12, "a transformation that panics for less than an hour"),
    ],
    file: file!(),
    source: include_str!("durations.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_durations_is_true() {
    crate::check::check(&SUBJECT);
}
