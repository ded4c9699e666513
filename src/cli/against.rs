//! `--against`: the log of an earlier version, for a report's hints.

use super::{
    at_hand::AtHand,
    campaigns::{Placed, earlier},
    report::Anchored,
};
use crate::{
    anchor::previous::{Again, Comparison, Known, compare, most_alike},
    clean::{self, Campaign, Cleaned},
    explain::{AllExplained, explain_all},
    log::Header,
    terminal::{Color, escape, shown, warn},
    witness::Budget,
};
use anyhow::{Result, bail};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

/// How long inputs are run again.
const TIME: Duration = Duration::from_secs(20);
/// How many processes may die of them.
const DEATHS: usize = 8;

/// An earlier log.
pub(super) struct Against {
    path: PathBuf,
    campaigns: Vec<Campaign>,
    color: Color,
}

impl Against {
    /// A log with an earlier version of at least one of these campaigns.
    pub(super) fn open(path: &Path, new: &[Placed], color: Color) -> Result<Self> {
        let campaigns = earlier(path, new, color)?;
        if !new.iter().any(|(_, new)| most_alike(&campaigns, &new.header).is_some()) {
            let suites: BTreeSet<String> =
                new.iter().map(|(_, new)| format!("`{}`", escape(&new.header.suite))).collect();
            let suites = suites.into_iter().collect::<Vec<_>>().join(", ");
            bail!("`{}` has no log of {suites} to compare with", shown(path));
        }
        Ok(Self { path: path.to_owned(), campaigns, color })
    }

    /// What it says about the cells of a newer log; nothing, and a warning, if it is of another suite.
    pub(super) fn anchored(
        &self,
        campaign: &Campaign,
        cleaned: &Cleaned,
        explained: &AllExplained,
        options: &clean::Options,
        at_hand: &mut AtHand<'_>,
    ) -> Anchored {
        let Some(position) = most_alike(&self.campaigns, &campaign.header) else {
            let suite = escape(&campaign.header.suite);
            warn(self.color, format_args!("`{}` has no log of suite `{suite}` to compare with", shown(&self.path)));
            return Anchored::default();
        };
        let old = &self.campaigns[position];
        let old_cleaned = clean::clean(old, options);
        let old_explained = explain_all(old, &old_cleaned);
        let comparison = compared(
            Known { campaign: old, cleaned: &old_cleaned, explained: &old_explained },
            Known { campaign, cleaned, explained },
            options,
            at_hand,
            self.color,
        );
        comparison.notes.iter().for_each(|note| warn(self.color, escape(note)));
        (comparison.anchors(), comparison.witnesses())
    }
}

/// Compares two logs; what they leave open is asked of the target at hand.
pub(super) fn compared(
    old: Known<'_>,
    new: Known<'_>,
    options: &clean::Options,
    at_hand: &mut AtHand<'_>,
    color: Color,
) -> Comparison {
    let mut comparison = compare(old, new, options);
    if !comparison.is_open() || !at_hand.is_wanted() {
        return comparison;
    }
    // Where there is none, the witnesses say why.
    if let Ok(target) = at_hand.open()
        && has_the_same_cells(&new.cleaned.header, target.oracle.header())
    {
        let mut judge = |bytes: &[u8]| target.judge(bytes);
        let mut again = Again::new(&mut judge, Budget::new(TIME, DEATHS));
        if let Err(error) = comparison.run_again(old, new, &mut again) {
            warn(color, format_args!("inputs are not run again: {error:#}"));
        }
    }
    comparison
}

fn has_the_same_cells(log: &Header, target: &Header) -> bool {
    let names = |header: &Header| (0..header.cells.len()).map(|cell| header.cell_name(cell)).collect::<Vec<_>>();
    names(log) == names(target)
}
