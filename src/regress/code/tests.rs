//! Conditions as they were decided, and as they are written.

use super::*;

fn scope() -> Scope {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let types = [
        ("x", "f32"),
        ("rate", "f32"),
        ("a", "i128"),
        ("b", "i128"),
        ("n", "i128"),
        ("s", "String"),
        ("r.limit", "i128"),
    ];
    Scope {
        fields: names(&["a", "b", "s", "list", "r", "kind", "x"]),
        parameters: names(&["n", "odd", "rate"]),
        constants: BTreeMap::from([("k".into(), "6".into())]),
        features: names(&["p.a % 2 == 0"]),
        types: types
            .into_iter()
            .map(|(path, known)| (path.to_owned(), Some(known.to_owned())))
            .chain([("kind".to_owned(), None)])
            .collect(),
    }
}

fn written(text: &str, form: Form) -> String {
    let Code { lets, condition, .. } = code(text, &scope(), form, false).unwrap();
    lets.join(" ") + if lets.is_empty() { "" } else { " " } + &condition
}

#[test]
fn names_are_replaced_and_what_can_overflow_is_widened() {
    for (text, typed) in [
        ("a <= b", "input.a <= input.b"),
        ("p.a <= input.b", "input.a <= input.b"),
        ("a + b <= 0 && s.is_empty()", "wide(input.a) + wide(input.b) <= 0 && input.s.is_empty()"),
        ("a.abs() > b", "wide(input.a).abs() > wide(input.b)"),
        ("(a + b).rem_euclid(2) == 1", "(wide(input.a) + wide(input.b)).rem_euclid(2) == 1"),
        ("-a > b", "-wide(input.a) > wide(input.b)"),
        ("a > -1", "input.a > -1"),
        ("(s.len() as i128) > (a as i128)", "wide(input.s.len()) > wide(input.a)"),
        (
            "s.matches('*').count() > 3 && s.split_whitespace().count() == list.len()",
            "input.s.matches('*').count() > 3 && input.s.split_whitespace().count() == input.list.len()",
        ),
        ("s.len() + 2 > list.len()", "input.s.len() + 2 > input.list.len()"),
        ("list.iter().any(|&a| a + b > 3)", "input.list.iter().any(|&a| wide(a) + wide(input.b) > 3)"),
        (
            "(1..list.len()).any(|i| list[i - 1] > list[i])",
            "(1..input.list.len()).any(|i| input.list[i - 1] > input.list[i])",
        ),
        ("a > n", "let n: i128 = seen.get(\"n\"); wide(input.a) > n"),
        ("a + b != k", "let k = 6; wide(input.a) + wide(input.b) != k"),
        ("r.limit > 3 || !(p.a % 2 == 0)", "input.r.limit > 3 || !seen.observed(\"p.a % 2 == 0\")"),
        ("matches!(kind, Kind::Odd(a) if a > 3)", "matches!(input.kind, Kind::Odd(a) if a > 3)"),
    ] {
        assert_eq!(written(text, Form::Typed), typed);
    }
    assert_eq!(written("a <= b", Form::Widened), "wide(input.a) <= wide(input.b)");
    assert_eq!(written("s == \"x\"", Form::Widened), "input.s == \"x\"");
}

#[test]
fn a_literal_is_as_wide_as_the_float_beside_it() {
    assert_eq!(written("x <= -0.1", Form::Typed), "input.x <= -0.1");
    assert_eq!(written("x <= -0.1 && x > a", Form::Widened), "input.x <= -0.1 && wide(input.x) > wide(input.a)");
    assert_eq!(written("x <= 0.1", Form::Logged), "let x: f32 = seen.get(\"x\"); x <= 0.1");
    assert_eq!(
        written("x + rate > 0.1", Form::Typed),
        "let rate: f32 = seen.get(\"rate\"); wide(input.x) + wide(rate) > 0.1"
    );
}

#[test]
fn what_cannot_be_named_is_asked_for_or_refused() {
    let logged = |text: &str| code(text, &scope(), Form::Logged, false);
    assert_eq!(
        written("a <= p.b && r.limit > 3", Form::Logged),
        "let a: i128 = seen.get(\"a\"); let b: i128 = seen.get(\"b\"); let r_limit: i128 = seen.get(\"r.limit\"); \
         a <= b && r_limit > 3"
    );
    assert_eq!(written("!matches!(kind, Kind::Odd { .. })", Form::Logged), "!seen.is_variant(\"kind\", \"Odd\")");
    assert!(logged("matches!(kind, Kind::Odd(n) if n > 3)").unwrap_err().contains("what the enum `kind` holds"));
    assert!(logged("list.len() > 3").unwrap_err().contains("`list` is of a type"));
    assert!(code("odd > 3", &scope(), Form::Typed, false).unwrap_err().contains("`odd` is of a type"));
}

#[test]
fn parts_of_tuples_and_whole_inputs_have_no_names() {
    let of = |fields: &[&str], text: &str, is_positional| {
        let fields = fields.iter().map(|&name| name.to_owned()).collect();
        code(text, &Scope { fields, ..scope() }, Form::Typed, is_positional).unwrap().condition
    };
    assert_eq!(of(&["a", "b"], "a < b", true), "input.0 < input.1");
    assert_eq!(of(&["0", "1"], "input.0 < input.1", false), "input.0 < input.1");
    assert_eq!(of(&["input"], "input.len() > 3 || input == \"\"", false), "input.len() > 3 || *input == \"\"");
    assert_eq!(of(&["x"], "x > 3", true), "*input > 3");
    assert_eq!(of(&["x"], "x > 3", false), "input.x > 3");
}
