//! What `review` and `decide` work with: a suite's log, its report, and the decisions about it.

use super::{
    at_hand::{AtHand, Judging},
    campaigns, project,
    report::{Mining, Outside, analyse},
    terminal::{Color, escape, shown},
};
use crate::{
    clean::{self, Campaign},
    corpus::MANIFEST,
    decision::{Choice, Decision, Decisions, cell_key, check},
    report::Report,
    review::what_is_known,
};
use anyhow::{Context, Result, bail};
use std::path::{Component, Path, PathBuf};

/// One suite, with all that is needed to decide about it.
pub(crate) struct Desk {
    campaign: Campaign,
    pub(crate) report: Report,
    decisions: Decisions,
}

/// A desk for every suite that the logs are about.
pub(crate) fn desks(logs: &[PathBuf], corpus: Option<&Path>, color: Color) -> Result<Vec<Desk>> {
    campaigns::newest(logs, color)?.into_iter().map(|campaign| Desk::new(campaign, corpus)).collect()
}

impl Desk {
    pub(crate) fn new(campaign: Campaign, corpus: Option<&Path>) -> Result<Self> {
        let suite = &campaign.header.suite;
        let folder = folder(corpus, suite).with_context(|| {
            format!("suite `{}` has no name for a folder of decisions: name one with `--corpus`", escape(suite))
        })?;
        let decisions = Decisions::load(&folder, suite)?;
        let report = {
            let outside = Outside { decisions: Some(&decisions), against: None };
            let mut nothing = AtHand::new(&campaign.header, Judging::Nothing, Color::default());
            analyse(&campaign, &clean::Options::default(), &Mining::DEFAULT, &outside, &mut nothing).0
        };
        Ok(Self::of(campaign, report, decisions))
    }

    /// A desk for a campaign that was reported on.
    pub(crate) fn of(campaign: Campaign, report: Report, decisions: Decisions) -> Self {
        Self { campaign, report, decisions }
    }

    /// The campaign and its report.
    pub(crate) fn cleared(self) -> (Campaign, Report) {
        (self.campaign, self.report)
    }

    /// Whether the log has rows.
    pub(crate) fn has_rows(&self) -> bool {
        self.report.cleaned.rows.kept > 0
    }

    pub(crate) fn suite(&self) -> String {
        escape(&self.campaign.header.suite)
    }

    /// Whether there is a corpus beside the decisions.
    pub(crate) fn has_corpus(&self) -> bool {
        self.decisions.path.with_file_name(MANIFEST).exists()
    }

    /// The file of decisions, as the user would type it.
    pub(crate) fn file(&self) -> String {
        shown(&self.decisions.path)
    }

    /// Makes a decision, unless the log contradicts it, or a decision there is and `replace` is not wanted.
    pub(crate) fn decide(&mut self, choice: &Choice, note: Option<&str>, replace: bool) -> Result<Decision> {
        let Report { cleaned, cells, .. } = &self.report;
        let held_inside = check(&self.campaign, cleaned, choice, &what_is_known(&cells[choice.cell]))?;
        let _alone = self.decisions.alone()?;
        // Somebody may have decided something else meanwhile.
        let folder = self.decisions.path.parent().unwrap_or(Path::new("."));
        let key = cell_key(&cleaned.header, choice.cell);
        let known = self.decisions.cells.get(&key);
        let mut decisions = Decisions::load(folder, &self.decisions.suite)?;
        let mut decision = Decision::new(choice, note.unwrap_or_default().to_owned(), cleaned, held_inside);
        if let Some(before) = decisions.cells.get(&key) {
            let may_replace = replace && known == Some(before);
            if !(may_replace || before.is_same(choice)) {
                let help = match replace {
                    true => "somebody decided this meanwhile: look at it, then start again",
                    false => "`--replace` changes the decision",
                };
                bail!(
                    "{} is decided already\n  before  {}, on {}: {}\n  now     {}: {}\n  help    {help}",
                    escape(&cleaned.header.cell_name(choice.cell)),
                    escape(&before.words()),
                    escape(&before.date),
                    before.test.words(),
                    escape(&decision.words()),
                    decision.test.words(),
                );
            }
            if note.is_none() && before.answer == choice.answer {
                decision.note.clone_from(&before.note);
            }
        }
        decisions.cells.insert(key.clone(), decision.clone());
        decisions.save()?;
        // What others have decided meanwhile nobody has seen here.
        self.decisions.cells.insert(key, decision.clone());
        Ok(decision)
    }
}

/// Where the decisions of a suite are, if its name can be that of a folder.
pub(crate) fn folder(corpus: Option<&Path>, suite: &str) -> Option<PathBuf> {
    if let Some(corpus) = corpus {
        return Some(corpus.to_owned());
    }
    let mut parts = Path::new(suite).components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == suite);
    is_name.then(|| project::crate_folder().unwrap_or_default().join("corpus").join(suite))
}
