#![no_main]

use bugornot_truth::fewest_moves;

bugornot::fuzz!(fewest_moves);
