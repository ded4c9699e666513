#![no_main]

use bugornot_truth::trapped_water;

bugornot::fuzz!(trapped_water);
