#![no_main]

use bugornot_truth::overlap_area;

bugornot::fuzz!(overlap_area);
