//! A benchmark of hints: functions with known bugs, and relations of which is known when they hold.
//!
//! Each subject is a suite as a tester would write it, knowing what the function is for and not how it is written. Beside
//! it stand the truth of every cell and the versions of the function, all in one build (`version.rs`). `truth.rs` says
//! of a log what is true of it; `check.rs` tests that every truth is one.

mod calendar;
#[cfg(test)]
mod check;
mod drawn;
mod subject;
mod truth;
mod version;

mod banking;
mod brackets;
mod caches;
mod chess;
mod clock;
mod colours;
mod decimals;
mod division;
mod divisors;
mod durations;
mod edits;
mod fading;
mod fees;
mod grouping;
mod insertion;
mod intervals;
mod knapsack;
mod lift;
mod luhn;
mod median;
mod months;
mod packing;
mod painting;
mod parking;
mod paths;
mod percent;
mod polygons;
mod power;
mod rectangles;
mod releases;
mod requirements;
mod roman;
mod runs;
mod scaling;
mod scoring;
mod shipping;
mod shortening;
mod slugs;
mod subarray;
mod taxes;
mod tickets;
mod titles;
mod top;
mod triangle;
mod water;
mod weekday;
mod wildcard;
mod wrapping;

pub use banking::loan_schedule;
pub use brackets::bracket_depth;
pub use caches::cache_traffic;
pub use chess::fewest_moves;
pub use clock::clock_time;
pub use colours::lightness_and_saturation;
pub use decimals::decimal_value;
pub use division::rounded_division;
pub use divisors::divisors;
pub use durations::spelled_duration;
pub use edits::edit_distance;
pub use fading::faded_level;
pub use fees::account_fee;
pub use grouping::grouped_number;
pub use insertion::insertion_point;
pub use intervals::merged_intervals;
pub use knapsack::best_load;
pub use lift::elevator_trip;
pub use luhn::luhn_digit;
pub use median::median_of_list;
pub use months::month_shift;
pub use packing::packed_value;
pub use painting::painted_wall;
pub use parking::parking_fee;
pub use paths::simple_path;
pub use percent::percent_encoding;
pub use polygons::polygon_side;
pub use power::mod_power;
pub use rectangles::overlap_area;
pub use releases::version_order;
pub use requirements::requirement_match;
pub use roman::roman_numerals;
pub use runs::run_length;
pub use scaling::scaled_value;
pub use scoring::poker_rank;
pub use shipping::shipping_price;
pub use shortening::shortened_text;
pub use slugs::slug;
pub use subarray::best_subarray;
pub use subject::{Described, Holds, Kind, Known, Subject, Version};
pub use taxes::income_tax;
pub use tickets::ticket_price;
pub use titles::title_case;
pub use top::top_value;
pub use triangle::triangle_kind;
pub use truth::{CellTruth, LogTruth};
pub use water::trapped_water;
pub use weekday::weekday_of_date;
pub use wildcard::wildcard_match;
pub use wrapping::wrapped_text;

/// All subjects. Their order decides which half they belong to, so new ones come at the end.
pub static SUBJECTS: &[&dyn Known] = &[
    &weekday::SUBJECT,
    &divisors::SUBJECT,
    &insertion::SUBJECT,
    &edits::SUBJECT,
    &runs::SUBJECT,
    &intervals::SUBJECT,
    &roman::SUBJECT,
    &luhn::SUBJECT,
    &median::SUBJECT,
    &triangle::SUBJECT,
    &brackets::SUBJECT,
    &division::SUBJECT,
    &shipping::SUBJECT,
    &wrapping::SUBJECT,
    &percent::SUBJECT,
    &tickets::SUBJECT,
    &releases::SUBJECT,
    &subarray::SUBJECT,
    &slugs::SUBJECT,
    &power::SUBJECT,
    &months::SUBJECT,
    &wildcard::SUBJECT,
    &scaling::SUBJECT,
    &top::SUBJECT,
    &rectangles::SUBJECT,
    &fees::SUBJECT,
    &titles::SUBJECT,
    &packing::SUBJECT,
    &fading::SUBJECT,
    &clock::SUBJECT,
    &decimals::SUBJECT,
    &colours::SUBJECT,
    &taxes::SUBJECT,
    &paths::SUBJECT,
    &water::SUBJECT,
    &chess::SUBJECT,
    &requirements::SUBJECT,
    &durations::SUBJECT,
    &painting::SUBJECT,
    &shortening::SUBJECT,
    &polygons::SUBJECT,
    &caches::SUBJECT,
    &parking::SUBJECT,
    &knapsack::SUBJECT,
    &grouping::SUBJECT,
    &banking::SUBJECT,
    &scoring::SUBJECT,
    &lift::SUBJECT,
];

/// How many of the subjects hints were tuned on.
const TUNED: usize = 42;

/// The half that a subject belongs to, by its position: what hints are tuned on, or what is looked at once.
pub fn half(position: usize) -> &'static str {
    if position < TUNED { "tune" } else { "held-out" }
}
