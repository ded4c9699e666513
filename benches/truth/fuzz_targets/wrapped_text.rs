#![no_main]

use bugornot_truth::wrapped_text;

bugornot::fuzz!(wrapped_text);
