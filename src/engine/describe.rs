//! What describes a suite and its build: the header of its segments.

use super::{Facts, Settings, settings};
use crate::{
    Input, Output, hash,
    judge::{Guarded, Judge},
    log::{FORMAT, Header, RelationInfo, encode::Encoder},
};
use arbitrary::Unstructured;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The header of every segment that this build of the suite writes.
pub(super) fn describe<In: Input, Out: Output>(judge: &Judge<In, Out>, settings: &Settings, facts: &Facts) -> Header {
    let suite = &judge.suite;
    let fields = typical_fields(judge);
    let mut types = format!("{} -> {}", std::any::type_name::<In>(), std::any::type_name::<Out>());
    types.push_str(&fields.join(","));
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        suite: suite.name().into(),
        seed: settings.seed,
        functions: suite.functions.iter().map(|function| function.name.clone()).collect(),
        relations: suite
            .relations
            .iter()
            .map(|relation| RelationInfo {
                name: relation.name.clone(),
                description: relation.description.clone(),
                expected: relation.expected.clone(),
                has_precondition: !relation.when.is_empty(),
            })
            .collect(),
        cells: judge.cells.iter().map(|cell| (cell.function as u16, cell.relation as u16)).collect(),
        constants: suite.constants.clone(),
        fields,
        parameters: suite.parameter_names().map(str::to_owned).collect(),
        features: suite.features.iter().map(|feature| feature.text.clone()).collect(),
        build: settings::build(facts, hash::of_bytes(types.as_bytes(), 0)),
    }
}

/// The fields of the input that a few zeros decode to.
fn typical_fields<In: Input, Out: Output>(judge: &Judge<In, Out>) -> Vec<String> {
    let _guarded = Guarded::begin();
    let decode = || In::arbitrary_take_rest(Unstructured::new(&[0; 256])).ok();
    let Some(input) = catch_unwind(AssertUnwindSafe(decode)).ok().flatten() else { return Vec::new() };
    let mut encoder = Encoder::default();
    let encode = || encoder.fields(&input, &judge.suite.names, &[]).1;
    let Ok(shape) = catch_unwind(AssertUnwindSafe(encode)) else { return Vec::new() };
    encoder.shapes.names(shape).iter().map(|&name| name.to_owned()).collect()
}
