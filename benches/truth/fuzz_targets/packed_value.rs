#![no_main]

use bugornot_truth::packed_value;

bugornot::fuzz!(packed_value);
