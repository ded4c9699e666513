//! Whatever is asked of values of any type: what is written down means what was asked.

use super::*;
use crate::{
    Suite,
    engine::{Execute, Settings, Target},
    expression::Expression,
    hash,
    log::{Header, Log, Phase, Row, Value},
};
use arbitrary::Arbitrary;
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
struct Span {
    from: u8,
    to: u8,
}

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
enum Shape {
    Point,
    Circle(i8),
    Named { name: String },
    Rect(i8, i8),
}

/// What two fields can be alike in, name by name.
#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
struct Twin {
    level: Option<i8>,
    marks: Vec<u8>,
    shape: Shape,
    spans: Vec<Span>,
}

type Cubes<T> = Vec<Vec<Vec<T>>>;

/// A field of every kind, and lists of most.
#[derive(Arbitrary, Serialize, Clone, Debug)]
struct Everything {
    weights: Vec<Weight>,
    weights_too: Vec<Weight>,
    truth: bool,
    whole: i8,
    wide: u64,
    real: f32,
    letter: char,
    text: String,
    words: String,
    maybe: Option<i16>,
    shape: Shape,
    span: Span,
    pair: (u8, bool),
    bytes: Vec<u8>,
    reals: Vec<f32>,
    truths: Vec<bool>,
    letters: Vec<char>,
    texts: Vec<String>,
    spans: Vec<Span>,
    pairs: Vec<(i8, i8)>,
    maybes: Vec<Option<u8>>,
    shapes: Vec<Shape>,
    map: BTreeMap<u8, i8>,
    left: Twin,
    right: Twin,
    // Names that statements use themselves.
    c: String,
    i: Vec<u8>,
    x: Vec<Span>,
    a: Vec<f32>,
    r#type: Option<u8>,
    circle: i8,
    i_min: i8,
    x_from_max: i8,
    wide_numbers: Vec<u128>,
    real_too: f32,
    // Too long and too deep for names made of all words.
    lists_in_lists_in_lists_in_lists_in_lists: Cubes<Cubes<Cubes<Span>>>,
}

/// What is equal by its numbers, not by its bits.
#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
struct Weight {
    grams: f32,
}

/// Bytes that follow from a seed; small ones are more frequent, so that parts are often equal.
fn bytes(seed: u64) -> Vec<u8> {
    let random = |place: u64| hash::of_bytes(&place.to_le_bytes(), seed);
    (0..random(u64::MAX) % 300).map(|place| (random(place) as u8) >> (random(!place) % 8)).collect()
}

/// One of the floats that are unlike others, or one that is not.
fn odd(real: f32, choice: u8) -> f32 {
    [f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1.0].get(usize::from(choice % 16)).copied().unwrap_or(real)
}

fn rows() -> (Arc<Header>, Vec<Row>) {
    let declare = |suite: &mut Suite<Everything, u8>| {
        suite.normalise(|input| {
            let weighed = |weights: Vec<Weight>, choice: u8| {
                let one = |Weight { grams }| Weight { grams: odd(grams, choice % 4) };
                weights.into_iter().take(2).map(one).collect()
            };
            let reals = input.reals.iter().zip(&input.bytes).map(|(&real, byte)| odd(real, *byte)).collect();
            Everything {
                words: input.words.replace('\0', " a"),
                reals,
                real: odd(input.real, input.pair.0),
                real_too: odd(input.real_too, input.i_min as u8),
                weights: weighed(input.weights, input.pair.0),
                weights_too: weighed(input.weights_too, input.pair.0 / 4),
                lists_in_lists_in_lists_in_lists_in_lists: vec![vec![vec![vec![vec![vec![vec![vec![
                    input.spans.clone(),
                ]]]]]]]],
                ..input
            }
        });
        // Called as what is measured would be.
        let _ = suite.constant("bytes_min", 7..=7);
        // Called as a field, which is what the name then means.
        let _ = suite.constant("circle", 5..=5);
        suite.function("f", |_| 0);
        suite.relation("same", Clone::clone, crate::Equal);
    };
    logged(declare)
}

/// What a suite logs of some inputs.
fn logged<In: crate::Input>(declare: impl Fn(&mut Suite<In, u8>)) -> (Arc<Header>, Vec<Row>) {
    let place = tempfile::tempdir().unwrap();
    let settings = Settings::new(Some(place.path().to_owned()), 1);
    let mut target = Target::new("s", declare, settings, &crate::__facts!()).unwrap();
    (0..150).for_each(|seed| _ = target.step(&bytes(seed), Phase::Fuzz));
    drop(target);
    let log = Log::open(place.path()).unwrap();
    let rows = log.segments.iter().flat_map(|segment| segment.rows().unwrap()).collect();
    (log.segments[0].header().clone(), rows)
}

#[test]
fn what_is_written_means_what_was_asked() {
    let (header, rows) = rows();
    let all: Vec<&Row> = rows.iter().collect();
    let frame = Frame::new(&all, &header, Scope::Input);
    let violated = Bits::from_fn(all.len(), |row| hash::of_bytes(&[row as u8, (row >> 8) as u8], 3).is_multiple_of(3));
    let held = Bits::from_fn(all.len(), |row| !violated.get(row));
    let learned = learn(&frame, &violated, &held);
    let looks: Vec<Look<'_, '_>> = all.iter().map(|row| Look::new(&frame, row)).collect();
    let mut wrong = Vec::new();
    for (predicate, bits) in frame.base.iter().chain(&learned.predicates) {
        for is_true in [true, false] {
            let literal = Literal { predicate: predicate.clone(), is_true };
            let text = literal.write(&frame, &frame.constants);
            let read = Expression::parse(&text, &header);
            let is_wrong = |&row: &usize| {
                let asked = literal.test(&looks[row]);
                asked != (bits.get(row) == is_true) || !read.as_ref().is_ok_and(|read| read.test(all[row]) == Ok(asked))
            };
            if let Some(row) = (0..all.len()).find(is_wrong) {
                wrong.push(format!("{text}: {:?} of {:?}", read.map(|read| read.test(all[row])), all[row].fields));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), frame.base.len(), wrong.join("\n"));
}

/// A field called as what a cell makes of inputs, and one called as a parameter.
#[derive(Arbitrary, Serialize, Clone, Debug)]
struct Called {
    output: u8,
    follow_up: u8,
    step: u8,
}

#[test]
fn a_field_called_output_is_told_from_the_output() {
    let (header, rows) = logged(|suite: &mut Suite<Called, u8>| {
        let step = suite.parameter("step", 100..=200u8);
        suite.function("f", |input| input.output / 2);
        suite.relation("next", move |input| Called { step: input.step.max(step.get()), ..input.clone() }, crate::Equal);
    });
    let all: Vec<&Row> = rows.iter().collect();
    let frame = Frame::new(&all, &header, Scope::Output(0));
    let roots = (0..frame.tree.nodes.len()).filter(|&node| frame.tree.nodes[node].parent.is_none());
    let (names, roots): (Vec<String>, Vec<usize>) = roots.map(|root| (frame.tree.place(root).expression, root)).unzip();
    assert_eq!(names, ["output", "follow_up", "step", "the_follow_up", "the_output", "follow_up_output"]);
    for row in all.into_iter().filter(|row| row.detail.is_some()) {
        let values: Vec<Option<&Value>> = roots.iter().map(|&root| frame.values(row)[root]).collect();
        assert_eq!(values[..3], [Some(&row.fields[0]), Some(&row.fields[1]), Some(&row.fields[2])]);
        let half = row.fields[0].integer().unwrap() / 2;
        assert_eq!(values[4].and_then(Value::integer), Some(half));
    }
}
