//! What would decide a cell that is open.

use std::fmt;

/// What is wanted to decide; its text is what reports say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Whether outputs that the judgement does not know are right.
    Outputs,
    /// An input at all.
    Input,
    /// That what is rounding is held.
    Tolerance,
    /// Another version, or a word of the tester.
    Anchor,
    /// A word of the tester: another version did the same.
    Tester,
    /// What exceptions to a condition are.
    Exceptions,
    /// A statement that rows of opposite verdicts differ in.
    Feature,
    /// The verdicts of one log's inputs in the other's version.
    Replay,
    MoreRows,
    SameBuild,
    Steady,
}

impl Wanted {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Outputs => {
                "whether the function may give the outputs that the judgement panics on: if so, let it take them; if \
                 not, they are the bug"
            }
            Self::Input => "an input that the relation applies to",
            Self::Tolerance => {
                "a tolerance that absorbs rounding (`WithinRelative`, `WithinAbsolute`): what is off by more stands alone then"
            }
            Self::Anchor => {
                "an earlier version's log (`report --against`), a declared `.expect_condition(..)`, or your decision (`bugornot decide`)"
            }
            Self::Tester => "a declared `.expect_condition(..)`, or your decision (`bugornot decide`)",
            Self::Exceptions => "a look at the exceptions, or more rows near them",
            Self::Feature => {
                "a feature that tells the nearest pair apart (`observe!`), or an earlier version's log (`bugornot diff`)"
            }
            Self::Replay => {
                "an old log that has the new inputs, or new verdicts on the old ones: `bugornot diff` without \
                 `--no-shrink`, in the crate of the new version"
            }
            Self::MoreRows => "an old log with more inputs",
            Self::SameBuild => "an old log of the same kind of build",
            Self::Steady => "a function that gives one output for one input",
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
