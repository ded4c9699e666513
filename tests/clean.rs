//! Cleaning from outside: what is counted, told apart and kept, whoever reads it and in whatever order.

#[path = "clean/order.rs"]
mod order;
#[path = "clean/quality.rs"]
mod quality;
#[path = "clean/summary.rs"]
mod summary;

use arbitrary::Arbitrary;
use bugornot::{
    Equal, Increase, Input, Output, Suite,
    clean::{Campaign, Cleaned, Options, campaigns, clean},
    engine::{Execute, Settings, Target},
    log::{Log, Phase},
};
use serde::Serialize;
use std::path::Path;

/// Two small numbers.
#[derive(Arbitrary, Serialize, Clone, Debug)]
struct Pair {
    a: i8,
    b: i8,
}

/// Two functions, two relations: four cells.
fn calculator(suite: &mut Suite<Pair, i32>) {
    suite.function("add", |p| i32::from(p.a) + i32::from(p.b));
    suite.function("sub", |p| i32::from(p.a) - i32::from(p.b));
    suite.relation("swap", |p| Pair { a: p.b, b: p.a }, Equal);
    suite.relation("grow", |p| Some(Pair { a: p.a.checked_mul(2)?, b: p.b.checked_mul(2)? }), Increase);
}

/// A target that logs to this directory.
fn open<In: Input, Out: Output>(directory: &Path, declare: impl FnOnce(&mut Suite<In, Out>)) -> Target<In, Out> {
    let settings = Settings::new(Some(directory.to_owned()), 1);
    Target::new("suite", declare, settings, &bugornot::__facts!()).expect("the suite makes sense")
}

/// Executes inputs one after the other.
fn fuzz(target: &mut dyn Execute, inputs: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    for input in inputs {
        target.step(input.as_ref(), Phase::Fuzz);
    }
}

fn all_campaigns(directory: &Path) -> Vec<Campaign> {
    campaigns(Log::open(directory).expect("the log opens"))
}

/// The only campaign of a directory.
fn campaign(directory: &Path) -> Campaign {
    let mut campaigns = all_campaigns(directory);
    assert_eq!(campaigns.len(), 1);
    campaigns.remove(0)
}

fn cleaned(directory: &Path, options: &Options) -> Cleaned {
    clean(&campaign(directory), options)
}

/// Everything that reaches a report, as text.
fn told(cleaned: &Cleaned) -> String {
    let Cleaned { rows, cells, inconsistent, working, stands_for, is_complete, findings, totals, loss, .. } = cleaned;
    format!(
        "{rows:#?} {cells:#?} {inconsistent:#?} {working:#?} {stands_for:?} {is_complete} {findings:#?} {totals:?} {loss:?}"
    )
}
