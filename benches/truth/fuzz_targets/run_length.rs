#![no_main]

use bugornot_truth::run_length;

bugornot::fuzz!(run_length);
