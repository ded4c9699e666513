//! One cell of a suite under test: nothing else of the suite runs, so that another function's panic is no news here.

use super::{
    Seen,
    fresh::{self, Fresh},
};
use crate::{
    Input, Output, Suite, Verdict,
    corpus::Decided,
    engine::{Execute, Facts, Settings, Target, name_of},
    escape::escape,
    log::Row,
    replay::{Answer, LastWords, ask, changed, changed_text, names_of, seen},
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// An input: the bytes, and what they decode to. A text that ends with `...` is only the beginning.
pub type Example = (&'static [u8], &'static str);

/// Where a test is, and what it is about; made by `cell!`.
#[doc(hidden)]
pub struct Origin {
    pub suite: &'static str,
    pub function: &'static str,
    pub relation: &'static str,
    pub constants: &'static [(&'static str, &'static str)],
    pub module: &'static str,
    pub facts: Facts,
}

/// One cell of a suite, ready to be tested; [`cell!`](crate::cell!) makes it.
pub struct CellTest<In, Out> {
    pub(super) target: Target<In, Out>,
    /// The input that was judged last, as the suite's domain left it.
    pub(super) judged: Rc<RefCell<Option<In>>>,
    pub(super) seeds: Vec<Vec<u8>>,
    pub(super) may_panic: bool,
    suite: &'static str,
    /// `sub x MR2 (k = 6)`
    pub(super) name: String,
    /// What runs the test again.
    command: String,
}

impl<In: Input, Out: Output> CellTest<In, Out> {
    #[doc(hidden)]
    pub fn new(declare: fn(&mut Suite<In, Out>), origin: &Origin) -> Self {
        let Origin { function, relation, constants, .. } = *origin;
        let suite = name_of(origin.suite);
        let mut settings = Settings::new(None, fresh::seed());
        settings.pins = constants.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let judged: Rc<RefCell<Option<In>>> = Rc::default();
        let (slot, is_there) = (judged.clone(), Cell::new(false));
        let declare = |declared: &mut Suite<In, Out>| {
            declare(declared);
            is_there.set(declared.keep_cell(function, relation));
            // The last assumption sees the input as it is judged.
            declared.assume(move |input| {
                *slot.borrow_mut() = Some(input.clone());
                true
            });
        };
        let target = Target::new(suite, declare, settings, &origin.facts).unwrap_or_else(|error| panic!("{error}"));
        let again = format!("see `bugornot review {suite}`, and make the tests again with `bugornot generate {suite}`");
        assert!(is_there.get(), "the suite `{suite}` has no cell `{function} x {relation}` any more: {again}");
        let is_pinned = |name: &String| constants.iter().any(|(pinned, _)| pinned == name);
        if let Some((name, _)) = target.header().constants.iter().find(|(name, _)| !is_pinned(name)) {
            panic!("the suite `{suite}` has a constant `{name}` that the tests do not know: {again}");
        }
        let values: Vec<String> = constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
        let (test, module) = origin.module.split_once("::").unwrap_or((origin.module, ""));
        let mut made = Self {
            target,
            judged,
            seeds: Vec::new(),
            may_panic: false,
            suite,
            name: format!("{function} x {relation}{values}"),
            command: format!("cargo test --test {test} {module}").trim_end().to_owned(),
        };
        made.target.tell();
        made
    }

    /// What a panic of the function says nothing about: the log that was decided about has some, or was made by a build
    /// without the checks that make functions panic.
    #[must_use]
    pub fn may_panic(mut self) -> Self {
        self.may_panic = true;
        self
    }

    /// Inputs that fresh ones are made from, beside those that are made from nothing.
    #[must_use]
    pub fn seeds(mut self, examples: &[Example]) -> Self {
        self.seeds.extend(examples.iter().map(|(bytes, _)| bytes.to_vec()));
        self
    }

    /// The relation must hold for these inputs.
    ///
    /// # Panics
    /// If it does not: that is how a test fails.
    #[track_caller]
    pub fn holds(&mut self, examples: &[Example]) {
        self.examples(examples, Verdict::Held);
    }

    /// The relation must be violated for these inputs.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    pub fn is_violated(&mut self, examples: &[Example]) {
        self.examples(examples, Verdict::Violated);
    }

    /// The relation must hold for all fresh inputs.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn always_holds(&mut self) {
        self.fresh(&|_, _| Some(Verdict::Held));
    }

    /// The relation must be violated for all fresh inputs.
    ///
    /// # Panics
    /// If it is not.
    #[track_caller]
    pub fn is_always_violated(&mut self) {
        self.fresh(&|_, _| Some(Verdict::Violated));
    }

    /// The relation must be violated for fresh inputs that meet the condition, and hold for all others.
    ///
    /// # Panics
    /// If that is not so.
    #[track_caller]
    pub fn is_violated_just_when(&mut self, condition: impl Fn(&In, &Seen<'_>) -> bool) {
        let expected = |is_met| if is_met { Verdict::Violated } else { Verdict::Held };
        self.fresh(&|input, seen| Some(expected(condition(input, seen))));
    }

    /// The relation must be violated for fresh inputs that meet the condition; nothing is said of others.
    ///
    /// # Panics
    /// If that is not so.
    #[track_caller]
    pub fn is_violated_when(&mut self, condition: impl Fn(&In, &Seen<'_>) -> bool) {
        self.fresh(&|input, seen| condition(input, seen).then_some(Verdict::Violated));
    }

    /// The relation must hold for fresh inputs that do not meet the condition; nothing is said of others.
    ///
    /// # Panics
    /// If that is not so.
    #[track_caller]
    pub fn holds_unless(&mut self, condition: impl Fn(&In, &Seen<'_>) -> bool) {
        self.fresh(&|input, seen| (!condition(input, seen)).then_some(Verdict::Held));
    }

    #[track_caller]
    fn fresh(&mut self, expect: &dyn Fn(&In, &Seen<'_>) -> Option<Verdict>) {
        Fresh::new(self, expect).run();
    }

    #[track_caller]
    fn examples(&mut self, examples: &[Example], expected: Verdict) {
        let words = LastWords::begin();
        let mut wrong = String::new();
        for (bytes, input) in examples {
            words.set(self.last_words(bytes));
            wrong.push_str(&self.example(bytes, input, expected));
        }
        if !wrong.is_empty() {
            panic!("\n{} is not as decided\n\n{wrong}{}", escape(&self.name), self.advice());
        }
    }

    /// What is wrong with an example.
    fn example(&mut self, bytes: &[u8], input: &str, expected: Verdict) -> String {
        let row = match ask(&mut self.target, bytes) {
            Answer::Judged(row) => row,
            Answer::Rejected => return self.stale(input, "it does not decode any more, or is outside the domain"),
        };
        let decoded = row.input_text(self.target.header());
        let is_same = input.strip_suffix("...").map_or(decoded == input, |begin| decoded.starts_with(begin));
        if !is_same {
            return self.stale(input, &format!("it decodes differently now, to `{decoded}`"));
        }
        if row.verdicts.first() == Some(&Some(expected)) { String::new() } else { self.told(&row, expected) }
    }

    fn stale(&self, input: &str, why: &str) -> String {
        let to_do = format!("`bugornot minimise {0}`, then `bugornot generate {0}`", self.suite);
        escape(&format!("stale: the input `{input}`: {why}; if the change is meant: {to_do}")) + "\n\n"
    }

    /// An input whose verdict is not the expected one.
    pub(super) fn told(&self, row: &Row, expected: Verdict) -> String {
        let header = self.target.header();
        let input = format!("{}\n  bytes      b\"{}\"", escape(&row.input_text(header)), row.bytes.escape_ascii());
        let names = names_of(header, header.cells[0]);
        let changed = changed(&Decided::default(), names, expected, row.verdict(0), seen(header, row, 0));
        changed_text(&input, &changed, &self.command)
    }

    pub(super) fn last_words(&self, bytes: &[u8]) -> String {
        let (name, bytes) = (&self.name, bytes.escape_ascii());
        escape(&format!("died: {name}: the input b\"{bytes}\" ended the process; reproduce it with `{}`", self.command))
            + "\n"
    }

    /// What to do where a test fails.
    pub(super) fn advice(&self) -> String {
        format!(
            "if that is meant: fuzz again, decide again, and make the tests again with `bugornot generate {}`\n",
            self.suite
        )
    }
}
