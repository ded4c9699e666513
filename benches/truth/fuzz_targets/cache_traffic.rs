#![no_main]

use bugornot_truth::cache_traffic;

bugornot::fuzz!(cache_traffic);
