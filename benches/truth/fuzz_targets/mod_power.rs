#![no_main]

use bugornot_truth::mod_power;

bugornot::fuzz!(mod_power);
