//! One execution in full, outside a segment: what a replay is told, in this process or by another one.
//!
//! Unlike the rows of a log, it is never left out: no repeat is only counted, no budget thins it, and follow-ups and
//! outputs are always there.

use super::{
    Header, Phase, Row, Shape, Value, codec,
    encode::Encoder,
    live,
    reader::split,
    value::{KnownShapes, with_shapes},
};
use std::sync::Arc;

/// What an execution left behind, encoded as far as it can be.
pub(crate) struct ToldParts<'run> {
    /// The raw bytes that were used.
    pub(crate) bytes: &'run [u8],
    /// How many values the encoder holds, and the shape of the fields.
    pub(crate) values: (usize, u32),
    /// The codes of the verdicts.
    pub(crate) verdicts: &'run [u8],
    /// An encoded [`Detail`](super::Detail).
    pub(crate) detail: &'run [u8],
    /// What holds the values and knows all shapes.
    pub(crate) encoder: &'run Encoder,
}

/// Writes an execution down.
pub(crate) fn write(parts: &ToldParts<'_>) -> Vec<u8> {
    let ToldParts { encoder, values: (count, shape), .. } = parts;
    let names = |number: u32| encoder.shapes.names(number).iter().map(|&name| name.to_owned()).collect();
    let mut numbers = encoder.shapes_used.clone();
    numbers.push(*shape);
    let shapes: Vec<Shape> = numbers.into_iter().map(|number| Shape { number, names: names(number) }).collect();
    let mut told = codec::encode(&(shapes, shape));
    codec::push_bytes(&mut told, parts.verdicts);
    codec::push_bytes(&mut told, parts.bytes);
    codec::push_varint(&mut told, *count as u64);
    told.extend_from_slice(&encoder.bytes);
    told.extend_from_slice(parts.detail);
    told
}

/// Reads what [`write`] wrote; nothing if it makes no sense.
pub(crate) fn read(mut told: &[u8], header: &Header) -> Option<Row> {
    let (shapes, shape): (Vec<Shape>, u32) = codec::take(&mut told)?;
    let mut shapes: KnownShapes = shapes.into_iter().map(|shape| (shape.number, shape.names.into())).collect();
    let codes: Vec<u8> = codec::take(&mut told)?;
    let bytes = codec::take(&mut told)?;
    let (mut values, detail) = with_shapes(&mut shapes, || {
        let values: Vec<Value> = codec::take(&mut told)?;
        Some((values, codec::take(&mut told)?))
    })?;
    let verdicts: Option<Arc<[_]>> = codes.iter().map(|&code| live::decode(code).ok()).collect();
    let verdicts = verdicts.filter(|verdicts| told.is_empty() && verdicts.len() == header.cells.len())?;
    let (parameters, features) = split(&mut values, header)?;
    let names = shapes.get(&shape).filter(|names| names.len() == values.len()).cloned()?;
    let detail = Some(Box::new(detail));
    Some(Row {
        id: 0,
        phase: Phase::Replay,
        bytes,
        names,
        fields: values,
        parameters,
        features,
        verdicts,
        weight: 1,
        detail,
        death: None,
    })
}
