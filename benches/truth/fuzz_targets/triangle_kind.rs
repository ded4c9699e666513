#![no_main]

use bugornot_truth::triangle_kind;

bugornot::fuzz!(triangle_kind);
