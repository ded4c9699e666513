#![no_main]

use bugornot_truth::best_subarray;

bugornot::fuzz!(best_subarray);
