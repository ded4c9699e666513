//! Follow-up inputs as rows: what a function was run on, whatever its role.

use crate::log::{Header, Row, Value};
use std::sync::Arc;

/// A follow-up input as a row with the fields of its source; nothing if it is of another shape, or could not be logged.
pub(super) fn as_row(source: &Row, follow_up: &Value) -> Option<Row> {
    let (names, fields): (Arc<[String]>, Vec<Value>) = match follow_up {
        Value::Unit if source.fields != [Value::Unit] => return None,
        Value::Struct(values, names) => (names.names().into(), values.clone()),
        Value::Tuple(values) if values.len() == source.names.len() => (source.names.clone(), values.clone()),
        value if source.names.len() == 1 => (source.names.clone(), vec![value.clone()]),
        _ => return None,
    };
    (names.len() == fields.len()).then(|| Row {
        names,
        fields,
        bytes: Vec::new(),
        features: Vec::new(),
        verdicts: Arc::default(),
        detail: None,
        death: None,
        parameters: source.parameters.clone(),
        ..*source
    })
}

/// A follow-up input as its source is written.
pub(super) fn text(header: &Header, source: &Row, follow_up: &Value) -> String {
    as_row(source, follow_up).map_or_else(|| follow_up.to_string(), |row| row.input_text(header))
}

/// Whether a follow-up input is the source input.
pub(super) fn is_source(source: &Row, follow_up: &Value) -> bool {
    match follow_up {
        Value::Struct(values, _) | Value::Tuple(values) if values.len() == source.fields.len() => {
            *values == source.fields
        }
        value => matches!(&source.fields[..], [field] if field == value),
    }
}
