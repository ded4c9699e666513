#![no_main]

use bugornot_truth::painted_wall;

bugornot::fuzz!(painted_wall);
