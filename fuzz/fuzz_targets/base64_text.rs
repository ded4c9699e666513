#![no_main]

use bugornot_fuzz::base64_text;

bugornot::fuzz!(base64_text);
