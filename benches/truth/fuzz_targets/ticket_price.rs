#![no_main]

use bugornot_truth::ticket_price;

bugornot::fuzz!(ticket_price);
