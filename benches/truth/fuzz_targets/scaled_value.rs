#![no_main]

use bugornot_truth::scaled_value;

bugornot::fuzz!(scaled_value);
