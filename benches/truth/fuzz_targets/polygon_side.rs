#![no_main]

use bugornot_truth::polygon_side;

bugornot::fuzz!(polygon_side);
