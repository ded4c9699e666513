#![no_main]

use bugornot_truth::edit_distance;

bugornot::fuzz!(edit_distance);
