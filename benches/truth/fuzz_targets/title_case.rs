#![no_main]

use bugornot_truth::title_case;

bugornot::fuzz!(title_case);
