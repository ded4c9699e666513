//! Cleaning from outside: what is counted, told apart and kept, whoever reads it and in whatever order.

#[path = "clean/order.rs"]
mod order;
#[path = "support/pair.rs"]
mod pair;
#[path = "clean/quality.rs"]
mod quality;
#[path = "clean/summary.rs"]
mod summary;

use bugornot::{
    Input, Output, Suite,
    clean::{Campaign, Cleaned, Options, campaigns, clean},
    engine::{Execute, Settings, Target},
    log::{Log, Phase},
};
use pair::{Pair, calculator};
use std::path::Path;

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
