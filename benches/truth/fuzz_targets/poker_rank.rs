#![no_main]

use bugornot_truth::poker_rank;

bugornot::fuzz!(poker_rank);
