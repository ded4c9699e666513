//! The committed corpora, replayed.

use bugornot_fuzz::calculator;

bugornot::replay!(calculator, "../corpus/calculator");
