//! The committed corpora, replayed.

use bugornot_fuzz::{base64_text, calculator, calculator_i32, civil_dates, edit_distance, range_set, triangles};

bugornot::replay!(base64_text, "../corpus/base64_text");
bugornot::replay!(calculator, "../corpus/calculator");
bugornot::replay!(calculator_i32, "../corpus/calculator_i32");
bugornot::replay!(civil_dates, "../corpus/civil_dates");
bugornot::replay!(edit_distance, "../corpus/edit_distance");
bugornot::replay!(range_set, "../corpus/range_set");
bugornot::replay!(triangles, "../corpus/triangles");
