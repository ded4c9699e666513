//! Values of every shape come back from the log as they went in, under the names serde gives them.

use crate::{open, rows};
use arbitrary::{Arbitrary, Unstructured};
use bugornot::{Input, Suite, engine::Execute, log::Value};
use serde::{Serialize, Serializer, ser::Error};
use std::collections::BTreeMap;

/// A suite that does nothing but take these inputs.
fn takes<T: Input>(examples: Vec<T>) -> impl FnOnce(&mut Suite<T, ()>) {
    move |suite| {
        suite.examples(examples);
        suite.function("nothing", |_| ());
        suite.relation("same", Clone::clone, |(), ()| true);
    }
}

/// The fields of the only row that a suite with one example logs.
fn logged_by<T: Input>(declare: impl FnOnce(&mut Suite<T, ()>)) -> String {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path(), declare).begin();
    let [row] = &rows(directory.path())[..] else { panic!("one row") };
    assert_eq!(row.names.len(), row.fields.len(), "{:?} {:?}", row.names, row.fields);
    let fields = row.names.iter().zip(&row.fields).map(|(name, value)| format!("{name}={value}"));
    fields.collect::<Vec<_>>().join(" ")
}

fn logged<T: Input>(value: T) -> String {
    logged_by(takes(vec![value]))
}

/// The only field of a single value.
fn field<T: Input>(value: T) -> Value {
    let directory = tempfile::tempdir().unwrap();
    open(directory.path(), takes(vec![value])).begin();
    let [row] = &rows(directory.path())[..] else { panic!("one row") };
    assert_eq!(row.names[..], ["input"]);
    row.fields[0].clone()
}

#[test]
fn integers_of_every_width_and_sign_come_back() {
    macro_rules! check {
        ($($integer:ty),*) => {$(
            for value in [<$integer>::MIN, <$integer>::MIN + 1, 0, 1, 100, <$integer>::MAX - 1, <$integer>::MAX] {
                assert_eq!(logged(value), format!("input={value}"), stringify!($integer));
                assert_eq!(field(value).integer(), i128::try_from(value).ok(), stringify!($integer));
            }
        )*};
    }
    check!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);
    for value in [-129i64, -128, 127, 128, -32_769, 32_768, -2_147_483_649, 2_147_483_648] {
        assert_eq!(field(value).integer(), Some(value.into()));
    }
    assert_eq!(field(u128::MAX), Value::U128([0xff; 16]));
}

#[test]
fn floats_come_back_to_the_last_bit() {
    let quiet = f64::from_bits(0x7ff8_0000_dead_beef);
    for value in [0.0, -0.0, 1.5, -1e308, f64::MIN_POSITIVE / 2.0, f64::INFINITY, f64::NEG_INFINITY, quiet, -f64::NAN] {
        assert_eq!(field(value), Value::F64(value.to_le_bytes()), "{value}");
    }
    for value in [0.0f32, -0.0, f32::MAX, f32::INFINITY, f32::NAN, f32::from_bits(1)] {
        assert_eq!(field(value), Value::F32(value.to_le_bytes()), "{value}");
    }
    assert!(field(f32::NAN).float().is_some_and(f64::is_nan));
}

#[test]
fn characters_text_and_bytes_come_back() {
    assert_eq!(logged('\0'), r"input='\0'");
    assert_eq!(logged('\u{10ffff}'), r"input='\u{10ffff}'");
    let text = "tab\t, bell\u{7}, escape\u{1b}[2J, quote\", end\r\n, zero\0, \u{202e}right to left, ключ";
    assert_eq!(field(text.to_owned()), Value::Text(text.to_owned()));
    assert_eq!(field(String::new()), Value::Text(String::new()));
    let long = "й".repeat(40_000);
    assert_eq!(field(long.clone()), Value::Text(long));
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    assert_eq!(field(Raw(bytes.clone())), Value::Bytes(bytes));
}

/// Serialises as bytes, not as a list of numbers.
#[derive(Arbitrary, Clone)]
pub(crate) struct Raw(pub(crate) Vec<u8>);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

#[test]
fn options_and_units_come_back() {
    assert_eq!(logged(None::<u8>), "input=None");
    assert_eq!(logged(Some(Some(None::<u8>))), "input=Some(Some(None))");
    assert_eq!(logged(Some(Some(Some(7u8)))), "input=Some(Some(Some(7)))");
    assert_eq!(logged(Some(())), "input=Some(())");
    assert_eq!(logged(()), "input=()");
    assert_eq!(logged(true), "input=true");
    assert_eq!(logged(Nothing), "input=()");
    assert_eq!(logged(Empty {}), "");
}

#[derive(Arbitrary, Serialize, Clone)]
struct Nothing;

#[derive(Arbitrary, Serialize, Clone)]
struct Empty {}

#[derive(Arbitrary, Serialize, Clone)]
enum Shape {
    Point,
    Circle(u32),
    Line(i8, i8),
    Box { low: i8, high: Option<i8> },
}

#[test]
fn variants_of_every_kind_come_back_under_their_names() {
    assert_eq!(logged(Shape::Point), "input=Point");
    assert_eq!(logged(Shape::Circle(9)), "input=Circle(9)");
    assert_eq!(logged(Shape::Line(-1, 1)), "input=Line(-1, 1)");
    assert_eq!(logged(Shape::Box { low: 0, high: None }), "input=Box{low: 0, high: None}");
    assert_eq!(
        logged(vec![Shape::Circle(1), Shape::Point, Shape::Box { low: 2, high: Some(3) }, Shape::Circle(4)]),
        "input=[Circle(1), Point, Box{low: 2, high: Some(3)}, Circle(4)]"
    );
}

#[derive(Arbitrary, Serialize, Clone)]
struct Request {
    path: String,
    limit: Limit,
    shape: Shape,
    limits: Vec<Limit>,
}

#[derive(Arbitrary, Serialize, Clone)]
struct Limit {
    from: u8,
    to: Option<u64>,
}

#[derive(Arbitrary, Serialize, Clone)]
struct Wrapped(Limit);

#[derive(Arbitrary, Serialize, Clone)]
struct Metres(f64);

#[derive(Arbitrary, Serialize, Clone)]
struct Both(u8, Limit);

#[test]
fn structs_inside_structs_come_back_under_their_names() {
    let limit = Limit { from: 1, to: Some(u64::MAX) };
    assert_eq!(
        logged(Request {
            path: "/".into(),
            limit: limit.clone(),
            shape: Shape::Line(1, 2),
            limits: vec![limit.clone(), Limit { from: 2, to: None }],
        }),
        "path=\"/\" limit={from: 1, to: Some(18446744073709551615)} shape=Line(1, 2) \
         limits=[{from: 1, to: Some(18446744073709551615)}, {from: 2, to: None}]"
    );
    assert_eq!(logged(vec![limit.clone()]), "input=[{from: 1, to: Some(18446744073709551615)}]");
    assert_eq!(logged(limit.clone()), "from=1 to=Some(18446744073709551615)");
    assert_eq!(logged(Wrapped(limit.clone())), "from=1 to=Some(18446744073709551615)");
    assert_eq!(logged(Metres(0.5)), "input=0.5");
    assert_eq!(logged(Both(0, limit)), "0=0 1={from: 1, to: Some(18446744073709551615)}");
}

#[test]
fn maps_with_any_keys_come_back_in_order() {
    let tuples: BTreeMap<(i8, char), Vec<bool>> = [((1, 'b'), vec![true]), ((-1, 'a'), vec![])].into();
    assert_eq!(logged(tuples), "input={(-1, 'a'): [], (1, 'b'): [true]}");
    let options: BTreeMap<Option<u8>, Limit> = [(None, Limit { from: 0, to: None })].into();
    assert_eq!(logged(options), "input={None: {from: 0, to: None}}");
    let many: BTreeMap<u16, ()> = (0..300).map(|key| (key, ())).collect();
    assert!(
        matches!(field(many), Value::Map(entries) if entries.len() == 300 && entries[299].0 == Value::I16([43, 1]))
    );
}

#[test]
fn long_lists_come_back_whole() {
    for length in [250, 251, 300, 70_000] {
        let Value::List(values) = field((0..length).collect::<Vec<u32>>()) else { panic!("a list") };
        assert!(
            values.iter().map(|value| value.integer()).eq((0..length).map(|number| Some(number.into()))),
            "{length}"
        );
    }
    // Longer than a block usually is, behind rows that are short.
    let directory = tempfile::tempdir().unwrap();
    let lengths = [1, 70_000, 2, 30_000, 3];
    open(directory.path(), takes(lengths.iter().map(|&length| vec![7u8; length]).collect())).begin();
    let found = rows(directory.path()).into_iter().map(|row| match &row.fields[0] {
        Value::List(values) => values.len(),
        other => panic!("{other} is no list"),
    });
    assert!(found.eq(lengths));
}

#[test]
fn parts_of_a_tuple_are_named_by_position_or_by_the_suite() {
    let named = |names: &'static [&'static str]| {
        logged_by(move |suite| {
            suite.names(names.iter().copied());
            takes(vec![(1u8, 'x')])(suite);
        })
    };
    assert_eq!(logged((1u8, 'x')), "0=1 1='x'");
    assert_eq!(named(&["count", "letter"]), "count=1 letter='x'");
    assert_eq!(named(&["too few"]), "0=1 1='x'");
    assert_eq!(logged((1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, 12u8)).matches('=').count(), 12);
}

#[test]
fn a_single_value_is_named_input_or_by_the_suite() {
    let named = |names: &'static [&'static str]| {
        logged_by(move |suite| {
            suite.names(names.iter().copied());
            takes(vec!["text".to_owned()])(suite);
        })
    };
    assert_eq!(logged("text".to_owned()), "input=\"text\"");
    assert_eq!(named(&["line"]), "line=\"text\"");
    assert_eq!(named(&["too", "many"]), "input=\"text\"");
}

#[test]
fn every_item_of_an_array_has_a_name() {
    assert_eq!(logged([5u8; 2]), "0=5 1=5");
    let expected: Vec<String> = (0..20).map(|position| format!("{position}=5")).collect();
    assert_eq!(logged([5u8; 20]), expected.join(" "));
}

#[derive(Arbitrary, Serialize, Clone)]
struct Sparse {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    c: u8,
}

#[test]
fn a_field_that_serde_skips_takes_no_name_from_another() {
    let directory = tempfile::tempdir().unwrap();
    let sparse = |b| Sparse { a: 1, b, c: 3 };
    open(directory.path(), takes(vec![sparse(None), sparse(Some(2)), sparse(None), sparse(Some(9))])).begin();
    let names: Vec<String> = rows(directory.path()).iter().map(|row| row.names.join("")).collect();
    // The third is the first again.
    assert_eq!(names, ["ac", "abc", "abc"]);
}

/// As many boxes around a number as its bytes say.
#[derive(Serialize, Clone)]
enum Nest {
    Leaf(u8),
    Around(Box<Nest>),
}

impl Nest {
    fn new(depth: u16) -> Self {
        (0..depth).fold(Self::Leaf(1), |inner, _| Self::Around(Box::new(inner)))
    }
}

impl<'bytes> Arbitrary<'bytes> for Nest {
    fn arbitrary(bytes: &mut Unstructured<'bytes>) -> arbitrary::Result<Self> {
        Ok(Self::new(u16::arbitrary(bytes)?))
    }
}

#[test]
fn an_input_nested_too_deeply_is_logged_as_its_bytes_and_its_verdicts_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let mut target = open(directory.path(), |suite: &mut Suite<(u8, Nest), u8>| {
        suite.function("first", |(first, _)| *first);
        suite.relation("same", Clone::clone, bugornot::Equal);
    });
    for depth in [60u16, 80, 2000] {
        target.step(&[&[9][..], &depth.to_le_bytes()].concat(), bugornot::log::Phase::Fuzz);
    }
    let rows = rows(directory.path());
    let fields: Vec<usize> = rows.iter().map(|row| row.fields.len()).collect();
    assert_eq!(fields, [2, 1, 1]);
    assert_eq!(rows[1].fields, [Value::Bytes(vec![9, 80, 0])]);
    assert_ne!(rows[1].fields, rows[2].fields);
    assert!(rows.iter().all(|row| row.verdicts[..] == [Some(bugornot::Verdict::Held)]));
}

/// Refuses to be serialised when its number is odd.
#[derive(Arbitrary, Clone)]
struct Refuses(u8);

impl Serialize for Refuses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_u8(self.0),
            _ => Err(S::Error::custom("odd")),
        }
    }
}

#[test]
fn an_input_that_cannot_be_serialised_is_logged_as_its_bytes() {
    assert_eq!(logged(Refuses(2)), "input=2");
    // An example's bytes are its number.
    assert_eq!(logged(Refuses(3)), format!("input=b\"{}\"", "\\x00".repeat(8)));
    assert_eq!(logged((4u8, Refuses(3))), logged(Refuses(3)));
}
