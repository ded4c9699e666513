#![no_main]

use bugornot_truth::clock_time;

bugornot::fuzz!(clock_time);
