#![no_main]

use bugornot_truth::insertion_point;

bugornot::fuzz!(insertion_point);
