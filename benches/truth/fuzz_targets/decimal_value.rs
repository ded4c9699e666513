#![no_main]

use bugornot_truth::decimal_value;

bugornot::fuzz!(decimal_value);
