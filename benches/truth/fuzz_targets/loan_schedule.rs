#![no_main]

use bugornot_truth::loan_schedule;

bugornot::fuzz!(loan_schedule);
