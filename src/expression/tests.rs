//! What conditions come to, and what is refused.

use super::*;
use crate::log::Phase;
use std::sync::Arc;

fn header() -> Header {
    Header {
        constants: vec![("k".into(), Value::of_integer(6))],
        features: vec!["p.a % 2 == p.b % 2".into()],
        fields: ["a", "b", "x", "s", "list", "o"].map(String::from).to_vec(),
        ..Header::of(&["f"], &["r"])
    }
}

fn row() -> Row {
    let names: Arc<[String]> = header().fields.into();
    let list = [3, -1, 3].map(Value::of_integer).to_vec();
    Row {
        id: 0,
        phase: Phase::Fuzz,
        bytes: Vec::new(),
        names,
        fields: vec![
            Value::of_integer(7),
            Value::of_integer(-2),
            Value::F64(0.5f64.to_le_bytes()),
            Value::Text("Ab ä".into()),
            Value::List(list),
            Value::Some(Box::new(Value::of_integer(4))),
        ],
        parameters: Vec::new(),
        features: vec![Some(true)],
        verdicts: Arc::from([]),
        weight: 1,
        detail: None,
        death: None,
    }
}

/// A row whose `x` is another float.
fn row_of(x: Value) -> Row {
    let mut row = row();
    row.fields[2] = x;
    row
}

fn test(text: &str) -> Result<bool> {
    Expression::parse(text, &header())?.test(&row())
}

#[test]
fn conditions_mean_what_they_mean_in_rust() {
    for text in [
        "a > b && a - b == 9",
        "a == 7 || undefined",
        "!(a <= b)",
        "a + b == k - 1 && a < i32::MAX",
        "a.rem_euclid(3) == 1 && b.rem_euclid(3) == 1 && b % 3 == -2",
        "a.checked_rem(b) == Some(1) && a.checked_rem(0) == None",
        "x.fract() != 0.0 && !x.is_nan() && x <= 0.5",
        "s.len() == 5 && s.chars().count() == 4 && !s.is_ascii()",
        "s.contains(|c: char| c.is_uppercase()) && s.contains(' ') && s.starts_with(\"Ab\")",
        "s.split_whitespace().count() == 2 && s.matches('A').count() == 1 && s.matches(\"zz\").count() == 0",
        "s.trim() == s && s[..2].contains('A') && s > \"Aa\"",
        "list.len() == 3 && !list.is_sorted() && list.iter().eq(list.iter().rev())",
        "(1..list.len()).any(|i| list[..i].contains(&list[i]))",
        "list.iter().map(|&x| x as i128).sum::<i128>() == 5",
        "list.iter().min().is_some_and(|&list_min| list_min < 0)",
        "list.first() == list.last() && list[0] == 3",
        "list.iter().filter(|&&x| x > 99).map(|&x| f64::from(x)).sum::<f64>() == 0.0",
        "o.is_some_and(|o| o > 3) && matches!(o, Some(4..=9))",
        "matches!(a, 1 | 7) && matches!(a, n if n > b)",
        "p.a > p.b && input.a == 7",
        "p.a % 2 == p.b % 2",
        "(a as i128) + (s.len() as i128) == 12 && -1 as u8 == 255",
        "(a, b) > (7, -3) && [1, 2].contains(&2)",
    ] {
        assert_eq!(test(text), Ok(true), "{text}");
    }
}

#[test]
fn a_literal_beside_an_f32_is_one() {
    let single = row_of(Value::F32(0.1f32.to_le_bytes()));
    let double = row_of(Value::F64(f64::from(0.1f32).to_le_bytes()));
    for text in [
        "x <= 0.1",
        "x == 0.1",
        "!(0.1 < x)",
        "x == 0.1f32",
        "matches!(x, 0.05..=0.1)",
        "[x].contains(&0.1)",
        "(x, 1) == (0.1, 1)",
        "Some(x).is_some_and(|x| x <= 0.1)",
        "x.sqrt() == 0.31622776",
        "(x as f64) as f32 == 0.1",
        "-x < -0.1",
    ] {
        let condition = Expression::parse(text, &header()).unwrap();
        assert_eq!(condition.test(&single), Ok(true), "{text}");
    }
    for text in ["x <= 0.1", "x == 0.1", "matches!(x, 0.05..=0.1)"] {
        let condition = Expression::parse(text, &header()).unwrap();
        assert_eq!(condition.test(&double), Ok(false), "{text}");
    }
    // As in a generated test, which widens what it calculates with.
    for text in
        ["x + 0.1 > 0.2", "f64::from(x) > 0.1", "x.abs() > 0.1", "x as f64 > 0.1", "[x].iter().sum::<f64>() > 0.1"]
    {
        let condition = Expression::parse(text, &header()).unwrap();
        assert_eq!(condition.test(&single), Ok(true), "{text}");
    }
}

#[test]
fn what_makes_no_sense_is_told() {
    for (text, part) in [
        ("a >", "no Rust expression"),
        ("a + 1", "not to true or false"),
        ("nothing > 1", "no field `nothing`"),
        ("a.frobnicate()", "method `frobnicate`"),
        ("a.abs(1)", "takes 0 arguments"),
        ("a / 0 == 1", "divided by zero"),
        ("s > a", "different kinds"),
        ("[0] == (0..65536)", "not comparable"),
        ("std::process::exit(1)", "can be called"),
        ("{ let y = 1; y > 0 }", "more than a condition needs"),
        ("list[9] > 1", "out of bounds"),
    ] {
        let error = test(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(test(&"(".repeat(2000)).is_err() && test(&"!".repeat(2000)).is_err());
    assert!(test(&format!("{}a > b", "a > b && ".repeat(2000))).is_err());
    assert!(test(&format!("{}a > b", "a>b&&".repeat(700))).unwrap_err().to_string().contains("nests too deeply"));
    assert_eq!(test(&format!("{}a > b", "a > b && ".repeat(300))), Ok(true));
}

#[test]
fn a_feature_that_panicked_is_not_so_and_one_that_the_row_lacks_is_a_fault() {
    let test = |text: &str, features: Vec<Option<bool>>| {
        Expression::parse(text, &header()).unwrap().test(&Row { features, ..row() })
    };
    assert_eq!(test("p.a % 2 == p.b % 2", vec![None]), Ok(false));
    assert_eq!(test("!(p.a % 2 == p.b % 2)", vec![None]), Ok(true));
    assert!(test("p.a % 2 == p.b % 2", Vec::new()).is_err());
}

#[test]
fn no_text_exhausts_the_stack() {
    let nested = |open: &str, inner: &str, close: &str| {
        let times = 3900 / (open.len() + close.len());
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for text in [
        nested("a+", "a", ""),
        nested("", "a", ".x"),
        nested("", "a", ".abs()"),
        nested("", "a", "?"),
        nested("", "a", " as u8"),
        nested("a as A<", "A", ">"),
        nested("a as ", "a", "").replace("as a", "as A"),
        nested("&mut ", "a", ""),
        nested("return ", "a", ""),
        nested("a=", "a", ""),
        nested("if a {} else ", "{}", ""),
        nested("a as fn()->", "A", ""),
        nested("a as *const ", "A", ""),
        nested("..", "a", ""),
    ] {
        assert!(test(&text).is_err(), "{text}");
        let hostile = Header { features: vec![text], ..header() };
        let condition = Expression::parse("a > b", &hostile);
        assert_eq!(condition.unwrap().test(&row()), Ok(true));
    }
    // No feature is asked for that is longer than a condition.
    let long = Header { features: vec!["(".repeat(100_000), "-".repeat(100_000)], ..header() };
    assert_eq!(Expression::parse("a > b", &long).unwrap().test(&row()), Ok(true));
    // As deep as may be, and in a thread as those that test rows.
    let deep = |times: usize| format!("{} > 0", vec!["a"; times].join("+"));
    assert_eq!(test(&deep(511)), Ok(true));
    assert!(test(&deep(512)).unwrap_err().to_string().contains("nests too deeply"));
    let lists = format!("[a]{} == [a]", ".iter()".repeat(500));
    let options = format!("Some(a){}.is_some()", ".map(|a| a)".repeat(300));
    assert_eq!((test(&lists), test(&options)), (Ok(true), Ok(true)));
    assert_eq!(test(&format!("a{} == 7", ".0".repeat(500))), Ok(true));
}

#[test]
fn a_condition_that_would_take_for_ever_is_a_fault_and_is_not_tried_again() {
    for text in [
        "(0..65536).windows(32768).count() > 0",
        "(0..65536).all(|a| (0..65536).all(|b| a + b >= 0))",
        "(0..65536).all(|a| (0..65536).rev().count() > 0)",
        "(0..65536).map(|a| (0..65536).map(|b| b)).count() > 0",
        "(0..300).windows(200).windows(50).count() > 0",
        "(0..65536).all(|a| (0..40).all(|b| (0..65536)[b] >= 0))",
        "(0..65536).all(|a| (0..65536).starts_with(&[0]))",
        "(0..65536).all(|a| [0].iter().eq(0..65536) || a >= 0)",
        "(0..60000).all(|a| (0..60000).map(|b| [0]).count() > 0 && a >= 0)",
    ] {
        let condition = Expression::parse(text, &header()).unwrap();
        let fault = condition.test(&row()).unwrap_err().to_string();
        assert!(fault == "it takes too many steps" || fault == "a list has too many items", "{text}: {fault}");
    }
    assert_eq!(test("(0..65536).all(|a| (0..40).all(|b| (0..65536).len() == 65536))"), Ok(true));
    let condition = Expression::parse("o == Some(4) || (0..65536).all(|a| (0..65536).rev().count() > 0)", &header());
    let (condition, mut other) = (condition.unwrap(), row());
    assert_eq!(condition.test(&row()), Ok(true));
    other.fields[5] = Value::None;
    assert!(condition.test(&other).is_err() && condition.clone().test(&row()).is_err());
}

#[test]
fn what_lists_are_asked_is_answered_for_long_ones_too() {
    let long = Value::List((0..2000).map(Value::of_integer).collect());
    let mut row = row();
    row.fields[4] = long;
    let condition = Expression::parse("(1..list.len()).any(|i| list[..i].contains(&list[i]))", &header()).unwrap();
    assert_eq!(condition.test(&row), Ok(false));
    let text = "(1..list.len()).any(|i| list[..i].iter().any(|x| x.0 == list[i].0))";
    assert_eq!(Expression::parse(text, &header()).unwrap().test(&row), Ok(false));
}

#[test]
fn the_least_number_is_a_multiple_of_minus_one() {
    assert_eq!(test("i128::MIN.is_multiple_of(-1) && (a - 7).is_multiple_of(0) && !a.is_multiple_of(0)"), Ok(true));
    assert_eq!(test("a.is_multiple_of(7) && !a.is_multiple_of(b)"), Ok(true));
}
