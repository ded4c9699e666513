#![no_main]

use bugornot_truth::shortened_text;

bugornot::fuzz!(shortened_text);
