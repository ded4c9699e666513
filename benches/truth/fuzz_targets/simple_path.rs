#![no_main]

use bugornot_truth::simple_path;

bugornot::fuzz!(simple_path);
