//! What logged values can be read as: found by looking at rows, because nothing else says what types fields have.

use crate::log::{Header, Row, Value};
use std::collections::BTreeMap;

/// The Rust types of fields and parameters by their paths, such as `request.limit`; of an enum, nothing.
pub(super) fn types(rows: &[&Row], header: &Header) -> BTreeMap<String, Option<String>> {
    let mut seen: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in rows {
        let fields = row.names.iter().zip(&row.fields);
        let parameters = header.parameters.iter().zip(&row.parameters);
        fields.chain(parameters).for_each(|(name, value)| visit(name.clone(), value, &mut seen));
    }
    let is_enum = |values: &[&Value]| values.iter().all(|value| matches!(value, Value::Variant(..)));
    let known = |(path, values): (String, Vec<&Value>)| match type_of(&values) {
        Some(known) => Some((path, Some(known))),
        None => is_enum(&values).then_some((path, None)),
    };
    seen.into_iter().filter_map(known).collect()
}

fn visit<'row>(path: String, value: &'row Value, seen: &mut BTreeMap<String, Vec<&'row Value>>) {
    match value {
        Value::Struct(values, names) => {
            let parts = names.names().iter().zip(values);
            parts.for_each(|(name, value)| visit(format!("{path}.{name}"), value, seen));
        }
        Value::Tuple(values) => {
            let parts = values.iter().enumerate();
            parts.for_each(|(index, value)| visit(format!("{path}.{index}"), value, seen));
        }
        _ => seen.entry(path).or_default().push(value),
    }
}

/// Whether a value is of a type.
type Test = fn(&Value) -> bool;

/// The type that all values can be read as.
fn type_of(values: &[&Value]) -> Option<String> {
    let all = |is_it: Test| !values.is_empty() && values.iter().all(|value| is_it(value));
    let plain: [(Test, &str); 6] = [
        (|value| value.integer().is_some(), "i128"),
        // Beside one, a literal is one.
        (|value| matches!(value, Value::F32(_)), "f32"),
        (|value| value.float().is_some(), "f64"),
        (|value| value.truth().is_some(), "bool"),
        (|value| matches!(value, Value::Char(_)), "char"),
        (|value| matches!(value, Value::Text(_)), "String"),
    ];
    if let Some((_, name)) = plain.into_iter().find(|(is_it, _)| all(*is_it)) {
        return Some(name.to_owned());
    }
    if all(|value| matches!(value, Value::None | Value::Some(_))) {
        let inner =
            values.iter().filter_map(|value| if let Value::Some(inner) = value { Some(&**inner) } else { None });
        return Some(format!("Option<{}>", type_of(&inner.collect::<Vec<_>>())?));
    }
    if all(|value| matches!(value, Value::Bytes(_))) {
        return Some("Vec<i128>".to_owned());
    }
    if all(|value| matches!(value, Value::List(_))) {
        let inner = values.iter().flat_map(|value| if let Value::List(items) = value { &items[..] } else { &[] });
        return Some(format!("Vec<{}>", type_of(&inner.collect::<Vec<_>>())?));
    }
    None
}
