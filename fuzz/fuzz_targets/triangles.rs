#![no_main]

use bugornot_fuzz::triangles;

bugornot::fuzz!(triangles);
