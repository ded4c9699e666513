#![no_main]

use bugornot_truth::median_of_list;

bugornot::fuzz!(median_of_list);
