#![no_main]

use bugornot_truth::top_value;

bugornot::fuzz!(top_value);
