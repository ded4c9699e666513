//! About how much memory the values of a row take.

use crate::log::{CellDetail, Detail, Outcome, PanicInfo, Row, Value};

/// What every row takes beside its values, with what the allocator and the map that holds it add.
pub(super) const OF_ANY_ROW: usize = size_of::<Row>() + 64;

pub(super) fn of_values_of(row: &Row) -> usize {
    let lists = of_values(&row.fields) + of_values(&row.parameters);
    row.bytes.len() + row.features.len() + lists + row.detail.as_deref().map_or(0, of_detail)
}

fn of_values(values: &[Value]) -> usize {
    values.iter().map(|value| size_of::<Value>() + beyond(value)).sum()
}

/// What a value takes beside itself.
fn beyond(value: &Value) -> usize {
    let names = |names: &[String]| names.iter().map(|name| size_of::<String>() + name.len()).sum::<usize>();
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Some(value) => size_of::<Value>() + beyond(value),
        Value::List(values) | Value::Tuple(values) => of_values(values),
        Value::Struct(values, shape) => of_values(values) + names(shape.names()),
        Value::Map(entries) => {
            entries.iter().map(|(key, value)| size_of::<(Value, Value)>() + beyond(key) + beyond(value)).sum()
        }
        Value::Variant(value, shape) => size_of::<Value>() + beyond(value) + names(shape.names()),
        _ => 0,
    }
}

fn of_detail(detail: &Detail) -> usize {
    let unsound = detail.unsound.iter().map(|unsound| of_outcome(&unsound.first) + of_outcome(&unsound.second));
    let cells = detail.cells.iter().map(of_cell);
    size_of::<Detail>() + detail.sources.iter().map(of_outcome).chain(cells).chain(unsound).sum::<usize>()
}

fn of_cell(cell: &CellDetail) -> usize {
    let outcomes = cell.outcomes.iter().map(of_outcome).sum::<usize>();
    size_of::<CellDetail>() + of_values(&cell.inputs) + outcomes + cell.harness.as_ref().map_or(0, of_panic)
}

fn of_outcome(outcome: &Outcome) -> usize {
    let beyond = match outcome {
        Outcome::Output(value) => beyond(value),
        Outcome::Panicked(panic) => of_panic(panic),
        Outcome::Unknown => 0,
    };
    size_of::<Outcome>() + beyond
}

fn of_panic(panic: &PanicInfo) -> usize {
    panic.message.len() + panic.location.len()
}
