#![no_main]

use bugornot_truth::parking_fee;

bugornot::fuzz!(parking_fee);
