#![no_main]

use bugornot_fuzz::calculator_i32;

bugornot::fuzz!(calculator_i32);
