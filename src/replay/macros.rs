//! What `replay!` expands to: a plain test.

use super::{
    Answer, Compared, Replayed, ReplayedInput, compare, compare::why_stale, github, last_words::LastWords, text,
};
use crate::{
    Input, Output, Suite,
    corpus::{Corpus, Kept},
    engine::{Execute, Facts, Settings, Step, Target, name_of},
    escape::{escape, shown},
    log::{Phase, told},
};
use std::path::Path;

/// Makes a suite and its committed corpus a test: `cargo test` replays every input, and fails where a verdict is not the
/// one that the manifest expects, or contradicts what was decided.
///
/// Needs the feature `replay`, and neither a fuzzer nor a nightly toolchain. The folder is relative to the crate's
/// manifest, and `bugornot minimise` writes it.
///
/// ```ignore
/// use bugornot_fuzz::calculator;
///
/// bugornot::replay!(calculator, "../corpus/calculator"); // the test `calculator::replay`
/// bugornot::replay!(money::rates as rates, "corpus/rates"); // a suite by its path; the test `rates::replay`
/// ```
#[macro_export]
macro_rules! replay {
    ($suite:ident, $folder:expr $(,)?) => {
        $crate::replay!($suite as $suite, $folder);
    };
    ($suite:path as $name:ident, $folder:expr $(,)?) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "the suite may be named by its whole path")]
            use super::*;

            #[test]
            fn replay() {
                $crate::replay::test(stringify!($suite), $suite, &$crate::__facts!(), $folder);
            }
        }
    };
}

/// Replays a corpus, and panics if anything is not as expected.
#[doc(hidden)]
#[expect(clippy::print_stdout, reason = "annotations for GitHub Actions are lines of the log")]
pub fn test<In: Input, Out: Output>(path: &str, declare: fn(&mut Suite<In, Out>), facts: &Facts, folder: &str) {
    let suite = name_of(path);
    let folder = Path::new(facts.manifest).join(folder);
    let corpus = Corpus::load(&folder, suite).unwrap_or_else(|error| panic!("{error}"));
    let mut settings = Settings::new(None, 0);
    settings.guide = false;
    settings.pins = corpus.manifest.constants.clone().into_iter().collect();
    let target = Target::new(suite, declare, settings, facts);
    let mut target = target.unwrap_or_else(|error| panic!("{error}"));
    if let Some(why) = why_stale(&corpus, target.header()) {
        let folder = shown(&folder);
        panic!("the corpus `{folder}` is stale: {why}; make it again with `bugornot minimise {suite}`");
    }
    let replayed = replay(&corpus, &mut target);
    if !replayed.is_good() {
        print!("{}", github::annotations(&replayed));
        panic!("\n{}", text(&replayed));
    }
}

fn replay(corpus: &Corpus, target: &mut dyn Execute) -> Replayed {
    target.tell();
    let mut replayed = Replayed::new(corpus, target.header());
    let words = LastWords::begin();
    let is_deadly = |input: &Kept| corpus.manifest.inputs[&input.name].is_deadly();
    let deadly = corpus.inputs.iter().filter(|input| is_deadly(input)).count();
    if deadly > 0 {
        replayed.notes.push(format!(
            "{deadly} of the inputs are known to end the process, and are replayed by `bugornot replay {}` only",
            replayed.suite
        ));
    }
    let decisions = &corpus.manifest.decisions;
    for input in &corpus.inputs {
        let expected = &corpus.manifest.inputs[&input.name];
        let path = shown(&corpus.folder.join(&input.name));
        let command = format!("bugornot replay {} {}", replayed.suite, input.name);
        let compared = if is_deadly(input) {
            Compared::known(expected, decisions)
        } else {
            words.set(
                escape(&format!(
                    "died: the input `{}` ({path}) ended the process; reproduce it with `{command}`",
                    expected.input
                )) + "\n",
            );
            compare(expected, decisions, &ask(target, &input.bytes), target.header())
        };
        replayed.inputs.push(ReplayedInput { path, command, compared });
    }
    replayed
}

/// What a target makes of an input, in this process.
pub(crate) fn ask(target: &mut dyn Execute, bytes: &[u8]) -> Answer {
    if target.step(bytes, Phase::Replay) == Step::Rejected {
        return Answer::Rejected;
    }
    let row = target.told().and_then(|told| told::read(&told, target.header()));
    row.map_or(Answer::Rejected, |row| Answer::Judged(Box::new(row)))
}
