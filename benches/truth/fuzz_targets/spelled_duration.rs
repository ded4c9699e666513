#![no_main]

use bugornot_truth::spelled_duration;

bugornot::fuzz!(spelled_duration);
