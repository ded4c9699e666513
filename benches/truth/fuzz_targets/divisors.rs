#![no_main]

use bugornot_truth::divisors;

bugornot::fuzz!(divisors);
