//! Where the exceptions to a condition lie: beside its boundary, where a constant that is off by little explains them, or
//! far from it.

use crate::{
    explain::Written,
    feature::Look,
    log::{Row, Value},
};

/// A whole number that is moved by so little has hardly moved.
const STEPS: [i128; 4] = [-1, 1, -2, 2];
/// A float that is moved by such a share of itself has hardly moved.
const SHARE: f64 = 1e-6;

/// Some exceptions to a condition, and how many of them lie beside its boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Border {
    pub(super) looked_at: u64,
    pub(super) beside: u64,
}

pub(super) fn of_exceptions(written: &Written) -> Border {
    let beside = written.exceptions.iter().filter(|(_, row)| is_beside(written, row)).count();
    Border { looked_at: written.exceptions.len() as u64, beside: beside as u64 }
}

/// Whether the condition says something else of an input that differs by little in one number.
fn is_beside(written: &Written, row: &Row) -> bool {
    let says = |row: &Row| written.condition.is_violated(&Look::new(&written.frame, row));
    let here = says(row);
    let mut moved = row.clone();
    row.fields.iter().enumerate().any(|(position, field)| {
        let is_other = neighbours(field).into_iter().any(|neighbour| {
            moved.fields[position] = neighbour;
            says(&moved) != here
        });
        moved.fields[position] = field.clone();
        is_other
    })
}

fn neighbours(value: &Value) -> Vec<Value> {
    if let Some(integer) = value.integer() {
        return STEPS.iter().filter_map(|step| integer.checked_add(*step)).map(Value::of_integer).collect();
    }
    value.float().map_or_else(Vec::new, |float| {
        let step = (float * SHARE).abs().max(f64::MIN_POSITIVE);
        [float - step, float + step].map(|float| Value::F64(float.to_le_bytes())).to_vec()
    })
}
