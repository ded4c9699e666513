#![no_main]

use bugornot_truth::merged_intervals;

bugornot::fuzz!(merged_intervals);
