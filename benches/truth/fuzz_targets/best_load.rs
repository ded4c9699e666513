#![no_main]

use bugornot_truth::best_load;

bugornot::fuzz!(best_load);
