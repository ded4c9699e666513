//! What a condition can ask beside the typed input: parameters, the suite's own features, and fields that cannot be named
//! outside their module.

use crate::log::{Header, Row, Value};

/// One judged input, as a log would keep it.
pub struct Seen<'run> {
    pub(super) row: &'run Row,
    pub(super) header: &'run Header,
}

impl Seen<'_> {
    /// A parameter or a field by its name in the log, such as `a` or `request.limit`.
    ///
    /// # Panics
    /// If there is no such value of this type; a test does not count inputs about which its condition panics.
    pub fn get<T: FromValue>(&self, name: &str) -> T {
        let Some(value) = self.value(name) else { panic!("the input has no `{name}`") };
        T::from_value(value)
            .unwrap_or_else(|| panic!("`{name}` is `{value}`, which is not of the type that is asked for"))
    }

    /// Whether a field is this variant of its enum.
    ///
    /// # Panics
    /// As for [`get`](Self::get).
    pub fn is_variant(&self, name: &str, variant: &str) -> bool {
        match self.value(name) {
            Some(Value::Variant(_, names)) => names.names().first().is_some_and(|known| known == variant),
            _ => panic!("the input has no enum `{name}`"),
        }
    }

    /// What a feature of the suite's own says, by its text.
    ///
    /// # Panics
    /// If there is no such feature, or it panics itself.
    pub fn observed(&self, text: &str) -> bool {
        let position = self.header.features.iter().position(|feature| feature == text);
        let said = position.and_then(|position| self.row.features.get(position).copied().flatten());
        said.unwrap_or_else(|| panic!("the suite does not say whether `{text}`"))
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let mut parts = name.split('.');
        let root = parts.next()?;
        let position = |names: &[String]| names.iter().position(|known| known == root);
        let field = position(&self.row.names).and_then(|position| self.row.fields.get(position));
        let parameter = || position(&self.header.parameters).and_then(|position| self.row.parameters.get(position));
        parts.try_fold(field.or_else(parameter)?, |whole, part| match whole {
            Value::Struct(values, names) => {
                names.names().iter().position(|known| known == part).and_then(|at| values.get(at))
            }
            Value::Tuple(values) => part.parse::<usize>().ok().and_then(|at| values.get(at)),
            _ => None,
        })
    }
}

/// What a logged value can be read as: `i128`, `f32`, `f64`, `bool`, `char`, `String`, and options and lists of these.
pub trait FromValue: Sized {
    /// The value, if it is of this type.
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for i128 {
    fn from_value(value: &Value) -> Option<Self> {
        value.integer()
    }
}

impl FromValue for f32 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::F32(bytes) => Some(Self::from_le_bytes(*bytes)),
            _ => None,
        }
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        value.float()
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        value.truth()
    }
}

impl FromValue for char {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Char(bytes) => Self::from_u32(u32::from_le_bytes(*bytes)),
            _ => None,
        }
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::None => Some(None),
            Value::Some(inner) => T::from_value(inner).map(Some),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::List(values) => values.iter().map(T::from_value).collect(),
            Value::Bytes(bytes) => bytes.iter().map(|&byte| T::from_value(&Value::of_integer(byte.into()))).collect(),
            _ => None,
        }
    }
}
