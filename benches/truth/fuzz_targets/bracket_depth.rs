#![no_main]

use bugornot_truth::bracket_depth;

bugornot::fuzz!(bracket_depth);
