#![no_main]

use bugornot_fuzz::calculator;

bugornot::fuzz!(calculator);
