//! The words that a table uses for verdicts.

use crate::Verdict;
use serde::{Deserialize, Serialize};

/// The words of a mapping, by what they mean. Without any, common words are understood; the names of the verdicts
/// themselves always are.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Words {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) held: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) violated: Vec<String>,
    /// The function failed, and the table does not say on which input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) error: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_applicable: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) incomparable: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) source_panicked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) follow_up_panicked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) transform_panicked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) died: Vec<String>,
}

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Is(Verdict),
    /// The function failed, on the source input or on a follow-up.
    Error,
}

/// Understood in any case of letters, where the mapping names no words.
const COMMON: [(Meaning, &[&str]); 3] = [
    (Meaning::Is(Verdict::Held), &["pass", "passed", "true", "ok"]),
    (Meaning::Is(Verdict::Violated), &["fail", "failed", "false"]),
    (Meaning::Error, &["error", "exception"]),
];

impl Words {
    fn named(&self) -> [(Meaning, &[String]); 9] {
        [
            (Meaning::Is(Verdict::Held), &self.held),
            (Meaning::Is(Verdict::Violated), &self.violated),
            (Meaning::Error, &self.error),
            (Meaning::Is(Verdict::NotApplicable), &self.not_applicable),
            (Meaning::Is(Verdict::Incomparable), &self.incomparable),
            (Meaning::Is(Verdict::SourcePanicked), &self.source_panicked),
            (Meaning::Is(Verdict::FollowUpPanicked), &self.follow_up_panicked),
            (Meaning::Is(Verdict::TransformPanicked), &self.transform_panicked),
            (Meaning::Is(Verdict::Died), &self.died),
        ]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named().iter().all(|(_, words)| words.is_empty())
    }

    /// A word that was named for two things.
    pub(super) fn ambiguous(&self) -> Option<&str> {
        let named = self.named();
        let mut all = named.iter().flat_map(|(_, words)| words.iter().map(|word| word.trim()));
        let is_twice =
            |word: &&str| named.iter().filter(|(_, words)| words.iter().any(|other| other.trim() == *word)).count() > 1;
        all.find(is_twice)
    }

    /// What a word means, if it is known.
    pub(super) fn meaning(&self, word: &str) -> Option<Meaning> {
        let word = word.trim();
        let named = self.named().into_iter().find(|(_, words)| words.iter().any(|known| known.trim() == word));
        let own = || Verdict::ALL.into_iter().find(|verdict| verdict.word() == word).map(Meaning::Is);
        let common = || {
            let is_known = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
            COMMON.into_iter().find(|(_, words)| self.is_empty() && is_known(words)).map(|(meaning, _)| meaning)
        };
        named.map(|(meaning, _)| meaning).or_else(own).or_else(common)
    }

    /// All words that are known, for a message.
    pub(super) fn known(&self) -> String {
        let shown = |word: &str| format!("`{word}`");
        let named = self.named().into_iter().flat_map(|(_, words)| words.iter().map(|word| shown(word)));
        let own = Verdict::ALL.into_iter().map(|verdict| shown(verdict.word()));
        let common = COMMON.into_iter().filter(|_| self.is_empty()).flat_map(|(_, words)| words);
        let words: Vec<String> = named.chain(own).chain(common.map(|word| shown(word))).collect();
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_understood_until_others_are_named() {
        let common = Words::default();
        assert_eq!(common.meaning(" PASS "), Some(Meaning::Is(Verdict::Held)));
        assert_eq!(common.meaning("False"), Some(Meaning::Is(Verdict::Violated)));
        assert_eq!(common.meaning("Exception"), Some(Meaning::Error));
        assert_eq!(common.meaning("follow-up-panicked"), Some(Meaning::Is(Verdict::FollowUpPanicked)));
        // A column that asks whether it was violated: `true` must not mean held then.
        let asked = Words { held: vec!["False".into()], ..Words::default() };
        assert_eq!(asked.meaning("False"), Some(Meaning::Is(Verdict::Held)));
        assert_eq!(asked.meaning("True"), None);
        assert_eq!(asked.meaning("violated"), Some(Meaning::Is(Verdict::Violated)));
    }
}
