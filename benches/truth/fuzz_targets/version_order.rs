#![no_main]

use bugornot_truth::version_order;

bugornot::fuzz!(version_order);
