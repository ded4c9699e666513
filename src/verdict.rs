//! The words for what one check of one relation on one function ended with.

use std::fmt;

/// What one check ended with: one function, one relation, one source input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Verdict {
    /// The outputs relate as the relation says.
    Held = 0,
    /// They do not.
    Violated = 1,
    /// The transformation is undefined for this input, or the relation's precondition fails.
    NotApplicable = 2,
    /// The outputs have no order, such as NaN.
    Incomparable = 3,
    /// The function panicked on the source input.
    SourcePanicked = 4,
    /// The function panicked on a follow-up input.
    FollowUpPanicked = 5,
    /// The harness panicked: a transformation, a precondition or a judgement. Not the function's fault.
    TransformPanicked = 6,
    /// The process ended while this check was under way.
    Died = 7,
}

impl Verdict {
    /// How many verdicts there are; each is smaller than this as a number.
    pub const COUNT: usize = 8;

    /// Every verdict, in the order of their numbers.
    pub const ALL: [Verdict; Self::COUNT] = [
        Self::Held,
        Self::Violated,
        Self::NotApplicable,
        Self::Incomparable,
        Self::SourcePanicked,
        Self::FollowUpPanicked,
        Self::TransformPanicked,
        Self::Died,
    ];

    /// The verdict with this number, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The word used everywhere: log, terminal, JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Violated => "violated",
            Self::NotApplicable => "not-applicable",
            Self::Incomparable => "incomparable",
            Self::SourcePanicked => "source-panicked",
            Self::FollowUpPanicked => "follow-up-panicked",
            Self::TransformPanicked => "transform-panicked",
            Self::Died => "died",
        }
    }

    /// The verdict with this word, if there is one.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }

    /// Whether the function under test panicked in this check, on either side.
    pub fn is_panic(self) -> bool {
        matches!(self, Self::SourcePanicked | Self::FollowUpPanicked)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
