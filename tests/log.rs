//! The log from outside: what a target writes is what a reader reads, whatever happens to the file in between.

#[path = "log/budget.rs"]
mod budget;
#[path = "log/campaign.rs"]
mod campaign;
#[path = "log/damage.rs"]
mod damage;
#[path = "log/hostile.rs"]
mod hostile;
#[path = "support/pair.rs"]
mod pair;
#[path = "log/takeover.rs"]
mod takeover;
#[path = "log/values.rs"]
mod values;

use bugornot::{
    Input, Output, Suite, Verdict,
    engine::{Execute, Settings, Target},
    log::{EXTENSION, Log, Loss, Phase, Row, Totals},
};
use pair::{Pair, calculator};
use std::path::{Path, PathBuf};

/// A target that logs to this directory.
fn open<In: Input, Out: Output>(directory: &Path, declare: impl FnOnce(&mut Suite<In, Out>)) -> Target<In, Out> {
    open_with(Settings::new(Some(directory.to_owned()), 1), declare)
}

fn open_with<In: Input, Out: Output>(settings: Settings, declare: impl FnOnce(&mut Suite<In, Out>)) -> Target<In, Out> {
    Target::new("suite", declare, settings, &bugornot::__facts!()).expect("the suite makes sense")
}

/// Executes inputs one after the other.
fn fuzz(target: &mut dyn Execute, inputs: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    for input in inputs {
        target.step(input.as_ref(), Phase::Fuzz);
    }
}

/// All rows of a log that nothing happened to.
fn rows(directory: &Path) -> Vec<Row> {
    let log = Log::open(directory).expect("the log opens");
    assert!(log.unreadable.is_empty(), "{:?}", log.unreadable);
    let mut found = Vec::new();
    for segment in log.segments {
        let mut rows = segment.rows().expect("the segment opens");
        found.extend(rows.by_ref());
        assert_eq!(*rows.loss(), Loss::default(), "{}", segment.path().display());
    }
    found
}

/// The totals of all segments together.
fn totals(directory: &Path) -> Totals {
    let mut sum = Totals::default();
    for segment in Log::open(directory).expect("the log opens").segments {
        sum.add(&segment.totals().expect("the totals are sound"));
    }
    sum
}

/// The segments of a directory.
fn segments(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|name| name == EXTENSION)).collect();
    paths.sort();
    paths
}

/// The only segment of a directory.
fn segment(directory: &Path) -> PathBuf {
    let paths = segments(directory);
    assert_eq!(paths.len(), 1, "{paths:?}");
    paths[0].clone()
}

/// The same random numbers every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

/// What the calculator's verdicts have to be.
fn judged(a: i8, b: i8) -> [Verdict; 4] {
    let (a, b) = (i32::from(a), i32::from(b));
    let held = |yes| if yes { Verdict::Held } else { Verdict::Violated };
    let fits = |number: i32| i8::try_from(number * 2).is_ok();
    let grown = |yes| if fits(a) && fits(b) { held(yes) } else { Verdict::NotApplicable };
    [Verdict::Held, grown(a + b > 0), held(a == b), grown(a - b > 0)]
}
