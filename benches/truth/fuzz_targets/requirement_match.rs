#![no_main]

use bugornot_truth::requirement_match;

bugornot::fuzz!(requirement_match);
