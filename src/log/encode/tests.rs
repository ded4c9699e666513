//! The encoder held against bincode's own encoding of the values it stands for.

use super::*;
use crate::log::value::{KnownShapes, MAX_DEPTH, Names, Value, with_shapes};
use proptest::{collection, option, prelude::*};
use serde::ser::{
    self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleVariant,
    Serializer,
};

/// Encodes and decodes at once.
fn to_value(value: &dyn Encode) -> Value {
    let mut encoder = Encoder::default();
    value.encode(&mut encoder);
    codec::decode(&encoder.bytes).unwrap_or(Value::Unit)
}

/// Names as serde gives them; more than one struct may have the same.
const NAMES: [&str; 4] = ["a", "b", "limit", "ключ"];

/// Anything a user's `Serialize` can do.
#[derive(Clone, Debug)]
enum Model {
    Unit,
    Truth(bool),
    Signed(i128),
    Unsigned(u128),
    Single(u32),
    Double(u64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    Option(Option<Box<Model>>),
    List(Vec<Model>),
    Tuple(Vec<Model>),
    Struct(Vec<(usize, Model)>),
    Map(Vec<(Model, Model)>),
    UnitVariant(usize),
    NewtypeVariant(usize, Box<Model>),
    TupleVariant(usize, Vec<Model>),
    StructVariant(usize, Vec<(usize, Model)>),
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unit => serializer.serialize_unit(),
            Self::Truth(value) => serializer.serialize_bool(*value),
            Self::Signed(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_i128(*value),
            },
            Self::Unsigned(value) => match u64::try_from(*value) {
                Ok(value) => serializer.serialize_u64(value),
                Err(_) => serializer.serialize_u128(*value),
            },
            Self::Single(bits) => serializer.serialize_f32(f32::from_bits(*bits)),
            Self::Double(bits) => serializer.serialize_f64(f64::from_bits(*bits)),
            Self::Char(value) => serializer.serialize_char(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Bytes(value) => serializer.serialize_bytes(value),
            Self::Option(None) => serializer.serialize_none(),
            Self::Option(Some(value)) => serializer.serialize_some(value),
            Self::List(values) => {
                let mut parts = serializer.serialize_seq(None)?;
                values.iter().try_for_each(|value| parts.serialize_element(value))?;
                parts.end()
            }
            Self::Tuple(values) => {
                let mut parts = serializer.serialize_tuple(values.len())?;
                values.iter().try_for_each(|value| parts.serialize_element(value))?;
                parts.end()
            }
            Self::Struct(fields) => {
                let mut parts = serializer.serialize_struct("Struct", fields.len())?;
                fields.iter().try_for_each(|(name, value)| parts.serialize_field(NAMES[*name], value))?;
                parts.end()
            }
            Self::Map(entries) => {
                let mut parts = serializer.serialize_map(None)?;
                entries.iter().try_for_each(|(key, value)| parts.serialize_entry(key, value))?;
                parts.end()
            }
            Self::UnitVariant(name) => serializer.serialize_unit_variant("Enum", 0, NAMES[*name]),
            Self::NewtypeVariant(name, value) => serializer.serialize_newtype_variant("Enum", 0, NAMES[*name], value),
            Self::TupleVariant(name, values) => {
                let mut parts = serializer.serialize_tuple_variant("Enum", 0, NAMES[*name], values.len())?;
                values.iter().try_for_each(|value| SerializeTupleVariant::serialize_field(&mut parts, value))?;
                parts.end()
            }
            Self::StructVariant(name, fields) => {
                let mut parts = serializer.serialize_struct_variant("Enum", 0, NAMES[*name], fields.len())?;
                fields.iter().try_for_each(|(name, value)| {
                    SerializeStructVariant::serialize_field(&mut parts, NAMES[*name], value)
                })?;
                parts.end()
            }
        }
    }
}

fn model() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        Just(Model::Unit),
        any::<bool>().prop_map(Model::Truth),
        (any::<i128>(), 0..128u32).prop_map(|(value, shift)| Model::Signed(value >> shift)),
        (any::<u128>(), 0..128u32).prop_map(|(value, shift)| Model::Unsigned(value >> shift)),
        any::<u32>().prop_map(Model::Single),
        any::<u64>().prop_map(Model::Double),
        any::<char>().prop_map(Model::Char),
        any::<String>().prop_map(Model::Text),
        collection::vec(any::<u8>(), 0..300).prop_map(Model::Bytes),
        (0..NAMES.len()).prop_map(Model::UnitVariant),
    ];
    leaf.prop_recursive(5, 300, 8, |inner| {
        let several = || collection::vec(inner.clone(), 0..6);
        let fields = || collection::vec((0..NAMES.len(), inner.clone()), 0..6);
        prop_oneof![
            option::of(inner.clone().prop_map(Box::new)).prop_map(Model::Option),
            several().prop_map(Model::List),
            // More parts than fit the one byte that is put down for their number.
            (inner.clone(), 250..254usize).prop_map(|(value, count)| Model::List(vec![value; count])),
            several().prop_map(Model::Tuple),
            fields().prop_map(Model::Struct),
            collection::vec((inner.clone(), inner.clone()), 0..6).prop_map(Model::Map),
            (0..NAMES.len(), inner.clone()).prop_map(|(name, value)| Model::NewtypeVariant(name, value.into())),
            (0..NAMES.len(), several()).prop_map(|(name, values)| Model::TupleVariant(name, values)),
            (0..NAMES.len(), fields()).prop_map(|(name, fields)| Model::StructVariant(name, fields)),
        ]
    })
}

/// What the encoder's bytes stand for.
fn decoded(encoder: &Encoder) -> Value {
    let named = |(number, names): (u32, &Vec<&str>)| (number, names.iter().map(|&name| name.to_owned()).collect());
    let mut shapes: KnownShapes = (0..).zip(&encoder.shapes.known).map(named).collect();
    with_shapes(&mut shapes, || codec::decode(&encoder.bytes)).expect("what was encoded decodes")
}

/// Whether `value` is what `model` said, names included.
fn says(value: &Value, model: &Model) -> bool {
    let all = |values: &[Value], models: &[Model]| {
        values.len() == models.len() && values.iter().zip(models).all(|(value, model)| says(value, model))
    };
    let fields = |values: &[Value], names: &Names, models: &[(usize, Model)]| {
        let (said, models): (Vec<&str>, Vec<Model>) =
            models.iter().map(|(name, model)| (NAMES[*name], model.clone())).unzip();
        names.names() == said && all(values, &models)
    };
    match (value, model) {
        (Value::Unit, Model::Unit) | (Value::None, Model::Option(None)) => true,
        (Value::True | Value::False, Model::Truth(truth)) => value.truth() == Some(*truth),
        (_, Model::Signed(integer)) => value.integer() == Some(*integer),
        (Value::U128(bytes), Model::Unsigned(integer)) => u128::from_le_bytes(*bytes) == *integer,
        (_, Model::Unsigned(integer)) => value.integer().and_then(|value| value.try_into().ok()) == Some(*integer),
        (Value::F32(bytes), Model::Single(bits)) => u32::from_le_bytes(*bytes) == *bits,
        (Value::F64(bytes), Model::Double(bits)) => u64::from_le_bytes(*bytes) == *bits,
        (Value::Char(bytes), Model::Char(letter)) => u32::from_le_bytes(*bytes) == u32::from(*letter),
        (Value::Text(text), Model::Text(said)) => text == said,
        (Value::Bytes(bytes), Model::Bytes(said)) => bytes == said,
        (Value::Some(value), Model::Option(Some(model))) => says(value, model),
        (Value::List(values), Model::List(models)) | (Value::Tuple(values), Model::Tuple(models)) => {
            all(values, models)
        }
        (Value::Struct(values, names), Model::Struct(models)) => fields(values, names, models),
        (Value::Map(entries), Model::Map(models)) => {
            let (keys, values): (Vec<_>, Vec<_>) = entries.iter().cloned().unzip();
            let (key_models, value_models): (Vec<_>, Vec<_>) = models.iter().cloned().unzip();
            all(&keys, &key_models) && all(&values, &value_models)
        }
        (Value::Variant(content, names), variant) => {
            let (name, is_content) = match (&**content, variant) {
                (Value::Unit, Model::UnitVariant(name)) => (name, true),
                (value, Model::NewtypeVariant(name, model)) => (name, says(value, model)),
                (Value::Tuple(values), Model::TupleVariant(name, models)) => (name, all(values, models)),
                (Value::Struct(values, inner), Model::StructVariant(name, models)) => {
                    (name, fields(values, inner, models))
                }
                _ => return false,
            };
            is_content && names.names() == [NAMES[*name], "Enum"]
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn the_encoder_writes_what_the_codec_writes_for_the_value_it_stands_for(models in collection::vec(model(), 1..4)) {
        let mut encoder = Encoder::default();
        for model in &models {
            encoder.clear();
            model.encode(&mut encoder);
            let value = decoded(&encoder);
            prop_assert_eq!(&codec::encode(&value), &encoder.bytes);
            prop_assert!(says(&value, model), "{value:?} is not {model:?}");
            let mut appended = vec![7];
            encoder.append_to(&mut appended, model);
            prop_assert_eq!(&appended[1..], &encoder.bytes[..]);
        }
    }

    #[test]
    fn every_shape_that_the_bytes_mention_is_noted_once(model in model()) {
        let mut encoder = Encoder::default();
        model.encode(&mut encoder);
        let mut mentioned = Vec::new();
        mention(&decoded(&encoder), &mut mentioned);
        mentioned.sort_unstable();
        mentioned.dedup();
        encoder.shapes_used.sort_unstable();
        prop_assert_eq!(&encoder.shapes_used, &mentioned);
    }
}

fn mention(value: &Value, shapes: &mut Vec<u32>) {
    match value {
        Value::Some(value) => mention(value, shapes),
        Value::List(values) | Value::Tuple(values) => values.iter().for_each(|value| mention(value, shapes)),
        Value::Struct(values, names) => {
            values.iter().for_each(|value| mention(value, shapes));
            shapes.push(names.number);
        }
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            mention(key, shapes);
            mention(value, shapes);
        }),
        Value::Variant(value, names) => {
            mention(value, shapes);
            shapes.push(names.number);
        }
        _ => {}
    }
}

#[test]
fn the_tags_are_the_positions_of_the_variants() {
    let nested = || Box::new(Value::Unit);
    let tags = [
        (tag::UNIT, Value::Unit),
        (tag::FALSE, Value::False),
        (tag::TRUE, Value::True),
        (tag::I8, Value::I8(0)),
        (tag::I16, Value::I16([0; 2])),
        (tag::I32, Value::I32([0; 4])),
        (tag::I64, Value::I64([0; 8])),
        (tag::I128, Value::I128([0; 16])),
        (tag::U128, Value::U128([0; 16])),
        (tag::F32, Value::F32([0; 4])),
        (tag::F64, Value::F64([0; 8])),
        (tag::CHAR, Value::Char([0; 4])),
        (tag::TEXT, Value::Text(String::new())),
        (tag::BYTES, Value::Bytes(Vec::new())),
        (tag::NONE, Value::None),
        (tag::SOME, Value::Some(nested())),
        (tag::LIST, Value::List(Vec::new())),
        (tag::TUPLE, Value::Tuple(Vec::new())),
        (tag::STRUCT, Value::Struct(Vec::new(), Names::default())),
        (tag::MAP, Value::Map(Vec::new())),
        (tag::VARIANT, Value::Variant(nested(), Names::default())),
    ];
    for (position, (tag, value)) in tags.iter().enumerate() {
        assert_eq!(usize::from(*tag), position, "{value:?}");
        assert_eq!(codec::encode(value)[0], *tag, "{value:?}");
    }
}

#[test]
fn the_deepest_value_that_is_written_can_be_read_and_the_next_is_unit() {
    let nest = |depth: usize, wrap: fn(Box<Model>) -> Model| {
        let model = (0..depth).fold(Model::Truth(true), |model, _| wrap(Box::new(model)));
        to_value(&model)
    };
    let wraps: [fn(Box<Model>) -> Model; 5] = [
        |model| Model::Option(Some(model)),
        |model| Model::List(vec![*model]),
        |model| Model::Struct(vec![(0, *model)]),
        |model| Model::Map(vec![(Model::Unit, *model)]),
        |model| Model::NewtypeVariant(0, model),
    ];
    for wrap in wraps {
        assert_ne!(nest(MAX_DEPTH, wrap), Value::Unit);
        assert_eq!(nest(MAX_DEPTH + 1, wrap), Value::Unit);
    }
    // These two nest twice in one step.
    let wraps: [fn(Box<Model>) -> Model; 2] =
        [|model| Model::TupleVariant(0, vec![*model]), |model| Model::StructVariant(0, vec![(0, *model)])];
    for wrap in wraps {
        assert_ne!(nest(MAX_DEPTH / 2, wrap), Value::Unit);
        assert_eq!(nest(MAX_DEPTH / 2 + 1, wrap), Value::Unit);
    }
}

#[test]
fn bytes_that_nest_deeper_than_any_writer_nests_are_refused() {
    for (tag, behind) in [(tag::SOME, &[][..]), (tag::LIST, &[1][..]), (tag::MAP, &[1, tag::UNIT][..])] {
        let mut bytes = [&[tag][..], behind].concat().repeat(1 << 20);
        bytes.push(tag::UNIT);
        assert_eq!(codec::take::<Value>(&mut &*bytes), None);
    }
    // The refusal leaves nothing behind.
    assert_eq!(codec::decode(&[tag::SOME, tag::TRUE]), Some(Value::Some(Box::new(Value::True))));
}

#[test]
fn what_cannot_be_serialised_is_unit_and_the_next_value_is_whole() {
    struct Refuses;
    impl Serialize for Refuses {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(ser::Error::custom("no"))
        }
    }
    #[derive(Serialize)]
    struct Part {
        fine: u8,
        refused: Refuses,
    }
    let mut encoder = Encoder::default();
    assert_eq!(encoder.fields(&Part { fine: 1, refused: Refuses }, &[], &[]).0, 1);
    assert_eq!(encoder.bytes, [tag::UNIT]);
    #[derive(Serialize)]
    struct Whole {
        fine: u8,
    }
    encoder.clear();
    let (count, shape) = encoder.fields(&Whole { fine: 1 }, &[], &[]);
    assert_eq!((count, encoder.shapes.names(shape)), (1, &["fine"][..]));
}

#[test]
fn a_value_is_shown_on_one_line_whatever_it_holds() {
    let shown = |model: &Model| to_value(model).to_string();
    assert_eq!(shown(&Model::Text("a\n\u{1b}[31m\0\"".into())), r#""a\n\u{1b}[31m\0\"""#);
    assert_eq!(shown(&Model::Char('\u{7}')), r"'\u{7}'");
    assert_eq!(shown(&Model::Bytes(vec![0, b'a', 0xff])), r#"b"\x00a\xff""#);
    assert_eq!(shown(&Model::Unsigned(u128::MAX)), u128::MAX.to_string());
    assert_eq!(shown(&Model::Signed(i128::MIN)), i128::MIN.to_string());
    assert_eq!(shown(&Model::Double((-0.0f64).to_bits())), "-0.0");
    let unit = || Model::Tuple(vec![Model::Unit]);
    assert_eq!(shown(&Model::Map(vec![(Model::Signed(1), Model::Option(Some(unit().into())))])), "{1: Some((()))}");
    let mut encoder = Encoder::default();
    let inner = Model::Struct(vec![(2, Model::UnitVariant(3)), (0, Model::TupleVariant(1, vec![Model::Unit]))]);
    Model::NewtypeVariant(0, inner.into()).encode(&mut encoder);
    assert_eq!(decoded(&encoder).to_string(), "a{limit: ключ, a: b(())}");
}

#[test]
fn an_integer_is_as_wide_as_the_encoder_writes_it() {
    for bits in 0..127 {
        for value in [(1i128 << bits) - 1, 1i128 << bits, -(1i128 << bits), -(1i128 << bits) - 1, i128::MIN, i128::MAX]
        {
            assert_eq!(Value::of_integer(value), to_value(&value), "{value}");
        }
    }
}
