//! What the exit code says. Stable: scripts rely on it.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// There is nothing to decide.
    Nothing = 0,
    /// The command line or an input is wrong; nothing was changed.
    Usage = 1,
    /// There are violations that no rule explains, or a regression.
    Unexplained = 2,
    /// The log holds no usable rows.
    NoRows = 3,
    /// A bug in bugornot itself.
    Internal = 70,
    /// Stopped at once by a second Ctrl-C, or by the first where there was nothing to finish.
    Interrupted = 130,
}

/// For the end of `--help`.
pub(crate) const HELP: &str = "\
Exit codes: 0 nothing to decide, 1 usage or input error, 2 unexplained violations or a regression,
            3 no usable rows, 70 internal error, 130 interrupted before it could end cleanly";

impl ExitCode {
    /// What two results come to: one that has to be looked at counts more than one that has not, and any more than none.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unexplained, _) | (_, Self::Unexplained) => Self::Unexplained,
            (Self::Nothing, _) | (_, Self::Nothing) => Self::Nothing,
            _ => Self::NoRows,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
