//! The suites, and the code that is changed for each: a few functions of the crate that it tests.

/// A suite with the code under test.
pub struct Case {
    pub suite: &'static str,
    /// The package whose code is changed; the suite's own if there is none.
    pub package: Option<&'static str>,
    pub files: &'static [&'static str],
    /// Which mutants, as cargo-mutants names them.
    pub mutants: &'static str,
}

const ARITHMETIC: &str = " (in|replace) (add|sub|mul)( |$)";

/// All suites of `fuzz/`.
pub const CASES: [Case; 7] = [
    Case { suite: "calculator", package: None, files: &["src/calculator.rs"], mutants: ARITHMETIC },
    Case { suite: "calculator_i32", package: None, files: &["src/calculator_i32.rs"], mutants: ARITHMETIC },
    Case {
        suite: "edit_distance",
        package: Some("strsim"),
        files: &["src/lib.rs"],
        mutants: " (in|replace) (levenshtein|generic_levenshtein|osa_distance|damerau_levenshtein(_impl)?)( |$)",
    },
    Case {
        suite: "civil_dates",
        package: Some("jiff"),
        files: &["src/civil/date.rs"],
        mutants: "month_add_|Date::(checked_add_span|checked_sub|year|month|day) |DateArithmetic::|for Date>::(add|sub) ",
    },
    Case {
        suite: "range_set",
        package: Some("rangemap"),
        files: &["src/inclusive_map.rs", "src/inclusive_set.rs"],
        mutants: "::(insert|remove|adjust_touching_ranges_for_insert|adjust_overlapping_ranges_for_remove|gaps|next)( |$)",
    },
    Case {
        suite: "triangles",
        package: Some("kurbo"),
        files: &["src/triangle.rs"],
        mutants: "Triangle::(area|inscribed_circle)|Triangle>::(area|perimeter)",
    },
    Case {
        suite: "base64_text",
        package: Some("base64"),
        files: &[
            "src/engine/general_purpose/decode_suffix.rs",
            "src/engine/general_purpose/decode.rs",
            "src/encode.rs",
        ],
        mutants: "decode_suffix|complete_quads_len|decode_complete_quads|decode_helper|encoded_len|encode|add_padding",
    },
];
