#![no_main]

use bugornot_truth::luhn_digit;

bugornot::fuzz!(luhn_digit);
