#![no_main]

use bugornot_truth::faded_level;

bugornot::fuzz!(faded_level);
