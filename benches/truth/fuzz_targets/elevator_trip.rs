#![no_main]

use bugornot_truth::elevator_trip;

bugornot::fuzz!(elevator_trip);
