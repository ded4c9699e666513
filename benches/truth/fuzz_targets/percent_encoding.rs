#![no_main]

use bugornot_truth::percent_encoding;

bugornot::fuzz!(percent_encoding);
