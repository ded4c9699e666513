#![no_main]

use bugornot_truth::month_shift;

bugornot::fuzz!(month_shift);
