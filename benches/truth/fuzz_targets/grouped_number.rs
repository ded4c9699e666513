#![no_main]

use bugornot_truth::grouped_number;

bugornot::fuzz!(grouped_number);
