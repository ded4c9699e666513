#![no_main]

use bugornot_truth::slug;

bugornot::fuzz!(slug);
