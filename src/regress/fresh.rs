//! A cell held against fresh inputs: half are drawn uniformly, half by the built-in engine, which is drawn to where
//! verdicts flip. The same seed gives the same inputs.

use super::{CellTest, Seen};
use crate::{
    Input, Output, Verdict,
    engine::{Builtin, Execute, Step, Until},
    escape::escape,
    judge::Guarded,
    log::{Header, Phase, Row, told},
    replay::LastWords,
    shrink::shrink_to_show,
};
use std::{
    convert::Infallible,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

/// How many fresh inputs are drawn.
const CASES: u64 = 1000;
/// How long the one that is shown is shrunk.
const SHRINK_TIME: Duration = Duration::from_secs(5);

/// What the draw begins with.
pub(super) fn seed() -> u64 {
    number("BUGORNOT_SEED", 0)
}

fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`: set it to a number")),
        Err(_) => default,
    }
}

/// What a test says of an input: the verdict it must have, if it says anything.
type Expect<'run, In> = &'run dyn Fn(&In, &Seen<'_>) -> Option<Verdict>;

/// An input that is judged differently, and the verdict it should have.
struct Wrong {
    row: Row,
    expected: Verdict,
}

/// An input, held against what a test says of it.
enum Compared {
    Right(Verdict),
    Wrong(Wrong),
}

/// A cell, and what it has shown so far.
pub(super) struct Fresh<'run, In, Out> {
    cell: &'run mut CellTest<In, Out>,
    expect: Expect<'run, In>,
    words: LastWords,
    /// How many inputs were as expected: held, and violated.
    right: [u64; 2],
    wrong: u64,
    /// The wrong one that takes the least room to write.
    simplest: Option<(usize, Wrong)>,
    /// Why the condition says nothing about some input.
    fault: Option<String>,
}

impl<'run, In: Input, Out: Output> Fresh<'run, In, Out> {
    pub(super) fn new(cell: &'run mut CellTest<In, Out>, expect: Expect<'run, In>) -> Self {
        Self { cell, expect, words: LastWords::begin(), right: [0; 2], wrong: 0, simplest: None, fault: None }
    }

    #[track_caller]
    pub(super) fn run(mut self) {
        let cases = number("BUGORNOT_CASES", CASES);
        let mut engine = Builtin::new(seed(), std::mem::take(&mut self.cell.seeds));
        engine.uniform(&mut self, cases / 2);
        engine.fuzz(&mut self, Until::Runs(cases.div_ceil(2)));
        self.end(cases);
    }

    #[track_caller]
    fn end(mut self, cases: u64) {
        let name = escape(&self.cell.name);
        if let Some((_, simplest)) = self.simplest.take() {
            let Wrong { row, expected } = self.shrunk(simplest);
            let (wrong, told) = (self.wrong, self.cell.told(&row, expected));
            panic!(
                "\n{name} is not as decided: {wrong} of {cases} fresh inputs are judged differently; one of them, \
                 shrunk:\n\n{told}{}",
                self.cell.advice()
            );
        }
        if self.right == [0; 2] {
            let why = self.fault.unwrap_or_else(|| "none was held or violated where the test says something".into());
            panic!("{name}: none of {cases} fresh inputs tests anything: {}", escape(&why));
        }
    }

    /// As few and small bytes as are wrong in the same way.
    fn shrunk(&mut self, mut wrong: Wrong) -> Wrong {
        let begin = Instant::now();
        let bytes = wrong.row.bytes.clone();
        let Ok(_) = shrink_to_show(&bytes, &mut |smaller| {
            if begin.elapsed() > SHRINK_TIME {
                return Ok::<_, Infallible>(false);
            }
            let is_alike =
                |found: &Wrong| (found.expected, found.row.verdict(0)) == (wrong.expected, wrong.row.verdict(0));
            match self.look(smaller, Phase::Replay).1 {
                Some(Compared::Wrong(found)) if is_alike(&found) => wrong = found,
                _ => return Ok(false),
            }
            Ok(true)
        });
        wrong
    }

    /// Executes an input and holds it against what must be; nothing if the test says nothing about it.
    fn look(&mut self, bytes: &[u8], phase: Phase) -> (Step, Option<Compared>) {
        self.words.set(self.cell.last_words(bytes));
        let step = self.cell.target.step(bytes, phase);
        (step, (step == Step::Judged).then(|| self.compared()).flatten())
    }

    fn compared(&mut self) -> Option<Compared> {
        let header = self.cell.target.header().clone();
        let row = self.cell.target.told().and_then(|told| told::read(&told, &header))?;
        let input = self.cell.judged.take()?;
        let verdict = row.verdicts.first().copied().flatten()?;
        let is_news = verdict.is_panic() && !self.cell.may_panic;
        if !is_news && !matches!(verdict, Verdict::Held | Verdict::Violated) {
            return None;
        }
        let expected = self.expected(&input, &row, &header)?;
        Some(if expected == verdict { Compared::Right(verdict) } else { Compared::Wrong(Wrong { row, expected }) })
    }

    fn expected(&mut self, input: &In, row: &Row, header: &Header) -> Option<Verdict> {
        let _guarded = Guarded::begin();
        let asked = catch_unwind(AssertUnwindSafe(|| (self.expect)(input, &Seen { row, header })));
        asked.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            self.fault = Some(format!("its condition panics: {}", text.unwrap_or_default()));
            None
        })
    }

    fn add_wrong(&mut self, wrong: Wrong) {
        self.wrong += 1;
        let room = wrong.row.fields.iter().chain(&wrong.row.parameters).map(|value| value.to_string().len()).sum();
        if self.simplest.as_ref().is_none_or(|(least, _)| room < *least) {
            self.simplest = Some((room, wrong));
        }
    }
}

impl<In: Input, Out: Output> Execute for Fresh<'_, In, Out> {
    fn step(&mut self, bytes: &[u8], phase: Phase) -> Step {
        let (step, compared) = self.look(bytes, phase);
        match compared {
            Some(Compared::Right(verdict)) => self.right[usize::from(verdict == Verdict::Violated)] += 1,
            Some(Compared::Wrong(wrong)) => self.add_wrong(wrong),
            None => {}
        }
        step
    }

    fn verdicts(&self) -> Vec<Verdict> {
        self.cell.target.verdicts()
    }

    fn header(&self) -> &Header {
        self.cell.target.header()
    }

    fn takes(&self) -> Option<usize> {
        self.cell.target.takes()
    }

    fn begin(&mut self) {
        self.cell.target.begin();
    }

    fn watch(&mut self) {
        self.cell.target.watch();
    }

    fn covered(&mut self) -> Vec<usize> {
        self.cell.target.covered()
    }

    fn tell(&mut self) {
        self.cell.target.tell();
    }

    fn told(&mut self) -> Option<Vec<u8>> {
        self.cell.target.told()
    }

    #[cfg(bugornot_calls)]
    fn calls(&self, bytes: &[u8], cell: usize) -> Vec<u8> {
        self.cell.target.calls(bytes, cell)
    }
}
