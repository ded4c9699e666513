//! Suites that show what bugornot can do. Each is fuzzed by the target of its name in `fuzz_targets/`.
//!
//! Each says at its top when every cell holds, and a test holds the verdicts against that.

mod base64_text;
mod calculator;
mod calculator_i32;
mod civil_dates;
mod edit_distance;
mod range_set;
mod triangles;

#[cfg(test)]
mod truth;

pub use base64_text::base64_text;
pub use calculator::calculator;
pub use calculator_i32::calculator_i32;
pub use civil_dates::civil_dates;
pub use edit_distance::edit_distance;
pub use range_set::range_set;
pub use triangles::triangles;
