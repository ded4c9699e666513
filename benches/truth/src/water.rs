//! How much rain stays between bars of different heights and a wall behind them: two hands go from the ends to the highest bar.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Yard {
    pub bars: [u8; 7],
    /// The height of the wall.
    pub wall: u8,
}

/// All heights, the last one of the wall.
type Bars = [u8; 8];

impl Yard {
    fn heights(&self) -> Bars {
        let [a, b, c, d, e, f, g] = self.bars;
        [a, b, c, d, e, f, g, self.wall]
    }
}

/// The yard of these heights.
fn yard([a, b, c, d, e, f, g, wall]: Bars) -> Yard {
    Yard { bars: [a, b, c, d, e, f, g], wall }
}

fn trapped(yard: &Yard) -> u32 {
    if version::is(10) {
        return by_levels(&yard.heights());
    }
    if version::is(11) {
        return by_walls(yard);
    }
    let bars = yard.heights();
    let (first, last) = (bars[0], yard.wall);
    if pick!(1, false, first == last) {
        return bars.iter().map(|height| u32::from(first.saturating_sub(*height))).sum();
    }
    let mut left = pick!(2, 0, usize::from(first < 10));
    let mut right = bars.len() - 1;
    let mut left_wall = pick!(3, 0, 1);
    let mut right_wall = 0;
    let mut water = 0;
    while left < right {
        let depth = if bars[left] < bars[right] {
            left_wall = bars[left].max(left_wall);
            left += 1;
            left_wall - bars[left - 1]
        } else {
            right_wall = bars[right].max(right_wall);
            right -= 1;
            let is_flat = bars.get(right + 2) == Some(&bars[right + 1]);
            pick!(4, right_wall - bars[right + 1], if is_flat { 0 } else { right_wall - bars[right + 1] })
        };
        if pick!(5, false, depth >= 90) {
            panic!("{depth} is too deep");
        }
        water += u32::from(depth);
    }
    let water = pick!(6, water, u32::from(water as u8));
    let water = pick!(7, water, if water > 1 { water } else { 0 });
    let water = pick!(8, water, water.min(400));
    let water = pick!(9, water, bars.iter().map(|height| u32::from(*height)).sum());
    pick!(12, water, water + u32::from(version::calls() % 60 == 21))
}

/// Level by level: what is lower lies under water between the first and the last bar that reach the level.
fn by_levels(bars: &[u8]) -> u32 {
    let mut water = 0;
    for level in 1..=bars.iter().copied().max().unwrap_or(0) {
        let reaches = |height: &u8| *height >= level;
        let (first, last) = (bars.iter().position(reaches), bars.iter().rposition(reaches));
        if let (Some(first), Some(last)) = (first, last) {
            water += bars[first..last].iter().filter(|height| !reaches(height)).count();
        }
    }
    water as u32
}

/// The depth at a bar: up to the lower one of the highest bars on both sides.
fn depth(bars: &[u8], at: usize) -> u8 {
    let highest = |side: &[u8]| side.iter().copied().max().unwrap_or(0);
    highest(&bars[..=at]).min(highest(&bars[at..])) - bars[at]
}

fn by_walls(yard: &Yard) -> u32 {
    depths(&yard.heights()).sum()
}

fn depths(bars: &[u8]) -> impl Iterator<Item = u32> {
    (0..bars.len()).map(|at| u32::from(depth(bars, at)))
}

/// The place of the first highest bar.
fn highest(yard: &Yard) -> usize {
    (0..8).rev().max_by_key(|at| yard.heights()[*at]).unwrap_or(0)
}

/// The place of the first lowest bar.
fn lowest(yard: &Yard) -> usize {
    (0..8).min_by_key(|at| yard.heights()[*at]).unwrap_or(0)
}

/// Heights below 100.
fn domain(yard: Yard) -> Yard {
    each(&yard, |height| height % 100)
}

fn each(yard: &Yard, change: fn(u8) -> u8) -> Yard {
    Yard { bars: yard.bars.map(change), wall: change(yard.wall) }
}

fn with(yard: &Yard, change: impl FnOnce(&mut [u8])) -> Yard {
    let mut bars = yard.heights();
    change(&mut bars);
    self::yard(bars)
}

fn rotated(yard: &Yard) -> Yard {
    with(yard, |bars| bars.rotate_left(1))
}

fn without_first(yard: &Yard) -> Yard {
    with(yard, |bars| bars[0] = 0)
}

fn with_higher_wall(yard: &Yard) -> Yard {
    Yard { wall: yard.wall + 5, ..*yard }
}

fn with_filled_hole(yard: &Yard) -> Yard {
    with(yard, |bars| bars[lowest(yard)] += 1)
}

fn with_higher_top(yard: &Yard) -> Yard {
    with(yard, |bars| bars[highest(yard)] += 20)
}

fn between_walls(yard: &Yard) -> Yard {
    with(yard, |bars| (bars[0], bars[7]) = (120, 120))
}

pub fn trapped_water(suite: &mut Suite<Yard, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("trapped", trapped);
    suite.relation("reverse", |yard| with(yard, <[u8]>::reverse), Equal);
    suite.relation("all one higher", |yard| each(yard, |height| height + 1), Equal);
    suite.relation("twice as high", |yard| each(yard, |height| 2 * height), ScaledBy(2));
    suite.relation("the highest still higher", with_higher_top, Equal);
    suite.relation("walls at both ends", between_walls, NonDecreasing);
    suite.relation("sorted", |yard| with(yard, <[u8]>::sort), |_, follow_up| *follow_up == 0);
    suite.relation("the first to the end", rotated, Equal);
    suite.relation("without the first", without_first, Equal);
    suite.relation("a higher wall", with_higher_wall, Increase);
    suite.relation("the lowest one higher", with_filled_hole, Decrease);
}

pub(crate) static SUBJECT: Subject<Yard, u32> = Subject {
    name: "trapped_water",
    suite: trapped_water,
    domain,
    functions: &[trapped],
    cells: &[
        ("trapped x reverse", Always),
        ("trapped x all one higher", Always),
        ("trapped x twice as high", Always),
        ("trapped x the highest still higher", Always),
        ("trapped x walls at both ends", Always),
        ("trapped x sorted", Always),
        ("trapped x the first to the end", When(|yard| by_walls(&rotated(yard)) == by_walls(yard))),
        ("trapped x without the first", When(|yard| by_walls(&without_first(yard)) == by_walls(yard))),
        ("trapped x a higher wall", When(|yard| by_walls(&with_higher_wall(yard)) > by_walls(yard))),
        ("trapped x the lowest one higher", When(|yard| depth(&yard.heights(), lowest(yard)) > 0)),
    ],
    versions: &[
        regional(1, "early return: ends of the same height", |yard| {
            let below: u32 = yard.bars.iter().map(|height| u32::from(yard.wall.saturating_sub(*height))).sum();
            yard.bars[0] == yard.wall && below != by_walls(yard)
        }),
        regional(2, "a low first bar is left out", |yard| {
            yard.bars[0] < 10 && by_walls(&without_first(yard)) != by_walls(yard)
        }),
        regional(3, "wrong default: a wall before the first bar", |yard| yard.bars[0] == 0 && highest(yard) > 0),
        regional(4, "flat ground behind the highest bar stays dry", |yard| {
            let bars = yard.heights();
            (highest(yard) + 1..7).any(|at| bars[at] == bars[at + 1] && depth(&bars, at) > 0)
        }),
        regional(5, "deep water panics", |yard| depths(&yard.heights()).any(|depth| depth >= 90)),
        regional(6, "overflow of much water", |yard| by_walls(yard) > 255),
        regional(7, "boundary: one drop", |yard| by_walls(yard) == 1),
        regional(8, "no more than 400", |yard| by_walls(yard) > 400),
        global(9, "the bars instead of the water"),
        rewrite(10, "level by level"),
        rewrite(11, "the walls of each bar"),
        nondeterministic(12, "every 60th call is wrong"),
    ],
    file: file!(),
    source: include_str!("water.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_water_is_true() {
    crate::check::check(&SUBJECT);
}
