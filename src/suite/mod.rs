//! What a user declares: functions, relations, constants, parameters, the domain and own features.
//!
//! A [`Suite`] is data. It knows nothing of engines, files or environment variables: whoever builds it hands in
//! the campaign's [`Draws`], and whoever judges it asks it for its parts.

mod draw;
mod follow_up;
pub(crate) mod outputs;
mod relation;

pub use draw::{Any, Constant, Draw, Draws, Parameter, any};
pub use follow_up::FollowUps;
pub use relation::{Check, IntoJudgement, Judgement, Relation};
pub(crate) use relation::{FollowUpsOf, JudgeOf, Test};

use crate::log::Value;
use arbitrary::{Arbitrary, Unstructured};
use draw::Drawn;
use serde::Serialize;
use std::{fmt, ops::RangeInclusive};

/// What a suite's input has to be able to do. Implemented for every type that can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a suite",
    label = "this suite's input",
    note = "an input is decoded from the fuzzer's bytes, logged, and copied: `#[derive(Arbitrary, Serialize, Clone)]`"
)]
pub trait Input: for<'bytes> Arbitrary<'bytes> + Serialize + Clone + 'static {}
impl<T: for<'bytes> Arbitrary<'bytes> + Serialize + Clone + 'static> Input for T {}

/// What a suite's output has to be able to do. Implemented for every type that can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a suite",
    label = "this suite's output",
    note = "an output is logged: `#[derive(Serialize)]`, or let the function return something that can be logged"
)]
pub trait Output: Serialize + 'static {}
impl<T: Serialize + 'static> Output for T {}

/// A function under test, by name.
pub(crate) struct Function<In, Out> {
    pub(crate) name: String,
    pub(crate) call: Box<dyn Fn(&In) -> Out>,
}

/// A feature of the user's own, by its text.
pub(crate) struct Feature<In> {
    pub(crate) text: String,
    pub(crate) test: Test<In>,
}

/// A declared set of functions and metamorphic relations over one input type.
///
/// ```
/// use bugornot::{Draws, Equal, Increase, Suite};
///
/// fn calculator(suite: &mut Suite<(i32, i32), i64>) {
///     let k = suite.constant("k", 2..=9);
///     suite.names(["a", "b"]);
///     suite.normalise(|(a, b)| (a % 1000, b % 1000));
///     suite.function("sub", |&(a, b)| i64::from(a) - i64::from(b));
///     suite.relation("MR1", |&(a, b)| (b, a), Equal).describe("permute the inputs");
///     suite.relation("MR2", move |&(a, b)| (a * k, b * k), Increase);
/// }
///
/// let suite = Suite::declare("calculator", Draws::seeded(7), calculator).unwrap();
/// assert_eq!(suite.cells().len(), 2);
/// ```
pub struct Suite<In, Out> {
    name: String,
    draws: Draws,
    pub(crate) constants: Vec<(String, Value)>,
    pub(crate) functions: Vec<Function<In, Out>>,
    pub(crate) relations: Vec<Relation<In, Out>>,
    pub(crate) features: Vec<Feature<In>>,
    pub(crate) names: Vec<&'static str>,
    parameters: Vec<(String, Box<dyn Drawn>)>,
    normalise: Vec<Box<dyn Fn(In) -> In>>,
    assume: Vec<Test<In>>,
    pub(crate) examples: Vec<In>,
    problems: Vec<String>,
}

/// One function x relation, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Position of the function in the suite.
    pub function: usize,
    /// Position of the relation in the suite.
    pub relation: usize,
}

/// Why a suite cannot be used, one sentence per mistake.
#[derive(Debug)]
pub struct SuiteError {
    suite: String,
    problems: Vec<String>,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suite `{}`: {}", self.suite, self.problems.join("; "))
    }
}
impl std::error::Error for SuiteError {}

impl<In: Input, Out: Output> Suite<In, Out> {
    /// Builds the suite that `declare` describes, and checks that it makes sense.
    pub fn declare(name: &str, draws: Draws, declare: impl FnOnce(&mut Self)) -> Result<Self, SuiteError> {
        let mut suite = Self {
            name: name.to_owned(),
            draws,
            constants: Vec::new(),
            functions: Vec::new(),
            relations: Vec::new(),
            features: Vec::new(),
            names: Vec::new(),
            parameters: Vec::new(),
            normalise: Vec::new(),
            assume: Vec::new(),
            examples: Vec::new(),
            problems: Vec::new(),
        };
        declare(&mut suite);
        suite.check()?;
        Ok(suite)
    }
}

/// The declarations. They ask nothing of the types, so that what a type lacks is said once, where the suite is used.
impl<In, Out> Suite<In, Out> {
    /// A constant of the relations, drawn once per campaign and kept in the log.
    ///
    /// `BUGORNOT_CONST_<name>` pins it.
    pub fn constant<T: Constant>(&mut self, name: &str, range: RangeInclusive<T>) -> T {
        self.claim_value_name(name);
        let value = self.draws.constant(name, &range).unwrap_or_else(|problem| {
            self.problems.push(problem);
            *range.start()
        });
        self.constants.push((name.to_owned(), value.to_value()));
        value
    }

    /// A value the fuzzer draws afresh for every execution; it is logged as a field.
    ///
    /// ```
    /// # use bugornot::{any, Equal, Suite, Draws};
    /// # Suite::declare("s", Draws::seeded(0), |suite: &mut Suite<Vec<u8>, usize>| {
    /// let by = suite.parameter("by", 0..=7);
    /// suite.function("len", |list| list.len());
    /// suite.relation("rotate", move |list| {
    ///     let mut list = list.clone();
    ///     let by = usize::from(by.get()).min(list.len());
    ///     list.rotate_left(by);
    ///     list
    /// }, Equal);
    /// # fn is_u8(_: bugornot::Parameter<u8>) {} is_u8(by);
    /// # }).unwrap();
    /// ```
    /// A range draws from it; [`any`] draws any value of a type.
    pub fn parameter<D: Draw + 'static>(&mut self, name: &str, draw: D) -> Parameter<D::Value> {
        self.claim_value_name(name);
        let parameter = Parameter::new();
        self.parameters.push((name.to_owned(), draw::drawn(draw, parameter)));
        parameter
    }

    /// A function under test.
    pub fn function(&mut self, name: &str, call: impl Fn(&In) -> Out + 'static) {
        if self.functions.iter().any(|function| function.name == name) {
            self.problems.push(format!("two functions are called `{name}`: rename one"));
        }
        self.functions.push(Function { name: name.to_owned(), call: Box::new(call) });
    }

    /// A relation: how the follow-up input is made, and how its output relates to the source's.
    ///
    /// `follow_up` returns the follow-up input, an `Option` of it (`None`: not applicable to this input), or several
    /// (`Vec`, array), each of which has to relate to the source. `holds` is one of the library ([`Equal`],
    /// [`Increase`], ...) or a closure over the two outputs, and answers with a `bool`, an `Option<bool>` (`None`:
    /// incomparable) or a [`Judgement`].
    ///
    /// [`Equal`]: crate::Equal
    /// [`Increase`]: crate::Increase
    pub fn relation<F, M, V>(
        &mut self,
        name: &str,
        follow_up: impl Fn(&In) -> F + 'static,
        holds: impl Fn(&Out, &Out) -> V + 'static,
    ) -> &mut Relation<In, Out>
    where
        F: FollowUps<In, M>,
        V: IntoJudgement,
    {
        self.add(Relation::new(
            name,
            FollowUpsOf::Input(Box::new(move |input, into| follow_up(input).add_to(into))),
            JudgeOf::Each(Box::new(move |source, follow_up| holds(source, follow_up).into_judgement())),
        ))
    }

    /// The general form of a relation: follow-ups from the input and the output of the source, and a judgement over
    /// all inputs and outputs.
    ///
    /// ```
    /// # use bugornot::{Draws, Suite};
    /// # Suite::declare("s", Draws::seeded(0), |suite: &mut Suite<(i32, i32), i64>| {
    /// suite.function("double", |&(x, _)| 2 * i64::from(x));
    /// suite.judge(
    ///     "additive",
    ///     |&(x, y), _| [(y, 0), (x.wrapping_add(y), 0)],
    ///     |check| check.output + check.follow_up_outputs[0] == check.follow_up_outputs[1],
    /// ).when(|&(x, y)| x.checked_add(y).is_some());
    /// # }).unwrap();
    /// ```
    pub fn judge<F, M, V>(
        &mut self,
        name: &str,
        follow_up: impl Fn(&In, &Out) -> F + 'static,
        holds: impl Fn(&Check<'_, In, Out>) -> V + 'static,
    ) -> &mut Relation<In, Out>
    where
        F: FollowUps<In, M>,
        V: IntoJudgement,
    {
        self.add(Relation::new(
            name,
            FollowUpsOf::Output(Box::new(move |input, output, into| follow_up(input, output).add_to(into))),
            JudgeOf::All(Box::new(move |check| holds(check).into_judgement())),
        ))
    }

    fn add(&mut self, relation: Relation<In, Out>) -> &mut Relation<In, Out> {
        if self.relations.iter().any(|other| other.name == relation.name) {
            self.problems.push(format!("two relations are called `{}`: rename one", relation.name));
        }
        self.relations.push(relation);
        self.relations.last_mut().expect("one was pushed")
    }

    /// A feature of the user's own: a true/false statement about the source input. [`observe!`](crate::observe) names
    /// it by its text.
    pub fn feature(&mut self, text: &str, test: impl Fn(&In) -> bool + 'static) {
        if self.features.iter().any(|feature| feature.text == text) {
            self.problems.push(format!("the feature `{text}` is declared twice: remove one"));
        }
        self.features.push(Feature { text: text.to_owned(), test: Box::new(test) });
    }

    /// Maps every decoded source input into the domain; what is judged and logged is the result. Follow-ups are left
    /// as the relation made them.
    pub fn normalise(&mut self, map: impl Fn(In) -> In + 'static) {
        self.normalise.push(Box::new(map));
    }

    /// Rejects source inputs outside the domain: they are counted, not judged.
    pub fn assume(&mut self, test: impl Fn(&In) -> bool + 'static) {
        self.assume.push(Box::new(test));
    }

    /// Typed inputs that every campaign judges first: a controlled grid, known edge cases.
    pub fn examples(&mut self, inputs: impl IntoIterator<Item = In>) {
        self.examples.extend(inputs);
    }

    /// Names for the parts of a tuple, or for an input that is a single value.
    pub fn names<'name>(&mut self, names: impl IntoIterator<Item = &'name str>) {
        // Leaked like all names serde gives: a suite lives as long as its process.
        self.names = names.into_iter().map(|name| &*name.to_owned().leak()).collect();
    }

    fn claim_value_name(&mut self, name: &str) {
        let taken = self.constants.iter().map(|(name, _)| name).chain(self.parameters.iter().map(|(name, _)| name));
        if taken.into_iter().any(|other| other == name) {
            self.problems.push(format!("two constants or parameters are called `{name}`: rename one"));
        }
    }

    fn check(&mut self) -> Result<(), SuiteError> {
        if self.functions.is_empty() {
            self.problems.push("it has no function: add one with `suite.function(\"name\", |input| ..)`".into());
        }
        if self.relations.is_empty() {
            self.problems.push("it has no relation: add one with `suite.relation(\"MR1\", |input| .., Equal)`".into());
        }
        let mut names = self.names.iter().enumerate();
        if names.any(|(position, name)| self.names[..position].contains(name)) {
            self.problems.push(format!("two fields have one name in `names({:?})`: rename one", self.names));
        }
        for relation in &self.relations {
            for name in relation.only.iter().flatten() {
                if !self.functions.iter().any(|function| function.name == *name) {
                    self.problems.push(format!(
                        "relation `{}` is only for function `{name}`, which does not exist: it has {}",
                        relation.name,
                        quoted(self.functions.iter().map(|function| function.name.as_str())),
                    ));
                }
            }
        }
        if self.problems.is_empty() && self.cells().is_empty() {
            self.problems.push("no relation applies to any function: check the `.only([..])` lists".into());
        }
        let problems = std::mem::take(&mut self.problems);
        if problems.is_empty() { Ok(()) } else { Err(SuiteError { suite: self.name.clone(), problems }) }
    }
}

impl<In, Out> Suite<In, Out> {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The function x relation pairs that are checked, functions first.
    pub fn cells(&self) -> Vec<Cell> {
        let pairs = (0..self.functions.len())
            .flat_map(|function| (0..self.relations.len()).map(move |relation| Cell { function, relation }));
        pairs.filter(|cell| self.relations[cell.relation].applies_to(&self.functions[cell.function].name)).collect()
    }

    /// Forgets every other function and relation; whether there is such a cell.
    #[cfg(feature = "replay")]
    pub(crate) fn keep_cell(&mut self, function: &str, relation: &str) -> bool {
        let is_it = |other: &Relation<In, Out>| other.name == relation && other.applies_to(function);
        let is_there = self.functions.iter().any(|other| other.name == function) && self.relations.iter().any(is_it);
        if is_there {
            self.functions.retain(|other| other.name == function);
            self.relations.retain(is_it);
            self.relations.iter_mut().for_each(|relation| relation.only = None);
        }
        is_there
    }

    /// The names of the parameters, in the order they are drawn.
    pub(crate) fn parameter_names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|(name, _)| name.as_str())
    }

    /// Draws every parameter for the next execution.
    pub(crate) fn draw_parameters(&self, bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
        self.parameters.iter().try_for_each(|(_, parameter)| parameter.draw(bytes))
    }

    /// How many bytes all parameters take at the most, if that is bounded.
    pub(crate) fn parameters_take(&self) -> Option<usize> {
        self.parameters.iter().map(|(_, parameter)| parameter.takes()).sum()
    }

    /// Hands the value each parameter has in this execution to `visit`.
    pub(crate) fn visit_parameters(&self, visit: &mut dyn FnMut(&dyn crate::log::encode::Encode)) {
        for (_, parameter) in &self.parameters {
            parameter.visit(visit);
        }
    }

    /// Maps a decoded input into the domain; `None` if it is rejected.
    pub(crate) fn admit(&self, input: In) -> Option<In> {
        let input = self.normalise.iter().fold(input, |input, map| map(input));
        self.assume.iter().all(|test| test(&input)).then_some(input)
    }
}

fn quoted<'name>(names: impl Iterator<Item = &'name str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
