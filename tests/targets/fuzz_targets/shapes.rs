//! Inputs of every shape, with parameters and own features: what an engine could decode differently.
#![no_main]

use arbitrary::Arbitrary;
use bugornot::{Equal, NonDecreasing, Suite, any, observe};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub enum Kind {
    Plain,
    Sized { width: u16, height: Option<i8> },
    Tagged(String, bool),
}

#[derive(Arbitrary, Serialize, Clone, Debug)]
pub struct Request {
    pub name: String,
    pub kind: Kind,
    pub limit: Option<u32>,
    pub weights: Vec<f64>,
    pub tags: BTreeMap<char, i16>,
    pub bytes: Vec<u8>,
}

fn size(request: &Request) -> usize {
    request.name.len() + request.weights.len() + request.tags.len() + request.bytes.len()
}

pub fn shapes(suite: &mut Suite<Request, f64>) {
    let by = suite.parameter("by", 0..=9u8);
    let mask = suite.parameter("mask", any::<(u16, bool)>());
    suite.function("size", |request| size(request) as f64);
    suite.function("weight", |request| request.weights.iter().sum());
    suite.function("index", |request| f64::from(request.bytes[request.name.len()]));

    suite.relation(
        "reverse",
        |request| {
            let mut other = request.clone();
            other.weights.reverse();
            other.bytes.reverse();
            other
        },
        Equal,
    );
    suite.relation(
        "append",
        move |request| {
            let mut other = request.clone();
            other.bytes.extend(std::iter::repeat_n(mask.get().0 as u8, usize::from(by.get())));
            (by.get() > 0).then_some(other)
        },
        NonDecreasing,
    );
    observe!(suite, |request| request.name.is_ascii());
    observe!(suite, |request| matches!(request.kind, Kind::Plain));
}

bugornot::fuzz!(shapes);
