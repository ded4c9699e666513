//! A suite, ready to execute inputs.

mod opened;
mod unseen;

use super::{
    Callbacks, Execute, Facts, Settings, Step, coverage,
    describe::describe,
    guide,
    quiet::{self, Desk},
};
use crate::{
    Input, Output, Suite, SuiteError, Verdict,
    judge::{Guarded, Judge, Place, install_hook},
    log::{
        Header, Phase, Stage, Value, Writer,
        encode::Encoder,
        live::{self, Live},
    },
};
#[cfg(bugornot_calls)]
use crate::{engine::calls, log::codec};
use arbitrary::Unstructured;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicU32,
};

/// A suite, ready to execute inputs.
pub struct Target<In, Out> {
    callbacks: Callbacks,
    judge: Judge<In, Out>,
    settings: Settings,
    header: Header,
    desk: Desk,
    /// Stands in for the live pages where there is no log.
    unlogged: Vec<u64>,
    writer: Option<Writer>,
    encoder: Encoder,
    constants: Vec<i64>,
    /// How many bytes an input can take at the most.
    takes: Option<usize>,
    /// The execution under way.
    phase: Phase,
    bytes: *const [u8],
    input: Option<In>,
    /// What the last execution covered, for the built-in engine.
    covered: Option<Vec<usize>>,
    /// The last execution in full, if somebody wants to be told.
    told: Option<Vec<u8>>,
}

impl<In: Input, Out: Output> Target<In, Out> {
    /// Declares the suite and makes it ready; nothing is written before the first execution.
    pub fn new(
        name: &str,
        declare: impl FnOnce(&mut Suite<In, Out>),
        settings: Settings,
        facts: &Facts,
    ) -> Result<Self, SuiteError> {
        Self::with(Callbacks::of::<In, Out>(), name, declare, settings, facts)
    }

    #[inline(always)]
    pub(super) fn with(
        callbacks: Callbacks,
        name: &str,
        declare: impl FnOnce(&mut Suite<In, Out>),
        settings: Settings,
        facts: &Facts,
    ) -> Result<Self, SuiteError> {
        let suite = Suite::declare(name, settings.draws(), declare)?;
        install_hook();
        coverage::prepare();
        guide::prepare();
        let judge = Judge::new(suite);
        let header = describe(&judge, &settings, facts);
        let constants = header.constants.iter().filter_map(|(_, value)| whole(value)).collect();
        let takes = In::size_hint(0).1.zip(judge.suite.parameters_take()).map(|(input, more)| input + more);
        let cells = judge.cells.len();
        let mut target = Self {
            callbacks,
            judge,
            settings,
            header,
            desk: Desk::new(cfg!(bugornot_engine = "afl")),
            unlogged: vec![0; live::size(cells) / 8],
            writer: None,
            encoder: Encoder::default(),
            constants,
            takes,
            phase: Phase::Fuzz,
            bytes: &[],
            input: None,
            covered: None,
            told: None,
        };
        let unlogged = target.unlogged.as_mut_ptr().cast::<Live>();
        // SAFETY: as large as live pages, aligned to eight bytes, all zero.
        unsafe { (*unlogged).begin() };
        target.place(unlogged);
        Ok(target)
    }

    /// Points the quiet functions at live pages.
    fn place(&mut self, live: *mut Live) {
        let cells = self.judge.cells.len();
        self.desk.live = live;
        self.desk.cells = cells;
        self.desk.verdicts = live.cast::<u8>().wrapping_add(live::VERDICTS_AT);
        self.desk.totals = live.cast::<u8>().wrapping_add(live::totals_at(cells)).cast();
    }

    fn live(&mut self) -> &mut Live {
        // SAFETY: `place` put a valid pointer there, into memory that lives as long as the target.
        unsafe { &mut *self.desk.live }
    }

    /// The one way bytes become an input: parameters first, then all the rest is the input's. Not inlined: what the
    /// user's types do with the bytes is coverage like any other.
    #[inline(never)]
    fn decode(&self, bytes: &[u8]) -> Option<In> {
        let mut bytes = Unstructured::new(bytes);
        self.judge.suite.draw_parameters(&mut bytes).ok()?;
        let input = In::arbitrary_take_rest(bytes).ok()?;
        self.judge.suite.admit(input)
    }

    /// Encodes a row's values; how many there are, and the shape of the fields. The user's features are asked only where
    /// that is safe.
    #[inline(always)]
    fn encode(&mut self, input: &In, raw: &[u8], ask: bool) -> (usize, u32) {
        let suite = &self.judge.suite;
        let encoder = &mut self.encoder;
        let (fields, shape) = encoder.fields(input, &suite.names, raw);
        let mut parameters = 0;
        suite.visit_parameters(&mut |parameter| {
            parameter.encode(encoder);
            parameters += 1;
        });
        for _ in parameters..suite.parameter_names().count() {
            encoder.unit();
        }
        for feature in &suite.features {
            match catch_unwind(AssertUnwindSafe(|| ask.then(|| (feature.test)(input)))) {
                Ok(Some(truth)) => encoder.truth(truth),
                Ok(None) | Err(_) => encoder.unit(),
            }
        }
        (fields + suite.parameter_names().count() + suite.features.len(), shape)
    }

    /// Opens the log if this is the first execution, and executes one input.
    #[inline(always)]
    pub(super) fn step_inline(&mut self, bytes: &[u8], phase: Phase) -> Step {
        self.begin();
        let length = self.takes.map_or(bytes.len(), |takes| takes.min(bytes.len()));
        let bytes = &bytes[..length];
        self.execute(bytes, phase, |target| target.decode(bytes))
    }

    /// Executes an input that `find` finds, with these bytes in the mark.
    #[inline(always)]
    fn execute(&mut self, bytes: &[u8], phase: Phase, find: impl FnOnce(&Self) -> Option<In>) -> Step {
        self.phase = phase;
        self.bytes = bytes;
        // SAFETY: `place` made the desk valid, and the bytes are a slice.
        unsafe {
            quiet::begin(
                &raw mut self.desk,
                bytes.as_ptr(),
                bytes.len(),
                live::phase_code(phase),
                Stage::Decode.number(),
            )
        };
        let _guarded = Guarded::begin();
        let found = catch_unwind(AssertUnwindSafe(|| find(self)));
        let step = match found {
            Ok(Some(input)) => {
                let mut place = place(&self.desk);
                self.judge.run(&input, &mut place);
                self.input = Some(input);
                Step::Judged
            }
            Ok(None) => Step::Rejected,
            Err(_) => {
                place(&self.desk).verdicts.fill(live::code(Verdict::TransformPanicked));
                Step::Judged
            }
        };
        // The callback gets the whole target, so from here on it is reached through one pointer.
        let this = &raw mut *self;
        match step {
            // SAFETY: as above; every cell has a verdict, and `unseen` expects this target.
            Step::Judged => unsafe { quiet::commit(&raw mut (*this).desk, (*this).callbacks.unseen, this.cast()) },
            // SAFETY: as above.
            Step::Rejected => unsafe { quiet::reject(&raw mut (*this).desk) },
        }
        // What is forgotten may panic when it is dropped; each time there is less left.
        while catch_unwind(AssertUnwindSafe(|| self.forget())).is_err() {}
        if self.settings.crash {
            self.crash();
        }
        step
    }

    #[inline(always)]
    fn forget(&mut self) {
        drop(self.input.take());
        self.judge.forget();
    }

    /// Aborts if a relation was violated or a function panicked, for platforms that only see crashes.
    #[expect(clippy::print_stderr, reason = "the last words of a process that is about to abort")]
    fn crash(&mut self) {
        let is_bad = |verdict: &Verdict| *verdict == Verdict::Violated || verdict.is_panic();
        if let Some((cell, verdict)) = self.verdicts().into_iter().enumerate().find(|(_, verdict)| is_bad(verdict)) {
            eprintln!("bugornot: {} {verdict}, and BUGORNOT_CRASH is set", self.header.cell_name(cell));
            std::process::abort();
        }
    }
}

impl<In: Input, Out: Output> Execute for Target<In, Out> {
    fn step(&mut self, bytes: &[u8], phase: Phase) -> Step {
        self.step_inline(bytes, phase)
    }

    fn verdicts(&self) -> Vec<Verdict> {
        place(&self.desk).verdicts.iter().filter_map(|&code| live::decode(code).ok().flatten()).collect()
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn takes(&self) -> Option<usize> {
        self.takes
    }

    #[inline(always)]
    fn begin(&mut self) {
        let this = &raw mut *self;
        // SAFETY: `place` made the desk valid, and `open` expects this target.
        unsafe { quiet::open_once(&raw mut (*this).desk, (*this).callbacks.open, this.cast()) };
    }

    fn watch(&mut self) {
        self.begin();
        self.desk.always = true;
        self.covered = Some(Vec::new());
    }

    fn covered(&mut self) -> Vec<usize> {
        self.covered.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn tell(&mut self) {
        self.begin();
        self.desk.always = true;
        self.told = Some(Vec::new());
    }

    fn told(&mut self) -> Option<Vec<u8>> {
        self.told.as_mut().map(std::mem::take).filter(|told| !told.is_empty())
    }

    #[cfg(bugornot_calls)]
    fn calls(&self, bytes: &[u8], cell: usize) -> Vec<u8> {
        let length = self.takes.map_or(bytes.len(), |takes| takes.min(bytes.len()));
        let mut runs = Vec::new();
        let _guarded = Guarded::begin();
        let found = catch_unwind(AssertUnwindSafe(|| self.decode(&bytes[..length])));
        if let Ok(Some(input)) = found {
            self.judge.calls(cell, &input, &mut |call| runs.push(calls::watch(call)));
        }
        codec::encode(&runs)
    }
}

/// Where the judge leaves how far it has come.
#[inline(always)]
fn place<'run>(desk: &Desk) -> Place<'run> {
    // SAFETY: the desk's places are valid for as long as the target lives, and one thread executes inputs.
    unsafe {
        Place {
            stage: AtomicU32::from_ptr(&raw mut (*desk.live).mark.stage),
            verdicts: std::slice::from_raw_parts_mut(desk.verdicts, desk.cells),
        }
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.integer().and_then(|integer| i64::try_from(integer).ok())
}
