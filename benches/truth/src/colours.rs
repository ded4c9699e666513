//! Lightness and saturation of a colour, in percent; channels beyond their range count as its end.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::{Arbitrary, Result, Unstructured};
use bugornot::{Equal, Increase, ScaledBy, Suite};
use serde::Serialize;

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    pub red: f32,
    pub green: f32,
    pub blue: f32,
}

/// Halves from -10 to 110.
impl<'bytes> Arbitrary<'bytes> for Colour {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> Result<Self> {
        let mut channel = || Ok(f32::from(u8::arbitrary(bytes)? % 241) / 2.0 - 10.0);
        Ok(Self { red: channel()?, green: channel()?, blue: channel()? })
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (3, Some(3))
    }
}

fn lightness(colour: &Colour) -> f32 {
    if version::is(9) {
        return lightness_by_sorting(colour);
    }
    if version::is(10) {
        return from_the_least(colour).0;
    }
    let (least, most) = extremes(colour);
    pick!(8, (least + most) / 2.0, most)
}

fn saturation(colour: &Colour) -> f32 {
    if version::is(9) {
        return saturation_by_sorting(colour);
    }
    if version::is(10) {
        return from_the_least(colour).1;
    }
    let (least, most) = extremes(colour);
    let (sum, chroma) = (least + most, most - least);
    let range = if sum <= pick!(1, 100.0, 150.0) { sum } else { 200.0 - sum };
    if pick!(2, false, sum == 200.0) {
        panic!("division by zero");
    }
    if pick!(3, chroma == 0.0, chroma < 2.0) {
        return 0.0;
    }
    if pick!(4, false, colour.green == 75.0 && chroma > 80.0) {
        return 80.0;
    }
    let chroma = pick!(11, chroma, if version::calls() % 90 == 5 { chroma / 2.0 } else { chroma });
    100.0 * chroma / range
}

/// The least and the largest channel within the range.
fn extremes(colour: &Colour) -> (f32, f32) {
    let [red, green] = [colour.red, colour.green].map(|channel| channel.clamp(0.0, 100.0));
    let blue = pick!(5, colour.blue.clamp(0.0, 100.0), colour.blue.max(0.0));
    let least = pick!(6, red.min(green).min(blue), red.min(green).min(if blue > 60.0 { 100.0 } else { blue }));
    let most = pick!(7, red.max(green).max(blue), strictly_largest(red, green, blue));
    (least, most)
}

/// The channel that is larger than the others; blue where there is none.
fn strictly_largest(red: f32, green: f32, blue: f32) -> f32 {
    match () {
        () if red > green && red > blue => red,
        () if green > red && green > blue => green,
        () => blue,
    }
}

/// The channels within the range, in order.
fn sorted(colour: &Colour) -> [f32; 3] {
    let mut sorted = [colour.red, colour.green, colour.blue].map(|channel| channel.clamp(0.0, 100.0));
    sorted.sort_by(f32::total_cmp);
    sorted
}

fn sum(colour: &Colour) -> f32 {
    sorted(colour)[0] + sorted(colour)[2]
}

fn chroma(colour: &Colour) -> f32 {
    sorted(colour)[2] - sorted(colour)[0]
}

fn lightness_by_sorting(colour: &Colour) -> f32 {
    sum(colour) / 2.0
}

fn saturation_by_sorting(colour: &Colour) -> f32 {
    let chroma = chroma(colour);
    if chroma == 0.0 { 0.0 } else { 100.0 * chroma / (100.0 - (sum(colour) - 100.0).abs()) }
}

/// Both, starting from the least channel and half of what the largest has more.
fn from_the_least(colour: &Colour) -> (f32, f32) {
    let channels = [colour.red, colour.green, colour.blue];
    let least = channels.into_iter().fold(100.0, f32::min).max(0.0);
    let half = channels.into_iter().map(|channel| channel.min(100.0) - least).fold(0.0, f32::max) / 2.0;
    let lightness = least + half;
    let saturation = if half > 0.0 { 100.0 * half / lightness.min(100.0 - lightness) } else { 0.0 };
    (lightness, saturation)
}

fn each(colour: &Colour, change: impl Fn(f32) -> f32) -> Colour {
    Colour { red: change(colour.red), green: change(colour.green), blue: change(colour.blue) }
}

fn any(colour: &Colour, test: impl Fn(f32) -> bool) -> bool {
    [colour.red, colour.green, colour.blue].into_iter().any(test)
}

fn rotated(colour: &Colour) -> Colour {
    Colour { red: colour.green, green: colour.blue, blue: colour.red }
}

fn with_red_as_green(colour: &Colour) -> Colour {
    Colour { red: colour.green, ..*colour }
}

pub fn lightness_and_saturation(suite: &mut Suite<Colour, f32>) {
    SUBJECT.begin(suite);
    suite.function("lightness", lightness);
    suite.function("saturation", saturation);
    suite.relation("rotate", rotated, Equal);
    suite.relation("cut off", |colour| each(colour, |channel| channel.clamp(0.0, 100.0)), Equal);
    suite.relation("invert", |colour| each(colour, |channel| 100.0 - channel), Equal);
    suite.relation("red becomes green", with_red_as_green, Equal);
    suite.relation("half of all", |colour| each(colour, |channel| channel / 2.0), ScaledBy(0.5)).only(["lightness"]);
    suite.relation("ten more of all", |colour| each(colour, |channel| channel + 10.0), Increase).only(["lightness"]);
}

pub(crate) static SUBJECT: Subject<Colour, f32> = Subject {
    name: "lightness_and_saturation",
    suite: lightness_and_saturation,
    domain: |colour| colour,
    functions: &[lightness, saturation],
    cells: &[
        ("lightness x rotate", Always),
        ("lightness x cut off", Always),
        ("lightness x invert", When(|colour| sum(colour) == 100.0)),
        ("lightness x red becomes green", When(|colour| sum(&with_red_as_green(colour)) == sum(colour))),
        ("lightness x half of all", When(|colour| !any(colour, |channel| channel > 100.0))),
        ("lightness x ten more of all", When(|colour| sum(&each(colour, |channel| channel + 10.0)) > sum(colour))),
        ("saturation x rotate", Always),
        ("saturation x cut off", Always),
        ("saturation x invert", Always),
        (
            "saturation x red becomes green",
            When(|colour| saturation_by_sorting(&with_red_as_green(colour)) == saturation_by_sorting(colour)),
        ),
    ],
    versions: &[
        regional(1, "wrong constant: light from 150 on", |colour| {
            chroma(colour) > 0.0 && sum(colour) > 100.0 && sum(colour) <= 150.0
        }),
        regional(2, "white panics", |colour| sum(colour) == 200.0),
        regional(3, "almost grey is grey", |colour| chroma(colour) > 0.0 && chroma(colour) < 2.0),
        regional(4, "a limit for some strong colours", |colour| colour.green == 75.0 && chroma(colour) > 80.0),
        regional(5, "blue is not cut off", |colour| colour.blue > 100.0),
        regional(6, "bright blue is never the least", |colour| {
            colour.blue > 60.0 && colour.blue < colour.red.min(colour.green).min(100.0)
        }),
        regional(7, "ties of red and green are blue", |colour| {
            let [red, green] = [colour.red, colour.green].map(|channel| channel.clamp(0.0, 100.0));
            red == green && red > colour.blue.max(0.0)
        }),
        global(8, "the largest channel only"),
        rewrite(9, "sorts the channels"),
        rewrite(10, "starts from the least channel"),
        nondeterministic(11, "every 90th call is wrong"),
    ],
    file: file!(),
    source: include_str!("colours.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_colours_is_true() {
    crate::check::check(&SUBJECT);
}
