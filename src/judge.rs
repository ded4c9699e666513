//! One input, every function, every relation: one verdict per cell.
//!
//! Runs each function once on the source, makes each relation's follow-ups, runs each function once on each, and
//! judges. Knows nothing of where the input came from or where the verdicts go.

#[cfg(any(bugornot_calls, test))]
mod calls;
mod panics;

pub(crate) use panics::{Guarded, install_hook};

use crate::{
    Verdict,
    log::{
        SoundnessKind, Stage, codec,
        encode::{Encode, Encoder},
        live::code,
    },
    suite::{Cell, Check, FollowUpsOf, Judgement, Relation, Suite},
};
use panics::{PanicSite, Panics};
use std::sync::atomic::{AtomicU32, Ordering};

/// How an encoded [`Outcome`](crate::log::Outcome) begins.
const GAVE: u8 = 0;
const PANICKED: u8 = 1;
/// Room for follow-ups from the start: growing in the first execution would make it look unlike the others.
const ROOM: usize = 4;

/// Where the judge leaves how far it has come, so that a killed process can be understood.
pub(crate) struct Place<'run> {
    pub(crate) stage: &'run AtomicU32,
    /// One byte per cell.
    pub(crate) verdicts: &'run mut [u8],
}

impl Place<'_> {
    #[inline(always)]
    fn at(&self, stage: Stage) {
        self.stage.store(stage.number(), Ordering::Relaxed);
    }
}

/// Judges a suite, and remembers the last execution until it is told to forget it.
///
/// What runs in every execution is inlined into the quiet function that `fuzz!` makes: a fuzzer's instrumentation
/// reports every comparison it sees, and those of the judge say nothing about the code under test.
pub(crate) struct Judge<In, Out> {
    pub(crate) suite: Suite<In, Out>,
    pub(crate) cells: Vec<Cell>,
    sources: Vec<Result<Out, PanicSite>>,
    /// One per relation.
    runs: Vec<Run<In, Out>>,
    panics: Panics,
}

/// What one relation saw.
struct Run<In, Out> {
    /// The follow-ups that do not depend on a function's output.
    shared: Made<In>,
    /// One per cell of the relation.
    checks: Vec<Seen<In, Out>>,
}

/// Follow-up inputs, or why there are none.
struct Made<In> {
    inputs: Vec<In>,
    applies: Result<bool, PanicSite>,
}

/// What one cell saw.
struct Seen<In, Out> {
    cell: usize,
    function: usize,
    /// The follow-ups that depend on the function's output.
    own: Made<In>,
    outputs: Vec<Out>,
    follow_up_panic: Option<PanicSite>,
    judge_panic: Option<PanicSite>,
}

impl<In> Made<In> {
    fn new() -> Self {
        Self { inputs: Vec::with_capacity(ROOM), applies: Ok(true) }
    }
}

impl<In, Out> Judge<In, Out> {
    pub(crate) fn new(suite: Suite<In, Out>) -> Self {
        let cells = suite.cells();
        let seen = |(cell, &Cell { function, .. }): (usize, &Cell)| Seen {
            cell,
            function,
            own: Made::new(),
            outputs: Vec::with_capacity(ROOM),
            follow_up_panic: None,
            judge_panic: None,
        };
        let run = |relation| Run {
            shared: Made::new(),
            checks: cells.iter().enumerate().filter(|(_, cell)| cell.relation == relation).map(seen).collect(),
        };
        Self {
            runs: (0..suite.relations.len()).map(run).collect(),
            sources: Vec::with_capacity(suite.functions.len()),
            panics: Panics::default(),
            cells,
            suite,
        }
    }

    /// Judges one input; the verdict of every cell is left in `place`.
    #[inline(always)]
    pub(crate) fn run(&mut self, input: &In, place: &mut Place<'_>) {
        let Self { suite, sources, runs, panics, .. } = self;
        for (index, function) in suite.functions.iter().enumerate() {
            place.at(Stage::Source(index));
            sources.push(panics.catch(|| (function.call)(input)));
        }
        for (index, (relation, run)) in suite.relations.iter().zip(runs).enumerate() {
            place.at(Stage::Transform(index));
            let Made { inputs, applies } = &mut run.shared;
            *applies = panics.catch(|| {
                relation.when.iter().all(|test| test(input))
                    && match &relation.follow_ups {
                        FollowUpsOf::Input(make) => make(input, inputs),
                        FollowUpsOf::Output(_) => true,
                    }
            });
            for seen in &mut run.checks {
                let verdict = match &run.shared.applies {
                    Ok(true) => {
                        let source = (&sources[seen.function], &*suite.functions[seen.function].call);
                        seen.check(input, source, index, relation, &run.shared.inputs, place, panics)
                    }
                    Ok(false) => Verdict::NotApplicable,
                    // That the function panics by itself shows in all of its relations.
                    Err(_) if sources[seen.function].is_err() => Verdict::SourcePanicked,
                    Err(_) => Verdict::TransformPanicked,
                };
                place.verdicts[seen.cell] = code(verdict);
            }
        }
    }

    /// Forgets the last execution, within the execution: what a drop runs belongs to it.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.sources.clear();
        for (relation, run) in self.suite.relations.iter().zip(&mut self.runs) {
            run.shared.inputs.clear();
            run.checks.iter_mut().for_each(|seen| seen.outputs.clear());
            if matches!(relation.follow_ups, FollowUpsOf::Output(_)) {
                run.checks.iter_mut().for_each(|seen| seen.own.inputs.clear());
            }
        }
        if self.panics.are_any() {
            self.panics = Panics::default();
            for seen in self.runs.iter_mut().flat_map(|run| &mut run.checks) {
                seen.own.applies = Ok(true);
                seen.follow_up_panic = None;
                seen.judge_panic = None;
            }
        }
    }

    /// Tells executions apart whose verdicts are equal and whose panics are not.
    pub(crate) fn panic_sites(&self) -> u64 {
        self.panics.sites()
    }
}

/// What a function gave for the source input, and the function.
type Source<'run, In, Out> = (&'run Result<Out, PanicSite>, &'run dyn Fn(&In) -> Out);

impl<In, Out> Seen<In, Out> {
    /// Checks one cell of a relation that applies.
    #[expect(clippy::too_many_arguments, reason = "all of it is borrowed from one judge, part by part")]
    #[inline(always)]
    fn check(
        &mut self,
        input: &In,
        (source, call): Source<'_, In, Out>,
        index: usize,
        relation: &Relation<In, Out>,
        shared: &[In],
        place: &Place<'_>,
        panics: &mut Panics,
    ) -> Verdict {
        let Ok(output) = source else { return Verdict::SourcePanicked };
        let follow_up_inputs = match &relation.follow_ups {
            FollowUpsOf::Input(_) => shared,
            FollowUpsOf::Output(make) => {
                place.at(Stage::Transform(index));
                let Made { inputs, applies } = &mut self.own;
                *applies = panics.catch(|| make(input, output, inputs));
                match applies {
                    Ok(true) => inputs,
                    Ok(false) => return Verdict::NotApplicable,
                    Err(_) => return Verdict::TransformPanicked,
                }
            }
        };
        place.at(Stage::FollowUp(self.cell));
        for follow_up in follow_up_inputs {
            match panics.catch(|| call(follow_up)) {
                Ok(output) => self.outputs.push(output),
                Err(panic) => {
                    self.follow_up_panic = Some(panic);
                    return Verdict::FollowUpPanicked;
                }
            }
        }
        place.at(Stage::Judge(self.cell));
        let check = Check { input, output, follow_up_inputs, follow_up_outputs: &self.outputs };
        match panics.catch(|| relation.judge.judge(&check)) {
            Ok(Judgement::Held) => Verdict::Held,
            Ok(Judgement::Violated) => Verdict::Violated,
            Ok(Judgement::Incomparable) => Verdict::Incomparable,
            Err(panic) => {
                self.judge_panic = Some(panic);
                Verdict::TransformPanicked
            }
        }
    }
}

/// Records that are encoded already, and how many.
#[derive(Default)]
pub(crate) struct Encoded {
    pub(crate) count: u64,
    bytes: Vec<u8>,
}

impl<In: Clone + Encode, Out: Encode> Judge<In, Out> {
    /// The soundness checks: calls every function on the same input again, and compares what it gives. The findings
    /// are encoded [`Soundness`](crate::log::Soundness) records.
    pub(crate) fn recheck(&self, input: &In, place: &Place<'_>, encoder: &mut Encoder) -> Encoded {
        let mut unsound = Encoded::default();
        encoder.sorts_maps = true;
        for (index, (function, source)) in self.suite.functions.iter().zip(&self.sources).enumerate() {
            place.at(Stage::Soundness(index));
            let mut call = |input: &In| encoded(&Panics::default().catch(|| (function.call)(input)), encoder);
            let (again, once_more) = (call(input), call(input));
            let copied = encoded(&Panics::default().catch(|| (function.call)(&input.clone())), encoder);
            let first = encoded(source, encoder);
            // Of a set in a type of the user's own nothing is known: it looks like a list.
            let is_unordered = std::any::type_name::<Out>().contains("HashSet");
            let differ = |one: &[u8], other: &[u8]| !are_alike(one, other, is_unordered);
            let (kind, first, second) = if differ(&again, &once_more) {
                (SoundnessKind::Nondeterministic, again, once_more)
            } else if differ(&first, &again) {
                (SoundnessKind::RoleDependent, first, again)
            } else if differ(&copied, &again) {
                (SoundnessKind::RoleDependent, again, copied)
            } else {
                continue;
            };
            unsound.count += 1;
            codec::push_varint(&mut unsound.bytes, index as u64);
            codec::push_varint(&mut unsound.bytes, kind as u64);
            unsound.bytes.extend(first);
            unsound.bytes.extend(second);
        }
        encoder.sorts_maps = false;
        unsound
    }

    /// All that the last execution saw: an encoded [`Detail`](crate::log::Detail). While fuzzing no such value is
    /// built: the less code a target has, the less its engine has to look through.
    pub(crate) fn detail(&self, encoder: &mut Encoder, unsound: &Encoded) -> Vec<u8> {
        let mut bytes = Vec::new();
        codec::push_varint(&mut bytes, self.sources.len() as u64);
        for source in &self.sources {
            push_outcome(&mut bytes, source.as_ref(), encoder);
        }
        codec::push_varint(&mut bytes, self.cells.len() as u64);
        for (index, cell) in self.cells.iter().enumerate() {
            let Run { shared, checks } = &self.runs[cell.relation];
            let Some(position) = checks.iter().position(|seen| seen.cell == index) else { continue };
            let seen = &checks[position];
            // Inputs that several cells share are told with the first.
            let is_first = position == 0;
            let shared_inputs = if is_first { &shared.inputs[..] } else { &[] };
            codec::push_varint(&mut bytes, (shared_inputs.len() + seen.own.inputs.len()) as u64);
            for input in shared_inputs.iter().chain(&seen.own.inputs) {
                encoder.append_to(&mut bytes, input);
            }
            let panicked = seen.follow_up_panic.as_ref();
            codec::push_varint(&mut bytes, (seen.outputs.len() + usize::from(panicked.is_some())) as u64);
            for outcome in seen.outputs.iter().map(Ok).chain(panicked.map(Err)) {
                push_outcome(&mut bytes, outcome, encoder);
            }
            let harness = [shared.applies.as_ref().err(), seen.own.applies.as_ref().err(), seen.judge_panic.as_ref()];
            match harness.into_iter().flatten().next() {
                None => bytes.push(0),
                Some(panic) => {
                    bytes.push(1);
                    panic.push(&mut bytes);
                }
            }
        }
        codec::push_varint(&mut bytes, unsound.count);
        bytes.extend_from_slice(&unsound.bytes);
        bytes
    }
}

/// Appends an encoded [`Outcome`](crate::log::Outcome).
fn push_outcome<Out: Encode>(bytes: &mut Vec<u8>, result: Result<&Out, &PanicSite>, encoder: &mut Encoder) {
    match result {
        Ok(output) => {
            bytes.push(GAVE);
            encoder.append_to(bytes, output);
        }
        Err(panic) => {
            bytes.push(PANICKED);
            panic.push(bytes);
        }
    }
}

fn encoded<Out: Encode>(result: &Result<Out, PanicSite>, encoder: &mut Encoder) -> Vec<u8> {
    let mut bytes = Vec::new();
    push_outcome(&mut bytes, result.as_ref(), encoder);
    bytes
}

/// Whether two encoded results are as good as equal: panics of one input may have different texts, and a set is encoded in
/// any order, each part in the same bytes.
fn are_alike(one: &[u8], other: &[u8], is_unordered: bool) -> bool {
    let sorted = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes.sort_unstable();
        bytes
    };
    let are_panics = one.first() == Some(&PANICKED) && other.first() == Some(&PANICKED);
    one == other || are_panics || (is_unordered && sorted(one) == sorted(other))
}
