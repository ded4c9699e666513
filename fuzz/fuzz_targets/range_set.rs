#![no_main]

use bugornot_fuzz::range_set;

bugornot::fuzz!(range_set);
