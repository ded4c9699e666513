//! A relation: how follow-up inputs are made, when, for which functions, and what their outputs are held against.

/// How a check was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// The outputs relate as they should.
    Held,
    /// The outputs have no order.
    Incomparable,
    /// They do not relate as they should. The largest: one violating follow-up among several decides.
    Violated,
}

/// What a judging closure may answer.
#[diagnostic::on_unimplemented(
    message = "a relation cannot be judged by `{Self}`",
    label = "not a judgement",
    note = "answer with a `bool`, an `Option<bool>` (`None`: incomparable) or a `Judgement`"
)]
pub trait IntoJudgement {
    /// The answer as a judgement.
    fn into_judgement(self) -> Judgement;
}

impl IntoJudgement for Judgement {
    fn into_judgement(self) -> Judgement {
        self
    }
}

impl IntoJudgement for bool {
    fn into_judgement(self) -> Judgement {
        if self { Judgement::Held } else { Judgement::Violated }
    }
}

impl IntoJudgement for Option<bool> {
    fn into_judgement(self) -> Judgement {
        self.map_or(Judgement::Incomparable, bool::into_judgement)
    }
}

/// All that one check of a relation saw.
#[derive(Debug)]
pub struct Check<'run, In, Out> {
    /// The source input.
    pub input: &'run In,
    /// The function's output for it.
    pub output: &'run Out,
    /// The follow-up inputs, in the order the transformation gave them.
    pub follow_up_inputs: &'run [In],
    /// The function's outputs for them.
    pub follow_up_outputs: &'run [Out],
}

/// A true/false statement about a source input.
pub(crate) type Test<In> = Box<dyn Fn(&In) -> bool>;
/// Adds the follow-ups of an input; false if there are none.
type FromInput<In> = Box<dyn Fn(&In, &mut Vec<In>) -> bool>;
/// Adds the follow-ups of an input and its output; false if there are none.
type FromOutput<In, Out> = Box<dyn Fn(&In, &Out, &mut Vec<In>) -> bool>;

/// Makes the follow-up inputs.
pub(crate) enum FollowUpsOf<In, Out> {
    /// From the source input alone, so once for all functions.
    Input(FromInput<In>),
    /// From the source input and the function's output.
    Output(FromOutput<In, Out>),
}

/// Judges one follow-up output against the source's.
type Pair<Out> = Box<dyn Fn(&Out, &Out) -> Judgement>;
/// Judges a whole check.
type Whole<In, Out> = Box<dyn Fn(&Check<'_, In, Out>) -> Judgement>;

/// The part of a relation that looks at outputs.
pub(crate) enum JudgeOf<In, Out> {
    /// Every follow-up output has to relate to the source's.
    Each(Pair<Out>),
    /// All inputs and outputs at once.
    All(Whole<In, Out>),
}

impl<In, Out> JudgeOf<In, Out> {
    #[inline(always)]
    pub(crate) fn judge(&self, check: &Check<'_, In, Out>) -> Judgement {
        let holds = match self {
            Self::All(judge) => return judge(check),
            Self::Each(holds) => holds,
        };
        let mut worst = Judgement::Held;
        for output in check.follow_up_outputs {
            let judgement = holds(check.output, output);
            if judgement as u8 > worst as u8 {
                worst = judgement;
            }
        }
        worst
    }
}

/// A relation as declared; its methods are chained on what [`Suite::relation`](crate::Suite::relation) returns.
pub struct Relation<In, Out> {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) only: Option<Vec<String>>,
    pub(crate) when: Vec<Test<In>>,
    pub(crate) expected: Option<String>,
    pub(crate) follow_ups: FollowUpsOf<In, Out>,
    pub(crate) judge: JudgeOf<In, Out>,
}

impl<In, Out> Relation<In, Out> {
    pub(crate) fn new(name: &str, follow_ups: FollowUpsOf<In, Out>, judge: JudgeOf<In, Out>) -> Self {
        Self {
            name: name.to_owned(),
            description: String::new(),
            only: None,
            when: Vec::new(),
            expected: None,
            follow_ups,
            judge,
        }
    }

    /// Says in words what the relation does; shown in reports.
    pub fn describe(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.description);
        self
    }

    /// Restricts the relation to these functions.
    pub fn only<'name>(&mut self, functions: impl IntoIterator<Item = &'name str>) -> &mut Self {
        self.only = Some(functions.into_iter().map(str::to_owned).collect());
        self
    }

    /// A precondition: other source inputs are `not-applicable`. Several must all be met.
    pub fn when(&mut self, test: impl Fn(&In) -> bool + 'static) -> &mut Self {
        self.when.push(Box::new(test));
        self
    }

    /// The condition over the fields under which the relation is expected to hold, as Rust text: `"a > b"`.
    ///
    /// It changes no verdict; the analyser compares it with what it finds.
    pub fn expect_condition(&mut self, condition: &str) -> &mut Self {
        self.expected = Some(condition.to_owned());
        self
    }

    pub(crate) fn applies_to(&self, function: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|name| name == function))
    }
}
