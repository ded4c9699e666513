//! What the compiler says to a user who mistypes a suite, and that it says nothing where it should not.
//!
//! Accept changed messages with `TRYBUILD=overwrite cargo test --test compile_fail`, and read them.

/// What each mistake's message has to say beyond the compiler's own words.
const SAID: [(&str, &str); 13] = [
    ("collection_wanted", "the output `i32` is no collection"),
    ("constant_of_another_type", "constants are integers or floats"),
    ("forgotten_argument", "/* holds */"),
    ("input_without_arbitrary", "`Pair` cannot be the input of a suite"),
    ("input_without_clone", "`#[derive(Arbitrary, Serialize, Clone)]`"),
    ("input_without_serialize", "`#[derive(Arbitrary, Serialize, Clone)]`"),
    ("judgement_of_another_type", "answer with a `bool`, an `Option<bool>` (`None`: incomparable) or a `Judgement`"),
    ("output_without_equality", "derive `PartialEq` for the output, or judge it with a closure"),
    ("output_without_order", "outputs of type `Answer` have no order"),
    ("output_without_serialize", "`Sum` cannot be the output of a suite"),
    ("parameter_of_another_type", "draw it from a range of integers such as `0..=7`, or from `any::<Type>()`"),
    ("tolerance_without_float", "a tolerance needs a float, and the output is `i32`"),
    ("transformation_of_another_type", "a transformation over `(i32, i32)` cannot return `String`"),
];

#[test]
fn mistakes_are_explained_and_good_suites_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn every_explanation_is_in_the_words_of_the_library() {
    for (case, words) in SAID {
        let path = format!("{}/tests/ui/fail/{case}.stderr", env!("CARGO_MANIFEST_DIR"));
        let said = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(said.contains(words), "{case} does not say: {words}");
    }
}
