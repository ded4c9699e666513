#![no_main]

use bugornot_fuzz::civil_dates;

bugornot::fuzz!(civil_dates);
