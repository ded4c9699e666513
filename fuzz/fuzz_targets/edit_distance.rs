#![no_main]

use bugornot_fuzz::edit_distance;

bugornot::fuzz!(edit_distance);
