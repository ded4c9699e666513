#![no_main]

use bugornot_truth::roman_numerals;

bugornot::fuzz!(roman_numerals);
