#![no_main]

use bugornot_truth::lightness_and_saturation;

bugornot::fuzz!(lightness_and_saturation);
