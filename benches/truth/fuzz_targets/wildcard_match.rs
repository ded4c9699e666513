#![no_main]

use bugornot_truth::wildcard_match;

bugornot::fuzz!(wildcard_match);
