#![no_main]

use bugornot_truth::account_fee;

bugornot::fuzz!(account_fee);
