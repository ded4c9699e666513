#![no_main]

use bugornot_truth::shipping_price;

bugornot::fuzz!(shipping_price);
