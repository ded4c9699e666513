#![no_main]

use bugornot_truth::weekday_of_date;

bugornot::fuzz!(weekday_of_date);
