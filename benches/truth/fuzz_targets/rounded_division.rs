#![no_main]

use bugornot_truth::rounded_division;

bugornot::fuzz!(rounded_division);
