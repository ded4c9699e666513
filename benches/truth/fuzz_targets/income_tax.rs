#![no_main]

use bugornot_truth::income_tax;

bugornot::fuzz!(income_tax);
